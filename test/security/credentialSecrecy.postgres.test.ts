import { SqlClient } from "@effect/sql"
import { expect, spyOn } from "bun:test"
import { ConfigProvider, Effect, Layer, Redacted, Schedule } from "effect"
import { writeFileSync } from "node:fs"
import { ServiceConfig } from "../../src/settings/Config.ts"
import { DnsClient } from "../../src/dns/transport/DnsClient.ts"
import { serviceLayer } from "../../src/main.ts"
import { freshDatabase, poolOn, urlOf } from "../persistence/freshDatabase.ts"
import { StateNotReached } from "../support/TestConnection.ts"
import { temporaryDirectory, type TestDatabase } from "../support/TestPostgres.ts"
import { live } from "../support/effectTest.ts"
import { ScriptedInternet } from "../support/lab/ScriptedInternet.ts"
import { makeScriptedPowerDns } from "../support/lab/ScriptedPowerDns.ts"
import { masterKey } from "../support/masterKeys.ts"
import { issueKey, send } from "../support/testApi.ts"

const bakery = "crumb-and-co.com"

const accepted = "the-token-that-the-provider-takes"
const refused = "a-token-that-the-provider-does-not-take"
const misplaced = "a-token-in-a-place-of-its-own"

const internetOfTheBakery = {
  zones: {
    [bakery]: {
      nameServers: ["ns1.acme-dns.net", "ns2.acme-dns.net"],
      records: `@     300   A     11.22.33.44
                shop  300   A     11.22.33.46`
    },
    "platform.example": { nameServers: ["ns.platform.example"], records: "shops 300 A 11.44.0.1" }
  }
}

const intent = { domain: bakery, records: [{ host: "shop", type: "CNAME", value: "shops.platform.example" }] }

/** The whole service on a test database, in an internet with one provider that accepts one token. */
const serviceOn = (database: TestDatabase, print: (line: string) => void) =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const internet = yield* ScriptedInternet.make(internetOfTheBakery)
      const { url } = yield* makeScriptedPowerDns({ internet, zones: [bakery], key: accepted })
      const directory = temporaryDirectory()
      const settings = { baseUrl: url }
      const acme = { id: "acme-dns", name: "Acme DNS", adapter: "powerdns", nameServers: ["acme-dns.net"], settings }
      writeFileSync(`${directory}/providers.json`, JSON.stringify([acme]))
      const { host, port } = internet.dial(internet.resolver)
      const variables = new Map([
        ["PORT", "0"],
        ["DATA_DIR", directory],
        ["DATABASE_URL", Redacted.value(urlOf(database))],
        ["MASTER_KEY", masterKey(1)],
        ["DNS_RESOLVERS", `${host}:${port}`],
        ["DNS_PUBLIC_RESOLVERS", `${host}:${port}`],
        ["PROVIDERS_FILE", `${directory}/providers.json`],
        ["LOG_LEVEL", "trace"]
      ])
      const config = yield* Effect.withConfigProvider(ServiceConfig, ConfigProvider.fromMap(variables))
      return serviceLayer(config, DnsClient.layer({ allowed: [], dial: internet.dial }))
    })
  ).pipe(Layer.provide(printingTo(print)))

live("a credential appears in no response, log line or row, neither in plain text nor as base64 or hex", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const output: Array<string> = []
    const client = clientOf((text) => output.push(text))
    yield* Effect.gen(function* () {
      const { call, id, until } = yield* client
      const authorize = (credential: unknown, more: object = {}) =>
        call("authorization", { method: "direct_credential", credential, ...more })
      for (const credential of misplacements) expect([400, 422]).toContain(yield* authorize(credential))
      expect(yield* call("authorization", { method: "manual", credential: misplaced })).toBe(400)

      expect(yield* authorize({ apiToken: refused })).toBe(200)
      yield* until("failed")
      expect(yield* authorize({ apiToken: accepted })).toBe(200)
      const { plan } = yield* until("planned")
      const rowsBefore = yield* rowsOf(database)
      expect(rowsBefore.filter((row) => row.startsWith("credentials:"))).toHaveLength(1)

      expect(yield* call("approval", { digest: plan.digest, acknowledge: plan.warnings })).toBe(200)
      yield* until("active")
      for (const path of ["", "/records", "/events"]) yield* call(path.slice(1))
      const rowsAfter = yield* rowsOf(database)
      expect(rowsAfter.filter((row) => row.startsWith("credentials:"))).toEqual([])
      for (const table of ["connections", "connection_events", "journal", "observations"]) {
        expect([table, rowsAfter.some((row) => row.startsWith(`${table}:`) && row.includes(id))]).toEqual([table, true])
      }
      output.push(...rowsBefore, ...rowsAfter)
    }).pipe(Effect.provide(serviceOn(database, (line) => output.push(line))))

    for (const message of ["The provider's zone cannot be read", "credential_kind_mismatch", "credential_invalid"]) {
      expect([message, output.some((text) => text.includes(message))]).toEqual([message, true])
    }
    const spellings = [accepted, refused, misplaced].flatMap((secret) => [
      secret,
      Buffer.from(secret).toString("base64").replaceAll("=", ""),
      Buffer.from(secret).toString("hex")
    ])
    expect(output.filter((text) => spellings.some((spelling) => text.includes(spelling)))).toEqual([])
  })
)

/** Secrets in wrong places or of wrong shapes. */
const misplacements: ReadonlyArray<unknown> = [
  misplaced,
  [misplaced],
  { apiToken: [misplaced] },
  { apiToken: { value: misplaced } },
  { apiToken: misplaced.repeat(1_000) },
  { apiKey: misplaced, apiSecret: misplaced },
  { apiToken: misplaced, scope: misplaced },
  { _tag: misplaced, apiToken: misplaced }
]

/** A client for one connection that records every response. */
const clientOf = (record: (text: string) => void) =>
  Effect.gen(function* () {
    const { key } = yield* issueKey()
    const request = (path: string, body?: unknown) =>
      Effect.gen(function* () {
        const headers = { "x-api-key": key, "content-type": "application/json", prefer: "wait=10" }
        const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) }
        const response = yield* send(path, init)
        const text = yield* Effect.promise(() => response.text())
        record(JSON.stringify([...response.headers]) + text)
        const json: any = JSON.parse(text)
        return { status: response.status, json }
      })
    const { json } = yield* request("/v1/connections", { intent })
    const { id } = json.connection
    return {
      id,
      call: (name: string, body?: unknown) =>
        Effect.map(request(`/v1/connections/${id}${name === "" ? "" : `/${name}`}`, body), ({ status }) => status),
      until: (state: string) =>
        request(`/v1/connections/${id}`).pipe(
          Effect.map(({ json }) => json.connection),
          Effect.filterOrFail(
            (connection) => connection.state === state,
            ({ failure, state: current }) =>
              new StateNotReached({ state: current, message: `${current} is not ${state}: ${failure?.code}` })
          ),
          Effect.retry(Schedule.intersect(Schedule.spaced("50 millis"), Schedule.recurs(2_400)))
        )
    }
  })

/** Every row of every table as text, with the table's name as a prefix. */
const rowsOf = (database: TestDatabase) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const tables = yield* sql<{ readonly name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public'`
    const rows = yield* Effect.forEach(tables, ({ name }) =>
      Effect.map(sql<{ readonly row: string }>`select t::text as row from ${sql(name)} t`, (all) =>
        all.map(({ row }) => `${name}: ${row}`)
      )
    )
    return rows.flat()
  }).pipe(Effect.provide(poolOn(database, 2)))

/** Records what the process writes to its log instead of writing it. */
const printingTo = (print: (line: string) => void) =>
  Layer.scopedDiscard(
    Effect.acquireRelease(
      Effect.sync(() => spyOn(console, "log").mockImplementation((line: string) => print(line))),
      (spy) => Effect.sync(() => spy.mockRestore())
    )
  )
