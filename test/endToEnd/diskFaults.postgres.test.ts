import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Array, Effect, Fiber, Redacted, Schedule } from "effect"
import { readFileSync } from "node:fs"
import { type ApiClient, makeApiClient, retryUntilAnswered } from "../../prove/ApiClient.ts"
import { databasePoolAt, toSocketUrl } from "../../src/persistence/postgres/databasePool.ts"
import { runCli } from "../cli/commandLine.ts"
import { describeIfPossible } from "../support/describeIfPossible.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { makeDataDirectory } from "../support/dataDirectory.ts"
import { type InjectedFault, injectFaults, injectionRefusal } from "../support/injectFaults.ts"
import { startCompiledService } from "../support/serviceProcess.ts"
import { mountRefusal, mountSmallDisk } from "../support/smallDisk.ts"

/** The service as a process with the embedded PostgreSQL in a directory. No name server answers it. */
const startOn = (directory: string) =>
  Effect.gen(function* () {
    const settings = { DNS_RESOLVERS: "127.0.0.1:9", RATE_LIMIT_PER_MINUTE: "0", LOG_LEVEL: "none" }
    const service = yield* startCompiledService({ DATA_DIR: directory, ...settings })
    const pool = databasePoolAt(
      Redacted.make(
        toSocketUrl({
          socketDirectory: `${directory}/postgres/socket`,
          database: "postgres",
          username: "app",
          password: Redacted.make(readFileSync(`${directory}/postgres/password`, "utf8").trim())
        })
      ),
      1
    )
    return {
      api: makeApiClient(service.url, service.key),
      inDatabase: <A, E>(query: Effect.Effect<A, E, SqlClient.SqlClient>) => Effect.orDie(Effect.provide(query, pool)),
      postmaster: Number.parseInt(readFileSync(`${directory}/postgres/cluster/postmaster.pid`, "utf8"), 10)
    }
  })

const create = (api: ApiClient, nth: number) =>
  api.post(
    "/v1/connections",
    { intent: { domain: `d${nth}.com`, records: [{ host: "www", type: "A", value: "192.0.2.1" }] } },
    { "idempotency-key": `order-${nth}` }
  )

/**
 * Requests connections from the first number on, until five were refused, or one works again where `mayWorkAgain`;
 * returns what was acknowledged and the refusals.
 */
const createUntilRefused = (api: ApiClient, first: number, mayWorkAgain = false) =>
  Effect.gen(function* () {
    const acknowledged = new Map<number, string>()
    const refusals: Array<unknown> = []
    const reasons = new Set<string>()
    for (let nth = first; refusals.length < 5 && nth < first + 500; nth += 1) {
      const { body, headers, status } = yield* create(api, nth)
      if (status === 201) {
        acknowledged.set(nth, body.connection.id)
        if (mayWorkAgain && refusals.length > 0) break
      } else {
        refusals.push([status, body.error.code, headers.get("retry-after")])
        reasons.add(body.error.message)
      }
    }
    return { acknowledged, refusals, reasons }
  })

/** The sessions of the database that are still at the service's trial of a write. */
const countTrials = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ trials: number }>`select count(*)::int as trials from pg_stat_activity
      where pid <> pg_backend_pid() and state = 'active' and query like '%readiness%'`,
    ([row]) => row?.trials
  )
)

const refused = Array.replicate([503, "unavailable", "1"], 5)

/** Waits until the service reports exactly these problems, and is ready without any. */
const awaitProblems = (api: ApiClient, ...problems: ReadonlyArray<string>) =>
  api.get("/readyz").pipe(
    Effect.map(({ body, status }) => [status, ...(body.notReady ?? [])].join()),
    Effect.filterOrFail((found) => found === [problems.length === 0 ? 200 : 503, ...problems].join()),
    Effect.retry(Schedule.spaced("100 millis"))
  )

/** Every acknowledged connection is there, the refused ones can be requested again, and there are no others. */
const expectNothingLost = ({ api, inDatabase }: Effect.Effect.Success<ReturnType<typeof startOn>>, total: number) =>
  Effect.fnUntraced(function* (acknowledged: ReadonlyMap<number, string>) {
    yield* awaitProblems(api)
    const found = yield* Effect.forEach(acknowledged, ([nth, id]) =>
      Effect.map(retryUntilAnswered(api.get(`/v1/connections/${id}`)), ({ body }) => [nth, body.connection?.id])
    )
    expect(found).toEqual([...acknowledged])
    for (let nth = 0; nth < total; nth += 1) {
      const { body, status } = yield* retryUntilAnswered(create(api, nth))
      expect([status, body.connection.id]).toEqual([201, acknowledged.get(nth) ?? expect.anything()])
    }
    expect(yield* inDatabase(countConnections)).toBe(total)
  })

const countConnections = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ readonly rows: number }>`select count(*)::int as rows from connections`, ([row]) => row?.rows)
)

/** The next write needs a new file of 16 MB. */
const fillLogSegment = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`select pg_logical_emit_message(true, 'test', ''), pg_switch_wal()`
)

describeIfPossible("a full disk", await mountRefusal(), () => {
  concurrentTest(
    "refuses writes with 503 until there is space, is not ready, still answers reads, and loses nothing",
    () =>
      Effect.gen(function* () {
        const disk = yield* mountSmallDisk(250)
        const service = yield* startOn(disk.directory)
        const { api } = service
        const before = yield* Effect.forEach(Array.range(0, 9), (nth) => create(api, nth))
        yield* disk.fill
        // Nothing was requested since: the service finds out by itself.
        yield* awaitProblems(api, "disk")
        const { out } = yield* runCli({ DATA_DIR: disk.directory, DNS_RESOLVERS: "127.0.0.1:9" }, "doctor")
        expect(out).toMatch(/^fail  (writes|database): .*(disk|No space).*\n +See "The database is full"/m)
        const { acknowledged, reasons, refusals } = yield* createUntilRefused(api, 10)
        expect(refusals).toEqual(refused)
        expect([...reasons]).toEqual(["the database takes no writes; try again shortly"])
        before.forEach(({ body: created }, nth) => acknowledged.set(nth, created.connection.id))
        const reads = yield* Effect.forEach(acknowledged.values(), (id) => api.get(`/v1/connections/${id}`))
        expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]))
        yield* disk.free
        yield* expectNothingLost(service, acknowledged.size + refusals.length)(acknowledged)
      })
  )

  concurrentTest("that stops the write-ahead log, and with it PostgreSQL, loses nothing either", () =>
    Effect.gen(function* () {
      const disk = yield* mountSmallDisk(250)
      const service = yield* startOn(disk.directory)
      const { api, inDatabase } = service
      const before = yield* Effect.forEach(Array.range(0, 9), (nth) => create(api, nth))
      yield* disk.fill
      yield* Effect.flip(Effect.sandbox(Effect.forever(inDatabase(fillLogSegment))))
      const { acknowledged, refusals } = yield* createUntilRefused(api, 10)
      expect(refusals).toEqual(refused)
      before.forEach(({ body: created }, nth) => acknowledged.set(nth, created.connection.id))
      yield* disk.free
      yield* expectNothingLost(service, acknowledged.size + refusals.length)(acknowledged)
    })
  )
})

const injections: Readonly<Record<string, InjectedFault>> = {
  "fdatasync fails": { calls: ["fdatasync"], fault: "error=EIO" },
  "files cannot be written": { calls: ["pwrite64", "pwritev", "fallocate"], fault: "error=ENOSPC" }
}

describeIfPossible("a disk on which", injectionRefusal(), () => {
  for (const [name, injected] of Object.entries(injections))
    concurrentTest(`${name} refuses writes with 503, is not ready, and loses nothing`, () =>
      Effect.gen(function* () {
        const service = yield* startOn(yield* makeDataDirectory)
        const { api, postmaster } = service
        const before = yield* Effect.forEach(Array.range(0, 9), (nth) => create(api, nth))
        const { acknowledged, refusals } = yield* Effect.scoped(
          Effect.gen(function* () {
            yield* injectFaults(postmaster, injected)
            // PostgreSQL may be started again, without the fault, as soon as it has refused.
            const notReady = yield* Effect.fork(
              Effect.repeat(api.get("/readyz"), { until: ({ status }) => status === 503 })
            )
            const created = yield* createUntilRefused(api, 10, true)
            yield* Fiber.join(notReady)
            return created
          })
        )
        expect(refusals).toEqual(refused.slice(0, Math.max(1, refusals.length)))
        before.forEach(({ body: created }, nth) => acknowledged.set(nth, created.connection.id))
        yield* expectNothingLost(service, acknowledged.size + refusals.length)(acknowledged)
      })
    )

  concurrentTest("fdatasync hangs makes the service not ready, still answers reads, and loses nothing", () =>
    Effect.gen(function* () {
      const service = yield* startOn(yield* makeDataDirectory)
      const { api, postmaster } = service
      const acknowledged = new Map<number, string>()
      for (let nth = 0; nth < 10; nth += 1) acknowledged.set(nth, (yield* create(api, nth)).body.connection.id)
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* injectFaults(postmaster, { calls: ["fdatasync"], fault: "delay_enter=600s" })
          // Nothing was requested since: the service finds out by itself.
          yield* awaitProblems(api, "writes")
          expect(yield* Effect.map(create(api, 10), ({ body, status }) => [status, body.error?.code])).toEqual([
            503,
            "unavailable"
          ])
          const reads = yield* Effect.forEach(acknowledged.values(), (id) => api.get(`/v1/connections/${id}`))
          expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]))
          // Each further trial would leave a session that the server cannot end.
          yield* Effect.sleep("15 seconds")
          expect(yield* service.inDatabase(countTrials)).toBe(2)
        })
      )
      yield* expectNothingLost(service, 11)(acknowledged)
    })
  )
})
