import { SqlClient } from "@effect/sql"
import { Effect, Number, Record } from "effect"
import { Resolver } from "node:dns/promises"
import { Pool } from "pg"
import { makeApiClient } from "../prove/ApiClient.ts"
import { createProofDatabase, type ProofDatabase } from "../prove/ProofDatabase.ts"
import { authorizeAndApprove, createPlannedConnection, waitForState } from "../prove/connectionSteps.ts"
import { createZones, typicalLines } from "../prove/proofZones.ts"
import { Lab } from "../test/support/lab/Lab.ts"
import { labUnavailableReason } from "../test/support/lab/labAvailability.ts"
import { labEnvironment, labPowerDns } from "../test/support/labService.ts"
import { startService } from "../test/support/serviceProcess.ts"
import { median, type Report, roundToThreeDigits } from "./Report.ts"
import { cpuMicrosOfParts, type ProcessorTimes } from "./processes.ts"

/**
 * Measures how many active connections one process checks in a second, on the real name servers and PostgreSQL of the lab.
 * Its peer takes turns with it: a loop that asks the same servers for the same record sets, one server for each, and
 * updates one row a connection. It knows no tenants, events or other processes.
 */
export const watch: Effect.Effect<Report> = Effect.flatMap(Effect.promise(labUnavailableReason), (reason) =>
  reason === undefined ? Effect.orDie(Effect.provide(measureInLab, Lab.layerWithCache)) : Effect.dieMessage(reason)
)

const measureInLab = Effect.scoped(
  Effect.gen(function* () {
    const lab = yield* Lab
    yield* createZones(lab, domains, typicalLines)
    const database = yield* createProofDatabase
    const service = yield* startService(yield* labEnvironment([labPowerDns], { DATABASE_URL: database.url }))
    yield* connectAll(service.url, database, { apiToken: lab.pdns.key })
    const askPeer = yield* startPeer(database.url)
    const before = yield* database.run(countVersions)
    const measured: Array<Turn> = []
    const perSecondOfPeer: Array<number> = []
    for (let nth = 0; nth < warmUps + turns; nth += 1) {
      const turn = yield* measureService(database, service.pid)
      const peer = yield* Effect.promise(askPeer)
      if (nth < warmUps) continue
      measured.push(turn)
      perSecondOfPeer.push(peer)
    }
    const after = yield* database.run(countVersions)
    return yield* describe(measured, perSecondOfPeer, (after - before) / (warmUps + turns) / domains.length)
  })
)

const domains = Array.from({ length: 200 }, (_, nth) => `watched${nth}.com`)

/** Until Bun's compiler has optimized the checks. */
const warmUps = 3
const turns = 25

const recordsOf = (domain: string) =>
  [
    { host: "shop", type: "CNAME", value: "web.hostprov.net" },
    { host: "_verify", type: "TXT", value: `platform-verification=${domain}` }
  ] as const

/** Connects all domains, as customers do. */
const connectAll = (url: string, { key }: ProofDatabase, credential: object) => {
  const api = makeApiClient(url, key)
  return Effect.forEach(
    domains,
    (domain) => {
      const desired = { idempotencyKey: domain, domain, records: recordsOf(domain), credential }
      return createPlannedConnection(api, desired).pipe(
        Effect.tap((connection) => authorizeAndApprove(api, connection, desired)),
        Effect.flatMap(({ id }) => waitForState(api, id, ["active"], 200))
      )
    },
    { concurrency: 16, discard: true }
  )
}

/** One check of every connection. */
interface Turn {
  readonly perSecond: number
  /** Milliseconds of processor time a check. */
  readonly cpuMillis: Readonly<Record<keyof ProcessorTimes, number>>
}

const measureService = (database: ProofDatabase, pid: number): Effect.Effect<Turn> =>
  Effect.gen(function* () {
    yield* database.run(makeDue)
    // A process looks for what is due every second, unless it did it itself.
    yield* Effect.repeat(Effect.delay(database.run(hasBegun), "2 millis"), { until: (begun) => begun })
    const before = cpuMicrosOfParts(pid)
    const startedAt = performance.now()
    yield* Effect.repeat(Effect.delay(database.run(hasEnded), "5 millis"), { until: (ended) => ended })
    const seconds = (performance.now() - startedAt) / 1_000
    const cpuMillis = Record.map(
      cpuMicrosOfParts(pid),
      (micros, part) => (micros - before[part]) / 1_000 / domains.length
    )
    const checkedAll = yield* database.run(countChecksOfAll)
    if (checkedAll > 0) return yield* Effect.dieMessage(`${checkedAll} looks led to a check of all servers`)
    return { perSecond: domains.length / seconds, cpuMillis }
  })

const runRow = (select: (sql: SqlClient.SqlClient) => Effect.Effect<ReadonlyArray<object>, unknown>) =>
  Effect.flatMap(SqlClient.SqlClient, select)

/** A fresh connection is looked at four times in a cycle: in a quarter of the slots each has one look. */
const makeDue = runRow((sql) => sql`update look_slots set due_at = now(), looked_at = null where slot < 1024`)

/** Whether a look is under way, or has ended. */
const hasBegun = Effect.map(
  runRow((sql) => sql`select 1 from look_slots where slot < 1024 and due_at > now() limit 1`),
  ({ length }) => length > 0
)

/** Whether every connection was looked at, and no check of all servers is open. */
const hasEnded = Effect.map(
  runRow(
    (sql) => sql`
      (select 1 from look_slots where slot < 1024 and looked_at is null limit 1)
      union all (select 1 from connections where due_at <= now() or taken_by is not null limit 1)`
  ),
  ({ length }) => length === 0
)

/** The versions of rows of connections that were written so far, without those of this benchmark. */
const countVersions = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly count: number }>`
      select n_tup_upd::int as count from pg_stat_user_tables where relname = 'connections'`,
    ([row]) => row?.count ?? 0
  )
).pipe(Effect.delay("1500 millis"))

/** The checks of all servers since the connections became active. */
const countChecksOfAll = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly count: number }>`
      select sum((progress::jsonb ->> 'checks')::int)::int as count from connections`,
    ([row]) => row?.count ?? 0
  )
)

/** Starts the peer. The returned function checks every domain once, and says how many a second it checked. */
const startPeer = (url: string) =>
  Effect.gen(function* () {
    const pool = yield* Effect.acquireRelease(
      Effect.sync(() => new Pool({ connectionString: url, max: 10 })),
      (opened) => Effect.promise(() => opened.end())
    )
    yield* Effect.promise(() => pool.query("create table peer (domain text primary key, checked_at timestamptz)"))
    yield* Effect.promise(() => pool.query("insert into peer select unnest($1::text[])", [domains]))
    let checks = 0
    const check = async (resolvers: ReadonlyArray<Resolver>, domain: string): Promise<void> => {
      const resolver = resolvers[(checks += 1) % resolvers.length]
      const [aliases, texts] = await Promise.all([
        resolver?.resolveCname(`shop.${domain}`),
        resolver?.resolveTxt(`_verify.${domain}`)
      ])
      const [alias, text] = recordsOf(domain)
      if (aliases?.[0] !== alias.value || texts?.[0]?.join("") !== text.value) throw new Error(`${domain} has changed`)
      await pool.query({
        name: "check",
        text: "update peer set checked_at = now() where domain = $1",
        values: [domain]
      })
    }
    return async (): Promise<number> => {
      const remaining = [...domains]
      // New ones for each turn: c-ares keeps answers for their TTL.
      const resolvers = nameServerAddresses.map(resolverAt)
      const startedAt = performance.now()
      const work = async () => {
        for (let domain = remaining.pop(); domain !== undefined; domain = remaining.pop())
          await check(resolvers, domain)
      }
      await Promise.all(Array.from({ length: peerConcurrency }, work))
      return domains.length / ((performance.now() - startedAt) / 1_000)
    }
  })

const peerConcurrency = 32

/** Of the PowerDNS of the lab. */
const nameServerAddresses = ["127.10.1.1", "127.10.1.2"]

const resolverAt = (address: string): Resolver => {
  const resolver = new Resolver()
  resolver.setServers([address])
  return resolver
}

const describe = (measured: ReadonlyArray<Turn>, peer: ReadonlyArray<number>, versions: number) =>
  Effect.sync((): Report => {
    const perSecond = median(measured.map((turn) => turn.perSecond))
    const ratio = median(measured.map((turn, nth) => turn.perSecond / (peer[nth] ?? globalThis.Number.NaN)))
    // The times of a turn are too short for the clock of the kernel, those of all together are not.
    const millisOf = (part: keyof ProcessorTimes) =>
      roundToThreeDigits(Number.sumAll(measured.map(({ cpuMillis }) => cpuMillis[part])) / measured.length)
    const cpuMillis = {
      service: millisOf("service"),
      postgres: millisOf("postgres"),
      nameServers: millisOf("nameServers")
    }
    const rowVersions = roundToThreeDigits(versions)
    return {
      title: `Watch: ${domains.length} active connections with two records each that are due for a check`,
      lines: [
        `${roundToThreeDigits(perSecond)}/s; the peer ${roundToThreeDigits(median(peer))}/s`,
        `processor time of a check: ${cpuMillis.service} ms of the service, ${cpuMillis.postgres} ms of PostgreSQL, ${cpuMillis.nameServers} ms of the name servers`,
        `a check writes the row of its connection ${rowVersions} times`
      ],
      figures: { perSecond, peerPerSecond: median(peer), ratio, cpuMillis, rowVersions },
      targets: [
        { kind: "aim", what: "checks a second", value: perSecond, atLeast: 500 },
        { kind: "aim", what: "÷ the peer", value: ratio, atLeast: 0.7 }
      ]
    }
  })
