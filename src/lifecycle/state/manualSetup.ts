import type { DateTime } from "effect"
import type { ConnectionRecord } from "../../domain/connection/ConnectionRecord.ts"
import type { RecordUpdate } from "./RecordUpdate.ts"
import { withAwaitedChallenge } from "./awaitedChallenge.ts"
import { hasExpiredPlan } from "./controlState.ts"

/** The customer begins to change the zone by hand, or is back from a provider that may have changed it by a link. */
export const beginManualSetup = (current: ConnectionRecord, isByLink: boolean, now: DateTime.Utc): RecordUpdate => {
  const { connection, progress } = current
  const isRestore = connection.direction === "restore"
  const linked = isByLink && !hasExpiredPlan(connection, now) ? awaitLinkedChallenge(current) : undefined
  const mustPlan = progress.needsSurvey || (linked === undefined && mustPlanManually(current, now))
  return {
    state: isRestore ? "disconnecting" : "awaiting_manual",
    ...(linked === undefined ? {} : { connection: linked.connection }),
    progress: {
      isManual: true,
      authorization: undefined,
      authorizedAt: undefined,
      needsSurvey: !isRestore && mustPlan,
      ...linked?.progress
    }
  }
}

/** Asks for the challenge that the link had besides the plan, which stays as it is: `undefined` if it had none. */
const awaitLinkedChallenge = ({ connection, progress: { control } }: ConnectionRecord) => {
  if (control?.isAwaitedByHand !== true || connection.provider?.domainConnect?.adds === undefined) return undefined
  const progress = { control: { ...control, isAwaited: true, isAwaitedByHand: undefined } }
  return { connection: withAwaitedChallenge(connection, progress), progress }
}

/** Whether a manual setup needs another plan: one that says how the zone is now, or one with the challenge. */
const mustPlanManually = ({ connection, progress }: ConnectionRecord, now: DateTime.Utc): boolean =>
  progress.control?.isAwaitedByHand === true || hasExpiredPlan(connection, now)
