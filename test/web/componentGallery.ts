import { Effect } from "effect"
import { componentPaths, readScript } from "../../src/http/pages/pageScripts.ts"
import { documentNames, readDocument } from "./recordedDocuments.ts"

const { connection: reviewed } = readDocument("review-with-mail")
if (reviewed.plan === undefined) throw new Error("the review has no plan")

/** The planned changes for the domain of the bakery. */
export const { plan } = reviewed

const agreeing = ["[name=website_replaced]", "button[type=submit]"]

/** Where the plan also brings other mail servers. */
const agreeingToMail = ["[name=mx_replaced]", ...agreeing]

/** Who asks, on most of the pictures. */
const platform = {
  name: "Shop Builder",
  logoUrl: "/logo.svg",
  supportEmail: "help@shop-builder.example",
  supportUrl: "https://shop-builder.example/help"
}

/** Every screenshot of the component: the recorded document that leads to it, and what the customer does first. */
export const galleryStates: {
  readonly [name: string]: {
    readonly shows: string
    readonly platform?: object
    readonly before?: ReadonlyArray<string>
  }
} = {
  // With a token for it, and without a connection, the customer types the domain.
  "0-domain": { shows: "review-with-mail", platform },
  "1-changes": { shows: "review-with-mail", platform },
  "2-access": { shows: "review-with-mail", before: agreeingToMail, platform },
  "2-domain-connect": { shows: "review-with-domain-connect", before: agreeing },
  "2-visit": { shows: "signing-in", platform },
  "2-denied": { shows: "sign-in-denied", before: ["button[type=submit]"], platform },
  "3-manual": {
    shows: "by-hand-with-mail",
    before: [...agreeingToMail, ".footer .main", ".task >> nth=0"],
    platform
  },
  "3-slip": { shows: "slip-doubled-zone", before: ["button[type=submit]", ".footer .main"], platform },
  "4-progress": { shows: "verifying", platform },
  "5-domain-connect": { shows: "active-by-domain-connect" },
  "5-success": { shows: "active", platform },
  "6-failure": { shows: "refused-key", platform },
  "changes-again": { shows: "planned-again" },
  role: { shows: "review-at-route53", before: agreeing },
  azure: { shows: "review-at-azure", before: agreeing },
  ionos: { shows: "review-at-ionos", before: agreeing },
  looking: { shows: "looking" },
  degraded: { shows: "degraded" },
  "platform-manual": { shows: "by-hand-with-mail", platform },
  "platform-failure": {
    shows: "provider-down",
    platform: { ...platform, logoUrl: "/missing.svg", name: "An unusually long name of a platform for bakeries" }
  },
  disconnecting: { shows: "disconnecting" },
  disconnected: { shows: "disconnected-partly" }
}

/** The logo of the platform, which is wider than its place. */
export const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 40"><rect width="240" height="40" rx="8" fill="#7a4dd8"/></svg>`

/** The scripts of the component by their paths. */
const bundleScripts = Effect.promise(
  async () => new Map(await Promise.all(componentPaths.map(async (path) => [path, await readScript(path)] as const)))
)

/**
 * A service that always shows the same: the connection of the picture that the id of the connection names. `instead`
 * may answer in its place.
 */
export const galleryServerWith = (instead: (request: Request) => Promise<Response> | Response | undefined) =>
  Effect.flatMap(bundleScripts, (scripts) =>
    Effect.acquireRelease(
      Effect.sync(() =>
        Bun.serve({
          hostname: "127.0.0.1",
          port: 0,
          fetch: (request) => instead(request) ?? answerTo(request, scripts)
        })
      ),
      (server) => Effect.promise(() => server.stop(true))
    )
  )

export const galleryServer = galleryServerWith(() => undefined)

const answerTo = (request: Request, scripts: ReadonlyMap<string, string>): Response => {
  const { pathname, searchParams } = new URL(request.url)
  const [, , , id = "", what] = pathname.split("/")
  const script = scripts.get(pathname)
  if (script !== undefined) return new Response(script, { headers: { "content-type": "text/javascript" } })
  if (pathname === "/page.css") return new Response(css, { headers: { "content-type": "text/css" } })
  if (pathname === "/") return new Response(pageFor(searchParams), { headers: pageHeaders })
  if (pathname === "/logo.svg") return new Response(logo, { headers: { "content-type": "image/svg+xml" } })
  if (pathname === "/v1/domain-entry/platform") return Response.json({ platform })
  if (what === "platform") return Response.json({ platform: galleryStates[id]?.platform ?? {} })
  const name = documentNames().includes(id) ? id : galleryStates[id]?.shows
  if (name === undefined || (what !== undefined && what !== "records")) return new Response(null, { status: 404 })
  const { connection, observations } = readDocument(name)
  return Response.json(what === "records" ? observations : { connection })
}

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'"
}

const css = `:root { color-scheme: light dark }
  body { margin: 0; background: light-dark(#f3f4f7, #0e0f12); color: light-dark(#191b22, #eceef4) }
  main { max-width: 44rem; margin: 0 auto; padding: 32px 16px }
  h1 { margin: 0 0 24px; font: 600 18px system-ui, sans-serif }`

const pageFor = (asked: URLSearchParams): string => {
  const picture = asked.get("picture")
  // With this token and without a connection, the customer types the domain.
  const [token, id] = picture === "0-domain" ? ["dct_entry_1", ""] : [asked.get("token") ?? "t", picture]
  return `<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Connect a domain</title>
      <link rel="stylesheet" href="/page.css">
      <script type="module" src="/v1/connect.js"></script>
    </head>
    <body>
      <main>
        <h1>Your own domain</h1>
        <domain-connection token="${token}" connection-id="${id}" locale="${asked.get("locale") ?? "en"}">
        </domain-connection>
      </main>
    </body>
  </html>`
}
