import { DateTime, Duration } from "effect"
import type { Progress } from "../../domain/connection/ConnectionRecord.ts"
import type { LifecycleTimeouts } from "./StateTimeouts.ts"
import { earliestCheckOfAll } from "./findNextPhase.ts"

/** Whether single servers may be asked. After a wrong look, `ConfirmPhase` compares record by record for a day. */
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
