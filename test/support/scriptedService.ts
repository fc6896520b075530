import { ConfigProvider, Effect, Redacted } from "effect"
import { writeFileSync } from "node:fs"
import type { DesiredConnection } from "../../prove/connectionSteps.ts"
import { ServiceConfig } from "../../src/settings/Config.ts"
import { DnsClient } from "../../src/dns/transport/DnsClient.ts"
import { serviceLayer } from "../../src/main.ts"
import { temporaryDirectory } from "./TestPostgres.ts"
import { ScriptedInternet } from "./lab/ScriptedInternet.ts"
import type { InternetSpec } from "./lab/ScriptedTopology.ts"
import { makeScriptedPowerDns } from "./lab/ScriptedPowerDns.ts"
import { masterKey } from "./masterKeys.ts"

/**
 * The whole service in this process, composed as in `main`, on the database at a URL. Its internet is scripted, with one
 * zone for each domain at a provider that accepts `credential`, so that connections become active without the lab, and with
 * the zones of others.
 */
export const scriptedService = (
  databaseUrl: Redacted.Redacted,
  domains: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>> = {},
  others: InternetSpec = { zones: {} }
) =>
  Effect.gen(function* () {
    const zone = { nameServers: ["ns1.acme-dns.net", "ns2.acme-dns.net"], records: "@ 300 A 11.22.33.44" }
    const internet = yield* ScriptedInternet.make({
      ...others,
      zones: { ...others.zones, ...Object.fromEntries(domains.map((domain) => [domain, zone])) }
    })
    const { url } = yield* makeScriptedPowerDns({ internet, zones: domains, key: apiToken })
    const directory = temporaryDirectory()
    writeFileSync(`${directory}/providers.json`, JSON.stringify([{ ...acme, settings: { baseUrl: url } }]))
    const resolver = internet.dial(internet.resolver)
    const variables = {
      PORT: "0",
      DATABASE_URL: Redacted.value(databaseUrl),
      DATA_DIR: directory,
      MASTER_KEY: masterKey(1),
      DNS_RESOLVERS: `${resolver.host}:${resolver.port}`,
      DNS_PUBLIC_RESOLVERS: `${resolver.host}:${resolver.port}`,
      PROVIDERS_FILE: `${directory}/providers.json`,
      RATE_LIMIT_PER_MINUTE: "0",
      LOG_LEVEL: "none",
      ...environment
    }
    const config = yield* Effect.withConfigProvider(
      ServiceConfig,
      ConfigProvider.fromMap(new Map(Object.entries(variables)))
    )
    const service = serviceLayer(config, DnsClient.layer({ allowed: [], dial: internet.dial }))
    return { internet, layer: service }
  })

const apiToken = "acme-token"

const acme = { id: "acme-dns", name: "Acme DNS", adapter: "powerdns", nameServers: ["acme-dns.net"] }

/** The body of an authorization at the scripted provider. */
export const scriptedCredential = { method: "direct_credential", credential: { apiToken } }

/** What a platform requests of a domain of the scripted provider: the address of its shop. */
export const desiredShopOf = (domain: string): DesiredConnection => ({
  idempotencyKey: domain,
  domain,
  records: [{ host: "shop", type: "A", value: "11.44.0.1" }],
  credential: scriptedCredential.credential
})
