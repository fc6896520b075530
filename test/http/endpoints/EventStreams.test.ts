import { describe, expect } from "bun:test"
import { Duration, Effect, Layer, TestClock } from "effect"
import { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { EventStreams } from "../../../src/http/endpoints/observation/EventStreams.ts"
import { OpenStreams } from "../../../src/limits/OpenStreams.ts"
import { Drain } from "../../../src/http/pipeline/Drain.ts"
import { ConnectionSignals } from "../../../src/lifecycle/commit/ConnectionSignals.ts"
import { effect } from "../../support/effectTest.ts"
import { tenancyOf } from "../../support/testApi.ts"

const id = ConnectionId.make("con_1")

/** A stream of numbers as its client reads it, one for each update, and how many updates were read. */
const numbers = Effect.gen(function* () {
  const streams = yield* EventStreams
  let count = 0
  const body = yield* streams.open(
    { id, tenancy: tenancyOf("app", "tenant") },
    Effect.sync(() => ({ texts: [`${(count += 1)} `], isLast: false }))
  )
  const reader = body.getReader()
  const read = Effect.map(
    Effect.promise(() => reader.read()),
    ({ done, value }) => (done ? "end" : new TextDecoder().decode(value))
  )
  const disconnect = Effect.promise(() => reader.cancel())
  yield* settled
  return { read, disconnect, count: () => count }
})

/** Lets everything run that can run at this time. */
const settled = TestClock.adjust(0)

const changed = Effect.zipRight(
  Effect.flatMap(ConnectionSignals, ({ notifyChanged }) => notifyChanged(id)),
  settled
)

const drained = Effect.flatMap(Drain, (drain) => drain.start(Duration.seconds(1)))

const inProcess =
  <E>(test: Effect.Effect<void, E, Drain | EventStreams | ConnectionSignals>) =>
  () =>
    Effect.provide(
      test,
      Layer.provideMerge(
        EventStreams.layer,
        Layer.mergeAll(Drain.layer, ConnectionSignals.layer, OpenStreams.layer({ perConnection: 2, perTenant: 3 }))
      )
    )

describe("an open stream", () => {
  effect(
    "sends an update at once, after every change of the connection, and every 15 seconds",
    inProcess(
      Effect.gen(function* () {
        const { read } = yield* numbers
        expect([yield* read, yield* read]).toEqual(["retry: 2000\n\n", "1 "])
        yield* changed
        expect(yield* read).toBe("2 ")
        yield* TestClock.adjust("15100 millis")
        expect(yield* read).toBe("3 ")
      })
    )
  )

  effect(
    "sends nothing more to a client that has disconnected",
    inProcess(
      Effect.gen(function* () {
        const { count, disconnect } = yield* numbers
        yield* disconnect
        yield* settled
        yield* changed
        expect(count()).toBe(1)
      })
    )
  )

  effect(
    "buffers a few updates for a client that does not read, and continues when it does",
    inProcess(
      Effect.gen(function* () {
        const { count, read } = yield* numbers
        yield* Effect.replicateEffect(changed, 100)
        expect(count()).toBe(15)
        yield* Effect.replicateEffect(read, 16)
        yield* changed
        expect(yield* read).toBe("16 ")
      })
    )
  )

  effect(
    "ends when the service drains, as does one that is opened later",
    inProcess(
      Effect.gen(function* () {
        const early = yield* numbers
        yield* drained
        yield* settled
        const late = yield* numbers
        expect([yield* early.read, yield* early.read, yield* early.read]).toEqual(["retry: 2000\n\n", "1 ", "end"])
        expect([yield* late.read, yield* late.read]).toEqual(["retry: 2000\n\n", "end"])
      })
    )
  )

  effect(
    "sends the same bytes as another one that sends the shared text, which is written once",
    inProcess(
      Effect.gen(function* () {
        const streams = yield* EventStreams
        const tenancy = tenancyOf("app", "tenant")
        let written = 0
        const shared = { key: "umlauts", write: () => "ä".repeat(5_000 + written++) }
        const readers = yield* Effect.forEach(["1.a", "1.b"], (cursor) =>
          Effect.map(
            streams.open(
              { id, tenancy },
              Effect.sync(() => ({ texts: [cursor, shared], isLast: true }))
            ),
            (body) => body.getReader()
          )
        )
        yield* settled
        const pieces = yield* Effect.forEach(readers, (reader) =>
          Effect.replicateEffect(
            Effect.promise(() => reader.read()),
            3
          )
        )
        const [first, second] = pieces.map((all) => all.map(({ value }) => value))
        expect(new TextDecoder().decode(second?.[1])).toBe("1.b")
        expect(second?.[2]?.byteLength).toBe(10_000)
        expect(second?.[2]).toBe(first?.[2])
      })
    )
  )

  effect(
    "is refused beyond the limits of its connection and tenant, until another one ends",
    inProcess(
      Effect.gen(function* () {
        const streams = yield* EventStreams
        const idle = Effect.succeed({ texts: [], isLast: false })
        const openFor = (connection: string, tenant: string) =>
          streams.open({ id: ConnectionId.make(connection), tenancy: tenancyOf("app", tenant) }, idle)
        const first = yield* openFor("con_a", "one")
        yield* openFor("con_a", "one")
        expect(yield* Effect.flip(openFor("con_a", "one"))).toMatchObject({ code: "too_many_streams" })
        yield* openFor("con_b", "one")
        expect(yield* Effect.flip(openFor("con_c", "one"))).toMatchObject({ code: "too_many_streams" })
        yield* openFor("con_d", "two")
        yield* Effect.promise(() => first.cancel())
        yield* settled
        yield* openFor("con_a", "one")
      })
    )
  )
})
