import { SqlClient } from "@effect/sql"
import { Array, Effect } from "effect"
import { makeApiClient } from "../prove/ApiClient.ts"
import { createPlannedConnection } from "../prove/connectionSteps.ts"
import { createProofDatabase, interruptDatabase, type ProofDatabase } from "../prove/ProofDatabase.ts"
import { createZones, typicalLines } from "../prove/proofZones.ts"
import { Lab } from "../test/support/lab/Lab.ts"
import { labUnavailableReason } from "../test/support/lab/labAvailability.ts"
import { labEnvironment, labPowerDns } from "../test/support/labService.ts"
import { startService } from "../test/support/serviceProcess.ts"
import { connectOnce, copyActiveConnection, grownDomain, grownLines } from "./activeConnections.ts"
import { startBenchSubject } from "./BenchSubject.ts"
import { formatTable, type Report, roundToThreeDigits, type Target } from "./Report.ts"
import { generateLoad } from "./generateLoad.ts"
import { requestsFor } from "./httpRequests.ts"
import { slotsPerCycle } from "../src/domain/connection/lookSchedule.ts"
import { WatchStore } from "../src/persistence/stores/phases/WatchStore.ts"
import { cpuMicrosByProgram } from "./processes.ts"
import { type CheckCost, looksPerSecond, type WatchCost, watchFor } from "./WatchCost.ts"

/**
 * Measures what a table of active connections costs as it grows to a million: a get, a discovery, and the checks of a
 * service whose interval makes for equally many a second in each step. Looks and checks of all servers come evenly, one of
 * all beside 24 looks, as in a day. All connections are copies of one that the service made.
 */
export const growth: Effect.Effect<Report> = Effect.flatMap(Effect.promise(labUnavailableReason), (reason) =>
  reason === undefined ? Effect.orDie(Effect.provide(measureInLab, Lab.layerWithCache)) : Effect.dieMessage(reason)
)

const measureInLab = Effect.scoped(
  Effect.gen(function* () {
    const lab = yield* Lab
    yield* createZones(lab, [grownDomain, besideDomain], typicalLines + grownLines)
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
    yield* database.run(setSharedBuffers)
    yield* interruptDatabase(database, "SIGINT")
    const steps = yield* Effect.forEach(sizes, (connections, nth) =>
      Effect.gen(function* () {
        yield* copyActiveConnection(database, id, 1 + (sizes[nth - 1] ?? 0), connections)
        yield* Effect.logInfo(`${connections} connections`)
        const rows = { connections, ...(yield* database.run(measureDisk(connections))) }
        const { databaseMicros } = yield* measureReads(database, connections)
        const takeMicros = yield* database.run(measureTaking(connections))
        const discoverMicros = yield* measureDiscoveries(database, environment, nth)
        const watched = yield* watchFor(database, environment, connections, 1)
        return { ...rows, getMicros: databaseMicros, takeMicros, discoverMicros, ...watched }
      })
    )
    const many = sizes.at(-1) ?? 0
    const together = yield* watchFor(database, environment, many, 2)
    // The space of dead rows is there again, so that what is more afterwards stays.
    const begun = yield* database.run(Effect.zipRight(vacuum, measureDisk(many)))
    yield* watchFor(database, environment, many, 1)
    const ended = yield* database.run(Effect.zipRight(vacuum, measureDisk(many)))
    return describeGrowth(steps, together, ended.diskBytes / begun.diskBytes)
  })
)

const sizes = [1_000, 100_000, 1_000_000]
const readMillis = 3_000

/** As an operator of so many connections sets it: a quarter of a small machine. Counts from the next start. */
const setSharedBuffers = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.unsafe("alter system set shared_buffers = '1GB'")
)

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
      ([row]) => ({ diskBytes: (row?.bytes ?? NaN) / connections })
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

/** Takes due looks and settles them, without asking servers: microseconds of PostgreSQL for each. */
const measureTaking = (connections: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { findWatched, settle, takeSlots } = yield* WatchStore
    const takeDue = Effect.gen(function* () {
      const slots = yield* takeSlots(Math.ceil((takenTogether * slotsPerCycle) / connections), 60)
      const { length } = yield* findWatched(slots)
      const nextTime = Date.now() + 3_600_000
      yield* settle(
        slots.map((taken) => ({ ...taken, nextTime })),
        { changed: [], silenced: [], renewed: [] }
      )
      return length
    })
    const takeMany = Effect.gen(function* () {
      yield* sql`update look_slots set due_at = now(), taken_by = null`
      const begun = postgresMicros()
      let taken = 0
      while (taken < Math.min(connections / 2, takenAtMost)) taken += yield* takeDue
      return (postgresMicros() - begun) / taken
    })
    return yield* Effect.zipRight(takeMany, takeMany)
  }).pipe(Effect.provide(WatchStore.layer))

/** Creates connections elsewhere, and discovers and plans them: microseconds of PostgreSQL for each. */
const measureDiscoveries = (database: ProofDatabase, environment: Readonly<Record<string, string>>, step: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      // Without looks, which would be counted.
      const { url } = yield* startService({ ...environment, RECHECK_INTERVAL: "1440" })
      const api = makeApiClient(url, database.key)
      const discover = (nth: number) =>
        createPlannedConnection(api, {
          idempotencyKey: `${step}-${nth}`,
          domain: besideDomain,
          records: [{ host: `d${step}-${nth}`, type: "CNAME", value: "web.hostprov.net" }],
          credential: {}
        }).pipe(Effect.flatMap(({ id }) => api.post(`/v1/connections/${id}/cancel`, {})))
      yield* Effect.forEach(Array.range(1, discoveries), discover)
      const begun = postgresMicros()
      yield* Effect.forEach(Array.range(discoveries + 1, 2 * discoveries), discover)
      return (postgresMicros() - begun) / discoveries
    })
  )

const besideDomain = "beside.com"
const discoveries = 20

const postgresMicros = () => cpuMicrosByProgram(process.pid).get("postgres") ?? NaN

const takenTogether = 250
const takenAtMost = 100_000

interface GrowthStep extends WatchCost {
  readonly connections: number
  readonly diskBytes: number
  /** Of processor time of PostgreSQL. */
  readonly getMicros: number
  readonly takeMicros: number
  readonly discoverMicros: number
}

const aim = (what: string, value: number, limits: Pick<Target, "atLeast" | "atMost">): Target => ({
  kind: "aim",
  what,
  value,
  ...limits
})

const describeGrowth = (steps: ReadonlyArray<GrowthStep>, together: WatchCost, diskRatio: number): Report => {
  const [few, many, last] = steps
  const ratioTo = (begun: GrowthStep | undefined, of: (step: GrowthStep) => number) =>
    begun === undefined || last === undefined ? NaN : of(last) / of(begun)
  // Among a thousand most slots are empty, and a look is dear for want of company.
  const ratioOf = (of: (step: GrowthStep) => number) => ratioTo(many, of)
  return {
    title: `Growth: active connections that are read, and looked at ${looksPerSecond} times a second`,
    lines: [
      ...formatTable([
        [
          "connections",
          "",
          "µs a get",
          "µs a taking",
          "ms a discovery",
          "bytes each",
          "MB",
          "checks",
          "count",
          "pages",
          "PostgreSQL ms",
          "service ms",
          "writes",
          "HOT",
          "bytes grown"
        ],
        ...steps.flatMap((step) =>
          rowsOf(step.connections.toLocaleString("en"), step, [
            step.getMicros.toFixed(0),
            step.takeMicros.toFixed(1),
            (step.discoverMicros / 1_000).toFixed(1),
            step.diskBytes.toFixed(0)
          ])
        ),
        ...rowsOf("by two", together, ["", "", "", ""])
      ]),
      `After further checks of one process, and a vacuum, the tables have ${diskRatio.toFixed(4)} times their size.`
    ],
    figures: { steps, together, diskRatio },
    targets: [
      aim(
        "processor time of PostgreSQL a get, among a million ÷ among a thousand",
        ratioTo(few, ({ getMicros }) => getMicros),
        { atMost: 1.25 }
      ),
      aim(
        "processor time of PostgreSQL a discovery, the same",
        ratioTo(few, ({ discoverMicros }) => discoverMicros),
        { atMost: 1.25 }
      ),
      aim(
        "processor time of PostgreSQL to take a due look, among a million ÷ among 100,000",
        ratioOf(({ takeMicros }) => takeMicros),
        { atMost: 1.2 }
      ),
      aim(
        "pages of a look, the same",
        ratioOf(({ look }) => look.buffers),
        { atMost: 1.2 }
      ),
      aim(
        "processor time of PostgreSQL a look, the same",
        ratioOf(({ look }) => look.postgresMillis),
        { atMost: 1.2 }
      ),
      aim(
        "processor time of the service a look, the same",
        ratioOf(({ look }) => look.serviceMillis),
        { atMost: 1.2 }
      ),
      aim(
        "processor time of PostgreSQL a check of all servers, the same",
        ratioOf(({ fullCheck }) => fullCheck.postgresMillis),
        { atMost: 1.2 }
      ),
      aim(
        "memory of the service, the same",
        ratioOf(({ megabytes }) => megabytes),
        { atMost: 1.2 }
      ),
      aim(
        "looks that found another answer",
        steps.reduce((sum, { changed }) => sum + changed, together.changed),
        {
          atMost: 0
        }
      ),
      aim("row versions that a look among a million leaves dead", last?.look.updated ?? NaN, { atMost: 0.05 }),
      aim("rows that a look leaves", last?.look.added ?? NaN, { atMost: 0.01 }),
      aim("rows that a check of all servers leaves", last?.fullCheck.added ?? NaN, { atMost: 0.01 }),
      aim("size of a million connections after checks and a vacuum ÷ before", diskRatio, { atMost: 1.001 }),
      aim(
        "looks of two processes ÷ of one, by processor time a look",
        2 * ((last?.look.serviceMillis ?? NaN) / together.look.serviceMillis),
        { atLeast: 1.8 }
      ),
      aim("share of one of two processes in the looks", Math.max(...together.shares), { atMost: 0.6 })
    ]
  }
}

const rowsOf = (name: string, { fullCheck, look, megabytes }: WatchCost, further: ReadonlyArray<string>) => [
  [name, "", ...further, megabytes.toFixed(0), ...describeCost("looks", look)],
  ["", "", "", "", "", "", "", ...describeCost("of all", fullCheck)]
]

const describeCost = (name: string, cost: CheckCost): ReadonlyArray<string> => [
  name,
  String(cost.count),
  ...[cost.buffers, cost.postgresMillis, cost.serviceMillis, cost.updated, cost.hotUpdated, cost.bytes].map((value) =>
    String(roundToThreeDigits(value))
  )
]
