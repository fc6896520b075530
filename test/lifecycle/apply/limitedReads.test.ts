import { expect } from "bun:test"
import { Duration, Effect } from "effect"
import type { ZoneClient } from "../../../src/providers/ProviderClient.ts"
import { ProviderFailure } from "../../../src/providers/ProviderFailure.ts"
import { effect } from "../../support/effectTest.ts"
import {
  apply,
  applyFailureOf,
  changes,
  completesWithin,
  journalLines,
  journalOf,
  prepareShopPlan,
  requestAt,
  withPlanApplier
} from "./applyFixtures.ts"

/** The shop at a provider that refuses the next reads, and each time asks to wait so long. */
const limitedShop = (...waits: ReadonlyArray<Duration.DurationInput>) => {
  const { at } = prepareShopPlan()
  const left = [...waits]
  const read: ZoneClient["read"] = Effect.suspend(() => {
    const wait = left.shift()
    return wait === undefined
      ? at.client.read
      : new ProviderFailure({
          code: "provider_rate_limited",
          detail: "the script says so",
          retryAfter: Duration.decode(wait)
        })
  })
  return { at, request: requestAt(at, changes, { client: { ...at.client, read } }) }
}

effect("a plan that is written waits for its final check as long as the provider asks, up to a minute", () =>
  withPlanApplier(
    Effect.gen(function* () {
      const { at, request } = limitedShop("44 seconds", "15 seconds")
      yield* completesWithin("62 seconds", apply(request))
      expect(at.made()).toEqual([...changes])
      expect(yield* journalOf()).toEqual(journalLines("confirmed"))
    })
  )
)

for (const [about, waits] of [
  ["in one wait", ["61 seconds"]],
  ["in two waits", ["44 seconds", "44 seconds"]]
] as const)
  effect(`a plan that is written fails if the provider asks for more than a minute ${about}`, () =>
    withPlanApplier(
      Effect.gen(function* () {
        const failure = yield* completesWithin("50 seconds", applyFailureOf(limitedShop(...waits).request))
        expect(failure).toEqual({ code: "provider_rate_limited", hasWrites: true })
        expect(yield* journalOf()).toEqual(journalLines("confirmed"))
      })
    )
  )
