import { Marked, type Tokens } from "marked"
import { posix } from "node:path"
import { escapeHtml, renderCode, slugOf } from "../html.ts"
import { guidesPath } from "./paths.ts"

/** A page of the folder `docs`: where it lies in it, and its text as Markdown. */
export interface Guide {
  readonly file: string
  readonly text: string
}

/** The path of the page of a guide; the decisions begin with the page that lists them. */
export const guidePath = (file: string): string => `${guidesPath}/${file.replace(/\.md$/, "").replace(/\/README$/, "")}`

export const titleOf = ({ text }: Guide): string => /^# (.+)$/m.exec(text)?.[1]?.replaceAll("`", "") ?? ""

/** The summary of a guide: its first paragraph, without the readers that this names. */
export const summaryOf = ({ text }: Guide): string => {
  const paragraphs = text.slice(text.search(/^# /m)).split("\n\n")
  const first = toText(paragraphs.slice(1).find((paragraph) => /^[\w`[*]/.test(paragraph)) ?? "")
  const summary = first.replace(/^For [^:]*: /, "")
  return summary.charAt(0).toUpperCase() + summary.slice(1)
}

/** Markdown as text: links by their words, without marks. */
const toText = (markdown: string): string =>
  markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/<[^>]+>|[*`|]|^[#>-]+ /gm, "")
    .replaceAll(/\s+/g, " ")
    .trim()

/** A part of a guide below a heading, with the anchor of that. */
interface GuideSection {
  readonly anchor: string
  readonly heading: string
  readonly text: string
}

/** The sections of a guide, without its introduction. */
export const sectionsOf = ({ text }: Guide): ReadonlyArray<GuideSection> =>
  text
    .replaceAll(/^```[^]*?^```$/gm, "")
    .split(/^(?=#{2,3} )/m)
    .slice(1)
    .map((section) => {
      const [first = "", ...lines] = section.split("\n")
      const heading = first.replace(/^#+ /, "")
      return { anchor: slugOf(heading), heading: toText(heading), text: toText(lines.join("\n")) }
    })

/** Renders a guide. Links to guides, the OpenAPI document and other hosts stay; names of other files become text. */
export const renderGuide = (
  { file, text }: Guide,
  guides: ReadonlyArray<Guide>,
  images: ReadonlyArray<string>
): string => {
  const anchors = new Map<string, number>()
  const marked = new Marked({
    // An address in a text is an example more often than a page.
    tokenizer: { url: () => undefined },
    renderer: {
      heading({ depth, tokens, text }: Tokens.Heading) {
        const slug = slugOf(text)
        const uses = anchors.get(slug) ?? 0
        anchors.set(slug, uses + 1)
        const id = uses === 0 ? slug : `${slug}-${uses}`
        const content = this.parser.parseInline(tokens)
        return depth === 1
          ? `<h1>${content}</h1>`
          : `<h${depth} id="${id}"><a href="#${id}">${removeLinks(content)}</a></h${depth}>`
      },
      link({ href, tokens }: Tokens.Link) {
        const content = this.parser.parseInline(tokens)
        const target = resolveLink(href, file, guides, images)
        return target === undefined
          ? `<span class="source" title="${escapeHtml(locate(href, file))}, in the repository">${content}</span>`
          : `<a href="${escapeHtml(target)}">${content}</a>`
      },
      image({ href, text }: Tokens.Image) {
        const target = resolveLink(href, file, guides, images)
        return target === undefined
          ? escapeHtml(text)
          : `<img src="${target}" alt="${escapeHtml(text)}" loading="lazy">`
      },
      code({ lang = "", text }: Tokens.Code) {
        const [language = ""] = lang.split(" ")
        const block = renderCode(text, language, language === "" ? "Text" : `Code, ${language}`)
        return language === "mermaid"
          ? `<details><summary>Diagram, as Mermaid writes it</summary>${block}</details>`
          : block
      }
    }
  })
  return marked
    .parse(text, { async: false })
    .replaceAll("<table>", '<div class="table" tabindex="0" role="group" aria-label="Table"><table>')
    .replaceAll("</table>", "</table></div>")
    .replaceAll(/<th([^>]*)><\/th>/g, "<td$1></td>")
}

const removeLinks = (html: string): string => html.replaceAll(/<\/?a[^>]*>/g, "")

/** Where a link of a guide leads, if that is served. */
const resolveLink = (
  href: string,
  file: string,
  guides: ReadonlyArray<Guide>,
  images: ReadonlyArray<string>
): string | undefined => {
  if (/^(https?:|#)/.test(href)) return href
  const [path = "", anchor] = href.split("#")
  const target = locate(path, file)
  if (target === "docs/openapi.json") return "/openapi.json"
  const inDocs = target.replace(/^docs\//, "")
  if (images.includes(inDocs)) return `${guidesPath}/${inDocs}`
  return guides.some((guide) => guide.file === inDocs)
    ? `${guidePath(inDocs)}${anchor === undefined ? "" : `#${anchor}`}`
    : undefined
}

const locate = (href: string, file: string): string => posix.normalize(posix.join("docs", posix.dirname(file), href))
