import { Array, Data, DateTime, Either, Option } from "effect"
import { Connection, type ConnectionState } from "../../domain/connection/Connection.ts"
import {
  allowedNamesAfter,
  type ConnectionRecord,
  canAbandonChange,
  isRestoredByHand,
  isWatchedWhileWaiting,
  mustRestore,
  Progress
} from "../../domain/connection/ConnectionRecord.ts"
import { withoutValidation } from "../../domain/values/boundedSchemas.ts"
import { LifecycleEvent } from "./LifecycleEvent.ts"
import {
  controlAfterPlan,
  controlInState,
  hasExpiredPlan,
  heldNamesOf,
  isDegradedByLoss,
  isWrittenByFailedRun,
  lostControl,
  provenByFailedRun,
  provenByWriting,
  stateWithoutHosts
} from "./controlState.ts"
import { toControl } from "./provenHosts.ts"
import { canChooseAgain, isDiscoveryFailure, makeFailure } from "./failures.ts"
import type { RecordUpdate } from "./RecordUpdate.ts"
import {
  abandonIntentChange,
  beginIntentChange,
  planFields,
  settleIntentChange,
  statesWithRecords
} from "./intentChanges.ts"
import { countEntered, listShownChanges, shownAfterPlan } from "./shownChanges.ts"
import { selectProvider, stateAfterDiscovery, stateAfterPlanning, stateAfterRediscovery } from "./stateAfterPlan.ts"
import { canRediscover, transitionTable } from "./transitionTable.ts"
import { updateAfterVerification } from "./updateAfterVerification.ts"
import { canWriteChallenge } from "./awaitedChallenge.ts"
import { beginManualSetup } from "./manualSetup.ts"

/** The event cannot happen to the connection in its current state. */
export class IllegalTransition extends Data.TaggedError("IllegalTransition")<{
  readonly from: ConnectionState
  readonly event: LifecycleEvent["_tag"]
}> {}

/** Applies an event: the only function that changes a state, by the table and `isForbidden`. Sets `updatedAt`. */
export const advance = (
  current: ConnectionRecord,
  event: LifecycleEvent,
  now: DateTime.Utc
): Either.Either<ConnectionRecord, IllegalTransition> => {
  const update = findUpdate(current, event, now)
  return update === undefined
    ? Either.left(new IllegalTransition({ from: current.connection.state, event: event._tag }))
    : Either.right(applyUpdate(current, update, now))
}

/** Whether `advance` would apply the event; cheaper than to try, since it makes neither a record nor an error. */
export const canAdvance = (current: ConnectionRecord, event: LifecycleEvent, now: DateTime.Utc): boolean =>
  findUpdate(current, event, now) !== undefined

const findUpdate = (current: ConnectionRecord, event: LifecycleEvent, now: DateTime.Utc): RecordUpdate | undefined => {
  const allowedStates = transitionTable[event._tag][current.connection.state]
  if (allowedStates === undefined || isForbidden(current, event)) return undefined
  const update = updateFor(current, event, now)
  return Array.contains(allowedStates, update.state) ? update : undefined
}

/**
 * Whether anything other than the state forbids an event: a connection cannot end while its records are in the zone;
 * records that are not in the zone cannot be removed, and none can be removed twice.
 */
const isForbidden = (current: ConnectionRecord, event: LifecycleEvent): boolean => {
  const { _tag } = event
  const { direction, pendingIntent, state } = current.connection
  if (_tag === "Canceled" || _tag === "Expired") return mustRestore(current) && !canAbandonChange(current)
  if (_tag === "PutBackRequested") return direction !== "restore" && pendingIntent === undefined
  if (_tag === "Retried" && event.toChoice) return !canChooseAgain(current)
  if (_tag === "IntentChanged") return direction === "restore"
  if (_tag === "ManualAbandoned" && state === "verifying") return !canWriteChallenge(current)
  if (_tag === "ControlLost") return direction === "restore" || heldNamesOf(current).length === 0
  if (_tag === "RecheckRequested" && state === "disconnecting") return !isRestoredByHand(current)
  if (_tag === "Verified" || _tag === "RecheckRequested") {
    return (state === "awaiting_authorization" || state === "failed") && !isWatchedWhileWaiting(current)
  }
  if (_tag !== "DisconnectRequested") return false
  return direction === "restore" ? state !== "failed" : !mustRestore(current) && !statesWithRecords.has(state)
}

const updateFor = (current: ConnectionRecord, event: LifecycleEvent, now: DateTime.Utc): RecordUpdate => {
  const { connection, progress } = current
  const { direction, state } = connection
  const checks = progress.checks + 1
  const updates: UpdateByEvent = {
    Discovered: ({ provider, ...proposed }) => ({
      state:
        state === "requested" || (connection.pendingIntent !== undefined && state !== "awaiting_manual")
          ? stateAfterDiscovery(connection, proposed, provider)
          : stateAfterRediscovery(state, proposed),
      connection: { provider, ...planFields(connection, proposed) },
      progress: {
        needsSurvey: false,
        ...controlAfterPlan(progress, proposed, now),
        ...shownAfterPlan(current, proposed, now)
      },
      shouldClearFailure: isDiscoveryFailure(connection.failure)
    }),
    DiscoveryFailed: ({ provider, ...failure }) => ({
      state: canRediscover(state) ? state : "failed",
      ...(state === "awaiting_manual" ? {} : { failure }),
      connection: Option.match(provider, { onNone: () => ({}), onSome: (known) => ({ provider: known }) }),
      progress: {
        needsSurvey:
          state === "awaiting_authorization" || (state === "awaiting_manual" && progress.checks < maxManualSurveys),
        checks
      }
    }),
    ManualChosen: ({ isByLink }) => beginManualSetup(current, isByLink, now),
    ManualAbandoned: () => ({
      state: "awaiting_authorization",
      progress: { needsSurvey: true, shown: listShownChanges(current) }
    }),
    ProviderSelected: ({ provider }) => selectProvider(current, provider),
    // Where a part is written, a session that brings no access leaves the rest to be planned.
    AuthorizationOpened: () => ({
      state: "authorizing",
      progress: { needsSurvey: progress.needsSurvey && progress.hasWritten }
    }),
    AuthorizationClosed: ({ reason }) => ({
      state: "awaiting_authorization",
      progress: { needsSurvey: progress.needsSurvey },
      ...Option.match(reason, { onNone: () => ({}), onSome: (failure) => ({ failure }) })
    }),
    Authorized: ({ consent, fingerprint }) => ({
      state: "authorized",
      progress: {
        isManual: false,
        approved: undefined,
        consent: Option.getOrUndefined(consent),
        authorization: fingerprint,
        authorizedAt: now
      }
    }),
    Planned: (proposed) => {
      const state = stateAfterPlanning(current, proposed, now)
      const control = controlAfterPlan(progress, proposed, now)
      const isWritten = state === "verifying" && isWrittenByFailedRun(progress)
      const proven = isWritten ? provenByFailedRun(current, proposed, control, now) : {}
      return {
        state,
        connection: {
          ...planFields(connection, proposed),
          ...(state === "planned" && connection.replan !== undefined ? { replan: connection.replan } : {})
        },
        progress: {
          hasProvenAccess: true,
          hasWritten: progress.hasWritten || proposed.hasWrites === true,
          ...control,
          ...shownAfterPlan(current, proposed, now),
          ...proven,
          ...(state === "planned" ? {} : { approved: proposed.plan.digest })
        },
        isNewlyProven: proven.control !== undefined
      }
    },
    Approved: () => ({
      state: direction === "restore" ? "disconnecting" : "applying",
      progress: { approved: connection.plan?.digest }
    }),
    PutBackRequested: ({ putBack }) => ({
      state: "authorized",
      progress: { approved: connection.plan?.digest, consent: undefined, putBack }
    }),
    PlanInvalidated: ({ code }) => ({
      state: "authorized",
      connection: { replan: { code, since: now } },
      progress: { approved: undefined, consent: undefined }
    }),
    WriteDelayed: ({ hasWrites, resumesIn }) => ({
      state,
      progress: { hasWritten: progress.hasWritten || hasWrites, resumesAt: DateTime.addDuration(now, resumesIn) }
    }),
    Applied: () => {
      const proven = provenByWriting(current, now)
      const isNewlyProven = proven.control !== undefined
      return { state: "verifying", progress: { hasWritten: true, ...proven }, isNewlyProven }
    },
    Verified: (verified) => updateAfterVerification(current, verified, now),
    Confirmed: () => ({ state, progress: { checks } }),
    ControlLost: () => ({
      state: stateWithoutHosts(current),
      progress: { ...lostControl(progress), needsSurvey: false },
      ...(isDegradedByLoss(current)
        ? { failure: { code: "control_lost" }, shouldClearPlan: true, shouldAbandonChange: true }
        : {})
    }),
    RecheckRequested: () => ({ state, progress: { isRecheckRequested: true, recheckedAt: now } }),
    Failed: ({ hasWrites, ...failure }) => ({
      state: "failed",
      failure,
      progress: { hasWritten: progress.hasWritten || hasWrites }
    }),
    Retried: ({ toChoice }) =>
      state === "degraded"
        ? { state, progress: { needsSurvey: true, wasRetried: true } }
        : resumeIn(
            toChoice ? "awaiting_authorization" : (connection.failure?.resumeState ?? "failed"),
            hasExpiredPlan(connection, now)
          ),
    IntentChanged: (changed) => beginIntentChange(current, changed),
    DisconnectRequested: ({ hasCredential }) => ({
      state: !progress.hasWritten ? "disconnecting" : hasCredential ? "authorized" : "awaiting_authorization",
      connection: { direction: "restore" },
      progress: { needsSurvey: true, checks: 0, approved: undefined, consent: undefined, wasRetried: undefined },
      // The plan that brought the records says nothing about their removal.
      shouldClearPlan: true,
      shouldAbandonChange: true
    }),
    RecordsInherited: (inherited) => ({
      state: "awaiting_authorization",
      connection: { plan: inherited.plan },
      progress: { hasWritten: true, ...shownAfterPlan(current, inherited, now) }
    }),
    RestoreAwaited: (connection) => ({ state, connection, progress: { checks, isRecheckRequested: false } }),
    Restored: ({ leftovers, plan }) => ({
      state: "disconnected",
      connection: { leftovers, ...(plan === undefined ? {} : { plan }) }
    }),
    Expired: () => (canAbandonChange(current) ? abandonIntentChange(current) : { state: "expired" }),
    Canceled: () => (canAbandonChange(current) ? abandonIntentChange(current) : { state: "canceled" })
  }
  return LifecycleEvent.$match(event, updates)
}

/** How often a zone is surveyed in vain for a manual setup, which goes on with the plan that it has. */
const maxManualSurveys = 3

type UpdateByEvent = { readonly [E in LifecycleEvent as E["_tag"]]: (event: E) => RecordUpdate }

/** A connection that waits for the customer again is discovered again first; a manual setup only if its plan has expired. */
const resumeIn = (state: ConnectionState, isPlanExpired: boolean): RecordUpdate => ({
  state,
  progress: {
    needsSurvey: state === "awaiting_authorization" || (state === "awaiting_manual" && isPlanExpired),
    approved: undefined,
    wasRetried: true
  }
})

/** The updated record. A new state resets the counters and drops what belonged to the old state only. */
const applyUpdate = (current: ConnectionRecord, update: RecordUpdate, now: DateTime.Utc): ConnectionRecord => {
  const { shouldClearFailure = false, shouldClearPlan = false, failure: cause, state } = update
  const isNewState = state !== current.connection.state
  const settled = settleIntentChange(
    { ...current.connection, ...update.connection },
    {
      ...current.progress,
      ...(isNewState
        ? {
            enteredAt: now,
            checks: 0,
            recheckedAt: undefined,
            isReportedIncomplete: undefined,
            missedAt: undefined,
            verifiedAt: undefined,
            isLookedAt: undefined,
            resumesAt: undefined,
            needsSurvey: false,
            isRecheckRequested: false
          }
        : {}),
      // The customer may have entered what the plan says, or some of it.
      ...(shouldClearPlan ? { shown: listShownChanges(current) } : {}),
      ...update.progress,
      ...(isNewState ? controlInState({ ...current.progress, ...update.progress }.control, state) : {}),
      ...(state === "active" ? { wasActive: true } : {})
    },
    update
  )
  const { allowedNames: _names, control: _control, failure, plan, replan, ...connection } = settled.connection
  const { consent, ...progress } = { ...settled.progress, ...countEntered(settled.progress, { ...connection, state }) }
  const after = { connection: { ...connection, state }, progress: settled.progress }
  const allowedNames = allowedNamesAfter(current, after)
  return {
    // Every part was validated when it was made. A row that does not match its schema is a defect when it is read.
    connection: Connection.make(
      {
        ...connection,
        ...(allowedNames.length === 0 ? {} : { allowedNames }),
        ...(plan === undefined || shouldClearPlan ? {} : { plan }),
        ...(replan === undefined || (isNewState && update.connection?.replan === undefined) ? {} : { replan }),
        ...(progress.control === undefined ? {} : { control: toControl(after, progress.control) }),
        ...(failure === undefined || shouldClearFailure || (isNewState && state !== "canceled") ? {} : { failure }),
        ...(cause === undefined
          ? {}
          : { failure: makeFailure(state === "failed" ? current.connection : { ...connection, state }, cause, now) }),
        state,
        updatedAt: now
      },
      withoutValidation
    ),
    // A consent counts only for the plan that is made next.
    progress: Progress.make(
      state === "authorized" && consent !== undefined ? { ...progress, consent } : progress,
      withoutValidation
    )
  }
}
