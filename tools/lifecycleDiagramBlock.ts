import { lifecycleDiagram } from "./lifecycleDiagram.ts"

/** Where the diagram of the lifecycle stands in the README, markers included. */
export const lifecycleDiagramBlock = /<!-- lifecycle: bun run diagram -->[^]*<!-- \/lifecycle -->/

/** What should stand there. */
export const renderLifecycleDiagramBlock = () =>
  `<!-- lifecycle: bun run diagram -->\n\n\`\`\`mermaid\n${lifecycleDiagram()}\n\`\`\`\n\n<!-- /lifecycle -->`
