import { Effect } from "effect"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { apply, requestAt, withPlanApplierOnRealClock } from "../../lifecycle/apply/applyFixtures.ts"
import { type AdapterUnderTest, openZone, planFrom, resolvedIntentOf } from "./AdapterUnderTest.ts"

/** A plan for the desired records, made from what the adapter reads, as the service applies it. */
export const planFor = (tested: AdapterUnderTest, desired: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const client = yield* openZone(tested, {})
    const snapshot = yield* client.read
    const { changes } = planFrom(snapshot, resolvedIntentOf(tested.zone, { desired }), client)
    const domain = DomainName.make(tested.zone)
    return requestAt({ client, snapshotNow: () => snapshot, now: () => snapshot.zone }, changes, {
      domain,
      zone: domain
    })
  })

/** Applies the plan for the desired records. */
export const applyPlanFor = (tested: AdapterUnderTest, desired: ReadonlyArray<string>) =>
  withPlanApplierOnRealClock(Effect.flatMap(planFor(tested, desired), apply))
