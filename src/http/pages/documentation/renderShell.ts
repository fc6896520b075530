import { escapeHtml } from "../html.ts"
import { type DocumentationPage, listedKinds, type PageSection } from "./DocumentationPage.ts"
import { introductionPath } from "./paths.ts"

const sections: ReadonlyArray<PageSection> = [
  "Start",
  "API",
  "Guides for platforms",
  "Guides for operators",
  "The service itself"
]

/** Renders a page with the frame of its content: the search, the navigation, and the list of its parts. */
export const renderShell = (
  page: DocumentationPage,
  pages: ReadonlyArray<DocumentationPage>,
  service: string
): string => {
  const content = page.render()
  const outline = page.layout === "prose" ? listHeadings(content) : []
  return withRelativeLinks(
    page.path,
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(titleOf(page, service))}</title>
<meta name="description" content="${escapeHtml(page.summary)}">
<link rel="stylesheet" href="/docs/style.css">
<script type="module" src="/docs/documentation.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="${introductionPath}">${escapeHtml(service)} <span>docs</span></a>
<search class="search" hidden>
<input type="search" aria-label="Search the documentation" placeholder="Search" autocomplete="off" spellcheck="false">
<div class="results" role="region" aria-label="Results" aria-live="polite" hidden></div>
</search>
<button class="menu" type="button" popovertarget="navigation">Menu</button>
</header>
<nav id="navigation" aria-label="Pages" popover>${sections.map((section) => renderSection(section, page, pages)).join("")}</nav>
<main id="content" class="${page.layout}">
${content}
</main>${renderOutline(outline)}
</body>
</html>
`
  )
}

const titleOf = ({ path, section, title }: DocumentationPage, service: string): string => {
  if (path === introductionPath) return `${service}: documentation`
  return [title, ...(section === "API" ? ["API"] : []), service].join(" · ")
}

const renderSection = (
  section: PageSection,
  open: DocumentationPage,
  pages: ReadonlyArray<DocumentationPage>
): string => {
  const links = pages
    .filter((page) => page.section === section)
    .map((page) => {
      const isOpen = page === open
      const link = `<a href="${page.path}"${isOpen ? ' aria-current="page"' : ""}>${escapeHtml(page.title)}</a>`
      return `<li>${link}${isOpen ? renderParts(page) : ""}</li>`
    })
  return links.length === 0 ? "" : `<h2>${section}</h2><ul>${links.join("")}</ul>`
}

const renderParts = ({ parts }: DocumentationPage): string => {
  const listed = parts.filter(({ kind }) => listedKinds.includes(kind))
  const links = listed.map(({ anchor, title }) => `<li><a href="#${anchor}">${escapeHtml(title)}</a></li>`)
  return links.length === 0 ? "" : `<ul>${links.join("")}</ul>`
}

interface RenderedHeading {
  readonly id: string
  readonly title: string
}

const listHeadings = (content: string): ReadonlyArray<RenderedHeading> =>
  [...content.matchAll(/<h2 id="([^"]+)">([^]*?)<\/h2>/g)].map(([, id = "", title = ""]) => ({
    id,
    title: title.replaceAll(/<[^>]+>/g, "")
  }))

const renderOutline = (headings: ReadonlyArray<RenderedHeading>): string =>
  headings.length < 2
    ? ""
    : `\n<aside class="outline"><nav aria-label="On this page"><h2>On this page</h2><ul>${headings
        .map(({ id, title }) => `<li><a href="#${id}">${title}</a></li>`)
        .join("")}</ul></nav></aside>`

/** Makes links relative to the page: a proxy may serve all paths below one of its own. */
const withRelativeLinks = (path: string, html: string): string => {
  const root = "../".repeat(path.split("/").length - 2)
  return html.replaceAll(/ (href|src)="\/(?!\/)/g, ` $1="${root}`)
}
