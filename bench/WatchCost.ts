import { SqlClient } from "@effect/sql"
import { Array, Effect, Number } from "effect"
import type { ProofDatabase } from "../prove/ProofDatabase.ts"
import { nextTimeOf, slotsPerCycle } from "../src/domain/connection/lookSchedule.ts"
import { freePort } from "../test/support/freePort.ts"
import { startService } from "../test/support/serviceProcess.ts"
import { cpuMicrosOfParts, residentMegabytesOf } from "./processes.ts"

/** What the looks at single servers cost, and the checks of all servers, for each of them. */
export interface WatchCost {
  readonly look: CheckCost
  readonly fullCheck: CheckCost
  /** The looks that found another answer, where none is there. */
  readonly changed: number
  /** Of each process, from 0 to 1. */
  readonly shares: ReadonlyArray<number>
  readonly megabytes: number
}

export interface CheckCost {
  readonly count: number
  /** Milliseconds of processor time. */
  readonly serviceMillis: number
  readonly postgresMillis: number
  /** The pages that PostgreSQL read, from its memory or not. */
  readonly buffers: number
  /** The row versions that it wrote, and those of them that no index had to learn of. */
  readonly updated: number
  readonly hotUpdated: number
  /** The rows that it added. */
  readonly added: number
  /** The bytes by which the tables grew, before a vacuum. */
  readonly bytes: number
}

/** Starts processes whose interval makes for the same number of looks a second of each, and measures them for a while. */
export const watchFor = (
  database: ProofDatabase,
  environment: Readonly<Record<string, string>>,
  connections: number,
  processes: number
): Effect.Effect<WatchCost> =>
  Effect.scoped(
    Effect.gen(function* () {
      const rate = processes * looksPerSecond
      const interval = connections / rate
      yield* database.run(Effect.zipRight(spreadLooks(interval), spreadFullChecks(connections, rate)))
      const services = yield* Effect.replicateEffect(startWatching(environment, interval), processes)
      const measure = Effect.gen(function* () {
        const begun = yield* takeCounts(database, services)
        yield* Effect.sleep(`${measuredSeconds} seconds`)
        return subtractCounts(yield* takeCounts(database, services), begun)
      })
      yield* Effect.sleep(`${warmUpSeconds} seconds`)
      const both = yield* measure
      yield* Effect.sleep(`${startSeconds} seconds`)
      const looksOnly = yield* measure
      const looks = Number.sumAll(looksOnly.looks)
      const look = costOf(looks, (of) => of(looksOnly) / looks)
      const fullChecks = Number.sumAll(both.fullChecks)
      const fullCheck = costOf(
        fullChecks,
        (of) => (of(both) - (of(looksOnly) * Number.sumAll(both.looks)) / looks) / fullChecks
      )
      return {
        look,
        fullCheck,
        changed: both.changed + looksOnly.changed,
        shares: looksOnly.looks.map((count) => count / looks),
        megabytes: Math.max(...services.map(({ pid }) => residentMegabytesOf(pid)))
      }
    })
  )

const costOf = (count: number, costOfOne: (of: (counts: CostCounts) => number) => number): CheckCost => ({
  count,
  serviceMillis: costOfOne(({ serviceMicros }) => serviceMicros / 1_000),
  postgresMillis: costOfOne(({ postgresMicros }) => postgresMicros / 1_000),
  buffers: costOfOne(({ buffers }) => buffers),
  updated: costOfOne(({ updated }) => updated),
  hotUpdated: costOfOne(({ hotUpdated }) => hotUpdated),
  added: costOfOne(({ added }) => added),
  bytes: costOfOne(({ bytes }) => bytes)
})

const subtractCounts = (ended: CostCounts, begun: CostCounts): CostCounts => ({
  looks: Array.zipWith(ended.looks, begun.looks, Number.subtract),
  changed: ended.changed - begun.changed,
  fullChecks: Array.zipWith(ended.fullChecks, begun.fullChecks, Number.subtract),
  serviceMicros: ended.serviceMicros - begun.serviceMicros,
  postgresMicros: ended.postgresMicros - begun.postgresMicros,
  buffers: ended.buffers - begun.buffers,
  updated: ended.updated - begun.updated,
  hotUpdated: ended.hotUpdated - begun.hotUpdated,
  added: ended.added - begun.added,
  bytes: ended.bytes - begun.bytes
})

/** Of each process: a million in little more than an hour. */
export const looksPerSecond = 250
const looksPerFullCheck = 24
const warmUpSeconds = 20
const measuredSeconds = 60
/** Until the processes look, and until no check of all servers is due any more. */
const startSeconds = 5

/** Makes the slots of looks due as they are where every one was looked at in its turn. */
const spreadLooks = (interval: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => {
    const from = Date.now() + startSeconds * 1_000
    const times = Array.makeBy(slotsPerCycle, (slot) => nextTimeOf(slot, interval * 1_000, from))
    return sql`
      update look_slots set taken_by = null, due_at = to_timestamp(next_time / 1000)
      from unnest(${times.map((_, slot) => slot)}::int[], ${times}::float8[]) as spread (of_slot, next_time)
      where slot = of_slot`
  })

/** Makes checks of all servers due, evenly until the measurement is over. */
const spreadFullChecks = (connections: number, rate: number) => {
  const seconds = startSeconds + warmUpSeconds + measuredSeconds
  const count = Math.floor((rate * seconds) / looksPerFullCheck)
  return Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      update connections set due_at = now() + nth * ${seconds / count}::float8 * interval '1 second'
      from generate_series(1, ${count}::int) as nth
      where id = 'con_' || lpad((nth * ${Math.floor(connections / count)}::int)::text, 26, '0')`
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
  /** By process, as the full checks. */
  readonly looks: ReadonlyArray<number>
  readonly changed: number
  readonly fullChecks: ReadonlyArray<number>
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
    const metrics = yield* Effect.forEach(services, ({ metricsUrl }) => Effect.promise(() => readText(metricsUrl)))
    const times = services.map(({ pid }) => cpuMicrosOfParts(pid))
    const counts = yield* database.run(readStatistics)
    return {
      ...counts,
      changed: Number.sumAll(metrics.map(sumOf(/^dcs_looks_total\{.*result="changed".*\} (\d+)/gm))),
      looks: metrics.map(sumOf(/^dcs_looks_total(?:\{.*\})? (\d+)/gm)),
      fullChecks: metrics.map(sumOf(/^dcs_phases_ended_total\{.*phase="verify".*\} (\d+)/gm)),
      serviceMicros: times.reduce((sum, { service }) => sum + service, 0),
      postgresMicros: times[0]?.postgres ?? NaN
    }
  })

const readText = async (url: string): Promise<string> => (await fetch(url)).text()

/** Sums the numbers that an expression finds. */
const sumOf = (expression: RegExp) => (text: string) =>
  Number.sumAll([...text.matchAll(expression)].map(([, count]) => globalThis.Number(count)))

const readStatistics = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<Omit<CostCounts, "looks" | "changed" | "fullChecks" | "serviceMicros" | "postgresMicros">>`
      select sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit + idx_blks_read, 0)
          + coalesce(toast_blks_hit + toast_blks_read + tidx_blks_hit + tidx_blks_read, 0))::float8 as buffers,
        sum(n_tup_upd)::float8 as updated, sum(n_tup_hot_upd)::float8 as "hotUpdated",
        -- Changes of usage are summed up and deleted now and then.
        (sum(n_tup_ins - n_tup_del) filter (where pg_stat_user_tables.relname <> 'usage_changes'))::float8 as added,
        sum(pg_total_relation_size(relid))::float8 as bytes
      from pg_statio_user_tables join pg_stat_user_tables using (relid)`,
    ([row]) => row ?? { buffers: NaN, updated: NaN, hotUpdated: NaN, added: NaN, bytes: NaN }
  )
)
