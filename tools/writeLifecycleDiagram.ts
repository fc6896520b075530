import { lifecycleDiagramBlock, renderLifecycleDiagramBlock } from "./lifecycleDiagramBlock.ts"

/** Draws the diagram of the README from the table of transitions: `bun run diagram`. */
const readme = new URL("../README.md", import.meta.url)

const text = await Bun.file(readme).text()

await Bun.write(
  readme,
  text.replace(lifecycleDiagramBlock, () => renderLifecycleDiagramBlock())
)
