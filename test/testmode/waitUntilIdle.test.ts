import { expect } from "bun:test"
import { Effect, Fiber, Layer, Schedule } from "effect"
import { ConnectionId } from "../../src/domain/connection/Connection.ts"
import { ConnectionSignals } from "../../src/lifecycle/commit/ConnectionSignals.ts"
import { TestTimeStore } from "../../src/persistence/stores/testmode/TestTimeStore.ts"
import { TestMode } from "../../src/testmode/TestMode.ts"
import { TestZones } from "../../src/testmode/TestZones.ts"
import { withLayer } from "../support/effectTest.ts"
import { apiServicesLayer, offlineDns, storesInMemory, tenancyOf } from "../support/testApi.ts"

const id = ConnectionId.make("con_1")

/** What the store says of the connection, and how often it was asked. */
const store = { isIdle: false, reads: 0 }

const testMode = Layer.provideMerge(
  TestMode.layer,
  Layer.mergeAll(
    Layer.mock(TestZones, {}),
    Layer.mock(TestTimeStore, {
      isIdle: () =>
        Effect.delay(
          Effect.sync(() => {
            store.reads += 1
            return store.isIdle
          }),
          "5 millis"
        )
    })
  )
).pipe(Layer.provideMerge(apiServicesLayer), Layer.provide(offlineDns), Layer.provideMerge(storesInMemory))

withLayer("a hundred requests that wait for a connection of test mode to come to rest", testMode, (live) => {
  live("share their reads, and all learn when it has", () =>
    Effect.gen(function* () {
      const { waitUntilIdle } = yield* TestMode
      const { notifyChanged } = yield* ConnectionSignals
      const waiting = yield* Effect.forkAll(Effect.replicate(waitUntilIdle(tenancyOf("app", "tenant"), id), 100))
      yield* Effect.sync(() => store.reads).pipe(
        Effect.repeat({ until: (reads) => reads > 0, schedule: Schedule.spaced("10 millis") })
      )
      store.isIdle = true
      yield* notifyChanged(id)
      yield* Fiber.join(waiting)
      expect(store.reads).toBeGreaterThanOrEqual(2)
      expect(store.reads).toBeLessThan(12)
    })
  )
})
