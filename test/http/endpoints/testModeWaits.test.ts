import { expect } from "bun:test"
import { Effect, Fiber, Layer, Schedule } from "effect"
import { TestMode } from "../../../src/testmode/TestMode.ts"
import { withLayer } from "../../support/effectTest.ts"
import { apiServicesLayer, httpOnFreePort, offlineDns, post, storesInMemory } from "../../support/testApi.ts"
import { createInState } from "../support/commandFixtures.ts"

/** Connections come to rest once this latch is open. */
const rest = Effect.unsafeMakeLatch(true)

/** How many requests have begun to wait. */
let waiters = 0

const waitingTestMode = Layer.succeed(TestMode, {
  readZone: () => Effect.dieMessage("not called"),
  enterRecords: () => Effect.void,
  changeRecords: () => Effect.void,
  advance: () => Effect.void,
  waitUntilIdle: () =>
    Effect.zipRight(
      Effect.sync(() => (waiters += 1)),
      rest.await
    )
})

const api = httpOnFreePort({ streams: { perConnection: 2, perTenant: 100 } }).pipe(
  Layer.provide(waitingTestMode),
  Layer.provideMerge(apiServicesLayer),
  Layer.provide(offlineDns),
  Layer.provideMerge(storesInMemory)
)

withLayer("requests that wait for test mode to come to rest", api, (live) => {
  live("count among the waiting requests of their connection, and beyond the limit are answered at once", () =>
    Effect.gen(function* () {
      const { id, key } = yield* createInState("active")
      const advance = post(`/v1/test/connections/${id}/advance`, key, { seconds: 60 })
      for (let round = 1; round <= 2; round += 1) {
        yield* rest.close
        const waiting = yield* Effect.forkAll([advance, advance])
        yield* Effect.sync(() => waiters).pipe(
          Effect.repeat({ until: (count) => count === 2 * round, schedule: Schedule.spaced("10 millis") })
        )
        expect((yield* advance).status).toBe(200)
        expect(waiters).toBe(2 * round)
        yield* rest.open
        expect((yield* Fiber.join(waiting)).map(({ status }) => status)).toEqual([200, 200])
      }
    })
  )
})
