import { lifecycleDiagram } from "../../src/lifecycle/state/lifecycleDiagram.ts"

/** Where the diagram of the lifecycle stands in the README, markers included. */
export const lifecycleBlock = /<!-- lifecycle: bun run diagram -->[^]*<!-- \/lifecycle -->/

/** What should stand there. */
export const drawnBlock = () =>
  `<!-- lifecycle: bun run diagram -->\n\n\`\`\`mermaid\n${lifecycleDiagram()}\n\`\`\`\n\n<!-- /lifecycle -->`
