import { describe, expect } from "bun:test"
import { Deferred, Effect, Layer, TestClock } from "effect"
import { Dispatcher } from "../../../src/lifecycle/scheduler/Dispatcher.ts"
import { effect } from "../../support/effectTest.ts"
import { lifecycleInMemory } from "../../support/lifecycleInMemory.ts"
import { storesInMemory } from "../../support/testApi.ts"
import {
  type Acme,
  acmeTest,
  acmeZone,
  advanceTime,
  commandsFor,
  createDiscovered,
  type LifecycleServices,
  readConnectionRecord,
  readState,
  requestConnection,
  waitUntilIdle,
  withoutLogs
} from "../phases/acme.ts"

/** A process that dies when something goes on forever, and the next one on the same rows, which comes two minutes later. */
const dying = (at: (acme: Acme, forever: Effect.Effect<never>) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const acme = acmeZone("@ 300 A 192.0.2.1")
    const stores = Layer.succeedContext(yield* Layer.build(storesInMemory))
    const process = <A, E>(life: Effect.Effect<A, E, LifecycleServices>) =>
      Effect.provide(life, Layer.merge(lifecycleInMemory(acme.layer, stores), withoutLogs))
    const reached = yield* Deferred.make<void>()
    const id = yield* process(
      Effect.gen(function* () {
        const id = yield* createDiscovered()
        yield* commandsFor(id).letIn()
        yield* at(acme, Effect.zipRight(Deferred.succeed(reached, undefined), Effect.never))
        yield* Effect.raceFirst(commandsFor(id).approve(), Deferred.await(reached))
        return id
      })
    )
    const [before, after] = yield* process(
      Effect.all([readState(id), Effect.zipRight(advanceTime("120 seconds"), readState(id))])
    )
    return { before, after, written: acme.made().length }
  })

const takenUp = { before: "applying", after: "active", written: 1 }

describe("a process that dies", () => {
  effect("before it asks the provider to write is followed by one that does", () =>
    Effect.map(
      dying((acme, forever) => acme.whenOpened(forever)),
      (seen) => expect(seen).toEqual(takenUp)
    )
  )

  effect("while it asks the provider, which never hears of it, is followed by one that asks again", () =>
    Effect.map(
      dying((acme, forever) => acme.play(() => forever)),
      (seen) => expect(seen).toEqual(takenUp)
    )
  )

  effect("before it hears that the provider has written is followed by one that finds it there", () =>
    Effect.map(
      dying((acme, forever) => acme.play((honest) => Effect.zipRight(honest, forever))),
      (seen) => expect(seen).toEqual(takenUp)
    )
  )
})

/** Something that goes on until it is let go, and what is under way until it is reached. */
const obstacle = Effect.gen(function* () {
  const reached = yield* Deferred.make<void>()
  const over = yield* Deferred.make<void>()
  return {
    met: Effect.zipRight(Deferred.succeed(reached, undefined), Deferred.await(over)),
    reached: Effect.raceFirst(waitUntilIdle, Deferred.await(reached)),
    go: Effect.zipRight(Deferred.succeed(over, undefined), waitUntilIdle)
  }
})

acmeTest("a phase that does not move is taken up by the sweep, and what it finds at last is written no more", (acme) =>
  Effect.gen(function* () {
    const { go, met, reached } = yield* obstacle
    const id = yield* requestConnection()
    yield* acme.whenSought(met)
    yield* reached
    yield* TestClock.adjust("119 seconds")
    expect(yield* Effect.flatMap(Dispatcher, ({ tick }) => tick)).toBe(0)
    yield* advanceTime("1 second")
    expect(yield* readState(id)).toBe("awaiting_authorization")
    const before = yield* readConnectionRecord(id)
    yield* go
    expect(yield* readConnectionRecord(id)).toEqual(before)
  })
)

acmeTest("a step that a command has overtaken writes nothing", (acme) =>
  Effect.gen(function* () {
    const { go, met, reached } = yield* obstacle
    const id = yield* requestConnection()
    yield* acme.whenSought(met)
    yield* reached
    yield* Effect.fork(commandsFor(id).cancel)
    yield* Effect.repeat(Effect.zipRight(Effect.yieldNow(), readState(id)), { until: (now) => now === "canceled" })
    const before = yield* readConnectionRecord(id)
    yield* go
    expect(yield* readConnectionRecord(id)).toEqual(before)
  })
)

acmeTest("an unexpected end of a phase is a failure that can be tried again, and has written nothing", (acme) =>
  Effect.gen(function* () {
    const id = yield* createDiscovered()
    yield* acme.whenOpened(Effect.dieMessage("a defect"))
    yield* commandsFor(id).letIn()
    expect([yield* readState(id), (yield* readConnectionRecord(id)).progress.wrote]).toEqual([
      "failed: internal_error → authorized",
      false
    ])
    yield* commandsFor(id).retry
    expect(yield* readState(id)).toBe("planned")
  })
)

acmeTest("an unexpected end of a look at an active connection leaves it active, to be looked at again", (acme) =>
  Effect.gen(function* () {
    const id = yield* createDiscovered([{ host: "@", type: "A", value: "192.0.2.1" }])
    yield* acme.whenSought(Effect.dieMessage("a defect"))
    yield* commandsFor(id).recheck
    expect([yield* readState(id), (yield* readConnectionRecord(id)).progress.urgent]).toEqual(["active", true])
    yield* advanceTime("120 seconds")
    expect([yield* readState(id), (yield* readConnectionRecord(id)).progress.urgent]).toEqual(["active", false])
  })
)
