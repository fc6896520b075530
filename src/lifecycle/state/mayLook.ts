import { DateTime, Duration, Option } from "effect"
import type { KeptAnswers } from "../../domain/connection/KeptAnswers.ts"
import type { Progress } from "../../domain/connection/ConnectionRecord.ts"
import type { LifecycleTimeouts } from "./StateTimeouts.ts"
import { earliestCheckOfAll } from "./findNextPhase.ts"

/**
 * Whether single servers may be asked. After a wrong look, `ConfirmPhase` compares record by record for a day. Silence is
 * not wrong: the look has removed `verifiedAt`, or this check has met the silent server, too.
 */
export const mayLook = (
  { isLookedAt, isRecheckRequested, verifiedAt }: Progress,
  kept: Option.Option<KeptAnswers>,
  { verifyInterval }: LifecycleTimeouts,
  now: DateTime.Utc
): boolean =>
  verifyInterval !== undefined &&
  (isLookedAt !== true ||
    isRecheckRequested ||
    Option.exists(kept, ({ silentServers }) => silentServers.length > 0) ||
    verifiedAt === undefined ||
    DateTime.distance(verifiedAt, now) >= Duration.toMillis(verifyInterval) * earliestCheckOfAll)
