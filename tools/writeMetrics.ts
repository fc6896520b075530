import { metrics } from "../src/runtime/metrics.ts"
import { formatMarkdownTable, replaceGeneratedBlock } from "./markdown.ts"

/** The page about operations, of which the table of metrics is generated. */
export const metricsPagePath = new URL("../docs/operations.md", import.meta.url)

/** Replaces the generated block of the page by the table of metrics. */
export const withMetrics = (page: string): string =>
  replaceGeneratedBlock(
    "metrics",
    formatMarkdownTable(
      ["metric", "kind", "labels", "meaning"],
      Object.values(metrics).map(({ description, kind, labels, name }) => [
        `\`${kind === "counter" ? `${name}_total` : name}\``,
        kind,
        labels.map((label) => `\`${label}\``).join(", "),
        description
      ])
    ),
    page
  )

/** Writes the generated block of `docs/operations.md`: `bun run docs`. */
if (import.meta.main) await Bun.write(metricsPagePath, withMetrics(await Bun.file(metricsPagePath).text()))
