import { Effect } from "effect"
import type { Change, ChangeRecord } from "../../domain/plan/Plan.ts"
import { findDuplicatedRecords } from "../../planning/changes/ChangeStatus.ts"
import type { ZoneSnapshot } from "../../providers/ProviderClient.ts"
import { ProviderFailure } from "../../providers/ProviderFailure.ts"
import { withRetry } from "../../providers/withRetry.ts"
import { type ActiveRun, failRun, readZone, type RunError } from "./ActiveRun.ts"
import { readUntil } from "./readUntil.ts"

/** Reads the zone as expected, and removes duplicates: an unanswered creation may be made after it was resent. */
export const readWithoutDuplicates = (
  run: ActiveRun,
  changes: ReadonlyArray<Change>,
  isExpected: (snapshot: ZoneSnapshot) => boolean = () => true,
  removals = 2
): Effect.Effect<ZoneSnapshot, RunError> =>
  Effect.gen(function* () {
    const findDuplicates = ({ zone }: ZoneSnapshot) => findDuplicatedRecords(changes, zone, run.domain)
    const snapshot = yield* readUntil(
      run.client,
      readZone(run),
      (current) => findDuplicates(current).length === 0 && isExpected(current)
    )
    const duplicated = findDuplicates(snapshot)
    if (duplicated.length === 0) return snapshot
    if (removals === 0) return yield* failAsDuplicated(run, duplicated, "they are still there after their removal")
    yield* removeDuplicates(run, snapshot, duplicated)
    return yield* readWithoutDuplicates(run, changes, isExpected, removals - 1)
  })

/** Removes all but one of each record. The journal need not know: before and after, the record is there. */
const removeDuplicates = (run: ActiveRun, snapshot: ZoneSnapshot, duplicated: ReadonlyArray<ChangeRecord>) =>
  Effect.flatMap(
    snapshot.planWrites(
      duplicated.map((record) => ({ action: "update", before: record, after: record, destructive: false }))
    ),
    Effect.forEach(({ send }) => withRetry(ProviderFailure)(Effect.zipRight(run.journal.checkLease, send)), {
      discard: true
    })
  ).pipe(
    Effect.catchTags({
      OutcomeUnknown: () => Effect.void,
      ZoneChanged: () => Effect.void,
      ProviderFailure: ({ detail }) => failAsDuplicated(run, duplicated, detail)
    })
  )

const failAsDuplicated = (run: ActiveRun, duplicated: ReadonlyArray<ChangeRecord>, detail: string) => {
  const records = duplicated.map(({ host, type, value }) => `${host} ${type} ${value}`)
  return failRun(run, {
    code: "apply_partial",
    detail: `the zone has more than once: ${records.join(", ")}; ${detail}`,
    isOwnFinding: true
  })
}
