import { lifecycleDiagramBlock, renderLifecycleDiagramBlock } from "./lifecycleDiagram.ts"

/** Writes the lifecycle diagram into the README, from the transition table: `bun run diagram`. */
const readme = new URL("../README.md", import.meta.url)

const text = await Bun.file(readme).text()

await Bun.write(
  readme,
  text.replace(lifecycleDiagramBlock, () => renderLifecycleDiagramBlock())
)
