import { HttpServer } from "@effect/platform"
import { Console, Effect, Layer, Option, Redacted } from "effect"
import { allKeyScopes, ApplicationId, TenantId } from "./domain/Tenancy.ts"
import { formatDatabaseUrl, maskPasswords } from "./persistence/postgres/databasePool.ts"
import { retryAtStart } from "./persistence/postgres/retryAtStart.ts"
import { ApiKeys } from "./security/ApiKeys.ts"

interface BannerSettings {
  readonly databaseUrl: Option.Option<Redacted.Redacted>
  /** The data directory, and whether it held an embedded database before this start. */
  readonly data: { readonly path: string; readonly exists: boolean }
  /** Whether the service runs in a container without a public URL. */
  readonly needsPublicUrl: boolean
  /** Whether the clients come through a proxy, which TLS needs, and none is trusted to name them. */
  readonly needsTrustedProxies: boolean
}

/**
 * Prints where the service listens and how to send it a first request. With the embedded database, and as long as no
 * API key exists, it creates one and prints it.
 */
export const startupBanner = ({ data, databaseUrl, needsPublicUrl, needsTrustedProxies }: BannerSettings) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { address } = yield* HttpServer.HttpServer
      const key = yield* Option.isNone(databaseUrl) ? createFirstKey : Effect.succeedNone
      if (needsPublicUrl) yield* Console.error(publicUrlWarning)
      if (needsTrustedProxies) yield* Console.error(trustedProxiesWarning)
      yield* Console.log(
        bannerText({
          url: urlOf(address),
          key,
          database: Option.match(databaseUrl, {
            onNone: () => describeEmbedded(data),
            onSome: (url) => `${formatDatabaseUrl(url)} (DATABASE_URL)`
          }),
          keyCommand: formatKeyCommand(databaseUrl, data.path)
        })
      )
    })
  )

/** Only for the embedded database, which is a developer's: a production key must not appear in a log. */
const createFirstKey = Effect.gen(function* () {
  const keys = yield* ApiKeys
  if ((yield* retryAtStart(keys.list)).length > 0) return Option.none<string>()
  const tenancy = { applicationId: ApplicationId.make("first-application"), tenantId: TenantId.make("first-tenant") }
  const issued = yield* retryAtStart(keys.issue({ tenancy, scopes: allKeyScopes, environment: "live" }))
  return Option.some(Redacted.value(issued.key))
})

const urlOf = (address: HttpServer.Address): string => {
  if (address._tag === "UnixAddress") return address.path
  const host = address.hostname.includes(":") ? `[${address.hostname}]` : address.hostname
  return `http://${host}:${address.port}`
}

const publicUrlWarning =
  "Warning: this is a container and PUBLIC_URL is not set. Customers' browsers cannot reach the service by the address " +
  "that it has in here: set PUBLIC_URL to the one that they use."

const trustedProxiesWarning =
  "Warning: PUBLIC_URL is https, which a proxy in front of this service serves, and TRUSTED_PROXIES is not set. All " +
  "clients therefore count as one address, whose limit of refused credentials one stranger can use up for all of them: " +
  "set TRUSTED_PROXIES to the addresses of the proxy."

/** As root, clones share one directory unless DATA_DIR says otherwise. */
const describeEmbedded = ({ exists, path }: BannerSettings["data"]): string =>
  exists
    ? `embedded, in ${path}, with the data of earlier starts (DATA_DIR chooses another directory)`
    : `embedded, in ${path}, which this start created`

interface BannerContent {
  readonly url: string
  readonly key: Option.Option<string>
  readonly database: string
  readonly keyCommand: string
}

const bannerText = ({ database, key, keyCommand, url }: BannerContent): string =>
  [
    "",
    `  The Domain Connection Service listens on ${url}`,
    `  API reference: ${url}/docs`,
    `  Database: ${database}`,
    "",
    ...Option.match(key, {
      onNone: () => ["  Create an API key, and set API_KEY to it:", "", keyCommand],
      onSome: (text) => [`  Your first API key, shown only this once: ${text}`]
    }),
    "",
    "  Connect a domain:",
    "",
    curlCommand(
      url,
      Option.getOrElse(key, () => "$API_KEY")
    ),
    ""
  ].join("\n")

/** The command finds the same database only with the same variable; a password must not appear in a log. */
export const formatKeyCommand = (databaseUrl: Option.Option<Redacted.Redacted>, path: string): string => {
  const database = Option.match(databaseUrl, {
    onNone: () => `DATA_DIR=${quoteForShell(path)}`,
    onSome: (url) => `DATABASE_URL=${quoteForShell(maskPasswords(url, "PASSWORD"))}`
  })
  return `${database} node_modules/.bin/bun run src/cli.ts keys create --application my-app --tenant my-tenant`
}

const quoteForShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

const curlCommand = (url: string, key: string): string =>
  `curl -s '${url}/v1/connections' -H "x-api-key: ${key}" -H 'content-type: application/json' -H 'prefer: wait=20' \\
  -d '{"intent":{"domain":"example.com","records":[{"host":"shop","type":"CNAME","value":"shops.example.net"}]}}'`
