import { webhookEventMeanings, WebhookEventType } from "../src/domain/webhook/WebhookEvent.ts"
import { formatMarkdownTable, replaceGeneratedBlock } from "./markdown.ts"

/** The page about webhooks, of which the table of events is generated. */
export const webhooksPagePath = new URL("../docs/webhooks.md", import.meta.url)

/** Replaces the generated block of the page by the table of events. */
export const withWebhookEvents = (page: string): string =>
  replaceGeneratedBlock(
    "events",
    formatMarkdownTable(
      ["type", "when"],
      WebhookEventType.literals.map((type) => [`\`${type}\``, webhookEventMeanings[type]])
    ),
    page
  )

/** Writes the generated block of `docs/webhooks.md`: `bun run docs`. */
if (import.meta.main) {
  await Bun.write(webhooksPagePath, withWebhookEvents(await Bun.file(webhooksPagePath).text()))
}
