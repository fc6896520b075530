import { Array, type DateTime, Option } from "effect"
import type { Connection, FailureCode } from "../../domain/connection/Connection.ts"
import { type ConnectionRecord, mustRestore, type Progress } from "../../domain/connection/ConnectionRecord.ts"
import { Plan } from "../../domain/plan/Plan.ts"
import { Provider } from "../../domain/provider/Provider.ts"
import { withoutValidation } from "../../domain/values/boundedSchemas.ts"
import type { VerifiedEvent } from "./LifecycleEvent.ts"
import type { RecordUpdate } from "./RecordUpdate.ts"
import { controlAfterCheck, isEntitled, withoutEarlierProof } from "./controlState.ts"
import { listUnprovenHosts } from "./provenHosts.ts"
import { countEntered, listEnterable } from "./shownChanges.ts"
import { withAwaitedChallenge } from "./awaitedChallenge.ts"

/** Updates after a check: active once the records are served and the connection has a right to them. */
export const updateAfterVerification = (
  current: ConnectionRecord,
  verified: VerifiedEvent,
  now: DateTime.Utc
): RecordUpdate => {
  const { connection, progress } = current
  const { authoritative, control, publicResolvers, isConfirmed, isTimedOut, repair } = verified
  const details = verified.details === undefined ? {} : { details: verified.details }
  const { state } = connection
  const controlled = controlAfterCheck(current, control, now)
  const found = missingAfterCheck(verified)
  const checked = { checks: progress.checks + 1, isRecheckRequested: false, ...found, ...controlled }
  const looked = { isLookedAt: verified.isKept === true && controlled.control?.isAwaited !== true ? true : undefined }
  const stay: RecordUpdate = { state, progress: checked }
  const activated = activate(
    { connection, progress: { ...progress, ...controlled } },
    { ...found, ...controlled, verifiedAt: now, ...looked }
  )
  switch (state) {
    case "awaiting_manual":
      // The old intent counts until control is proven for a new one.
      if (authoritative === "right" && (connection.pendingIntent === undefined || !control.isRequired)) {
        const counted = countWithPlan(progress, connection, now)
        const record = { connection, progress: { ...progress, ...withoutEarlierProof(progress), ...counted } }
        const after = controlAfterCheck(record, control, now)
        return {
          state: "verifying",
          connection: withAwaitedChallenge(connection, after),
          progress: { ...counted, ...after },
          isNewlyProven: after.control?.provenBy !== undefined
        }
      }
      if (!isTimedOut) {
        const reported = verified.isIdle === true ? { isReportedIncomplete: true } : {}
        return {
          state,
          progress: { ...checked, ...reported },
          connection: withAwaitedChallenge(connection, controlled)
        }
      }
      return mustRestore(current)
        ? { state: "failed", failure: { code: "manual_setup_timeout", ...details } }
        : { state: "expired" }
    case "verifying": {
      const isServed = authoritative === "right" && publicResolvers !== "wrong"
      if (isServed && isEntitled(control)) return withRemovedBeside(activated, connection, verified)
      if (!isTimedOut) return { ...stay, connection: withAwaitedChallenge(connection, controlled) }
      const code = isServed ? "control_unproven" : verificationFailure(progress, verified)
      return { state: "failed", failure: { code, ...details }, progress: controlled }
    }
    case "active":
      if (authoritative === "unknown") return { state, progress: { ...checked, ...unverified } }
      if (authoritative === "right")
        return { state, progress: { ...checked, missedAt: undefined, verifiedAt: now, ...looked } }
      return isConfirmed
        ? { state: "degraded", connection: repairFields(progress, repair), progress: { ...found, driftedAt: now } }
        : { state, progress: { ...checked, missedAt: progress.missedAt ?? now, driftedAt: now, ...unverified } }
    case "awaiting_authorization":
      return authoritative === "right" && connection.pendingIntent === undefined && isEntitled(control)
        ? activated
        : stayBesideIntent(stay, current, verified, now)
    case "failed":
      return stayBesideIntent(stay, current, verified, now)
    default: {
      if (authoritative === "right" && isEntitled(control)) return activated
      const missedAt = authoritative === "unknown" && progress.missedAt === undefined ? now : undefined
      return { state, progress: { ...checked, missedAt }, connection: repairFields(progress, repair) }
    }
  }
}

/**
 * While a new intent waits, the one that counts is watched: where its records are missing, it returns to `degraded`, and to
 * `active` where they come back uncontested. A plan that is partly written changes them itself.
 */
const stayBesideIntent = (
  stay: RecordUpdate,
  { progress }: ConnectionRecord,
  { authoritative, control: { provenBy }, isConfirmed }: VerifiedEvent,
  now: DateTime.Utc
): RecordUpdate => {
  const { intentChange } = progress
  if (intentChange === undefined || intentChange.hasBegun || authoritative === "unknown") return stay
  const control = stay.progress?.control ?? progress.control
  const returnTo = (returnsTo: "active" | "degraded"): RecordUpdate => ({
    ...stay,
    progress: {
      ...stay.progress,
      missedAt: undefined,
      intentChange: { ...intentChange, returnsTo },
      ...(control === undefined ? {} : { control: { ...control, isInterrupted: returnsTo === "degraded" } })
    }
  })
  if (authoritative === "right") {
    const isBack = intentChange.returnsTo === "degraded" && progress.wasActive !== false && provenBy !== undefined
    return isBack ? returnTo("active") : { ...stay, progress: { ...stay.progress, missedAt: undefined } }
  }
  if (intentChange.returnsTo !== "active") return stay
  return isConfirmed
    ? returnTo("degraded")
    : { ...stay, progress: { ...stay.progress, missedAt: progress.missedAt ?? now } }
}

/** All servers are asked next, too. */
const unverified: Partial<Progress> = { verifiedAt: undefined, isLookedAt: undefined }

/** The missing records after a check; servers that do not answer leave the earlier findings. */
const missingAfterCheck = ({ authoritative, missing }: VerifiedEvent): Pick<Progress, "missing"> =>
  authoritative === "right"
    ? { missing: undefined }
    : authoritative === "wrong" && missing !== undefined
      ? { missing }
      : {}

/** Counts the changes of the plan as entered, after those of earlier plans: the customer has made them by now. */
const countWithPlan = (progress: Progress, connection: Connection, at: DateTime.Utc) => {
  const { entered, shown } = countEntered(progress, { ...connection, state: "verifying" })
  const made = connection.plan === undefined ? [] : listEnterable(connection.plan)
  return { entered: [...entered, ...made.map((change) => ({ change, at }))], shown }
}

/** A connection that lost its hosts to a newer one is not repaired over that one. */
const repairFields = ({ control }: Progress, repair: Option.Option<Plan>): Partial<Connection> =>
  control?.isLost === true ? {} : Option.match(repair, { onNone: () => ({}), onSome: (plan) => ({ plan }) })

/** Warns where control of a host is not proven: its records may have existed, and any tenant can request them. */
const activate = (after: ConnectionRecord, controlled: Partial<Progress>): RecordUpdate => {
  const { plan } = after.connection
  return {
    state: "active",
    progress: controlled,
    ...(plan === undefined || listUnprovenHosts(after).length === 0
      ? {}
      : {
          connection: {
            plan: Plan.make({ ...plan, warnings: Array.dedupe([...plan.warnings, "control_not_proven" as const]) })
          }
        })
  }
}

/** Keeps what a provider of Domain Connect removed beside what it was to remove, for the customer to read. */
const withRemovedBeside = (
  activated: RecordUpdate,
  { provider }: Connection,
  { removedBeside = [] }: VerifiedEvent
): RecordUpdate =>
  provider?.domainConnect === undefined || removedBeside.length === 0
    ? activated
    : {
        ...activated,
        connection: {
          ...activated.connection,
          provider: new Provider(
            { ...provider, domainConnect: { ...provider.domainConnect, alsoRemoved: removedBeside } },
            withoutValidation
          )
        }
      }

const verificationFailure = ({ hasWritten }: Progress, { authoritative }: VerifiedEvent): FailureCode =>
  hasWritten ? (authoritative === "wrong" ? "verification_mismatch" : "verification_timeout") : "manual_setup_timeout"
