import { SqlClient } from "@effect/sql"
import { Effect, Record } from "effect"
import { availableParallelism, loadavg } from "node:os"
import { median, roundToThreeDigits, type Target } from "../bench/Report.ts"
import { cpuMicrosOfParts, type ProcessorTimes } from "../bench/processes.ts"
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
import { measureLargeZone } from "./largeZone.ts"
import { createZones, recordsFor, typicalLines } from "./proofZones.ts"
import { expiringTables, runRetention } from "./runRetention.ts"

const names = (kind: string, count: number) => Array.from({ length: count }, (_, nth) => `${kind}${nth}.com`)

/** Measures the time from approval to a written plan, connections per second, and the rows that a connection leaves. */
export const speed: Effect.Effect<ProofResult, never, Lab> = Effect.scoped(
  Effect.gen(function* () {
    const lab = yield* Lab
    const large = yield* measureLargeZone
    yield* createZones(
      lab,
      [...names("warm", warmUps), ...names("one", singles), ...names("many", batch)],
      typicalLines
    )
    const database = yield* createProofDatabase
    const service = yield* startService(yield* labEnvironment([labPowerDns], { DATABASE_URL: database.url }))
    const api = makeApiClient(service.url, database.key)
    const credential = { apiToken: lab.pdns.key }
    const desired = (domain: string): DesiredConnection => ({
      idempotencyKey: domain,
      domain,
      credential,
      records: recordsFor(domain)
    })

    yield* Effect.forEach(names("warm", warmUps), (domain) => measureOneClick(api, desired(domain)), { concurrency: 8 })
    const oneClicks = yield* Effect.forEach(names("one", singles), (domain) => measureOneClick(api, desired(domain)))
    const before = yield* database.run(tableSizes)
    const many = yield* throughput(api, names("many", batch).map(desired), service, database)
    const after = yield* database.run(tableSizes)
    yield* runRetention(database)
    const afterRetention = yield* database.run(tableSizes)
    const connections = warmUps + singles + batch
    const latencies = oneClicks.map(({ millis }) => millis)
    return {
      figures: {
        largeZone: large,
        typicalZone: {
          records: 30,
          oneClickP50Millis: roundToThreeDigits(median(latencies)),
          oneClickMaxMillis: roundToThreeDigits(Math.max(...latencies)),
          byStateMillis: stepDurationsOf(oneClicks)
        },
        lifecycle: { ...many, loadAverageOfTheMachine: roundToThreeDigits(loadavg()[0] ?? 0) },
        keptPerConnection: differenceOf(before, after, batch),
        keptForGoodPerConnection: differenceOf([], afterRetention, connections)
      },
      targets: [
        ...targetsOf(large.medianMillis, median(latencies), many),
        expectNone(
          "tables that retention does not empty",
          afterRetention.filter(({ name, rows }) => rows > 0 && expiringTables.some((table) => table === name))
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
  {
    kind: "gate",
    what: "from authorization with approval to the write in a typical zone, p50 ms",
    value: oneClick,
    atMost: 300
  },
  { kind: "gate", what: "complete connections per second, from the request to active", value: perSecond, atLeast: 20 },
  { kind: "aim", what: "complete connections per second, from the request to active", value: perSecond, atLeast: 60 },
  expectNone("connections that did not become active", failures)
]

/**
 * Until Bun's compiler has optimized the service: on a busy machine, the first 50 connections took 178 ms of its processor
 * time each, the second 90, the third and fourth 78 and 72, and those after 300 took 67.
 */
const warmUps = 400
const singles = 25
const batch = 300
const clients = 32

/** Measures from sending the authorization to the transition into `verifying`. */
const measureOneClick = (api: ApiClient, desired: DesiredConnection) =>
  Effect.gen(function* () {
    const connection = yield* createPlannedConnection(api, desired)
    const sentAt = Date.now()
    yield* authorizeAndApprove(api, connection, desired)
    yield* waitForState(api, connection.id, ["active"])
    const times = new Map((yield* timelineOf(api, connection.id)).map(({ at, to }) => [to, at]))
    return { millis: (times.get("verifying") ?? Number.NaN) - sentAt, times, sentAt }
  })

const stepDurationsOf = (clicks: ReadonlyArray<Effect.Effect.Success<ReturnType<typeof measureOneClick>>>) => {
  const step = (from: string, to: string) =>
    median(clicks.map(({ sentAt, times }) => (times.get(to) ?? 0) - (times.get(from) ?? sentAt)))
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
    const transactionsBefore = yield* database.run(transactionCount)
    const cpuBefore = cpuMicrosOfParts(pid)
    const startedAt = performance.now()
    const outcomes = yield* Effect.forEach(
      all,
      (desired) =>
        Effect.either(
          Effect.flatMap(createPlannedConnection(api, desired), (connection) =>
            authorizeAndApprove(api, connection, desired)
          )
        ),
      { concurrency: clients }
    )
    let polls = 0
    yield* Effect.repeat(Effect.delay(database.run(unfinishedCount), "50 millis"), {
      until: (count) => (polls += 1) > 0 && (count === 0 || performance.now() - startedAt > longestMillis)
    })
    const seconds = (performance.now() - startedAt) / 1_000
    const cpuMillis = Record.map(cpuMicrosOfParts(pid), (micros, part) =>
      roundToThreeDigits((micros - cpuBefore[part]) / 1_000 / all.length)
    )
    const transactions = (yield* database.run(transactionCount)) - transactionsBefore - polls
    const notActive = yield* database.run(inactiveConnections)
    return {
      connections: all.length,
      clients,
      perSecond: roundToThreeDigits(all.length / seconds),
      ...processorFigures(cpuMillis),
      statementsPerConnection: roundToThreeDigits(transactions / all.length),
      failures: [
        ...outcomes.flatMap((outcome) => (outcome._tag === "Left" ? [outcome.left.message] : [])),
        ...notActive
      ]
    }
  })

const longestMillis = 60_000

/** The processor times of a connection in milliseconds, and the connections a second that these processors allow with them. */
const processorFigures = (millis: ProcessorTimes) => {
  const total = millis.service + millis.postgres + millis.nameServers + millis.clients
  return {
    cpuMillisPerConnection: { ...millis, total: roundToThreeDigits(total) },
    /** If no processor was ever idle or did other work. */
    perSecondAtMost: perSecondWith(total),
    /** The same if the service took no processor time. */
    perSecondWithoutTheService: perSecondWith(total - millis.service),
    /** The same if name servers and clients took none: an operator does not run those. */
    perSecondOfServiceAndPostgres: perSecondWith(millis.service + millis.postgres)
  }
}

const perSecondWith = (millisEach: number) => roundToThreeDigits((availableParallelism() * 1_000) / millisEach)

/** Every statement of the service is a transaction. A session tells of its transactions within a second. */
const transactionCount = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly count: number }>`
      select (xact_commit + xact_rollback)::int as count from pg_stat_database where datname = current_database()`,
    ([row]) => row?.count ?? 0
  )
).pipe(Effect.delay("1500 millis"))

const unfinishedCount = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly count: number }>`
      select count(*)::int as count from connections where state not in ('active', 'failed', 'planned')`,
    ([row]) => row?.count ?? 0
  )
)

const inactiveConnections = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly summary: string }>`
      select id || ' ' || state || ' ' || coalesce(doc::jsonb #>> '{failure,code}', '') as summary
      from connections where state <> 'active'`,
    (rows) => rows.map(({ summary }) => summary)
  )
)

/** The rows and bytes of every table after a full vacuum, including indices. */
const tableSizes = Effect.gen(function* () {
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

type TableSizes = Effect.Effect.Success<typeof tableSizes>

const differenceOf = (before: TableSizes, after: TableSizes, connections: number) => {
  const differences = after.map(({ bytes, name, rows }) => {
    const earlier = before.find((table) => table.name === name)
    return {
      name,
      rows: roundToThreeDigits((rows - (earlier?.rows ?? 0)) / connections),
      bytes: Math.round((bytes - (earlier?.bytes ?? 0)) / connections)
    }
  })
  const sum = (of: "rows" | "bytes") => roundToThreeDigits(differences.reduce((total, table) => total + table[of], 0))
  return { rows: sum("rows"), bytes: sum("bytes"), tables: differences.filter(({ rows }) => rows !== 0) }
}
