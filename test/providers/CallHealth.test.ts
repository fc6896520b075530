import { expect } from "bun:test"
import { Effect, Option, TestClock } from "effect"
import { makeCallHealth } from "../../src/providers/CallHealth.ts"
import { effect } from "../support/effectTest.ts"

const answer = (millis: number) => ({ isFailure: false, millis })

const failure = { isFailure: true, millis: 30_000 }

effect("the health of a provider has the error rate of its recent calls, and how long the answers took", () =>
  Effect.gen(function* () {
    const { read, record } = makeCallHealth()
    expect(yield* read).toEqual(Option.none())
    yield* Effect.forEach([10, 20, 30, 400], (millis) => record(answer(millis)))
    yield* record(failure)
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

effect("the circuit is open while at least five, and half, of the recent calls failed", () =>
  Effect.gen(function* () {
    const { read, record } = makeCallHealth()
    const circuit = Effect.map(read, (health) => Option.getOrThrow(health).circuit)
    yield* Effect.replicateEffect(record(failure), 4)
    expect(yield* circuit).toBe("closed")
    yield* record(failure)
    expect(yield* circuit).toBe("open")
    yield* TestClock.adjust("4 minutes")
    yield* Effect.replicateEffect(record(answer(10)), 6)
    expect(yield* circuit).toBe("closed")
    yield* Effect.replicateEffect(record(failure), 2)
    expect(yield* circuit).toBe("open")
    yield* TestClock.adjust("1 minute")
    expect(yield* circuit).toBe("closed")
  })
)
