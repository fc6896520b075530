import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { Connection, type ConnectionState } from "../../domain/connection/Connection.ts"
import {
  type ConnectionRecord,
  hasSeenStored,
  type Progress,
  servedStates
} from "../../domain/connection/ConnectionRecord.ts"
import { DomainName } from "../../domain/names/DomainName.ts"
import type { Change, ChangeRecord, Plan } from "../../domain/plan/Plan.ts"
import type { VerificationVerdict } from "../../domain/plan/RecordObservation.ts"
import { withoutValidation } from "../../domain/values/boundedSchemas.ts"
import { type PhaseDelayed, type StepResult, Transitions } from "../commit/Transitions.ts"
import { ControlRules } from "../control/ControlRules.ts"
import { PlanMaker } from "../plan/PlanMaker.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import type { LifecycleTimeouts } from "../state/StateTimeouts.ts"
import { mayLook } from "../state/mayLook.ts"
import { describeMissingRecords, describeRemainingRecord, listMissingRecords } from "../state/failureDetails.ts"
import { LiveProcesses } from "../../persistence/postgres/LiveProcesses.ts"
import { Verification, type VerificationReport } from "../verify/Verification.ts"
import { encodeObservations } from "../verify/encodeObservations.ts"
import { findRemovedBeside } from "../verify/findRemovedBeside.ts"
import { isEnteredByHand } from "../verify/makeRecordDiagnosis.ts"
import { makePreviousObservations } from "../verify/makePreviousObservations.ts"
import { observeRemovals } from "../verify/observeRemovals.ts"

/** Verifies that servers answer the records, until all do, then regularly; manually also that old ones are gone. */
export class VerifyPhase extends Context.Tag("lifecycle/VerifyPhase")<
  VerifyPhase,
  { readonly run: (current: ConnectionRecord) => Effect.Effect<StepResult, PhaseDelayed> }
>() {
  static readonly layer = Layer.effect(
    VerifyPhase,
    Effect.gen(function* () {
      const control = yield* ControlRules
      const plans = yield* PlanMaker
      const { verify } = yield* Verification
      const live = yield* LiveProcesses
      const { timeouts } = yield* Transitions
      const findRemoved = yield* findRemovedBeside
      const readPrevious = yield* makePreviousObservations

      /** The records that the customer still has to remove for a new intent; unknown where the zone cannot be planned. */
      const listRemovals = (current: ConnectionRecord) =>
        plans.planFromPublicZone(current).pipe(
          Effect.map(({ plan }) => Option.some(listAwaitedRemovals(plan))),
          Effect.catchTag("PlanImpossible", "ZoneSurveyFailed", () => Effect.succeedNone)
        )

      const observe = Effect.fnUntraced(function* (current: ConnectionRecord) {
        const { connection, progress } = current
        const options = {
          isWritten: hasSeenStored(progress),
          history: {
            isByHand: isEnteredByHand(current),
            isAwaited: isEnteredByHand(current) || servedStates.includes(connection.state),
            checks: progress.checks,
            previous: readPrevious(connection.id)
          }
        }
        if (connection.state !== "awaiting_manual" || connection.pendingIntent === undefined) {
          const report = yield* verify(connection, options)
          return { report, toRemove: listBlocking(report) }
        }
        const pending = { ...connection, ...connection.pendingIntent }
        const report = yield* verify(Connection.make(pending, withoutValidation), options)
        const toRemove = yield* listRemovals(current)
        const authoritative = withRemovals(withChallenge(report, connection), toRemove)
        return { report: { ...report, authoritative }, toRemove }
      })

      return {
        run: Effect.fnUntraced(function* (current) {
          const { connection, progress } = current
          const { report, toRemove } = yield* observe(current)
          const now = yield* DateTime.now
          const kept = live.allLook() && mayLook(progress, report.kept, timeouts, now) ? report.kept : Option.none()
          const isTimedOut = hasPassed(progress.enteredAt, findTimeout(connection.state, timeouts), now)
          const at = { checkedAt: now, domain: DomainName.make(connection.effectiveIntent.domain) }
          const isManual = connection.state === "awaiting_manual"
          const isIdle = isManual && hasPassed(progress.recheckedAt ?? progress.enteredAt, idleAfter, now)
          return {
            event: LifecycleEvent.Verified({
              authoritative: report.authoritative,
              publicResolvers: report.public,
              repair: report.repair,
              control: yield* control.check(current, {
                isServed: isServed(report, connection),
                challenge: report.challenge,
                entered: report.entered
              }),
              isConfirmed: isConfirmed(progress, timeouts, now),
              isTimedOut,
              isIdle,
              isKept: Option.isSome(kept),
              removedBeside:
                connection.state === "verifying" && isServed(report, connection) ? yield* findRemoved(connection) : [],
              ...(isManual && (!isIdle || connection.pendingIntent !== undefined)
                ? {}
                : { missing: listMissingRecords(report.records, connection) }),
              ...(isTimedOut ? { details: describeAwaited(report, toRemove, connection) } : {})
            }),
            observations: encodeObservations(
              {
                ...report,
                removals: isManual
                  ? observeRemovals(
                      report.servers,
                      Option.getOrElse(toRemove, () => []),
                      at
                    )
                  : []
              },
              toRemove
            ),
            kept
          }
        })
      }
    })
  )
}

/** How long a customer who enters records by hand may ask for no check until the platform is told. */
const idleAfter = Duration.hours(24)

/** Whether the servers show everything that the state of the connection waits for. */
const isServed = (report: VerificationReport, { state }: Connection): boolean =>
  report.authoritative === "right" && (state !== "verifying" || report.public !== "wrong")

/** The current records that the repair deletes to make room for the verified ones; unknown where none could be planned. */
const listBlocking = (report: VerificationReport): Option.Option<ReadonlyArray<ChangeRecord>> => {
  if (report.authoritative === "right") return Option.some([])
  const hosts = new Set(report.records.map(({ expected }) => expected.host))
  return Option.map(report.repair, ({ changes }) =>
    changes.flatMap(({ action, before }) =>
      action === "delete" && isRemovable(before) && hosts.has(before.host) ? [before] : []
    )
  )
}

/** A new intent that needs a proof of control counts only once the challenge is shown, too. */
const withChallenge = (
  { authoritative, challenge }: VerificationReport,
  { control }: Connection
): VerificationVerdict => (authoritative === "right" && control?.challenge !== undefined ? challenge : authoritative)

/** A new intent counts only once nothing is left to remove. */
const withRemovals = (
  authoritative: VerificationVerdict,
  toRemove: Option.Option<ReadonlyArray<ChangeRecord>>
): VerificationVerdict =>
  authoritative === "right"
    ? Option.match(toRemove, { onNone: () => "unknown", onSome: ({ length }) => (length === 0 ? "right" : "wrong") })
    : authoritative

/** The missing records, followed by those that must be removed, for a failure. */
const describeAwaited = (
  { records }: VerificationReport,
  toRemove: Option.Option<ReadonlyArray<ChangeRecord>>,
  connection: Connection
) => [
  ...describeMissingRecords(records, connection),
  ...Option.getOrElse(toRemove, () => []).map(describeRemainingRecord)
]

const findTimeout = (state: ConnectionState, { awaitingManual, verifying }: LifecycleTimeouts): Duration.Duration =>
  state === "awaiting_manual" ? awaitingManual : verifying

const hasPassed = (since: DateTime.Utc, duration: Duration.Duration, now: DateTime.Utc): boolean =>
  DateTime.greaterThanOrEqualTo(now, DateTime.addDuration(since, duration))

/** Whether a missing record counts now: the first miss may be a server that restarts. */
const isConfirmed = (
  { isRecheckRequested, missedAt }: Progress,
  { confirmMissAfter }: LifecycleTimeouts,
  now: DateTime.Utc
): boolean => isRecheckRequested || (missedAt !== undefined && hasPassed(missedAt, confirmMissAfter, now))

/** The records that must go for a plan entered by hand, except those that only optional records would replace. */
const listAwaitedRemovals = ({ changes }: Pick<Plan, "changes">): ReadonlyArray<ChangeRecord> => {
  const optionalHosts = new Set(hostsBrought(changes, true))
  const requiredHosts = new Set(hostsBrought(changes, false))
  return changes.flatMap(({ after, before }) => {
    if (!isRemovable(before) || after?.value === before.value) return []
    return optionalHosts.has(before.host) && !requiredHosts.has(before.host) ? [] : [before]
  })
}

/** Whether a customer finds a record in the zone: the addresses of a proxy go with the record that is proxied. */
const isRemovable = (before: ChangeRecord | undefined): before is ChangeRecord =>
  before !== undefined && before.proxied !== true

/** The hosts at which changes bring records that are optional, or that are required. */
const hostsBrought = (changes: ReadonlyArray<Change>, isOptional: boolean): ReadonlyArray<string> =>
  changes.flatMap(({ after }) => (after !== undefined && after.optional === isOptional ? [after.host] : []))
