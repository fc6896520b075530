import { HttpServer } from "@effect/platform"
import { ConfigProvider, Context, Effect, Layer, Redacted } from "effect"
import { writeFileSync } from "node:fs"
import { ServiceConfig } from "../../src/settings/Config.ts"
import { DnsClient } from "../../src/dns/transport/DnsClient.ts"
import { allKeyScopes, ApplicationId, TenantId } from "../../src/domain/access/Tenancy.ts"
import { serviceLayer } from "../../src/main.ts"
import { TestKeys } from "../../src/testEnvironment.ts"
import { ApiKeys } from "../../src/security/ApiKeys.ts"
import { freshDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { temporaryDirectory } from "../support/TestPostgres.ts"
import { ScriptedInternet } from "../support/lab/ScriptedInternet.ts"
import { makeScriptedPowerDns } from "../support/lab/ScriptedPowerDns.ts"
import { masterKey } from "../support/masterKeys.ts"

/** The service as the documentation assumes it: it runs, and an API key was created. */
export class DocumentedService extends Context.Tag("test/DocumentedService")<
  DocumentedService,
  {
    readonly url: string
    readonly apiKey: string
    /** A key of test mode. */
    readonly testKey: string
    /** The token that the provider of `example.com` accepts. */
    readonly apiToken: string
    /** What the operator's commands need to reach the same database. */
    readonly environment: Readonly<Record<string, string>>
  }
>() {
  /**
   * The service in this process, on a scripted internet in which a declared provider hosts `example.com`. Webhooks may go to
   * this machine.
   */
  static readonly layer = Layer.unwrapScoped(
    Effect.gen(function* () {
      const internet = yield* ScriptedInternet.make({ zones })
      const apiToken = "token-of-the-customer"
      const { url } = yield* makeScriptedPowerDns({ internet, zones: ["example.com"], key: apiToken })
      const directory = temporaryDirectory()
      const declaration = { id: "acme-dns", name: "Acme DNS", adapter: "powerdns", nameServers: ["acme-dns.net"] }
      writeFileSync(`${directory}/providers.json`, JSON.stringify([{ ...declaration, settings: { baseUrl: url } }]))
      const resolver = internet.dial(internet.resolver)
      const environment = {
        DATA_DIR: directory,
        DATABASE_URL: Redacted.value(urlOf(yield* freshDatabase)),
        MASTER_KEY: masterKey(1)
      }
      const settings = new Map([
        ...Object.entries(environment),
        ["PORT", "0"],
        ["DNS_RESOLVERS", `${resolver.host}:${resolver.port}`],
        ["DNS_PUBLIC_RESOLVERS", `${resolver.host}:${resolver.port}`],
        ["PROVIDERS_FILE", `${directory}/providers.json`],
        ["LOG_LEVEL", "error"],
        ["OUTBOUND_ALLOW", "127.0.0.0/8"]
      ])
      const config = yield* Effect.withConfigProvider(ServiceConfig, ConfigProvider.fromMap(settings))
      return Layer.effect(
        DocumentedService,
        Effect.gen(function* () {
          const tenancy = { applicationId: ApplicationId.make("my-app"), tenantId: TenantId.make("my-tenant") }
          const keys = yield* ApiKeys
          const { key } = yield* keys.issue({ tenancy, scopes: allKeyScopes, environment: "live" })
          const testKeys = yield* TestKeys
          const test = yield* testKeys.issue({ tenancy, scopes: allKeyScopes, environment: "test" })
          const address = yield* HttpServer.addressFormattedWith(Effect.succeed)
          return { url: address, apiKey: Redacted.value(key), testKey: Redacted.value(test.key), apiToken, environment }
        })
      ).pipe(Layer.provide(serviceLayer(config, DnsClient.layer({ allowed: [], dial: internet.dial }))))
    })
  )
}

const zones = {
  "example.com": {
    nameServers: ["ns1.acme-dns.net", "ns2.acme-dns.net"],
    records: `@     300  A   11.22.33.44
              @     3600 MX  10 mail
              mail  3600 A   11.22.33.45
              shop  300  A   11.22.33.46
              shop  3600 MX  10 mail`
  },
  "example.net": {
    nameServers: ["ns.platform.example"],
    records: "shops 300 A 11.44.0.1"
  }
}
