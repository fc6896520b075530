import type { Connection, ConnectionState } from "../../domain/connection/Connection.ts"
import { type ConnectionRecord, mustRestore, type Progress } from "../../domain/connection/ConnectionRecord.ts"
import type { LifecycleEvent, ProposedPlan } from "./LifecycleEvent.ts"
import type { RecordUpdate } from "./RecordUpdate.ts"
import { controlAfterAbandoning, controlOfEarlierIntent, withoutNewProof } from "./controlState.ts"

/** Begins the change of an intent: at once if nothing is in the zone, else the old one counts until it is applied. */
export const beginIntentChange = (
  current: ConnectionRecord,
  { effectiveIntent, hasCredential, intent }: Extract<LifecycleEvent, { readonly _tag: "IntentChanged" }>
): RecordUpdate => {
  const { progress } = current
  const changed = { intent, effectiveIntent, optionalFailures: [] }
  const withoutConsent = { checks: 0, approved: undefined, consent: undefined, wasRetried: undefined, putBack: [] }
  const withoutOldPlan = { shouldClearFailure: true, shouldClearPlan: true }
  return hasIntentInZone(current)
    ? {
        state: hasCredential ? "authorized" : "awaiting_authorization",
        connection: { pendingIntent: changed },
        progress: {
          ...withoutConsent,
          ...withoutNewProof(current),
          needsSurvey: !hasCredential,
          intentChange: progress.intentChange ?? {
            returnsTo: stateToReturnTo(current),
            hasBegun: false,
            ...(progress.control === undefined ? { isBeforeControl: true } : {})
          }
        },
        ...withoutOldPlan
      }
    : {
        state: hasCredential ? "authorized" : "requested",
        connection: changed,
        progress: { ...withoutConsent, needsSurvey: false, isManual: false, ...controlOfEarlierIntent(current, false) },
        ...withoutOldPlan
      }
}

/** Whether the records of the intent are in the zone, or may be: they were written, entered, or found there. */
const hasIntentInZone = (current: ConnectionRecord): boolean =>
  mustRestore(current) || statesWithRecords.has(current.connection.state)

/** The states in which the records are in the zone, entered by the service or by the customer. */
export const statesWithRecords: ReadonlySet<ConnectionState> = new Set<ConnectionState>([
  "verifying",
  "active",
  "degraded"
])

/** A connection that waited for a repair is degraded, and one that was never active or has failed is verified again. */
const stateToReturnTo = ({ connection: { state }, progress }: ConnectionRecord): ConnectionState =>
  state === "active"
    ? state
    : state === "verifying" || state === "failed" || progress.wasActive === false
      ? "verifying"
      : "degraded"

/** Returns from a new intent to the one that counts, which is then verified at once. */
export const abandonIntentChange = (current: ConnectionRecord): RecordUpdate => {
  const { control, intentChange } = current.progress
  return {
    state: intentChange?.returnsTo ?? "degraded",
    progress: { ...controlAfterAbandoning(current), isRecheckRequested: true },
    ...(control?.isLost === true && intentChange?.returnsTo === "degraded"
      ? { failure: { code: "control_lost" } }
      : {}),
    shouldAbandonChange: true,
    shouldClearPlan: true
  }
}

/** The fields that follow from a plan: it leads to the new intent, if one waits to be applied. */
export const planFields = (
  { pendingIntent }: Connection,
  { effectiveIntent, leftovers, optionalFailures, plan }: ProposedPlan
): Partial<Connection> => ({
  ...(pendingIntent === undefined
    ? { effectiveIntent, optionalFailures }
    : { pendingIntent: { ...pendingIntent, effectiveIntent, optionalFailures } }),
  plan,
  ...(leftovers === undefined ? {} : { leftovers })
})

/**
 * Ends the change of an intent: a connection that is being verified gets the new intent, and one that was given up
 * keeps the old one. A plan that is being written may have changed the zone already.
 */
export const settleIntentChange = (
  { pendingIntent, ...connection }: Connection,
  progress: Progress,
  { isNewlyProven = false, shouldAbandonChange = false, state }: RecordUpdate
): { readonly connection: Omit<Connection, "pendingIntent"> & Partial<Connection>; readonly progress: Progress } => {
  if (pendingIntent === undefined) return { connection, progress }
  const settled = { ...progress, intentChange: undefined, putBack: [] }
  if (shouldAbandonChange) return { connection, progress: settled }
  const { intentChange } = progress
  if (state === "verifying") {
    const before = { connection, progress: settled }
    return {
      connection: { ...connection, ...pendingIntent },
      progress: isNewlyProven
        ? settled
        : { ...settled, ...controlOfEarlierIntent(before, intentChange?.returnsTo === "active") }
    }
  }
  return {
    connection: { ...connection, pendingIntent },
    progress:
      state === "applying" && intentChange !== undefined
        ? { ...progress, intentChange: { ...intentChange, hasBegun: true } }
        : progress
  }
}
