import type { DocumentationPage } from "./DocumentationPage.ts"

const textLength = 1_200

/** The index for the search in the browser: each page, and each part of a page, with its address. */
export const formatSearchIndex = (pages: ReadonlyArray<DocumentationPage>): string =>
  JSON.stringify(
    pages.flatMap(({ parts, path, section, summary, title }) => [
      { kind: section === "API" || section === "Start" ? "Page" : "Guide", title, url: path, text: summary, page: "" },
      ...parts.map((part) => ({
        kind: part.kind,
        title: part.title,
        url: `${path}#${part.anchor}`,
        text: part.text.slice(0, textLength),
        page: title
      }))
    ])
  )

/** The pages as https://llmstxt.org lists them, for programs that read. */
export const formatLlmsText = (
  service: { readonly title: string; readonly description: string },
  pages: ReadonlyArray<DocumentationPage>,
  referTo: (path: string) => string
): string => {
  const sections = [...new Set(pages.map(({ section }) => section))]
  const lists = sections.map((section) => {
    const links = pages
      .filter((page) => page.section === section)
      .map(({ path, summary, title }) => `- [${title}](${referTo(path)})${summary === "" ? "" : `: ${summary}`}`)
    return `## ${section === "Unlisted" ? "Optional" : section}\n\n${links.join("\n")}\n`
  })
  const { description, title } = service
  return `# ${title}\n\n> ${description}\n\nThe API as one document: [OpenAPI 3.1](${referTo("/openapi.json")})\n\n${lists.join("\n")}`
}
