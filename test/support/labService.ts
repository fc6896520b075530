import { PgClient } from "@effect/sql-pg"
import { ConfigProvider, Effect, Either, Layer } from "effect"
import { ServiceConfig } from "../../src/Config.ts"
import { DnsClient } from "../../src/dns/DnsClient.ts"
import type { Capabilities } from "../../src/domain/Provider.ts"
import { service } from "../../src/main.ts"
import { powerDns, powerDnsCapabilities } from "../../src/providers/powerdns/PowerDns.ts"
import { Providers } from "../../src/providers/Providers.ts"
import { type DeclaredProvider, declaredProviders } from "../../src/providers/ProvidersFile.ts"
import { httpClient } from "../providers/httpClient.ts"
import { Lab } from "./lab/Lab.ts"

/** A PowerDNS as its operator declares it, with what it can do where that is not what every one can. */
export interface DeclaredPowerDns {
  readonly id: string
  readonly nameServers: ReadonlyArray<string>
  readonly baseUrl: string
  readonly capabilities?: Partial<Capabilities>
}

export interface LabServiceOptions {
  readonly providers: ReadonlyArray<DeclaredPowerDns>
  readonly dataDirectory: string
  /** Settings that are not as without any. */
  readonly settings?: (config: ServiceConfig) => Partial<ServiceConfig>
}

/** The service on its embedded database, with the lab for an internet and providers that it waits for but shortly. */
export const labService = ({ dataDirectory, providers, settings = () => ({}) }: LabServiceOptions) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const { resolver } = yield* Lab
      const variables = new Map([
        ["PORT", "0"],
        ["DATA_DIR", dataDirectory],
        ["DNS_RESOLVERS", resolver],
        ["DNS_PUBLIC_RESOLVERS", resolver],
        ["OUTBOUND_ALLOW", "127.10.0.0/16"],
        ["LOG_LEVEL", "none"]
      ])
      const read = yield* Effect.withConfigProvider(ServiceConfig, ConfigProvider.fromMap(variables))
      const config = { ...read, rateLimitPerMinute: 0, ...settings(read) }
      const declared = providers.flatMap(declaredWithPatience)
      return service(config, DnsClient.layer({ allowed: config.outboundAllow }), Providers.layer(declared))
    })
  )

const declaredWithPatience = ({ baseUrl, capabilities = {}, ...named }: DeclaredPowerDns) => {
  const settings = { baseUrl, serverId: "localhost" }
  const declaration = { ...named, name: named.id, adapter: "powerdns", settings, capabilities }
  const client = powerDns({
    settings,
    capabilities: { ...powerDnsCapabilities, ...capabilities },
    http: httpClient,
    patience: { call: "1 second", snapshot: "1 second" }
  })
  return Either.getOrThrow(declaredProviders(JSON.stringify([declaration]), httpClient)).map(
    (one): DeclaredProvider => ({ ...one, client })
  )
}

/** What stands in the tables of a service about a connection. */
export const tablesOf = (dataDirectory: string) => ({
  /** What was written to its zone, and what became of it. */
  journal: ({ id }: { readonly id: string }) =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const rows = yield* sql<{ status: string; change: string }>`
        select status, change from journal where connection_id = ${id} order by position`
      return rows.map(({ change, status }) => {
        const { action, after, before } = JSON.parse(change)
        const { host, type } = after ?? before
        return `${status} ${action} ${type} ${host}`
      })
    }).pipe(inDatabaseOf(dataDirectory)),
  /** Whether its credential is still kept. */
  holdsCredential: ({ id }: { readonly id: string }) =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      return (yield* sql`select 1 from credentials where connection_id = ${id}`).length > 0
    }).pipe(inDatabaseOf(dataDirectory))
})

const inDatabaseOf =
  (dataDirectory: string) =>
  <A, E>(query: Effect.Effect<A, E, PgClient.PgClient>) =>
    query.pipe(
      Effect.provide(
        PgClient.layer({ host: `${dataDirectory}/postgres/socket`, database: "postgres", username: "app" })
      ),
      Effect.orDie
    )
