import { Effect, Layer, Option } from "effect"
import { readFileSync } from "node:fs"
import { apiServicesLayer, httpOnFreePort, offlineDns, send, storesInMemory, textOf } from "../../../support/testApi.ts"

/** The HTTP API in memory, with `PUBLIC_URL`. */
export const behindPublicUrl = (publicUrl: string) =>
  httpOnFreePort({ publicUrl: Option.some(publicUrl) }).pipe(
    Layer.provideMerge(apiServicesLayer),
    Layer.provide(offlineDns),
    Layer.provideMerge(storesInMemory)
  )

/** A page as a reader gets it. */
export interface ServedPage {
  readonly path: string
  readonly status: number
  readonly contentType: string
  readonly html: string
}

/** A link, and the page on which it stands. */
export interface FollowedLink {
  readonly from: string
  readonly target: URL
}

/** What is served by path, and the links to it and to other sites. */
interface CrawledSite {
  readonly served: ReadonlyMap<string, ServedPage>
  readonly links: ReadonlyArray<FollowedLink>
  readonly external: ReadonlyArray<FollowedLink>
}

const host = "http://service.example"

/** All that is served behind the links from `/docs`, by path: followed once, because every test gets the same. */
export const crawlDocumentation = Effect.suspend(() => (crawled === undefined ? crawl : Effect.succeed(crawled)))

let crawled: CrawledSite | undefined

const crawl = Effect.gen(function* () {
  const served = new Map<string, ServedPage>()
  const links: Array<FollowedLink> = []
  const waiting = ["/docs"]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (served.has(path)) continue
    const response = yield* send(path, { headers: { host: "connect.example", "accept-encoding": "identity" } })
    const contentType = response.headers.get("content-type") ?? ""
    const html = contentType.startsWith("text/html") ? yield* textOf(response) : ""
    served.set(path, { path, status: response.status, contentType, html })
    for (const [, href = ""] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      const target = new URL(unescapeHtml(href), host + path)
      links.push({ from: path, target })
      if (target.origin === host) waiting.push(target.pathname)
    }
  }
  const site: CrawledSite = { served, links: links.filter(({ target }) => target.origin === host), external: links }
  crawled = site
  return site
})

/** What the examples of an operation show, as text. */
export interface ShownExamples {
  readonly operationId: string
  readonly page: string
  readonly curl: string
  readonly client: string
  readonly answer: string
  /** Of a webhook. */
  readonly body: string
}

/** The examples of every operation on the pages. */
export const listShownExamples = (pages: Iterable<ServedPage>): ReadonlyArray<ShownExamples> =>
  [...pages].flatMap(({ html, path }) =>
    [...html.matchAll(/<section class="operation" id="([^"]+)">([^]*?)<\/section>/g)].map(
      ([, operationId = "", section = ""]) => {
        const examples = [...section.matchAll(/<figcaption>([^]*?)<\/figcaption>([^]*?)<\/figure>/g)]
        const find = (label: string) =>
          toPlainText(examples.find(([, caption = ""]) => caption.startsWith(label))?.[2] ?? "absent")
        const [curl, client, answer, body] = [find("curl"), find("TypeScript"), find("Answer"), find("Body")]
        return { operationId, page: path, curl, client, answer, body }
      }
    )
  )

const toPlainText = (html: string): string => unescapeHtml(html.replaceAll(/<[^>]+>/g, ""))

const unescapeHtml = (text: string): string =>
  text
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")

/** The document from which the pages are made. */
export const openApi: any = JSON.parse(readFileSync(new URL("../../../../docs/openapi.json", import.meta.url), "utf8"))

/** The operation of the document by this id. */
export const findOperation = (operationId: string) => {
  const found = declaredOperations.find(({ operation }) => operation.operationId === operationId)
  if (found === undefined) throw new Error(`the document has no operation ${operationId}`)
  return found
}

/** Every operation of the document, with its method and path template. */
export const declaredOperations: ReadonlyArray<{ method: string; path: string; operation: any }> = Object.entries<any>(
  openApi.paths
).flatMap(([path, operations]) =>
  Object.entries<any>(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation }))
)
