import { Effect, Either, Option } from "effect"
import { computeInSlices } from "../../runtime/computeInSlices.ts"
import type { ZoneLocation } from "../../domain/plan/Zone.ts"
import type { ZoneClient, ZoneSnapshot } from "../ProviderClient.ts"
import { type ProviderError, toReadFailure, toWriteFailure } from "../ProviderError.ts"
import { type AffectedNames, findAffectedNames } from "./AffectedNames.ts"
import { listSetsAt, type RecordSet, serializeSetsAt, type RecordSetZone, toRecordSetZone } from "./RecordSet.ts"
import { planSetCalls, type SetChange, type SetRules } from "./planSetCalls.ts"
import { type CheckRecord, makeRecordCheck } from "./requireStorable.ts"
import { makeWriteGuard } from "./writeGuard.ts"

/** What an adapter supplies for a provider that stores records of one name and type together. */
export interface RecordSetAdapter<StoredSet extends RecordSet>
  extends SetRules<StoredSet>, Pick<ZoneClient, "limits" | "visibleWithin"> {
  readonly checkRecord?: CheckRecord
  /** Reads all sets of the zone, or, to save memory or calls, at least those that changes at the names depend on. */
  readonly readSets: (names: Option.Option<AffectedNames>) => Effect.Effect<ReadonlyArray<StoredSet>, ProviderError>
  /** Writes as much as one call takes; ends when the sets are written, not when the call is accepted. */
  readonly writeSets: (setChanges: ReadonlyArray<SetChange<StoredSet>>) => Effect.Effect<void, ProviderError>
}

/**
 * A zone whose provider writes whole sets. Affected names are read again directly before the first write; a later
 * change of another writer is lost, unless the provider compares.
 */
export const makeRecordSetZoneClient = <StoredSet extends RecordSet>(
  adapter: RecordSetAdapter<StoredSet>,
  location: ZoneLocation
): ZoneClient => {
  const checkRecord = makeRecordCheck(adapter, location)
  return {
    limits: adapter.limits,
    ...(adapter.visibleWithin === undefined ? {} : { visibleWithin: adapter.visibleWithin }),
    canUpdate: (before, after) => adapter.fitsOneCall !== undefined || before.type === after.type,
    checkRecord,
    read: adapter.readSets(Option.none()).pipe(
      Effect.flatMap((sets) => Effect.flatten(computeInSlices(toRecordSetZone(sets, location)))),
      Effect.mapBoth({
        onFailure: toReadFailure,
        onSuccess: (zone) => toSnapshot(zone, { ...adapter, checkRecord }, location)
      })
    )
  }
}

const toSnapshot = <StoredSet extends RecordSet>(
  read: RecordSetZone<StoredSet>,
  adapter: RecordSetAdapter<StoredSet> & { readonly checkRecord: CheckRecord },
  location: ZoneLocation
): ZoneSnapshot => ({
  zone: read.zone,
  planWrites: (changes) =>
    Either.map(planSetCalls(read, changes, { location, rules: adapter }), (calls) => {
      const names = findAffectedNames(changes, location)
      const planned = serializeSetsAt(listSetsAt(read, names), names)
      const guard = makeWriteGuard(
        Effect.map(adapter.readSets(Option.some(names)), (sets) => serializeSetsAt(sets, names) === planned)
      )
      return calls.map((call) => ({
        changes: call.changes,
        send: Effect.withSpan(
          guard(Effect.mapError(adapter.writeSets(call.setChanges), toWriteFailure)),
          "recordSets.write"
        )
      }))
    })
})
