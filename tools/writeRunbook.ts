import { Schema } from "effect"
import { replaceGeneratedBlock } from "./markdown.ts"

/** The rules of alerts, of which the end of the runbook is generated. */
const alertsPath = new URL("../ops/alerts.yaml", import.meta.url)

/** The page with a heading for each alert. */
export const runbookPath = new URL("../docs/runbook.md", import.meta.url)

const Rules = Schema.Struct({
  groups: Schema.Array(
    Schema.Struct({
      rules: Schema.Array(
        Schema.Struct({
          alert: Schema.String,
          annotations: Schema.Struct({ summary: Schema.String, description: Schema.String })
        })
      )
    })
  )
})

/** Replaces the generated block of the runbook by what each alert means, and what to do. */
export const withAlerts = async (page: string): Promise<string> => {
  const { groups } = Schema.decodeUnknownSync(Rules)(Bun.YAML.parse(await Bun.file(alertsPath).text()))
  const chapters = groups.flatMap(({ rules }) =>
    rules.map(({ alert, annotations: { description, summary } }) => `## ${alert}\n\n${summary}. ${description}`)
  )
  return replaceGeneratedBlock("alerts", chapters.join("\n\n"), page)
}

/** Writes the block: `bun run docs`. */
if (import.meta.main) await Bun.write(runbookPath, await withAlerts(await Bun.file(runbookPath).text()))
