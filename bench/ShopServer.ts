import { Effect, type Scope } from "effect"

/** What stands on the page of a shop: the component, or in its place an element that is written by hand. */
export const pageKinds = ["component", "byHand", "empty"] as const
export type PageKind = (typeof pageKinds)[number]

export interface ShopSettings {
  readonly serviceUrl: string
  readonly issueToken: (connectionId: string, origin: string) => Promise<string>
}

/**
 * The page of the example storefront for a connection that is there already. Its kinds differ in one script only, which
 * comes from another origin in each: gives the address of a page.
 */
export const startShopServer = ({
  issueToken,
  serviceUrl
}: ShopSettings): Effect.Effect<(kind: PageKind, connectionId: string) => string, never, Scope.Scope> =>
  Effect.gen(function* () {
    const elements = yield* listening((request) => {
      const element = request.url.endsWith("/byHand.js") ? elementByHand(serviceUrl) : emptyElement
      return new Response(`customElements.define("domain-connection", ${element})`, { headers: scriptHeaders })
    })
    const scriptOf = (kind: PageKind) =>
      kind === "component" ? `${serviceUrl}/v1/connect.js` : `${elements}/${kind}.js`
    const policy = `default-src 'none'; script-src 'self' ${serviceUrl} ${elements}; style-src 'self'; connect-src 'self' ${serviceUrl}`

    const shop: string = yield* listening(async (request): Promise<Response> => {
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

/** A server on a port of its own, and its origin. */
const listening = (
  answer: (request: Request) => Promise<Response> | Response
): Effect.Effect<string, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer })),
      (server) => Effect.promise(() => server.stop(true))
    ),
    ({ port }) => `http://localhost:${port}`
  )

const file = (path: string) => Bun.file(`${import.meta.dir}/../examples/storefront${path}`)

const scriptHeaders = { "content-type": "text/javascript", "access-control-allow-origin": "*" }

/** What the browser takes for any page with any element. */
const emptyElement = `class extends HTMLElement {
  connectedCallback() {
    this.attachShadow({ mode: "open" }).innerHTML = "<h2>Connect</h2><button>Continue</button>"
  }
}`

/** The same with the requests that the component makes until it can show something. */
const elementByHand = (serviceUrl: string) => `class extends HTMLElement {
  async connectedCallback() {
    const root = this.attachShadow({ mode: "open" })
    while (this.token === undefined) await new Promise((resolve) => setTimeout(resolve))
    const headers = { authorization: "Bearer " + this.token }
    const answer = await fetch("${serviceUrl}/v1/connections/" + this.connectionId, { headers, cache: "no-store" })
    const { connection } = await answer.json()
    root.innerHTML = "<h2>Connect</h2><button>Continue</button>"
    root.querySelector("h2").append(connection.effectiveIntent.domain)
  }
}`
