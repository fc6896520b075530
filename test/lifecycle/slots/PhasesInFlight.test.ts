import { describe, expect } from "bun:test"
import { Deferred, Effect, Fiber, Layer, TestClock } from "effect"
import { ConnectionId } from "../../../src/domain/Connection.ts"
import { ConnectionSignals } from "../../../src/lifecycle/commit/ConnectionSignals.ts"
import { PhasesInFlight, releaseSlotWhile } from "../../../src/lifecycle/slots/PhasesInFlight.ts"
import { ServiceBusy } from "../../../src/lifecycle/slots/ServiceBusy.ts"
import { effect } from "../../support/effectTest.ts"
import { tenancyOf } from "../../support/testApi.ts"

const busy = tenancyOf("app", "busy")
const idle = tenancyOf("app", "idle")

const phase = { ...busy, connectionId: ConnectionId.make("con_1"), phase: "discover", attempt: 1 } as const

/** What a process with two slots has in flight. */
const makeProcess = Effect.map(
  Layer.build(Layer.provide(PhasesInFlight.layer({ capacity: 2 }), ConnectionSignals.layer)),
  (context) => Effect.runSync(Effect.provide(PhasesInFlight, context))
)

const yieldOften = Effect.repeatN(Effect.yieldNow(), 100)

describe("a step that waits for name servers", () => {
  effect("keeps its slot for half a second, is outside the slots afterwards, and returns with a slot", () =>
    Effect.gen(function* () {
      const process = yield* makeProcess
      const answered = yield* Deferred.make<string>()
      yield* process.add(phase)
      const step = yield* Effect.fork(process.runStep(phase, busy, releaseSlotWhile(Deferred.await(answered))))
      yield* TestClock.adjust("499 millis")
      expect(yield* process.free).toBe(1)
      yield* TestClock.adjust("1 millis")
      expect([yield* process.free, yield* process.size]).toEqual([2, 1])
      yield* Deferred.succeed(answered, "answer")
      expect(yield* Fiber.join(step)).toBe("answer")
      expect(yield* process.free).toBe(1)
    })
  )

  effect("fails with the error of its wait, with a slot", () =>
    Effect.gen(function* () {
      const process = yield* makeProcess
      yield* process.add(phase)
      const waiting = releaseSlotWhile(Effect.delay(Effect.fail("silent"), "10 seconds"))
      const step = yield* Effect.fork(Effect.flip(process.runStep(phase, busy, waiting)))
      yield* TestClock.adjust("10 seconds")
      expect([yield* Fiber.join(step), yield* process.free]).toEqual(["silent", 1])
    })
  )

  effect("that is interrupted leaves nothing in flight once its run is removed", () =>
    Effect.gen(function* () {
      const process = yield* makeProcess
      yield* process.add(phase)
      const step = yield* Effect.fork(process.runStep(phase, busy, releaseSlotWhile(Effect.never)))
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(step)
      yield* process.remove(phase)
      expect([yield* process.free, yield* process.size]).toEqual([2, 0])
    })
  )
})

describe("a domain check", () => {
  effect("that gets no slot within three seconds is refused as busy, while another tenant's check runs", () =>
    Effect.gen(function* () {
      const process = yield* makeProcess
      yield* Effect.fork(process.runCheck(busy, Effect.never))
      const refused = yield* Effect.fork(Effect.flip(process.runCheck(busy, Effect.void)))
      yield* TestClock.adjust("2999 millis")
      expect((yield* Fiber.poll(refused))._tag).toBe("None")
      expect(yield* process.runCheck(idle, Effect.succeed("checked"))).toBe("checked")
      yield* TestClock.adjust("1 millis")
      expect(yield* Fiber.join(refused)).toEqual(ServiceBusy.error)
      expect(yield* process.free).toBe(1)
    })
  )

  effect("gives its slot back when it ends, fails or is interrupted", () =>
    Effect.gen(function* () {
      const process = yield* makeProcess
      yield* process.runCheck(busy, Effect.void)
      yield* Effect.flip(process.runCheck(busy, Effect.fail("failed")))
      const running = yield* Effect.fork(process.runCheck(busy, Effect.never))
      const queued = yield* Effect.fork(process.runCheck(busy, Effect.never))
      yield* yieldOften
      yield* Fiber.interruptAll([queued, running])
      expect([yield* process.free, yield* process.size]).toEqual([2, 0])
    })
  )
})
