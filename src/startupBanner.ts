import { HttpServer } from "@effect/platform"
import { Console, Effect, Layer, Option, Redacted } from "effect"
import { actAs } from "./domain/access/Actor.ts"
import { allKeyScopes, ApplicationId, TenantId } from "./domain/access/Tenancy.ts"
import { formatDatabaseUrl, maskPasswords } from "./persistence/postgres/databaseUrl.ts"
import { retryAtStart } from "./persistence/postgres/retryAtStart.ts"
import { ApiKeys } from "./security/ApiKeys.ts"
import { TestKeys } from "./testEnvironment.ts"

interface BannerSettings {
  readonly databaseUrl: Option.Option<Redacted.Redacted>
  /** The data directory, and whether it held an embedded database before this start. */
  readonly data: { readonly path: string; readonly exists: boolean }
  /** Whether the service runs in a container without a public URL. */
  readonly needsPublicUrl: boolean
  /** Whether the service runs in its image, whose only `bun` is on the path and whose settings the command has already. */
  readonly isImage?: boolean
  /** Whether the clients come through a proxy, which TLS needs, and none is trusted to name them. */
  readonly needsTrustedProxies: boolean
}

/**
 * Prints where the service listens and how to send it a first request; to standard error if standard output is a log of
 * JSON lines. With the embedded database, and as long as no API key exists, it creates one and prints it.
 */
export const startupBanner = ({
  data,
  databaseUrl,
  isImage = false,
  needsPublicUrl,
  needsTrustedProxies
}: BannerSettings) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { address } = yield* HttpServer.HttpServer
      const keys = yield* Option.isNone(databaseUrl) ? createFirstKeys : Effect.succeedNone
      if (needsPublicUrl) yield* Console.error(publicUrlWarning)
      if (needsTrustedProxies) yield* Console.error(trustedProxiesWarning)
      const url = urlOf(address)
      yield* Effect.annotateLogs(Effect.logInfo("The service listens"), { url })
      yield* (process.stdout.isTTY ? Console.log : Console.error)(
        bannerText({
          url,
          keys,
          database: Option.match(databaseUrl, {
            onNone: () => describeEmbedded(data),
            onSome: (url) => `${formatDatabaseUrl(url)} (DATABASE_URL)`
          }),
          keyCommand: isImage ? `bun run ${createKey}` : formatKeyCommand(databaseUrl, data.path)
        })
      )
    })
  )

/** The API keys of a first start, one of them of test mode. */
interface FirstKeys {
  readonly live: string
  readonly test: string
}

/**
 * Creates the first keys of the embedded database only, which is a developer's: a production key must not appear in a
 * log.
 */
const createFirstKeys = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const testKeys = yield* TestKeys
  if ((yield* retryAtStart(keys.list)).length > 0) return Option.none<FirstKeys>()
  const tenancy = { applicationId: ApplicationId.make("first-application"), tenantId: TenantId.make("first-tenant") }
  const asStart = actAs({ actor: { type: "service", id: "start" } })
  const test = yield* asStart(testKeys.issue({ tenancy, scopes: allKeyScopes, environment: "test" }))
  const live = yield* asStart(retryAtStart(keys.issue({ tenancy, scopes: allKeyScopes, environment: "live" })))
  return Option.some<FirstKeys>({ live: Redacted.value(live.key), test: Redacted.value(test.key) })
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
  readonly keys: Option.Option<FirstKeys>
  readonly database: string
  readonly keyCommand: string
}

const bannerText = ({ database, keyCommand, keys, url }: BannerContent): string =>
  [
    "",
    `  The Domain Connection Service listens on ${url}`,
    `  API reference: ${url}/docs`,
    `  Database: ${database}`,
    "",
    ...Option.match(keys, {
      onNone: () => ["  Create an API key, and set API_KEY to it:", "", keyCommand, "", "  Connect a domain:"],
      onSome: ({ live, test }) => [
        `  Your API key for test mode, which asks no server: ${test}`,
        `  Your API key for live domains, for later:         ${live}`,
        "  Both are shown only this once.",
        "",
        "  Connect a domain of test mode:"
      ]
    }),
    "",
    Option.match(keys, {
      onNone: () => curlCommand(url, "$API_KEY", "example.com"),
      onSome: ({ test }) => curlCommand(url, test, "one-click.test")
    }),
    ""
  ].join("\n")

/** The command finds the same database only with the same variable; a password must not appear in a log. */
export const formatKeyCommand = (databaseUrl: Option.Option<Redacted.Redacted>, path: string): string => {
  const database = Option.match(databaseUrl, {
    onNone: () => `DATA_DIR=${quoteForShell(path)}`,
    onSome: (url) => `DATABASE_URL=${quoteForShell(maskPasswords(url, "PASSWORD"))}`
  })
  return `${database} node_modules/.bin/bun run ${createKey}`
}

const createKey = "src/cli.ts keys create --application my-app --tenant my-tenant"

const quoteForShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

const curlCommand = (url: string, key: string, domain: string): string =>
  `curl -s '${url}/v1/connections' -H "x-api-key: ${key}" -H 'content-type: application/json' -H 'prefer: wait=20' \\
  -d '{"intent":{"domain":"${domain}","records":[{"host":"shop","type":"CNAME","value":"shops.example.net"}]}}'`
