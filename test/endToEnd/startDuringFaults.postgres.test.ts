import { expect } from "bun:test"
import { Effect, Layer, Schedule } from "effect"
import { databaseProxy } from "../persistence/databaseProxy.ts"
import { freshDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { scriptedService } from "../support/scriptedService.ts"
import { serviceUrl } from "../support/testApi.ts"

/** The start takes some thirty answers of the database, from the first connection to the open port. */
const firstLost = [1, 3, 6, 10, 13, 16, 20, 23, 26, 29]

/** Limits the services that start at the same time, each of which opens many connections. */
const startSlots = Effect.unsafeMakeSemaphore(3)

for (const first of firstLost)
  concurrentTest(
    `the service starts and is ready although answers ${first} to ${first + 2} of the database are lost`,
    () =>
      Effect.gen(function* () {
        const proxy = yield* databaseProxy(yield* freshDatabase)
        yield* proxy.open
        const { layer } = yield* scriptedService(urlOf(proxy.database), ["example.com"])
        let answers = 0
        yield* proxy.loseAnswers(() => {
          answers += 1
          return answers >= first && answers < first + 3
        })
        const readiness = Effect.flatMap(serviceUrl, (url) => Effect.promise(() => fetch(`${url}/readyz`)))
        const ready = Effect.repeat(readiness, { until: ({ ok }) => ok, schedule: Schedule.spaced("100 millis") })
        yield* Effect.provide(ready, Layer.fresh(layer))
        expect(answers).toBeGreaterThanOrEqual(first + 3)
      }).pipe(Effect.scoped, startSlots.withPermits(1))
  )
