import { Effect } from "effect"
import { toConnectionDocument } from "../../src/domain/connection/ConnectionDocument.ts"
import { componentPaths, readScript } from "../../src/http/pages/pageScripts.ts"
import { documentNames, readDocument } from "./recordedDocuments.ts"

const domain = "crumb-and-co.com"

const record = (host: string, type: string, value: string, more: object = {}) => ({
  host,
  type,
  value,
  ttl: 3600,
  optional: false,
  ...more
})

const dkim = `v=DKIM1; k=rsa; p=${"MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A".repeat(6)}`

const desired = [
  record("www", "CNAME", "shops.platform.example"),
  record("@", "MX", "mx1.platform.example", { priority: 10 }),
  record("@", "TXT", "v=spf1 mx include:_spf.google.com include:mail.platform.example -all"),
  record("shop._domainkey", "TXT", dkim)
]

/** The planned changes for the domain of the bakery. */
export const plan = {
  digest: `sha-256:${"5".repeat(64)}`,
  zone: domain,
  basis: "public_dns",
  changes: [
    { action: "delete", before: record("www", "A", "192.0.2.46", { ttl: 300 }), destructive: true },
    { action: "create", after: desired[0], destructive: false },
    { action: "delete", before: record("@", "MX", "mail.old-host.example", { priority: 5 }), destructive: true },
    { action: "create", after: desired[1], destructive: false },
    {
      action: "update",
      before: record("@", "TXT", "v=spf1 mx include:_spf.google.com -all"),
      after: desired[2],
      destructive: false
    },
    { action: "create", after: desired[3], destructive: false }
  ],
  warnings: ["cname_replaces_records", "mx_replaced", "spf_record_merged"],
  warningDetails: [
    { code: "cname_replaces_records", changes: [0, 1] },
    { code: "mx_replaced", changes: [2, 3] },
    { code: "spf_record_merged", changes: [4] }
  ],
  expiresAt: "2030-01-01T00:00:00.000Z"
}

const provider = {
  id: "acme-dns",
  name: "Acme DNS",
  referenceUrl: "https://acme-dns.example/help",
  implementation: "automatic",
  availableAuthorizationMethods: ["oauth2_pkce", "direct_credential", "manual"],
  authorizationInputs: { directCredential: "api_token", providerSession: "none" },
  capabilities: {},
  detection: { method: "nameserver" },
  limitations: []
}

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

/** The connection of the bakery in a state. */
export const connection = (state: string, more: object = {}) => {
  const fields: any = { ...fieldsOf(state), ...more }
  return toConnectionDocument(fields, [])
}

const fieldsOf = (state: string) => ({
  id: "con_gallery",
  applicationId: "app",
  tenantId: "tenant",
  intent: { domain, records: desired, existingRecordPolicy: { validateDmarc: true, validateCAA: true } },
  effectiveIntent: { domain, records: desired },
  state,
  provider,
  plan,
  optionalFailures: [],
  createdAt: "2026-11-20T10:00:00.000Z",
  updatedAt: "2026-11-20T10:00:00.000Z"
})

const failure = (code: string, retryable: boolean) => ({
  code,
  retryable,
  ...(retryable ? { resumeState: "awaiting_authorization" } : {}),
  occurredAt: "2026-11-20T10:00:00.000Z"
})

const agreeing = ["input[type=checkbox]", "button[type=submit]"]

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
  "2-visit": { shows: connection("authorizing"), platform },
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
  "4-progress": { shows: connection("verifying"), platform },
  "5-domain-connect": {
    shows: connection("active", {
      provider: { ...connecting, domainConnect: { ...connecting.domainConnect, alsoRemoved: [mailRecord] } }
    })
  },
  "5-success": { shows: connection("active"), platform },
  "6-failure": {
    shows: connection("failed", {
      failure: failure("authorization_insufficient_scope", true),
      allowedActions: ["authorization", "retry", "cancel", "update"]
    }),
    platform
  },
  "changes-again": {
    shows: connection("planned", {
      plan: { ...plan, basis: "provider", warnings: ["provider_zone_differs_from_public_dns"] }
    })
  },
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
  disconnected: {
    shows: connection("disconnected", {
      direction: "restore",
      leftovers: [{ record: { ...desired[0], ttl: 300, optional: false }, reason: "manual_setup_timeout" }]
    })
  }
}

/** The logo of the platform, which is wider than its place. */
export const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 40"><rect width="240" height="40" rx="8" fill="#7a4dd8"/></svg>`

const observations = {
  records: desired.map((expected, index) => ({
    expected: { ...expected, name: expected.host === "@" ? domain : `${expected.host}.${domain}` },
    observed: [],
    status: ["present", "missing", "different", "unknown"][index],
    checkedAt: "2026-11-20T10:00:00.000Z"
  })),
  nextCheckAt: new Date(Date.now() + 24_000).toISOString()
}

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
