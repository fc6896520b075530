import { describe, expect } from "bun:test"
import { Deferred, Effect, Fiber, Layer, TestClock } from "effect"
import { ConnectionId } from "../../src/domain/connection/Connection.ts"
import { ConnectionSignals } from "../../src/lifecycle/commit/ConnectionSignals.ts"
import { holdProviderZone, WorkSlots, releaseSlotWhile } from "../../src/limits/WorkSlots.ts"
import { ServiceBusy } from "../../src/limits/limitErrors.ts"
import { effect } from "../support/effectTest.ts"
import { tenancyOf } from "../support/testApi.ts"

const busy = tenancyOf("app", "busy")
const idle = tenancyOf("app", "idle")

const phase = { ...busy, connectionId: ConnectionId.make("con_1"), phase: "discover", attempt: 1 } as const

/** What a process with two slots has in flight. */
const makeProcess = Effect.map(
  Layer.build(Layer.provide(WorkSlots.layer({ capacity: 2 }), ConnectionSignals.layer)),
  (context) => Effect.runSync(Effect.provide(WorkSlots, context))
)

const yieldOften = Effect.repeatN(Effect.yieldNow(), 100)

describe("a step that waits for name servers", () => {
  effect("keeps its slot for half a second, then runs outside the slots, and returns with a slot", () =>
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

  effect("takes its slot again when one of its two waits ends, and gives it back if the other one goes on", () =>
    Effect.gen(function* () {
      const process = yield* makeProcess
      const [first, second] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const waitsFor = (answer: typeof first) => releaseSlotWhile(Deferred.await(answer))
      yield* process.add(phase)
      const step = yield* Effect.fork(
        process.runStep(phase, busy, Effect.all([waitsFor(first), waitsFor(second)], { concurrency: 2 }))
      )
      yield* TestClock.adjust("1 second")
      expect(yield* process.free).toBe(2)
      yield* Deferred.succeed(first, undefined)
      yield* TestClock.adjust("499 millis")
      expect(yield* process.free).toBe(1)
      yield* TestClock.adjust("1 millis")
      expect(yield* process.free).toBe(2)
      yield* Deferred.succeed(second, undefined)
      yield* Fiber.join(step)
      expect(yield* process.free).toBe(1)
    })
  )

  effect("gives its slot back around a wait within another one, and takes it again only after both", () =>
    Effect.gen(function* () {
      const process = yield* makeProcess
      const [inner, outer] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const waiting = Effect.zipRight(releaseSlotWhile(Deferred.await(inner)), Deferred.await(outer))
      yield* process.add(phase)
      const step = yield* Effect.fork(process.runStep(phase, busy, releaseSlotWhile(waiting)))
      yield* TestClock.adjust("1 second")
      yield* Deferred.succeed(inner, undefined)
      yield* TestClock.adjust("100 millis")
      expect(yield* process.free).toBe(2)
      yield* Deferred.succeed(outer, undefined)
      yield* Fiber.join(step)
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

/** Starts a run that keeps a zone until an end. */
const run = (process: typeof WorkSlots.Service, tenancy: typeof busy, nth: number, end: Deferred.Deferred<void>) =>
  Effect.gen(function* () {
    const due = { ...tenancy, connectionId: ConnectionId.make(`con_${nth}`), phase: "provision", attempt: 1 } as const
    const started = yield* Deferred.make<void>()
    const operation = Effect.zipRight(Deferred.succeed(started, undefined), releaseSlotWhile(Deferred.await(end)))
    yield* process.add(due)
    const fiber = yield* Effect.fork(
      Effect.ensuring(process.runStep(due, tenancy, holdProviderZone(operation)), process.remove(due))
    )
    return { fiber, isStarted: Deferred.isDone(started) }
  })

describe("an operation that keeps a provider's zone", () => {
  effect("waits without a slot while its tenant has as many as are left, and another tenant's begins", () =>
    Effect.gen(function* () {
      const process = yield* makeProcess
      const end = yield* Deferred.make<void>()
      const runs = [yield* run(process, busy, 1, end), yield* run(process, busy, 2, end)]
      yield* TestClock.adjust("1 second")
      runs.push(yield* run(process, idle, 3, end))
      yield* TestClock.adjust("1 second")
      expect(yield* Effect.forEach(runs, ({ isStarted }) => isStarted)).toEqual([true, false, true])
      expect(yield* process.free).toBe(2)
      yield* Deferred.succeed(end, undefined)
      yield* Effect.forEach(runs, ({ fiber }) => Fiber.join(fiber))
      expect([yield* process.free, yield* process.size]).toEqual([2, 0])
    })
  )

  effect("that gets no place within 30 seconds ends as busy, and leaves its place in the queue to others", () =>
    Effect.gen(function* () {
      const process = yield* makeProcess
      const end = yield* Deferred.make<void>()
      const first = yield* run(process, busy, 1, end)
      const second = yield* run(process, busy, 2, end)
      yield* TestClock.adjust("1 second")
      yield* TestClock.adjust("30 seconds")
      const refused = yield* Effect.flip(Fiber.join(second.fiber))
      expect(refused).toEqual(ServiceBusy.error)
      const next = yield* run(process, busy, 3, end)
      yield* TestClock.adjust("1 second")
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(first.fiber)
      yield* Fiber.join(next.fiber)
      expect(yield* next.isStarted).toBe(true)
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
