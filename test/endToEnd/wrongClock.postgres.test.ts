import { expect } from "bun:test"
import { Array, Duration, Effect, Fiber, Layer } from "effect"
import { makeApiClient } from "../../prove/ApiClient.ts"
import {
  authorizeAndApprove,
  createPlannedConnection,
  timelineOf,
  waitForState,
  oneClickStates
} from "../../prove/connectionSteps.ts"
import { issueBearer, shopOrigin } from "../http/support/connectionRequests.ts"
import { freshDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { live } from "../support/effectTest.ts"
import { desiredShopOf, scriptedService } from "../support/scriptedService.ts"
import { skewedClock } from "../support/skewedClock.ts"
import { issueKey, send, serviceUrl } from "../support/testApi.ts"

const hour = Duration.toMillis("1 hour")

/** How many queries there were, once no more come: what was asked before may be answered late. */
const countOnceQuiet = Effect.fnUntraced(function* ({ queries }: { readonly queries: ReadonlyArray<unknown> }) {
  let before = -1
  while (before !== queries.length) {
    before = queries.length
    yield* Effect.sleep("1 second")
  }
  return before
})

const domains = Array.makeBy(6, (nth) => `customer-${nth}.com`)

live(
  "a clock that jumps an hour ahead and two back in the middle of the work repeats nothing and ends nothing early",
  () =>
    Effect.gen(function* () {
      const clock = skewedClock(0)
      const { internet, layer } = yield* scriptedService(urlOf(yield* freshDatabase), domains)
      const outcome = yield* Effect.gen(function* () {
        const { key } = yield* issueKey()
        const api = makeApiClient(yield* serviceUrl, key)
        const planned = yield* Effect.forEach(domains, (domain) => createPlannedConnection(api, desiredShopOf(domain)))
        const path = `/v1/connections/${planned[0].id}`
        const authorization = yield* issueBearer(key, path)
        const approving = yield* Effect.fork(
          Effect.forEach(
            planned,
            (connection, nth) => authorizeAndApprove(api, connection, desiredShopOf(domains[nth] ?? "")),
            { concurrency: "unbounded" }
          )
        )
        yield* clock.set(hour)
        yield* Fiber.join(approving)
        yield* clock.set(-hour)
        yield* Effect.forEach(planned, ({ id }) => waitForState(api, id, ["active"]), { concurrency: "unbounded" })
        const before = yield* countOnceQuiet(internet)
        const statuses = yield* Effect.forEach([-hour, hour, 0], (offset) =>
          Effect.gen(function* () {
            yield* clock.set(offset)
            yield* Effect.sleep("1 second")
            const byToken = yield* send(path, { headers: { authorization, origin: shopOrigin } })
            return [(yield* api.get(path)).status, byToken.status]
          })
        )
        const paths = yield* Effect.forEach(planned, ({ id }) =>
          Effect.map(timelineOf(api, id), (entries) => entries.map(({ to }) => to))
        )
        return { paths, statuses, queries: internet.queries.length - before }
      }).pipe(Effect.provide(Layer.provide(layer, clock.layer)))
      expect<unknown>(outcome).toEqual({
        paths: domains.map(() => oneClickStates),
        statuses: Array.replicate([200, 200], 3),
        queries: 0
      })
    })
)
