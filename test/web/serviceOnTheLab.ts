import { HttpServer } from "@effect/platform"
import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import { writeFileSync } from "node:fs"
import { ServiceConfig } from "../../src/Config.ts"
import { allScopes, ApplicationId, TenantId } from "../../src/domain/Tenancy.ts"
import { service } from "../../src/main.ts"
import { ApiKeys } from "../../src/security/ApiKeys.ts"
import { Lab } from "../support/lab/Lab.ts"
import { temporaryDirectory } from "../support/TestPostgres.ts"

/** The provider of the lab, as its operator declares it. */
const declarations = [
  {
    id: "lab-pdns",
    name: "PowerDNS of the lab",
    adapter: "powerdns",
    nameServers: ["pdnsprov.net"],
    settings: { baseUrl: "http://127.0.0.1:8081", serverId: "localhost" }
  }
]

/** The whole service, which sees the lab as the internet. */
export const serviceOnTheLab = Layer.unwrapEffect(
  Effect.gen(function* () {
    const { resolver } = yield* Lab
    const directory = temporaryDirectory()
    writeFileSync(`${directory}/providers.json`, JSON.stringify(declarations))
    const settings = new Map([
      ["PORT", "0"],
      ["DATA_DIR", directory],
      ["DNS_RESOLVERS", resolver],
      ["DNS_PUBLIC_RESOLVERS", resolver],
      ["OUTBOUND_ALLOW", "127.10.0.0/16"],
      ["PROVIDERS_FILE", `${directory}/providers.json`],
      ["LOG_LEVEL", "warning"]
    ])
    return service(yield* Effect.withConfigProvider(ServiceConfig, ConfigProvider.fromMap(settings)))
  })
)

/** Where the service is, and a key for it. */
export const keyToService = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const tenancy = { applicationId: ApplicationId.make("app"), tenantId: TenantId.make("tenant") }
  const { key } = yield* keys.issue({ tenancy, scopes: allScopes, environment: "test" })
  const serviceUrl = yield* HttpServer.addressFormattedWith(Effect.succeed)
  return { serviceUrl, apiKey: Redacted.value(key) }
})
