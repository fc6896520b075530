import { describe, expect } from "bun:test"
import { Duration, Effect, Layer, TestClock } from "effect"
import { ConnectionId } from "../../../src/domain/Connection.ts"
import { EventStreams } from "../../../src/http/handlers/EventStreams.ts"
import { Drain } from "../../../src/http/middleware/Drain.ts"
import { ConnectionSignals } from "../../../src/lifecycle/commit/ConnectionSignals.ts"
import { effect } from "../../support/effectTest.ts"

const id = ConnectionId.make("con_1")

/** A stream of numbers, each a piece of news; as its client reads it, and how many were looked for. */
const numbers = Effect.gen(function* () {
  const streams = yield* EventStreams
  let count = 0
  const body = streams.open(
    id,
    Effect.sync(() => ({ text: `${(count += 1)} `, isLast: false }))
  )
  const reader = body.getReader()
  const read = Effect.map(
    Effect.promise(() => reader.read()),
    ({ done, value }) => (done ? "end" : new TextDecoder().decode(value))
  )
  const hangUp = Effect.promise(() => reader.cancel())
  yield* settled
  return { read, hangUp, count: () => count }
})

/** Everything has happened that can happen at this time. */
const settled = TestClock.adjust(0)

const changed = Effect.zipRight(
  Effect.flatMap(ConnectionSignals, ({ notifyChanged: changed }) => changed(id)),
  settled
)

const drained = Effect.flatMap(Drain, (drain) => drain.start(Duration.seconds(1)))

const inProcess =
  <E>(test: Effect.Effect<void, E, Drain | EventStreams | ConnectionSignals>) =>
  () =>
    Effect.provide(test, Layer.provideMerge(EventStreams.layer, Layer.merge(Drain.layer, ConnectionSignals.layer)))

describe("an open stream", () => {
  effect(
    "tells the news at once, when the connection was written, and every 15 seconds",
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
    "tells nothing more to a client who has hung up",
    inProcess(
      Effect.gen(function* () {
        const { count, hangUp } = yield* numbers
        yield* hangUp
        yield* settled
        yield* changed
        expect(count()).toBe(1)
      })
    )
  )

  effect(
    "keeps a few pieces for a client who does not read, and goes on when he does",
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
    "ends when the service drains, as does one that comes too late",
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
})
