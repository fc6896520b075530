import { type Limit, limitTable } from "../src/settings/limitTable.ts"
import { formatMarkdownTable, replaceGeneratedBlock } from "./markdown.ts"

/** The page about the room of limits, of which the table of all limits is generated. */
export const limitsPagePath = new URL("../src/limits/README.md", import.meta.url)

/** Replaces the generated block of the page by the table of limits. */
export const withLimits = (page: string): string =>
  replaceGeneratedBlock(
    "limits",
    formatMarkdownTable(
      ["counted", "per", "how many", "how long", "at the limit", "setting"],
      Object.values<Limit>(limitTable).map(({ atLimit, counted, howLong, howMany, per, setting, share, unit }) => [
        counted,
        share === undefined ? per : `${per}; ${share}`,
        [howMany.toLocaleString("en"), ...(unit === "MiB" ? [unit] : [])].join(" "),
        howLong,
        atLimit,
        setting === undefined ? "" : `\`${setting.name}\``
      ])
    ),
    page
  )

/** Writes the generated block of `src/limits/README.md`: `bun run docs`. */
if (import.meta.main) await Bun.write(limitsPagePath, withLimits(await Bun.file(limitsPagePath).text()))
