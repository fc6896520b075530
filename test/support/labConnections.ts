import { SqlClient } from "@effect/sql"
import { Effect, Either, Redacted } from "effect"
import type { ServiceConfig } from "../../src/settings/Config.ts"
import type { Capabilities } from "../../src/domain/provider/Provider.ts"
import { Providers, type WritableProvider } from "../../src/providers/Providers.ts"
import { parseProvidersFile } from "../../src/providers/ProvidersFile.ts"
import { makePowerDnsClient } from "../../src/providers/adapters/powerdns/makePowerDnsClient.ts"
import { freshDatabase, poolOn, urlOf } from "../persistence/freshDatabase.ts"
import { httpClient } from "../providers/httpClient.ts"
import { createTestConnection } from "./TestConnection.ts"
import type { TestDatabase } from "./TestPostgres.ts"
import { Lab } from "./lab/Lab.ts"
import { powerDnsProxy } from "./lab/PowerDnsProxy.ts"
import { labPowerDns, labService } from "./labService.ts"
import { issueKey } from "./testApi.ts"

/** The records of the zones before the change. */
const lines = `
  @     NS  ns1.pdnsprov.net.
  @     NS  ns2.pdnsprov.net.
  @     A   192.0.2.20
  www   A   192.0.2.20
  shop  MX  10 mx1.mailprov.net.`

const records = [
  { host: "www", type: "CNAME", value: "web.hostprov.net" },
  { host: "_verify", type: "TXT", value: "platform-verification=7f3a" }
]

/** The journal entries of the plan for these records, each with its status. */
export const expectedJournal = (status: string): ReadonlyArray<string> =>
  ["create TXT _verify", "delete A www", "create CNAME www"].map((change) => `${status} ${change}`)

/** The service on the lab, which reaches PowerDNS only through a proxy, and the means to connect domains. */
export const labConnections = (
  more: {
    readonly settings?: (config: ServiceConfig) => Partial<ServiceConfig>
    readonly capabilities?: Partial<Capabilities>
    readonly others?: ReadonlyArray<typeof labPowerDns>
  } = {}
) =>
  Effect.gen(function* () {
    const { delegate, pdns } = yield* Lab
    const proxy = yield* powerDnsProxy(pdns.url)
    const database = yield* freshDatabase
    const delegationLock = yield* Effect.makeSemaphore(1)
    const { capabilities = {}, others = [], settings = () => ({}) } = more
    const providers = withShortTimeouts([{ ...labPowerDns, settings: { baseUrl: proxy.url }, capabilities }, ...others])
    const environment = { DATABASE_URL: Redacted.value(urlOf(database)), LOG_LEVEL: "none" }
    return {
      proxy,
      service: labService([], { environment, settings, providers }),
      credential: { method: "direct_credential", credential: { apiToken: pdns.key } },
      /** Creates a zone for the domain and requests a connection with the usual records and more. */
      createConnection: (domain: string, others: ReadonlyArray<object> = []) =>
        Effect.gen(function* () {
          yield* pdns.createZone(domain, lines)
          yield* delegationLock.withPermits(1)(delegate(domain, ["ns1.pdnsprov.net", "ns2.pdnsprov.net"]))
          const { key } = yield* issueKey()
          return yield* createTestConnection(key, { domain, records: [...records, ...others] })
        }),
      /** Replaces an address in a zone without the service. */
      setAddress: (domain: string, host: string, address: string) =>
        pdns.patch(domain, [
          { name: `${host}.${domain}.`, type: "A", changetype: "REPLACE", ttl: 300, records: [{ content: address }] }
        ]),
      ...tablesOf(database)
    }
  })

export type LabConnections = Effect.Effect.Success<ReturnType<typeof labConnections>>

/** The declared providers with short timeouts for PowerDNS. */
const withShortTimeouts = (
  declarations: ReadonlyArray<typeof labPowerDns & { readonly capabilities?: Partial<Capabilities> }>
) => {
  const { declared } = Either.getOrThrow(parseProvidersFile(JSON.stringify(declarations), httpClient))
  return Providers.layer(
    declared.map((provider, nth): WritableProvider => {
      const settings = { baseUrl: declarations[nth]?.settings.baseUrl ?? "", serverId: "localhost" }
      const timeouts = { call: "8 seconds", snapshot: "8 seconds" } as const
      const { capabilities } = provider.provider
      return {
        ...provider,
        client: makePowerDnsClient({ settings, capabilities, http: httpClient, timeouts })
      }
    })
  )
}

/** Reads the rows of a connection from the service's database. */
const tablesOf = (database: TestDatabase) => {
  const inDatabase = <A, E>(query: Effect.Effect<A, E, SqlClient.SqlClient>) =>
    Effect.orDie(Effect.provide(query, poolOn(database, 1)))
  return {
    /** The journal entries of its zone, each with its status. */
    journal: ({ id }: { readonly id: string }) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql<{ status: string; change: string }>`
          select status, change from journal where connection_id = ${id} order by position`
        return rows.map(({ change, status }) => {
          const { action, after, before } = JSON.parse(change)
          const { host, type } = after ?? before
          return `${status} ${action} ${type} ${host}`
        })
      }).pipe(inDatabase),
    /** Lets its credential expire, as time would. */
    expireCredential: ({ id }: { readonly id: string }) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`update credentials set expires_at = now() where connection_id = ${id}`
      }).pipe(inDatabase),
    /** Lets its plan expire, as time would. */
    expirePlan: ({ id }: { readonly id: string }, { expiresAt }: { readonly expiresAt: string }) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const past = new Date(Date.now() - 1_000).toISOString()
        yield* sql`update connections set doc = replace(doc, ${expiresAt}, ${past}) where id = ${id}`
      }).pipe(inDatabase),
    /** Whether its credential is still stored. */
    hasCredential: ({ id }: { readonly id: string }) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        return (yield* sql`select 1 from credentials where connection_id = ${id}`).length > 0
      }).pipe(inDatabase)
  }
}
