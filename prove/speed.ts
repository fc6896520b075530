import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { loadavg } from "node:os"
import { median, roundToThreeDigits, type Target } from "../bench/Report.ts"
import { cpuMicrosOf } from "../bench/processes.ts"
import { Lab } from "../test/support/lab/Lab.ts"
import { labEnvironment, labPowerDns } from "../test/support/labService.ts"
import { type ServiceProcess, startService } from "../test/support/serviceProcess.ts"
import { type ApiClient, makeApiClient } from "./ApiClient.ts"
import { createProofDatabase, type ProofDatabase } from "./ProofDatabase.ts"
import { expectNone, type ProofResult } from "./ProofResult.ts"
import {
  authorizeAndApprove,
  createPlannedConnection,
  type DesiredConnection,
  timelineOf,
  waitForState
} from "./connectionSteps.ts"
import { measureEngineRate } from "./engineRate.ts"
import { measureLargeZone } from "./largeZone.ts"
import { createZones, recordsFor, typicalLines } from "./proofZones.ts"
import { expiringTables, runRetention } from "./runRetention.ts"

const names = (kind: string, count: number) => Array.from({ length: count }, (_, nth) => `${kind}${nth}.com`)

/** How fast a plan is in the zone, how many connections a second live their life, and what each of them leaves behind. */
export const speed: Effect.Effect<ProofResult, never, Lab> = Effect.scoped(
  Effect.gen(function* () {
    const lab = yield* Lab
    const large = yield* measureLargeZone
    yield* createZones(
      lab,
      [...names("warm", warmUps), ...names("one", singles), ...names("many", crowd)],
      typicalLines
    )
    const database = yield* createProofDatabase
    const service = yield* startService(yield* labEnvironment([labPowerDns], { DATABASE_URL: database.url }))
    const api = makeApiClient(service.url, database.key)
    const credential = { apiToken: lab.pdns.key }
    const wanted = (domain: string): DesiredConnection => ({
      idempotencyKey: domain,
      domain,
      credential,
      records: recordsFor(domain)
    })

    yield* Effect.forEach(names("warm", warmUps), (domain) => oneClick(api, wanted(domain)), { concurrency: 4 })
    const single = yield* Effect.forEach(names("one", singles), (domain) => oneClick(api, wanted(domain)))
    const before = yield* database.run(kept)
    const many = yield* throughput(api, names("many", crowd).map(wanted), service, database)
    const after = yield* database.run(kept)
    yield* runRetention(database)
    const lasting = yield* database.run(kept)
    const connections = warmUps + singles + crowd
    const engine = yield* measureEngineRate
    const latencies = single.map(({ millis }) => millis)
    return {
      figures: {
        largeZone: large,
        typicalZone: {
          records: 30,
          oneClickP50Millis: roundToThreeDigits(median(latencies)),
          oneClickMaxMillis: roundToThreeDigits(Math.max(...latencies)),
          byStateMillis: stepsOf(single)
        },
        lifecycle: { ...many, loadAverageOfTheMachine: roundToThreeDigits(loadavg()[0] ?? 0) },
        emptyWorkflowsPerSecond: roundToThreeDigits(engine),
        keptPerConnection: differenceOf(before, after, crowd),
        keptForGoodPerConnection: differenceOf([], lasting, connections)
      },
      targets: [
        ...targetsOf(large.medianMillis, median(latencies), many),
        expectNone(
          "tables that retention does not empty",
          lasting.filter(({ name, rows }) => rows > 0 && expiringTables.some((table) => table === name))
        )
      ]
    }
  }).pipe(Effect.orDie)
)

const targetsOf = (
  large: number,
  oneClick: number,
  { failures, perSecond }: Effect.Effect.Success<ReturnType<typeof throughput>>
): ReadonlyArray<Target> => [
  { kind: "gate", what: "snapshot and plan of 10,000 records, ms", value: large, atMost: 250 },
  { kind: "gate", what: "one click in a typical zone, p50 ms", value: oneClick, atMost: 300 },
  { kind: "gate", what: "whole lives per second", value: perSecond, atLeast: 20 },
  { kind: "aim", what: "whole lives per second", value: perSecond, atLeast: 30 },
  expectNone("connections that did not become active", failures)
]

const warmUps = 24
const singles = 25
const crowd = 300
const clients = 32

/** From sending the authorization to the commit by which the connection is `verifying`. */
const oneClick = (api: ApiClient, wanted: DesiredConnection) =>
  Effect.gen(function* () {
    const connection = yield* createPlannedConnection(api, wanted)
    const sentAt = Date.now()
    yield* authorizeAndApprove(api, connection, wanted)
    yield* waitForState(api, connection.id, ["active"])
    const times = new Map((yield* timelineOf(api, connection.id)).map(({ at, to }) => [to, at]))
    return { millis: (times.get("verifying") ?? Number.NaN) - sentAt, times, sentAt }
  })

const stepsOf = (lives: ReadonlyArray<Effect.Effect.Success<ReturnType<typeof oneClick>>>) => {
  const step = (from: string, to: string) =>
    median(lives.map(({ sentAt, times }) => (times.get(to) ?? 0) - (times.get(from) ?? sentAt)))
  return {
    requestToPlan: step("requested", "awaiting_authorization"),
    sentToAuthorized: step("sent", "authorized"),
    authorizedToApplying: step("authorized", "applying"),
    applyingToVerifying: step("applying", "verifying"),
    verifyingToActive: step("verifying", "active")
  }
}

const throughput = (
  api: ApiClient,
  all: ReadonlyArray<DesiredConnection>,
  { pid }: ServiceProcess,
  database: ProofDatabase
) =>
  Effect.gen(function* () {
    const [beganAt, cpuBefore] = [performance.now(), cpuMicrosOf(pid)]
    const outcomes = yield* Effect.forEach(
      all,
      (wanted) =>
        Effect.either(
          Effect.flatMap(createPlannedConnection(api, wanted), (connection) =>
            authorizeAndApprove(api, connection, wanted)
          )
        ),
      { concurrency: clients }
    )
    yield* Effect.repeat(Effect.delay(database.run(moving), "50 millis"), {
      until: (count) => count === 0 || performance.now() - beganAt > longestMillis
    })
    const seconds = (performance.now() - beganAt) / 1_000
    const notActive = yield* database.run(strays)
    return {
      connections: all.length,
      clients,
      perSecond: roundToThreeDigits(all.length / seconds),
      cpuMillisPerConnection: roundToThreeDigits((cpuMicrosOf(pid) - cpuBefore) / 1_000 / all.length),
      failures: [...outcomes.flatMap((one) => (one._tag === "Left" ? [one.left.message] : [])), ...notActive]
    }
  })

const longestMillis = 60_000

const moving = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly count: number }>`
      select count(*)::int as count from connections where state not in ('active', 'failed', 'planned')`,
    ([row]) => row?.count ?? 0
  )
)

const strays = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly said: string }>`
      select id || ' ' || state || ' ' || coalesce(doc::jsonb #>> '{failure,code}', '') as said
      from connections where state <> 'active'`,
    (rows) => rows.map(({ said }) => said)
  )
)

/** Rows and bytes, indices included, of every table, without what is dead. */
const kept = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`vacuum full analyze`
  const tables = yield* sql<{ readonly name: string; readonly bytes: number }>`
    select relname as name, pg_total_relation_size(oid)::int as bytes from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`
  return yield* Effect.forEach(tables, ({ bytes, name }) =>
    Effect.map(sql<{ readonly rows: number }>`select count(*)::int as rows from ${sql(name)}`, ([counted]) => ({
      name,
      bytes,
      rows: counted?.rows ?? 0
    }))
  )
})

type Kept = Effect.Effect.Success<typeof kept>

const differenceOf = (before: Kept, after: Kept, connections: number) => {
  const each = after.map(({ bytes, name, rows }) => {
    const earlier = before.find((table) => table.name === name)
    return {
      name,
      rows: roundToThreeDigits((rows - (earlier?.rows ?? 0)) / connections),
      bytes: Math.round((bytes - (earlier?.bytes ?? 0)) / connections)
    }
  })
  const sum = (of: "rows" | "bytes") => roundToThreeDigits(each.reduce((total, table) => total + table[of], 0))
  return { rows: sum("rows"), bytes: sum("bytes"), tables: each.filter(({ rows }) => rows !== 0) }
}
