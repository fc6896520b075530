import { describe, expect } from "bun:test"
import { Effect, Fiber } from "effect"
import type { Timeouts } from "../../../../src/providers/ProviderClient.ts"
import { apply, withPlanApplier } from "../../../lifecycle/apply/applyFixtures.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { vendorFaults } from "../../../support/vendors/FakeVendor.ts"
import type { VendorCall } from "../../../support/vendors/VendorCall.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { makeFakeNetlify, netlifyState } from "./FakeNetlify.ts"
import { requestAt, valuesOf } from "./netlifyPlans.ts"
import { zone } from "./netlifyUnderTest.ts"

const timeouts: Timeouts = { call: "500 millis", snapshot: "5 seconds" }

/** The zone of the tests: a record that changes, one beside it that was stored twice, and one that stays. */
const before = [
  { hostname: `www.${zone}`, type: "A", value: "192.0.2.1" },
  { hostname: `www.${zone}`, type: "A", value: "192.0.2.9" },
  { hostname: `www.${zone}`, type: "A", value: "192.0.2.9" },
  { hostname: zone, type: "TXT", value: "stays" }
]
const desired = ["www 3600 A 192.0.2.2", "@ 3600 TXT hello"]
const after = ["A 192.0.2.2", "TXT hello", "TXT stays"]
const writes = 5

const isWrite = ({ method }: VendorCall) => method !== "GET"

describeIfPossible("at Netlify, no record is lost or doubled", missingVendorData, () => {
  for (let nth = 1; nth <= writes; nth += 1)
    describe(`when at write ${nth} of ${writes}`, () => {
      for (const [name, fault] of Object.entries(vendorFaults))
        live(`the answer is: ${name}`, () =>
          withPlanApplier(
            Effect.gen(function* () {
              const fake = yield* makeFakeNetlify(netlifyState({ [zone]: before }))
              const request = yield* requestAt(fake, desired, timeouts)
              fake.injectFault({ where: isWrite, nth }, fault)
              yield* Effect.exit(apply(request))
              fake.heal()
              yield* apply(request)
              expect(valuesOf(fake).toSorted()).toEqual(after)
              yield* apply(request)
              expect(valuesOf(fake).toSorted()).toEqual(after)
            })
          )
        )

      live("the process is killed", () =>
        withPlanApplier(
          Effect.gen(function* () {
            const fake = yield* makeFakeNetlify(netlifyState({ [zone]: before }))
            const request = yield* requestAt(fake, desired, timeouts)
            const killed = Promise.withResolvers<void>()
            fake.beforeCall({ where: isWrite, nth }, () => killed.resolve())
            fake.injectFault({ where: isWrite, nth }, { change: "made", answer: "silence" })
            const running = yield* Effect.fork(apply(request))
            yield* Effect.promise(() => killed.promise)
            yield* Fiber.interrupt(running)
            fake.heal()
            yield* apply(request)
            expect(valuesOf(fake).toSorted()).toEqual(after)
          })
        )
      )
    })
})
