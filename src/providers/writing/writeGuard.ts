import { Effect } from "effect"
import { type ProviderError, toReadFailure } from "../ProviderError.ts"
import { type ProviderFailure, type ZoneChanged, zoneChangedSinceRead } from "../ProviderFailure.ts"

/** Lets a write through if the zone has not changed since it was planned. */
export type WriteGuard = <E>(write: Effect.Effect<void, E>) => Effect.Effect<void, E | ProviderFailure | ZoneChanged>

/**
 * Makes the guard of the writes of one plan. Directly before the first of them, it reads the affected names again and
 * compares; once one is made, the zone has changed as planned, and the others follow.
 */
export const makeWriteGuard = (isUnchanged: Effect.Effect<boolean, ProviderError>): WriteGuard => {
  let hasWritten = false
  return (write) =>
    Effect.gen(function* () {
      if (!hasWritten && !(yield* Effect.mapError(isUnchanged, toReadFailure))) return yield* zoneChangedSinceRead
      yield* write
      hasWritten = true
    })
}
