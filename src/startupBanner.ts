import { HttpServer } from "@effect/platform"
import { Console, Effect, Layer, Option, Redacted } from "effect"
import { allKeyScopes, ApplicationId, TenantId } from "./domain/Tenancy.ts"
import { ApiKeys } from "./security/ApiKeys.ts"

interface BannerSettings {
  readonly databaseUrl: Option.Option<Redacted.Redacted>
  readonly dataDirectory: string
}

/**
 * Prints where the service listens and how to send it a first request. With the embedded database, and as long as no
 * API key exists, it creates one and prints it.
 */
export const startupBanner = ({ databaseUrl, dataDirectory }: BannerSettings) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { address } = yield* HttpServer.HttpServer
      const embeddedDirectory = Option.isSome(databaseUrl) ? Option.none() : Option.some(dataDirectory)
      const key = yield* Option.isSome(embeddedDirectory) ? createFirstKey : Effect.succeedNone
      yield* Console.log(bannerText(urlOf(address), key, embeddedDirectory))
    })
  )

/** Only for the embedded database, which is a developer's: a production key must not appear in a log. */
const createFirstKey = Effect.gen(function* () {
  const keys = yield* ApiKeys
  if ((yield* keys.list).length > 0) return Option.none<string>()
  const tenancy = { applicationId: ApplicationId.make("first-application"), tenantId: TenantId.make("first-tenant") }
  const issued = yield* keys.issue({ tenancy, scopes: allKeyScopes, environment: "live" })
  return Option.some(Redacted.value(issued.key))
})

const urlOf = (address: HttpServer.Address): string => {
  if (address._tag === "UnixAddress") return address.path
  const host = address.hostname.includes(":") ? `[${address.hostname}]` : address.hostname
  return `http://${host}:${address.port}`
}

const bannerText = (url: string, key: Option.Option<string>, embeddedDirectory: Option.Option<string>): string =>
  [
    "",
    `  The Domain Connection Service listens on ${url}`,
    `  API reference: ${url}/docs`,
    "",
    ...Option.match(key, {
      onNone: () => ["  Create an API key, and set API_KEY to it:", "", keyCommand(embeddedDirectory)],
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

const keyCommand = (embeddedDirectory: Option.Option<string>): string => {
  const database = Option.match(embeddedDirectory, { onNone: () => "", onSome: (path) => `DATA_DIR='${path}' ` })
  return `${database}node_modules/.bin/bun run src/cli.ts keys create --application my-app --tenant my-tenant`
}

const curlCommand = (url: string, key: string): string =>
  `curl -s '${url}/v1/connections' -H "x-api-key: ${key}" -H 'content-type: application/json' -H 'prefer: wait=20' \\
  -d '{"intent":{"domain":"example.com","records":[{"host":"shop","type":"CNAME","value":"shops.example.net"}]}}'`
