import { DateTime, Duration } from "effect"
import type { Progress } from "../../domain/connection/ConnectionRecord.ts"
import type { LifecycleTimeouts } from "./StateTimeouts.ts"
import { earliestCheckOfAll } from "./findNextPhase.ts"

/**
 * Whether single servers may be asked until the next check of all. Not after a look that was wrong: servers whose
 * answers change although the records are right are compared record by record (see `ConfirmPhase`) for a day.
 */
export const mayLook = (
  { isLookedAt, isRecheckRequested, verifiedAt }: Progress,
  { verifyInterval }: LifecycleTimeouts,
  now: DateTime.Utc
): boolean =>
  verifyInterval !== undefined &&
  (isLookedAt !== true ||
    isRecheckRequested ||
    verifiedAt === undefined ||
    DateTime.distance(verifiedAt, now) >= Duration.toMillis(verifyInterval) * earliestCheckOfAll)
