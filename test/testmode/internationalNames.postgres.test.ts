import { expect } from "bun:test"
import { Effect } from "effect"
import { freshTestModeDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { issueTestKey, requesterWith, shopRecords, testModeService } from "./testModeService.ts"

concurrentTest(
  "an internationalized test domain keeps the promise of its last part, with its names in Unicode too",
  () =>
    Effect.gen(function* () {
      const url = urlOf(yield* freshTestModeDatabase)
      yield* Effect.gen(function* () {
        const { authorizeAndApprove, connect, send, test, waitFor } = yield* requesterWith(yield* issueTestKey(url))
        const { id } = yield* connect("bücher-one-click.test")
        const active = yield* authorizeAndApprove(id, "active")
        expect([active.effectiveIntent.domain, active.plan.zone]).toEqual(Array(2).fill("xn--bcher-one-click-zvb.test"))
        expect(active.plan.changes).toMatchObject([
          { after: { name: "shop.xn--bcher-one-click-zvb.test", unicodeName: "shop.bücher-one-click.test" } }
        ])
        const { zone } = (yield* send("GET", `/v1/test/connections/${id}/zone`)).json
        expect(zone).toBe("xn--bcher-one-click-zvb.test")

        const byHand = yield* connect("кондитерская-by-hand.test", shopRecords)
        yield* test(byHand.id, "enter-records", {})
        expect((yield* waitFor(byHand.id, "active")).provider.id).toBe("test-registrar")

        const below = yield* connect("läden.straße-one-click.test", shopRecords)
        expect([below.state, below.plan.zone]).toEqual(["awaiting_authorization", "xn--strae-one-click-tib.test"])
      }).pipe(Effect.provide(testModeService(url)))
    })
)
