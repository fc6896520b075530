import { describe, expect } from "bun:test"
import { Deferred, Effect, Layer, TestClock } from "effect"
import { Dispatcher } from "../../../src/lifecycle/scheduler/Dispatcher.ts"
import { LargeZonesBusy } from "../../../src/limits/LargeZones.ts"
import { effect } from "../../support/effectTest.ts"
import { lifecycleInMemory } from "../../support/lifecycleInMemory.ts"
import { storesInMemory } from "../../support/testApi.ts"
import {
  type ScriptedProvider,
  acmeTest,
  scriptedProvider,
  advanceTime,
  commandsFor,
  createDiscovered,
  type LifecycleServices,
  readConnectionRecord,
  readState,
  requestConnection,
  waitUntilIdle,
  withoutLogs
} from "../phases/scriptedProvider.ts"

/** Kills a process where `block` hangs, and starts another one on the same stores two minutes later. */
const killProcessAt = (block: (acme: ScriptedProvider, forever: Effect.Effect<never>) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const acme = scriptedProvider("@ 300 A 192.0.2.1")
    const stores = Layer.succeedContext(yield* Layer.build(storesInMemory))
    const runProcess = <A, E>(body: Effect.Effect<A, E, LifecycleServices>) =>
      Effect.provide(body, Layer.merge(lifecycleInMemory(acme.layer, stores), withoutLogs))
    const reached = yield* Deferred.make<void>()
    const id = yield* runProcess(
      Effect.gen(function* () {
        const id = yield* createDiscovered()
        yield* commandsFor(id).authorize()
        yield* block(acme, Effect.zipRight(Deferred.succeed(reached, undefined), Effect.never))
        yield* Effect.raceFirst(commandsFor(id).approve(), Deferred.await(reached))
        return id
      })
    )
    const [before, after] = yield* runProcess(
      Effect.all([readState(id), Effect.zipRight(advanceTime("120 seconds"), readState(id))])
    )
    return { before, after, written: acme.made().length }
  })

const resumed = { before: "applying", after: "active", written: 1 }

describe("a process that dies", () => {
  effect("before it sends the write is followed by one that sends it", () =>
    Effect.map(
      killProcessAt((acme, forever) => acme.beforeNextOpenZone(forever)),
      (outcome) => expect(outcome).toEqual(resumed)
    )
  )

  effect("while it sends a write that never arrives is followed by one that sends it again", () =>
    Effect.map(
      killProcessAt((acme, forever) => acme.play(() => forever)),
      (outcome) => expect(outcome).toEqual(resumed)
    )
  )

  effect("before it receives the response to a write is followed by one that finds the records", () =>
    Effect.map(
      killProcessAt((acme, forever) => acme.play((send) => Effect.zipRight(send, forever))),
      (outcome) => expect(outcome).toEqual(resumed)
    )
  )
})

/** Blocks a phase at `wait` until `release`; `reached` runs due phases until one of them blocks. */
const makeBarrier = Effect.gen(function* () {
  const reached = yield* Deferred.make<void>()
  const released = yield* Deferred.make<void>()
  return {
    wait: Effect.zipRight(Deferred.succeed(reached, undefined), Deferred.await(released)),
    reached: Effect.raceFirst(waitUntilIdle, Deferred.await(reached)),
    release: Effect.zipRight(Deferred.succeed(released, undefined), waitUntilIdle)
  }
})

acmeTest("the sweep restarts a phase that hangs, and discards its late result", (acme) =>
  Effect.gen(function* () {
    const { reached, release, wait } = yield* makeBarrier
    const id = yield* requestConnection()
    yield* acme.beforeNextDiscovery(wait)
    yield* reached
    yield* TestClock.adjust("119 seconds")
    expect(yield* Effect.flatMap(Dispatcher, ({ tick }) => tick)).toBe(0)
    yield* advanceTime("1 second")
    expect(yield* readState(id)).toBe("awaiting_authorization")
    const before = yield* readConnectionRecord(id)
    yield* release
    expect(yield* readConnectionRecord(id)).toEqual(before)
  })
)

acmeTest("a step that conflicts with a newer command writes nothing", (acme) =>
  Effect.gen(function* () {
    const { reached, release, wait } = yield* makeBarrier
    const id = yield* requestConnection()
    yield* acme.beforeNextDiscovery(wait)
    yield* reached
    yield* Effect.fork(commandsFor(id).cancel)
    yield* Effect.repeat(Effect.zipRight(Effect.yieldNow(), readState(id)), { until: (state) => state === "canceled" })
    const before = yield* readConnectionRecord(id)
    yield* release
    expect(yield* readConnectionRecord(id)).toEqual(before)
  })
)

acmeTest("a defect in a phase is a retryable failure that wrote nothing", (acme) =>
  Effect.gen(function* () {
    const id = yield* createDiscovered()
    yield* acme.beforeNextOpenZone(Effect.dieMessage("a defect"))
    yield* commandsFor(id).authorize()
    expect([yield* readState(id), (yield* readConnectionRecord(id)).progress.hasWritten]).toEqual([
      "failed: internal_error → authorized",
      false
    ])
    expect((yield* readConnectionRecord(id)).connection.failure?.details).toEqual([
      {
        message: `A defect ended the phase "provision"; the log of the service has its cause under the id of the connection`
      }
    ])
    yield* commandsFor(id).retry
    expect(yield* readState(id)).toBe("planned")
  })
)

acmeTest(
  "a phase that has waited in vain for a large zone is made again, without a failure of the connection",
  (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      yield* acme.beforeNextOpenZone(Effect.die(new LargeZonesBusy()))
      yield* commandsFor(id).authorize()
      yield* advanceTime("1 minute")
      expect(yield* readState(id)).toBe("planned")
    })
)

acmeTest("a defect while verifying an active connection leaves it active and due for another check", (acme) =>
  Effect.gen(function* () {
    const id = yield* createDiscovered([{ host: "@", type: "A", value: "192.0.2.1" }])
    yield* acme.beforeNextDiscovery(Effect.dieMessage("a defect"))
    yield* commandsFor(id).recheck
    expect([yield* readState(id), (yield* readConnectionRecord(id)).progress.isRecheckRequested]).toEqual([
      "active",
      true
    ])
    yield* advanceTime("120 seconds")
    expect([yield* readState(id), (yield* readConnectionRecord(id)).progress.isRecheckRequested]).toEqual([
      "active",
      false
    ])
  })
)
