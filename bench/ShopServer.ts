import { Effect, type Scope } from "effect"

/** The element on a shop's page: the component, a hand-written one with the same requests, or an empty one. */
export const pageKinds = ["component", "handwritten", "empty"] as const
export type PageKind = (typeof pageKinds)[number]

export interface ShopSettings {
  readonly serviceUrl: string
  readonly issueToken: (connectionId: string, origin: string) => Promise<string>
}

/**
 * Serves the page of the example storefront for an existing connection, and returns the address of a page. The kinds
 * differ only in one script, which comes from another origin in each of them.
 */
export const startShopServer = ({
  issueToken,
  serviceUrl
}: ShopSettings): Effect.Effect<(kind: PageKind, connectionId: string) => string, never, Scope.Scope> =>
  Effect.gen(function* () {
    const elements = yield* serve((request) => {
      const element = request.url.endsWith("/handwritten.js") ? handwrittenElement(serviceUrl) : emptyElement
      return new Response(`customElements.define("domain-connection", ${element})`, { headers: scriptHeaders })
    })
    const scriptOf = (kind: PageKind) =>
      kind === "component" ? `${serviceUrl}/v1/connect.js` : `${elements}/${kind}.js`
    const policy = `default-src 'none'; script-src 'self' ${serviceUrl} ${elements}; style-src 'self'; connect-src 'self' ${serviceUrl}`

    const shop: string = yield* serve(async (request): Promise<Response> => {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname === "/token") {
        const connectionId = new URL(request.headers.get("referer") ?? "").searchParams.get("id") ?? ""
        return Response.json({ connectionId, token: await issueToken(connectionId, shop) })
      }
      if (pathname !== "/") return new Response(file(pathname))
      const html = await file("/page.html").text()
      const kind = pageKinds.find((kind) => kind === searchParams.get("kind")) ?? "component"
      return new Response(html.replace("SERVICE_URL/v1/connect.js", scriptOf(kind)), {
        headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": policy }
      })
    })
    return (kind, connectionId) => `${shop}/?kind=${kind}&id=${connectionId}`
  })

/** Starts a server on a free port and returns its origin. */
const serve = (handle: (request: Request) => Promise<Response> | Response): Effect.Effect<string, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: handle })),
      (server) => Effect.promise(() => server.stop(true))
    ),
    ({ port }) => `http://localhost:${port}`
  )

const file = (path: string) => Bun.file(`${import.meta.dir}/../examples/storefront${path}`)

const scriptHeaders = { "content-type": "text/javascript", "access-control-allow-origin": "*" }

/** The cost of any page with any element. */
const emptyElement = `class extends HTMLElement {
  connectedCallback() {
    this.attachShadow({ mode: "open" }).innerHTML = "<h2>Connect</h2><button>Continue</button>"
  }
}`

/** The empty element with the requests that the component makes before it can show something. */
const handwrittenElement = (serviceUrl: string) => `class extends HTMLElement {
  async connectedCallback() {
    const root = this.attachShadow({ mode: "open" })
    while (this.token === undefined) await new Promise((resolve) => setTimeout(resolve))
    const headers = { authorization: "Bearer " + this.token }
    const response = await fetch("${serviceUrl}/v1/connections/" + this.connectionId, { headers, cache: "no-store" })
    const { connection } = await response.json()
    root.innerHTML = "<h2>Connect</h2><button>Continue</button>"
    root.querySelector("h2").append(connection.effectiveIntent.domain)
  }
}`
