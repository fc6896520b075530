import { FetchHttpClient, HttpClient, HttpClientResponse } from "@effect/platform"
import { serve } from "bun"
import { expect } from "bun:test"
import { Effect, Metric, Option, TestClock } from "effect"
import { makeCallHealth } from "../../src/providers/CallHealth.ts"
import { makeMeasureCall, measureRequests } from "../../src/providers/measureCalls.ts"
import { effect } from "../support/effectTest.ts"

const answer = (millis: number, connectionId = "con_1") => ({ connectionId, isFailure: false, millis })

const failureOf = (connectionId: string) => ({ connectionId, isFailure: true, millis: 30_000 })

effect("the health of a provider has the error rate of its recent calls, and how long the answers took", () =>
  Effect.gen(function* () {
    const { read, record } = makeCallHealth()
    expect(yield* read).toEqual(Option.none())
    yield* Effect.forEach([10, 20, 30, 400], (millis) => record(answer(millis)))
    yield* record(failureOf("con_1"))
    expect(yield* read).toEqual(
      Option.some({
        windowSeconds: 300,
        calls: 5,
        errorRate: 0.2,
        medianMillis: 20,
        slowMillis: 400,
        circuit: "closed"
      })
    )
    yield* TestClock.adjust("5 minutes")
    expect(yield* read).toEqual(Option.none())
  })
)

effect("the circuit is open while the last calls of at least three connections, and of half of all, failed", () =>
  Effect.gen(function* () {
    const { read, record } = makeCallHealth()
    const circuit = Effect.map(read, (health) => Option.getOrThrow(health).circuit)
    yield* Effect.forEach(["con_1", "con_2"], (id) => record(failureOf(id)))
    expect(yield* circuit).toBe("closed")
    yield* record(failureOf("con_3"))
    expect(yield* circuit).toBe("open")
    yield* TestClock.adjust("4 minutes")
    yield* Effect.forEach(["con_4", "con_5", "con_6"], (id) => record(answer(10, id)))
    expect(yield* circuit).toBe("open")
    yield* record(answer(10, "con_7"))
    expect(yield* circuit).toBe("closed")
    yield* record(failureOf("con_7"))
    expect(yield* circuit).toBe("open")
    yield* record(answer(10, "con_7"))
    expect(yield* circuit).toBe("closed")
  })
)

effect("the circuit stays closed however often the account of one customer fails", () =>
  Effect.gen(function* () {
    const { read, record } = makeCallHealth()
    yield* Effect.replicateEffect(record(failureOf("con_1")), 100)
    yield* record(failureOf("con_2"))
    expect(Option.getOrThrow(yield* read)).toMatchObject({ calls: 101, errorRate: 1, circuit: "closed" })
  })
)

effect(
  "the first call of a provider begins the counters of all results, so that the first failure is an increase",
  () =>
    Effect.gen(function* () {
      const answering = HttpClient.make((request) =>
        Effect.map(snapshotOf("begun-dns"), (series) => {
          expect(series).toEqual(["ok", "refused", "rate_limited", "rejected", "failing", "unreachable", "timed_out"])
          return HttpClientResponse.fromWeb(request, new Response("yes"))
        })
      )
      expect(yield* snapshotOf("begun-dns")).toEqual([])
      yield* measureRequests(answering, makeMeasureCall("begun-dns", makeCallHealth())).get("http://127.0.0.1/")
    })
)

/** The results of calls of a provider that have a counter. */
const snapshotOf = (provider: string) =>
  Effect.map(Metric.snapshot, (pairs) =>
    pairs
      .filter(({ metricKey }) => metricKey.name === "dcs_provider_calls")
      .map(({ metricKey }) => Object.fromEntries(metricKey.tags.map(({ key, value }) => [key, value])))
      .flatMap((tags) => (tags["provider"] === provider ? [tags["result"]] : []))
  )

effect("what a customer can get wrong is no failure of the provider, whoever sends it and how often", () =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(
      Effect.sync(() =>
        serve({ port: 0, fetch: ({ url }) => new Response("no", { status: Number(new URL(url).pathname.slice(1)) }) })
      ),
      (server) => Effect.promise(() => server.stop(true))
    )
    const health = makeCallHealth()
    const http = measureRequests(yield* HttpClient.HttpClient, makeMeasureCall("acme-dns", health))
    const ask = (status: number) => http.get(`http://127.0.0.1:${server.port}/${status}`)
    yield* Effect.forEach([400, 401, 403, 404, 409, 422, 429], (status) => Effect.replicateEffect(ask(status), 3))
    expect(Option.getOrThrow(yield* health.read)).toMatchObject({ calls: 21, errorRate: 0, circuit: "closed" })
    yield* Effect.forEach(["con_1", "con_1", "con_2"], (connectionId) =>
      Effect.annotateLogs(Effect.replicateEffect(ask(503), 7), { connectionId })
    )
    expect(Option.getOrThrow(yield* health.read)).toMatchObject({ calls: 42, errorRate: 0.5, circuit: "closed" })
    yield* Effect.annotateLogs(ask(503), { connectionId: "con_3" })
    expect(Option.getOrThrow(yield* health.read)).toMatchObject({ calls: 43, circuit: "open" })
  }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
)
