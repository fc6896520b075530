import { Effect } from "effect"
import { toConnectionDocument } from "../../src/domain/connection/ConnectionDocument.ts"
import { componentPaths, readScript } from "../../src/http/pages/pageScripts.ts"
import { documentNames, readDocument } from "./recordedDocuments.ts"

const { connection: reviewed, observations } = readDocument("review-with-mail")
if (reviewed.plan === undefined || reviewed.provider === undefined) throw new Error("the review has no plan")

/** The planned changes for the domain of the bakery, as the service made them. */
export const { plan, provider } = { plan: reviewed.plan, provider: reviewed.provider }

const { domain } = reviewed.intent

const mailRecord = { host: "@", type: "MX", value: "mx1.mailprov.net", priority: 10 }

/** The same provider, which takes part in Domain Connect. */
const connecting = {
  ...provider,
  implementation: "redirect",
  availableAuthorizationMethods: ["domain_connect", "manual"],
  domainConnect: {
    providerId: "platform.example",
    serviceId: "website",
    displayName: provider.name,
    syncUrl: "https://connect.example/sync",
    zone: domain,
    host: "",
    variables: { shop: "shop-7" },
    groups: [],
    removes: [{ host: "www", type: "A", value: "192.0.2.20" }],
    keeps: [mailRecord]
  }
}

/** The recorded connection of the bakery, in any state. */
export const connection = (state: string, more: object = {}) => {
  const { allowedActions: _, ...fields }: any = { ...reviewed, id: "con_gallery", state, updatedAt, ...more }
  const { allowedActions }: { readonly allowedActions?: unknown } = more
  return toConnectionDocument({ ...fields, ...(allowedActions === undefined ? {} : { allowedActions }) }, [])
}

/** Earlier than what the tests send afterwards. */
const updatedAt = "2026-11-20T10:00:00.000Z"

const failure = (code: string, retryable: boolean) => ({
  code,
  retryable,
  ...(retryable ? { resumeState: "awaiting_authorization" } : {}),
  occurredAt: "2026-11-20T10:00:00.000Z"
})

const agreeing = ["[name=website_replaced]", "[name=mx_replaced]", "button[type=submit]"]

/** Who asks, on most of the pictures. */
const platform = {
  name: "Shop Builder",
  logoUrl: "/logo.svg",
  supportEmail: "help@shop-builder.example",
  supportUrl: "https://shop-builder.example/help"
}

/** The ways with a key of a provider that takes one. */
const keyOf = (id: string, name: string, directCredential: string) => ({
  shows: connection("awaiting_authorization", {
    provider: {
      ...provider,
      id,
      name,
      availableAuthorizationMethods: ["direct_credential", "manual"],
      authorizationInputs: { directCredential, providerSession: "none" }
    }
  }),
  before: agreeing
})

/** Every screenshot of the component with the connection that leads to it; `before` is what the customer does first. */
export const galleryStates: {
  readonly [name: string]: {
    /** The connection, or the recorded document that has it. */
    readonly shows: object | string
    readonly platform?: object
    readonly before?: ReadonlyArray<string>
  }
} = {
  "0-domain": { shows: {}, platform },
  "1-changes": { shows: connection("awaiting_authorization"), platform },
  "2-access": { shows: connection("awaiting_authorization"), before: agreeing, platform },
  "2-domain-connect": { shows: connection("awaiting_authorization", { provider: connecting }), before: agreeing },
  "2-visit": { shows: "signing-in", platform },
  "2-denied": {
    shows: connection("awaiting_authorization", { failure: failure("authorization_denied", true) }),
    before: agreeing,
    platform
  },
  "3-manual": {
    shows: connection("awaiting_manual"),
    before: [...agreeing, ".footer .main", ".task >> nth=0"],
    platform
  },
  "3-slip": { shows: "slip-doubled-zone", before: ["button[type=submit]", ".footer .main"], platform },
  "4-progress": { shows: "verifying", platform },
  "5-domain-connect": {
    shows: connection("active", {
      provider: { ...connecting, domainConnect: { ...connecting.domainConnect, alsoRemoved: [mailRecord] } }
    })
  },
  "5-success": { shows: "active", platform },
  "6-failure": { shows: "refused-key", platform },
  "changes-again": { shows: "planned-again" },
  role: {
    shows: connection("awaiting_authorization", {
      provider: {
        ...provider,
        id: "route53",
        name: "Amazon Route 53",
        availableAuthorizationMethods: ["direct_credential", "manual"],
        authorizationInputs: {
          directCredential: "aws_role",
          providerSession: "none",
          roleTrust: "arn:aws:iam::111122223333:user/dns"
        }
      }
    }),
    before: agreeing
  },
  azure: keyOf("azure", "Azure DNS", "service_principal"),
  ionos: keyOf("ionos", "IONOS", "api_token"),
  looking: { shows: connection("requested", { provider: undefined, plan: undefined }) },
  degraded: { shows: connection("degraded") },
  "platform-manual": { shows: connection("awaiting_manual"), platform },
  "platform-failure": {
    shows: connection("failed", { failure: failure("internal_error", true) }),
    platform: { ...platform, logoUrl: "/missing.svg", name: "An unusually long name of a platform for bakeries" }
  },
  disconnecting: { shows: connection("disconnecting", { direction: "restore" }) },
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
  const shown = documentNames().includes(id) ? id : galleryStates[id]?.shows
  const recorded = typeof shown === "string" ? readDocument(shown) : undefined
  if (what === "records") return Response.json(recorded?.observations ?? observations)
  return what === undefined
    ? Response.json({ connection: recorded?.connection ?? shown })
    : new Response(null, { status: 404 })
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
