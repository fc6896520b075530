import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect, Fiber, Schedule } from "effect"
import { poolOn } from "../persistence/freshDatabase.ts"
import { embeddedDatabase } from "../support/TestPostgres.ts"
import { live } from "../support/effectTest.ts"
import { ScriptedInternet } from "../support/lab/ScriptedInternet.ts"
import { drop } from "../support/lab/dnsFaults.ts"
import { startCompiledService } from "../support/serviceProcess.ts"
import { jsonOf, sampleIntent } from "../support/testApi.ts"
import { makeDataDirectory } from "../support/dataDirectory.ts"

/** A resolver that never answers: discovery takes until its timeout, and requests that wait for it wait. */
const silentResolver = Effect.map(ScriptedInternet.make({ zones: {} }), (internet) => {
  internet.script("resolver.test", drop)
  const { host, port } = internet.dial(internet.resolver)
  return `${host}:${port}`
})

const create = (url: string, key: string, headers: Record<string, string> = {}) =>
  Effect.promise(() =>
    fetch(`${url}/v1/connections`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json", ...headers },
      body: JSON.stringify({ intent: sampleIntent, allowDuplicate: true })
    })
  )

const eventually = <A, E>(check: Effect.Effect<A, E>) =>
  Effect.retry(check, Schedule.intersect(Schedule.spaced("50 millis"), Schedule.recurs(2_400)))

const rowsIn = (dataDirectory: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ rows: number }>`select count(*)::int as rows from connections`
    return row?.rows
  }).pipe(Effect.provide(poolOn(embeddedDatabase(dataDirectory), 1)), eventually)

live(
  "a service that is killed between its commit and its response returns the same connection to the repeated request",
  () =>
    Effect.gen(function* () {
      const settings = { DATA_DIR: yield* makeDataDirectory, DNS_RESOLVERS: yield* silentResolver }
      const first = yield* startCompiledService(settings)
      const headers = { "idempotency-key": "order-7" }
      const interrupted = yield* Effect.fork(
        Effect.sandbox(create(first.url, first.key, { ...headers, prefer: "wait=20" }))
      )
      yield* Effect.filterOrFail(rowsIn(settings.DATA_DIR), (rows) => rows === 1).pipe(eventually)
      yield* first.end("SIGKILL")
      yield* Effect.exit(Fiber.join(interrupted))

      const second = yield* startCompiledService(settings)
      const answers = [yield* create(second.url, first.key, headers), yield* create(second.url, first.key, headers)]
      const ids = yield* Effect.forEach(answers, jsonOf)
      expect(answers.map((response) => [response.status, response.headers.get("idempotent-replayed")])).toEqual([
        [201, "true"],
        [201, "true"]
      ])
      expect(ids[0].connection.id).toBe(ids[1].connection.id)
      expect(yield* rowsIn(settings.DATA_DIR)).toBe(1)
    })
)

live("on SIGTERM a waiting request gets its response, and the service exits with 0", () =>
  Effect.gen(function* () {
    const settings = { DATA_DIR: yield* makeDataDirectory, DNS_RESOLVERS: yield* silentResolver }
    const service = yield* startCompiledService(settings)
    const waiting = yield* Effect.fork(create(service.url, service.key, { prefer: "wait=30" }))
    yield* Effect.filterOrFail(rowsIn(settings.DATA_DIR), (rows) => rows === 1).pipe(eventually)
    expect(yield* service.end("SIGTERM")).toBe(0)
    const answer = yield* Fiber.join(waiting)
    const body = yield* jsonOf(answer)
    expect([answer.status, body.connection.state]).toEqual([201, "requested"])
  })
)

live("a second process on the same database reports the running one and exits", () =>
  Effect.gen(function* () {
    const settings = { DATA_DIR: yield* makeDataDirectory, DNS_RESOLVERS: yield* silentResolver }
    yield* startCompiledService(settings)
    const refused = yield* Effect.flip(Effect.catchAllDefect(startCompiledService(settings), Effect.fail))
    expect(String(refused)).toContain("another instance of the service runs on this database")
  })
)

live("a second service on the same port names it and exits, also if it is to listen on all addresses", () =>
  Effect.gen(function* () {
    const running = yield* startCompiledService({ DATA_DIR: yield* makeDataDirectory })
    const { port } = new URL(running.url)
    const startOn = (HOST: string) =>
      Effect.flatMap(makeDataDirectory, (DATA_DIR) =>
        Effect.flip(Effect.catchAllDefect(startCompiledService({ DATA_DIR, HOST, PORT: port }), Effect.fail))
      )
    expect(String(yield* startOn("127.0.0.1"))).toEndWith(
      `: cannot listen: another program, perhaps another instance of this service, has port ${port} of 127.0.0.1; stop it, or set another PORT\n`
    )
    expect(String(yield* startOn("0.0.0.0"))).toContain(`has port ${port} of 0.0.0.0`)
  })
)
