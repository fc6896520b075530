import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { makeApiClient } from "../prove/ApiClient.ts"
import { createProofDatabase, type ProofDatabase } from "../prove/ProofDatabase.ts"
import { createZones, typicalLines } from "../prove/proofZones.ts"
import { freePort } from "../test/support/freePort.ts"
import { Lab } from "../test/support/lab/Lab.ts"
import { labUnavailableReason } from "../test/support/lab/labAvailability.ts"
import { labEnvironment, labPowerDns } from "../test/support/labService.ts"
import { startService } from "../test/support/serviceProcess.ts"
import { connectOnce, copyActiveConnection, grownDomain } from "./activeConnections.ts"
import { startBenchSubject } from "./BenchSubject.ts"
import { formatTable, type Report, roundToThreeDigits, type Target } from "./Report.ts"
import { generateLoad } from "./generateLoad.ts"
import { requestsFor } from "./httpRequests.ts"
import { cpuMicrosOfParts, residentMegabytesOf } from "./processes.ts"

/**
 * Measures what a table of active connections costs as it grows to a million: a get, and the checks
 * of a service that makes equally many a second in each step. All connections are copies of one that the service made.
 */
export const growth: Effect.Effect<Report> = Effect.flatMap(Effect.promise(labUnavailableReason), (reason) =>
  reason === undefined ? Effect.orDie(Effect.provide(measureInLab, Lab.layerWithCache)) : Effect.dieMessage(reason)
)

const measureInLab = Effect.scoped(
  Effect.gen(function* () {
    const lab = yield* Lab
    yield* createZones(lab, [grownDomain], typicalLines)
    const database = yield* createProofDatabase
    const environment = yield* labEnvironment([labPowerDns], {
      DATABASE_URL: database.url,
      CLUSTER: "true",
      CONNECTIONS_PER_TENANT: "0",
      CONNECTIONS_PER_DOMAIN: "0",
      STORAGE_PER_TENANT_MIB: "0"
    })
    const id = yield* Effect.scoped(
      Effect.gen(function* () {
        const { url } = yield* startService(environment)
        return yield* connectOnce(makeApiClient(url, database.key), { apiToken: lab.pdns.key })
      })
    )
    yield* database.run(stopAutovacuum)
    const steps = yield* Effect.forEach(sizes, (connections, nth) =>
      Effect.gen(function* () {
        yield* copyActiveConnection(database, id, 1 + (sizes[nth - 1] ?? 0), connections)
        yield* Effect.logInfo(`${connections} connections`)
        const rows = { connections, ...(yield* database.run(measureDisk(connections))) }
        const { databaseMicros } = yield* measureReads(database, connections)
        return { ...rows, getMicros: databaseMicros, ...(yield* watchFor(database, environment, connections, 1)) }
      })
    )
    const many = sizes.at(-1) ?? 0
    // The space of dead rows is there again, so that what is more afterwards stays.
    const begun = yield* database.run(Effect.zipRight(vacuum, measureDisk(many)))
    const together = yield* watchFor(database, environment, many, 2)
    const ended = yield* database.run(Effect.zipRight(vacuum, measureDisk(many)))
    return describeGrowth(steps, together, ended.diskBytes / begun.diskBytes)
  })
)

const sizes = [1_000, 100_000, 1_000_000]
const readMillis = 3_000

/** So that each step measures its own dead rows. */
const stopAutovacuum = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.gen(function* () {
    const tables = yield* sql<{ readonly name: string }>`
      select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`
    yield* Effect.forEach(tables, ({ name }) => sql`alter table ${sql(name)} set (autovacuum_enabled = off)`)
  })
)

// A statement without parameters may take as long as it takes.
const vacuum = Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe("vacuum"))

/** Bytes of the tables and indexes that grow with the number of connections, for each of them. */
const measureDisk = (connections: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ readonly bytes: number }>`
        select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace`,
      ([row]) => ({ diskBytes: (row?.bytes ?? Number.NaN) / connections })
    )
  )

const measureReads = (database: ProofDatabase, connections: number) =>
  Effect.scoped(
    Effect.flatMap(startBenchSubject("httpApi", database), (service) =>
      Effect.zipRight(
        generateLoad(service, requestsFor("get", database.key, connections), readMillis, 1),
        generateLoad(service, requestsFor("get", database.key, connections), readMillis, 1)
      )
    )
  )

/** What the checks of a step cost. */
interface WatchCost {
  readonly checks: number
  /** Of each process, from 0 to 1. */
  readonly shares: ReadonlyArray<number>
  /** Milliseconds of processor time a check. */
  readonly serviceMillis: number
  readonly postgresMillis: number
  /** The pages that PostgreSQL read for a check, from its memory or not. */
  readonly buffers: number
  /** The row versions that a check wrote, and those of them that no index had to learn of. */
  readonly writes: number
  readonly hotWrites: number
  /** The rows that a check added. */
  readonly newRows: number
  /** The bytes by which the tables grew for a check, before a vacuum. */
  readonly grownBytes: number
  readonly megabytes: number
}

/** Starts processes whose interval makes for the same number of checks a second of each, and measures them for a while. */
const watchFor = (
  database: ProofDatabase,
  environment: Readonly<Record<string, string>>,
  connections: number,
  processes: number
): Effect.Effect<WatchCost> =>
  Effect.scoped(
    Effect.gen(function* () {
      const rate = processes * checksPerSecond
      const interval = Math.floor(connections / rate)
      yield* database.run(makeSomeDue(connections, rate))
      const services = yield* Effect.replicateEffect(startWatching(environment, interval), processes)
      yield* Effect.sleep(`${warmUpSeconds} seconds`)
      const begun = yield* takeCounts(database, services)
      yield* Effect.sleep(`${measuredSeconds} seconds`)
      const ended = yield* takeCounts(database, services)
      const perProcess = ended.checks.map((count, nth) => count - (begun.checks[nth] ?? 0))
      const checks = perProcess.reduce((sum, count) => sum + count)
      const perCheck = (of: (counts: CostCounts) => number) => (of(ended) - of(begun)) / checks
      return {
        checks,
        shares: perProcess.map((count) => count / checks),
        serviceMillis: perCheck(({ serviceMicros }) => serviceMicros / 1_000),
        postgresMillis: perCheck(({ postgresMicros }) => postgresMicros / 1_000),
        buffers: perCheck(({ buffers }) => buffers),
        writes: perCheck(({ updated }) => updated),
        hotWrites: perCheck(({ hotUpdated }) => hotUpdated),
        newRows: perCheck(({ added }) => added),
        grownBytes: perCheck(({ bytes }) => bytes),
        megabytes: Math.max(...services.map(({ pid }) => residentMegabytesOf(pid)))
      }
    })
  )

const checksPerSecond = 50
const warmUpSeconds = 20
const measuredSeconds = 60

/** Makes checks of all servers due evenly, until the measurement is over: one beside 24 looks, as in a day. */
const makeSomeDue = (connections: number, rate: number) => {
  const seconds = 2 * (warmUpSeconds + measuredSeconds)
  return Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      update connections set due_at = now() + random() * ${seconds} * interval '1 second'
      where id in (
        select 'con_' || lpad((1 + floor(random() * ${connections}))::int::text, 26, '0')
        from generate_series(1, ${Math.floor((rate * seconds) / 24)}::int)
      )`
  )
}

/** Starts a process with an interval of so many seconds, which no setting of an operator can express. */
const startWatching = (environment: Readonly<Record<string, string>>, interval: number) =>
  Effect.gen(function* () {
    const port = freePort()
    const { pid } = yield* startService(
      { ...environment, METRICS_PORT: String(port), RECHECK_SECONDS: String(interval) },
      ([bun = ""]) => [bun, "run", `${import.meta.dir}/../prove/watch/watchingService.ts`]
    )
    return { pid, metricsUrl: `http://127.0.0.1:${port}/metrics` }
  })

interface CostCounts {
  /** By process. */
  readonly checks: ReadonlyArray<number>
  readonly serviceMicros: number
  readonly postgresMicros: number
  readonly buffers: number
  readonly updated: number
  readonly hotUpdated: number
  readonly added: number
  readonly bytes: number
}

const takeCounts = (
  database: ProofDatabase,
  services: ReadonlyArray<{ readonly pid: number; readonly metricsUrl: string }>
): Effect.Effect<CostCounts> =>
  Effect.gen(function* () {
    const checks = yield* Effect.forEach(services, ({ metricsUrl }) => Effect.promise(() => countChecks(metricsUrl)))
    const times = services.map(({ pid }) => cpuMicrosOfParts(pid))
    const counts = yield* database.run(readStatistics)
    return {
      ...counts,
      checks,
      serviceMicros: times.reduce((sum, { service }) => sum + service, 0),
      postgresMicros: times[0]?.postgres ?? Number.NaN
    }
  })

/** The checks that a process has made: those of all servers, and looks at one. */
const countChecks = async (metricsUrl: string): Promise<number> => {
  const text = await (await fetch(metricsUrl)).text()
  return [...text.matchAll(/^(?:dcs_phases_ended_total\{.*phase="verify".*\}|dcs_looks_total(?:\{.*\})?) (\d+)/gm)]
    .map(([, count]) => Number(count))
    .reduce((sum, count) => sum + count, 0)
}

const readStatistics = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<Omit<CostCounts, "checks" | "serviceMicros" | "postgresMicros">>`
      select sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit + idx_blks_read, 0)
          + coalesce(toast_blks_hit + toast_blks_read + tidx_blks_hit + tidx_blks_read, 0))::float8 as buffers,
        sum(n_tup_upd)::float8 as updated, sum(n_tup_hot_upd)::float8 as "hotUpdated",
        sum(n_tup_ins - n_tup_del)::float8 as added, sum(pg_total_relation_size(relid))::float8 as bytes
      from pg_statio_user_tables join pg_stat_user_tables using (relid)`,
    ([row]) => row ?? { buffers: NaN, updated: NaN, hotUpdated: NaN, added: NaN, bytes: NaN }
  )
)

interface GrowthStep extends WatchCost {
  readonly connections: number
  readonly diskBytes: number
  /** Of processor time of PostgreSQL. */
  readonly getMicros: number
}

const aim = (what: string, value: number, limits: Pick<Target, "atLeast" | "atMost">): Target => ({
  kind: "aim",
  what,
  value,
  ...limits
})

const describeGrowth = (steps: ReadonlyArray<GrowthStep>, together: WatchCost, diskRatio: number): Report => {
  const first = steps.at(0)
  const last = steps.at(-1)
  const ratioOf = (of: (step: WatchCost) => number, other: WatchCost | undefined = last) =>
    other === undefined || first === undefined ? Number.NaN : of(other) / of(first)
  const row = (name: string, cost: WatchCost, further: ReadonlyArray<string>) => [
    name,
    "",
    ...further,
    ...[cost.buffers, cost.postgresMillis, cost.serviceMillis, cost.writes, cost.hotWrites, cost.grownBytes].map(
      (value) => String(roundToThreeDigits(value))
    ),
    cost.megabytes.toFixed(0)
  ]
  return {
    title: `Growth: active connections that are read, and checked ${checksPerSecond} times a second`,
    lines: [
      ...formatTable([
        [
          "connections",
          "",
          "µs a get",
          "bytes each",
          "pages a check",
          "PostgreSQL ms",
          "service ms",
          "writes",
          "HOT",
          "bytes grown",
          "MB"
        ],
        ...steps.map((step) =>
          row(step.connections.toLocaleString("en"), step, [step.getMicros.toFixed(0), step.diskBytes.toFixed(0)])
        ),
        row("by two", together, ["", ""])
      ]),
      `A check leaves ${roundToThreeDigits(last?.newRows ?? NaN)} rows; after those by two, and a vacuum, the tables have ${diskRatio.toFixed(4)} times their size.`
    ],
    figures: { steps, together, diskRatio },
    targets: [
      aim(
        "processor time of PostgreSQL a get, among a million ÷ among a thousand",
        (last?.getMicros ?? NaN) / (first?.getMicros ?? NaN),
        { atMost: 1.25 }
      ),
      aim(
        "pages of a check among a million ÷ among a thousand",
        ratioOf(({ buffers }) => buffers),
        { atMost: 1.2 }
      ),
      aim(
        "processor time of PostgreSQL a check, the same",
        ratioOf(({ postgresMillis }) => postgresMillis),
        { atMost: 1.2 }
      ),
      aim(
        "memory of the service, the same",
        ratioOf(({ megabytes }) => megabytes),
        { atMost: 1.2 }
      ),
      aim("rows that a check leaves", last?.newRows ?? Number.NaN, { atMost: 0.01 }),
      aim("row versions that a check among a million leaves dead", last?.writes ?? Number.NaN, { atMost: 0.05 }),
      aim("size of a million connections after checks and a vacuum ÷ before", diskRatio, { atMost: 1.001 }),
      aim(
        "checks of two processes ÷ of one, by processor time a check",
        2 * ((last?.serviceMillis ?? NaN) / together.serviceMillis),
        { atLeast: 1.8 }
      ),
      aim("share of one of two processes in the checks", Math.max(...together.shares), { atMost: 0.6 })
    ]
  }
}
