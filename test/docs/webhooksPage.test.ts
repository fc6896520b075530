import { expect, test } from "bun:test"
import { WebhookEventType } from "../../src/domain/WebhookEvent.ts"
import { root } from "./pages.ts"

test("docs/webhooks.md describes every type of event", async () => {
  const page = await Bun.file(`${root}/docs/webhooks.md`).text()
  const described = [...page.matchAll(/^\| `((?:connection|endpoint)\.\w+)`/gm)].map(([, type]) => type ?? "")
  expect(described.toSorted()).toEqual(WebhookEventType.literals.toSorted())
})
