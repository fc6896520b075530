import { replaceGeneratedBlock } from "./markdown.ts"
import { drawLifecycleDiagram } from "./lifecycleDiagram.ts"
import { formatLifecycleTable } from "./lifecycleTable.ts"

/** The page about the lifecycle, of which the table of states and the diagram are generated. */
export const lifecyclePagePath = new URL("../docs/lifecycle.md", import.meta.url)

/** Replaces the generated blocks of the page by what the table of transitions leads to. */
export const withLifecycleBlocks = (page: string): string =>
  replaceGeneratedBlock(
    "diagram",
    `\`\`\`mermaid\n${drawLifecycleDiagram()}\n\`\`\``,
    replaceGeneratedBlock("states", formatLifecycleTable(), page)
  )

/** Writes the generated blocks of `docs/lifecycle.md`: `bun run docs`. */
if (import.meta.main) {
  await Bun.write(lifecyclePagePath, withLifecycleBlocks(await Bun.file(lifecyclePagePath).text()))
}
