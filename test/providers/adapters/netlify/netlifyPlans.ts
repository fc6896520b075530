import { Duration, Effect } from "effect"
import { DomainName } from "../../../../src/domain/names/DomainName.ts"
import type { ApplyRequest } from "../../../../src/lifecycle/apply/PlanApplier.ts"
import { computeDigest } from "../../../../src/planning/changes/computeDigest.ts"
import { defaultTimeouts } from "../../../../src/providers/ProviderClient.ts"
import { connectionId } from "../../../lifecycle/apply/applyFixtures.ts"
import type { FakeVendor } from "../../../support/vendors/FakeVendor.ts"
import { openZone, planFrom, resolvedIntentOf } from "../AdapterUnderTest.ts"
import type { NetlifyState } from "./FakeNetlify.ts"
import { netlifyUnderTest, recordsOf, zone } from "./netlifyUnderTest.ts"

const domain = DomainName.make(zone)

/** What the fake has, one line for each record. */
export const valuesOf = (fake: FakeVendor<NetlifyState>) =>
  recordsOf(fake.state()).map(({ type, value }) => `${type} ${value}`)

/** A plan for the desired records, made from what the adapter reads, as the service applies it. */
export const requestAt = (fake: FakeVendor<NetlifyState>, desired: ReadonlyArray<string>, timeouts = defaultTimeouts) =>
  Effect.gen(function* () {
    const client = yield* openZone(netlifyUnderTest(fake, { timeouts }), {})
    const snapshot = yield* client.read
    const { changes } = planFrom(snapshot, resolvedIntentOf(zone, { desired }), client)
    const request: ApplyRequest = {
      run: "run",
      connectionId,
      providerId: "netlify",
      zone: domain,
      domain,
      direction: "connect",
      digest: computeDigest({ domain, zone: domain, changes }),
      changes,
      snapshot,
      client,
      longestDelay: Duration.zero
    }
    return request
  })
