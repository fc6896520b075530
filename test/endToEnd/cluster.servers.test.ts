import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Array, Effect, Layer, Redacted, Schedule } from "effect"
import { makeApiClient } from "../../prove/ApiClient.ts"
import { waitForState } from "../../prove/connectionSteps.ts"
import { Identifiers } from "../../src/domain/values/Identifiers.ts"
import { ApiKeyStore } from "../../src/persistence/stores/access/ApiKeyStore.ts"
import { ApiKeys } from "../../src/security/ApiKeys.ts"
import { freshDatabase, poolOn, urlOf } from "../persistence/freshDatabase.ts"
import { type ExportedSpan, startCollector } from "../support/Collector.ts"
import { temporaryDirectory } from "../support/TestPostgres.ts"
import { live } from "../support/effectTest.ts"
import { describeLab } from "../support/lab/describeLab.ts"
import { Lab } from "../support/lab/Lab.ts"
import { labEnvironment, labPowerDns } from "../support/labService.ts"
import { masterKey } from "../support/masterKeys.ts"
import { readServerSentEvents, type ReceivedEvent } from "../support/readServerSentEvents.ts"
import { type ServiceProcess, startCompiledService } from "../support/serviceProcess.ts"
import { issueKey, jsonOf } from "../support/testApi.ts"

/** Starts processes of the service that share a new database. */
const startCluster = (size: number) =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const start = Effect.gen(function* () {
      const environment = yield* labEnvironment([], { CLUSTER: "true", DATABASE_URL: Redacted.value(urlOf(database)) })
      return yield* startCompiledService(environment)
    })
    return { database, processes: yield* Effect.replicateEffect(start, size, { concurrency: size }) }
  })

/** The process that made a span. */
const processOf = (span: ExportedSpan | undefined) => span?.resource["service.instance.id"]

describeLab("several processes on one database", (live) => {
  live("complete every discovery once, although one of them is killed", () =>
    Effect.gen(function* () {
      const { database, processes } = yield* startCluster(3)
      yield* Effect.gen(function* () {
        const key = yield* newKey
        yield* everyProcessIsSeen(processes.length)
        const numbers = Array.range(1, 24)
        yield* Effect.forEach(numbers, (n) => requestConnection(processes[n % 3], key, n), { concurrency: 4 })
        yield* Effect.repeat(discoveredCount, {
          until: (count) => count >= 5,
          schedule: Schedule.spaced("20 millis")
        })
        yield* processes[1]?.end("SIGKILL") ?? Effect.void
        yield* Effect.repeat(discoveredCount, {
          until: (count) => count === 24,
          schedule: Schedule.spaced("100 millis")
        })
        expect(yield* outcomes).toEqual([{ state: "awaiting_manual", events: 2, connections: 24 }])
        expect(yield* processes[0]?.end("SIGTERM") ?? Effect.succeed(1)).toBe(0)
      }).pipe(Effect.provide(poolOn(database, 3)))
    })
  )

  live("show one trace of a connection, from its request at a process that stops to `active` at another", () =>
    Effect.gen(function* () {
      const { pdns } = yield* Lab
      const database = yield* freshDatabase
      const collector = yield* startCollector
      const start = (more: Record<string, string>) =>
        Effect.flatMap(
          labEnvironment([labPowerDns], {
            CLUSTER: "true",
            DATABASE_URL: Redacted.value(urlOf(database)),
            OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
            ...more
          }),
          startCompiledService
        )
      // Its discovery gets no answer.
      const first = yield* start({ DNS_RESOLVERS: yield* startSilentServer })
      const key = yield* Effect.provide(newKey, poolOn(database, 1))
      const traceId = "a".repeat(32)
      const headers = { traceparent: `00-${traceId}-${"b".repeat(16)}-01` }
      const intent = { domain: "example.com", records: [{ host: "traced", type: "A", value: "198.51.100.7" }] }
      const created = yield* makeApiClient(first.url, key).post("/v1/connections", { intent }, headers)
      const { id } = created.body.connection
      yield* first.end("SIGTERM")

      const second = yield* start({})
      const api = makeApiClient(second.url, key)
      const planned = yield* waitForState(api, id, ["awaiting_authorization"])
      yield* api.post(
        `/v1/connections/${id}/authorization`,
        { method: "direct_credential", credential: { apiToken: pdns.key }, approvedDigest: planned.plan.digest },
        headers
      )
      yield* waitForState(api, id, ["active"])
      yield* second.end("SIGTERM")

      const spans = collector.spans.filter((span) => span.traceId === traceId)
      const command = (name: string) => spans.find((span) => span.name === name)
      const creation = command("POST /v1/connections")
      const authorization = command("POST /v1/connections/:connectionId/authorization")
      expect(processOf(authorization)).not.toBe(processOf(creation))
      const phases = spans.filter(({ name }) => name.startsWith("phase "))
      const ran = phases.filter((span) => processOf(span) === processOf(authorization)).map(({ name }) => name)
      expect([...new Set(ran)]).toEqual(["phase discover", "phase provision", "phase verify"])
      for (const span of phases) {
        expect(span.attributes).toMatchObject({ "connection.id": id, "tenant.id": "tenant" })
        expect(span.links).toMatchObject([{ traceId, spanId: span.parentSpanId }])
      }
      const parentOf = (name: string) => phases.findLast((span) => span.name === name)?.parentSpanId
      expect(parentOf("phase discover")).toBe(creation?.spanId)
      expect(parentOf("phase provision")).toBe(authorization?.spanId)
    })
  )

  live("send events of one process on the streams of another", () =>
    Effect.gen(function* () {
      const { database, processes } = yield* startCluster(2)
      const [commandProcess, streamProcess] = processes
      const key = yield* Effect.provide(newKey, poolOn(database, 1))
      const { connection } = yield* requestConnection(commandProcess, key, 1)
      const path = `/v1/connections/${connection.id}`
      const at = (process: ServiceProcess | undefined, method: "GET" | "POST", route: string) =>
        Effect.promise(() => fetch(`${process?.url}${path}${route}`, { method, headers: { "x-api-key": key } }))
      const next = yield* readServerSentEvents(yield* at(streamProcess, "GET", "/stream"))
      const readUntil = (expected: string) =>
        Effect.iterate("", {
          while: (state) => state !== expected,
          body: () => Effect.map(next, stateIn)
        })
      yield* readUntil("awaiting_manual")
      expect((yield* at(commandProcess, "POST", "/cancel")).status).toBe(200)
      expect(yield* readUntil("canceled")).toBe("canceled")
      expect(yield* next).toBeUndefined()
    })
  )
})

/** The address of a server that never answers. */
const startSilentServer = Effect.acquireRelease(
  Effect.promise(() => Bun.udpSocket({ hostname: "127.0.0.1" })),
  (socket) => Effect.sync(() => socket.close())
).pipe(Effect.map(({ port }) => `127.0.0.1:${port}`))

/** The state in an event of the whole connection; empty for other events. */
const stateIn = (event: ReceivedEvent | undefined): string => {
  if (event === undefined) throw new Error("the stream has ended")
  return event.event === "connection" ? JSON.parse(event.data).state : ""
}

const newKey = Effect.map(issueKey(), ({ key }) => key).pipe(
  Effect.provide(Layer.provide(ApiKeys.layer, Layer.merge(ApiKeyStore.layer, Identifiers.layer)))
)

const everyProcessIsSeen = (expected: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.repeat(sql<{ readonly seen: number }>`select count(*)::int as seen from processes`, {
      until: ([row]) => row?.seen === expected,
      schedule: Schedule.spaced("50 millis")
    })
  )

const requestConnection = (process: ServiceProcess | undefined, key: string, n: number) =>
  Effect.gen(function* () {
    const answer = yield* Effect.promise(() =>
      fetch(`${process?.url}/v1/connections`, {
        method: "POST",
        headers: { "x-api-key": key, "content-type": "application/json", "idempotency-key": `shop-${n}` },
        body: JSON.stringify({
          intent: { domain: "example.com", records: [{ host: `shop-${n}`, type: "A", value: "198.51.100.7" }] }
        })
      })
    ).pipe(Effect.repeat({ until: ({ status }) => status !== 503 }))
    const body = yield* jsonOf(answer)
    expect([answer.status, body.error]).toEqual([201, undefined])
    return body
  })

const discoveredCount = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly count: number }>`select count(*)::int as count from connections where state <> 'requested'`,
    ([row]) => row?.count ?? 0
  )
)

const outcomes = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    select state, events, count(*)::int as connections
    from connections c, lateral (select count(*)::int as events from connection_events where connection_id = c.id) e
    group by state, events order by state, events`
)

/** The error of a process that does not start as a cluster member with these settings. */
const refusal = (settings: Record<string, string>) =>
  Effect.flip(Effect.catchAllDefect(startCompiledService({ CLUSTER: "true", ...settings }), Effect.fail))

live("a cluster needs a shared database and a shared master key", () =>
  Effect.gen(function* () {
    expect(String(yield* refusal({ DATA_DIR: temporaryDirectory(), MASTER_KEY: masterKey(1) }))).toEndWith(
      "CLUSTER needs DATABASE_URL, the same for all processes: they share one PostgreSQL\n"
    )
    expect(String(yield* refusal({ DATABASE_URL: "postgresql://127.0.0.1/none" }))).toEndWith(
      "CLUSTER needs MASTER_KEY, the same for all processes: each reads what another sealed\n"
    )
  })
)
