import { HttpServer } from "@effect/platform"
import { Console, Effect, Layer, Redacted } from "effect"
import { allScopes, ApplicationId, TenantId } from "./domain/Tenancy.ts"
import { ApiKeys } from "./security/ApiKeys.ts"

/** Says where the service is and how to send it a first request; without any key yet it makes one and shows it. */
export const firstStart = (settings: { readonly embedded: boolean }) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const address = yield* HttpServer.addressFormattedWith(Effect.succeed)
      const key = settings.embedded ? yield* firstKey : undefined
      yield* Console.log(welcome(address, key))
    })
  )

/** Only for the embedded database, which is a developer's: a key of production must not stand in a log. */
const firstKey = Effect.gen(function* () {
  const keys = yield* ApiKeys
  if ((yield* keys.list).length > 0) return undefined
  const tenancy = { applicationId: ApplicationId.make("first-application"), tenantId: TenantId.make("first-tenant") }
  const issued = yield* keys.issue({ tenancy, scopes: allScopes, environment: "live" })
  return Redacted.value(issued.key)
})

const welcome = (address: string, key: string | undefined): string =>
  [
    "",
    `  The Domain Connection Service listens on ${address}`,
    `  API reference: ${address}/docs`,
    "",
    key === undefined
      ? `  Make an API key: bun run src/cli.ts keys create --application my-app --tenant my-tenant`
      : `  Your first API key, shown this once: ${key}`,
    "",
    "  Connect a domain:",
    "",
    request(address, key ?? "$API_KEY"),
    ""
  ].join("\n")

const request = (address: string, key: string): string =>
  `curl -s ${address}/v1/connections -H 'x-api-key: ${key}' -H 'content-type: application/json' -H 'prefer: wait=20' \\
  -d '{"intent":{"domain":"example.com","records":[{"host":"shop","type":"CNAME","value":"shops.example.net"}]}}'`
