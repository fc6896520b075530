import { HttpServer } from "@effect/platform"
import { Console, Effect, Layer, Option, Redacted } from "effect"
import { allKeyScopes, ApplicationId, TenantId } from "./domain/Tenancy.ts"
import { ApiKeys } from "./security/ApiKeys.ts"

/** Where the embedded database keeps its files; nowhere if the service has another database. */
interface FirstStartSettings {
  readonly embeddedIn: Option.Option<string>
}

/** Says where the service is and how to send it a first request; without any key yet it makes one and shows it. */
export const startupBanner = ({ embeddedIn }: FirstStartSettings) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { address } = yield* HttpServer.HttpServer
      const key = Option.isSome(embeddedIn) ? yield* firstKey : Option.none()
      yield* Console.log(welcome(urlOf(address), key, embeddedIn))
    })
  )

/** Only for the embedded database, which is a developer's: a key of production must not stand in a log. */
const firstKey = Effect.gen(function* () {
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

const welcome = (url: string, key: Option.Option<string>, embeddedIn: Option.Option<string>): string =>
  [
    "",
    `  The Domain Connection Service listens on ${url}`,
    `  API reference: ${url}/docs`,
    "",
    ...Option.match(key, {
      onNone: () => ["  Make an API key, and set API_KEY to it:", "", makeKey(embeddedIn)],
      onSome: (first) => [`  Your first API key, shown this once: ${first}`]
    }),
    "",
    "  Connect a domain:",
    "",
    request(
      url,
      Option.getOrElse(key, () => "$API_KEY")
    ),
    ""
  ].join("\n")

const makeKey = (embeddedIn: Option.Option<string>): string => {
  const database = Option.match(embeddedIn, { onNone: () => "", onSome: (directory) => `DATA_DIR='${directory}' ` })
  return `${database}node_modules/.bin/bun run src/cli.ts keys create --application my-app --tenant my-tenant`
}

const request = (url: string, key: string): string =>
  `curl -s '${url}/v1/connections' -H "x-api-key: ${key}" -H 'content-type: application/json' -H 'prefer: wait=20' \\
  -d '{"intent":{"domain":"example.com","records":[{"host":"shop","type":"CNAME","value":"shops.example.net"}]}}'`
