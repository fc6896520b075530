import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import { writeFileSync } from "node:fs"
import { ServiceConfig } from "../../src/settings/Config.ts"
import { DnsClient } from "../../src/dns/transport/DnsClient.ts"
import { serviceLayer } from "../../src/main.ts"
import type { Providers } from "../../src/providers/Providers.ts"
import { providersLayer } from "../../src/providers/layer.ts"
import { freshDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { temporaryDirectory } from "./TestPostgres.ts"
import { Lab } from "./lab/Lab.ts"
import { masterKey } from "./masterKeys.ts"
import { makeDataDirectory } from "./dataDirectory.ts"

/** The operator's declaration of the lab's PowerDNS. */
export const labPowerDns = {
  id: "lab-pdns",
  name: "PowerDNS of the lab",
  adapter: "powerdns",
  nameServers: ["pdnsprov.net"],
  settings: { baseUrl: "http://127.0.0.1:8081" }
}

/** The operator's declaration of the lab's BIND. */
export const labBind = {
  id: "lab-bind",
  name: "BIND of the lab",
  adapter: "rfc2136",
  nameServers: ["bindprov.net"],
  settings: { server: "127.10.2.1" }
}

type Environment = Readonly<Record<string, string>>

interface ServiceOptions {
  /** Variables that differ from the lab's. */
  readonly environment?: Environment
  /** Settings that no variable can express. */
  readonly settings?: (config: ServiceConfig) => Partial<ServiceConfig>
  /** Replaces the declared providers. */
  readonly providers?: ReturnType<typeof Providers.layer>
  /** Replaces the client for providers of Domain Connect. */
  readonly domainConnectDirectory?: Parameters<typeof serviceLayer>[3]
}

/** The whole service in this process, composed as in `main`, with the lab as its internet and a new database. */
export const labService = (
  declarations: ReadonlyArray<object>,
  { domainConnectDirectory, environment = {}, providers, settings = () => ({}) }: ServiceOptions = {}
) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const DATABASE_URL = environment["DATABASE_URL"] ?? Redacted.value(urlOf(yield* freshDatabase))
      const chosen = { PORT: "0", LOG_LEVEL: "warning", ...environment, DATABASE_URL }
      const variables = Object.entries(yield* labEnvironment(declarations, chosen))
      const loaded = yield* Effect.withConfigProvider(ServiceConfig, ConfigProvider.fromMap(new Map(variables)))
      const config = { ...loaded, ...settings(loaded) }
      const dns = DnsClient.layer({
        allowed: config.outboundAllow,
        limits: { queriesPerSecond: config.dnsQueriesPerSecond }
      })
      return serviceLayer(config, dns, providers ?? providersLayer(config), domainConnectDirectory)
    })
  )

/** The environment of a service with the lab as its internet and these declared DNS servers. */
export const labEnvironment = (declarations: ReadonlyArray<object>, more: Environment = {}) =>
  Effect.gen(function* () {
    const { resolver } = yield* Lab
    const hasDatabase = "DATABASE_URL" in more || "DATA_DIR" in more
    const directory = hasDatabase ? temporaryDirectory() : yield* makeDataDirectory
    writeFileSync(`${directory}/providers.json`, JSON.stringify(declarations))
    const environment: Environment = {
      DATA_DIR: directory,
      MASTER_KEY: masterKey(1),
      DNS_RESOLVERS: resolver,
      DNS_PUBLIC_RESOLVERS: resolver,
      OUTBOUND_ALLOW: "127.10.0.0/16",
      PROVIDERS_FILE: `${directory}/providers.json`,
      RATE_LIMIT_PER_MINUTE: "0",
      BROWSER_RATE_LIMIT_PER_MINUTE: "0",
      REFUSED_CREDENTIALS_PER_MINUTE: "0",
      // The lab has one server where the world has thousands.
      DNS_QUERIES_PER_SECOND: "100000",
      ...more
    }
    return environment
  })
