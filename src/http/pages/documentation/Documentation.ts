import { Schema } from "effect"
import { readdir } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { readScript } from "../pageScripts.ts"
import { locateWebFile } from "../serveStaticFile.ts"
import { ApiDocument } from "./ApiDocument.ts"
import type { DocumentationPage } from "./DocumentationPage.ts"
import { listGuidePages } from "./guidePages.ts"
import { authenticationPath, guidesPath, introductionPath, notFoundKeyOf } from "./paths.ts"
import { errorsPage } from "./renderErrors.ts"
import type { Guide } from "./renderGuide.ts"
import { renderAuthentication } from "./renderAuthentication.ts"
import { renderIntroduction } from "./renderIntroduction.ts"
import { listReferencePages } from "./renderReference.ts"
import { renderShell } from "./renderShell.ts"
import { formatLlmsText, formatSearchIndex } from "./searchIndex.ts"

/** A file of the documentation: a text that is made when it is first read, or a picture of the folder `docs`. */
export type DocumentationFile =
  | { readonly contentType: string; readonly text: () => Promise<string> }
  | { readonly image: Bun.BunFile }

/** Where the service is, for the examples, and how its other paths are named. */
interface DocumentationAddress {
  /** The URL of the service, configured or not. */
  readonly serviceUrl: string
  readonly referTo: (path: string) => string
}

/** Reads the folder `docs`, and finds every file that the documentation consists of, by its path. */
export const loadDocumentation = async (
  address: DocumentationAddress
): Promise<ReadonlyMap<string, DocumentationFile>> => {
  const { guides, images } = await readGuides()
  const source: unknown = await Bun.file(`${folder}openapi.json`).json()
  const document = Schema.decodeUnknownSync(ApiDocument)(source)
  const pages = listPages(document, guides, images, address.serviceUrl)
  const { title } = document.info
  const files: ReadonlyArray<readonly [path: string, file: DocumentationFile]> = [
    ["/openapi.json", textFile("application/json", () => formatOpenApi(source, address.referTo("")))],
    ["/llms.txt", textFile("text/plain; charset=utf-8", () => formatLlmsText(document.info, pages, address.referTo))],
    ["/docs/search.json", textFile("application/json", () => formatSearchIndex(pages))],
    ["/docs/style.css", textFile("text/css; charset=utf-8", () => Bun.file(locateWebFile("documentation.css")).text())],
    [scriptPath, textFile("text/javascript; charset=utf-8", () => readScript(scriptPath))],
    ...pages.map((page) => {
      const file = textFile("text/html; charset=utf-8", () => renderShell(page, pages, title))
      return [page.path, file] as const
    }),
    ...["/docs/x", "/docs/x/x", "/docs/x/x/x"].map((path) => {
      const file = textFile("text/html; charset=utf-8", () => renderShell({ ...notFoundPage, path }, pages, title))
      return [notFoundKeyOf(path), file] as const
    }),
    ...images.map((name) => [`${guidesPath}/${name}`, { image: Bun.file(`${folder}${name}`) }] as const)
  ]
  return new Map(files)
}

const scriptPath = "/docs/documentation.js"

const notFoundPage: Omit<DocumentationPage, "path"> = {
  title: "Not found",
  summary: "There is nothing at this path.",
  section: "Unlisted",
  layout: "prose",
  parts: [],
  render: () =>
    `<h1>There is nothing at this path</h1><p>Search above, or begin with the <a href="${introductionPath}">introduction</a>.</p>`
}

const folder = fileURLToPath(new URL("../../../../docs/", import.meta.url))

const readGuides = async (): Promise<{
  readonly guides: ReadonlyArray<Guide>
  readonly images: ReadonlyArray<string>
}> => {
  const names = (await readdir(folder, { recursive: true })).map((name) => name.replaceAll("\\", "/")).toSorted()
  const files = names.filter((name) => name.endsWith(".md"))
  const guides = await Promise.all(
    files.map(async (file) => ({ file, text: await Bun.file(`${folder}${file}`).text() }))
  )
  return { guides, images: names.filter((name) => name.endsWith(".png")) }
}

const textFile = (contentType: string, make: () => string | Promise<string>): DocumentationFile => {
  let text: Promise<string> | undefined
  return { contentType, text: () => (text ??= Promise.resolve(make())) }
}

/** Names the configured URL of the service as its server; without one clients take the origin of the document. */
const formatOpenApi = (source: unknown, url: string): string =>
  JSON.stringify(url === "" ? source : { ...Object(source), servers: [{ url }] })

const listPages = (
  document: ApiDocument,
  guides: ReadonlyArray<Guide>,
  images: ReadonlyArray<string>,
  serviceUrl: string
): ReadonlyArray<DocumentationPage> => {
  const introduction: DocumentationPage = {
    path: introductionPath,
    title: "Introduction",
    summary: document.info.description,
    section: "Start",
    layout: "prose",
    parts: [],
    render: () => renderIntroduction(document, pages, serviceUrl)
  }
  const authentication: DocumentationPage = {
    path: authenticationPath,
    title: "Authentication",
    summary: "The credentials: an API key for servers, a browser token for one page, an admin key for the operator.",
    section: "Start",
    layout: "reference",
    parts: [],
    render: () => renderAuthentication(document, serviceUrl)
  }
  const pages = [
    introduction,
    authentication,
    errorsPage(document),
    ...listReferencePages(document, serviceUrl),
    ...listGuidePages(guides, images)
  ]
  return pages
}
