import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { Connection, type ConnectionState } from "../../domain/Connection.ts"
import type { ConnectionRecord, Progress } from "../../domain/ConnectionRecord.ts"
import type { ChangeRecord } from "../../domain/Plan.ts"
import { ObservationsBody } from "../../domain/RecordObservation.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { type StepResult, Transitions } from "../commit/Transitions.ts"
import { ControlRules } from "../control/ControlRules.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import type { StateTimeouts } from "../state/StateTimeouts.ts"
import { describeMissingRecords } from "../state/failureDetails.ts"
import { Verification, type VerificationReport } from "../verify/Verification.ts"

/** Verifies that servers answer the records of a connection: until they all do, and regularly from then on. */
export class VerifyPhase extends Context.Tag("lifecycle/VerifyPhase")<
  VerifyPhase,
  { readonly run: (current: ConnectionRecord) => Effect.Effect<StepResult, StoreUnavailable> }
>() {
  static readonly layer = Layer.effect(
    VerifyPhase,
    Effect.gen(function* () {
      const control = yield* ControlRules
      const { verify } = yield* Verification
      const { timeouts } = yield* Transitions

      return {
        run: Effect.fn("VerifyPhase.run")(function* (current) {
          const { connection, progress } = current
          const report = yield* verify(intentToVerify(connection))
          const now = yield* DateTime.now
          const isTimedOut = hasPassed(progress.enteredAt, findTimeout(connection.state, timeouts), now)
          return {
            event: LifecycleEvent.Verified({
              authoritative: report.authoritative,
              publicResolvers: report.public,
              repair: report.repair,
              control: yield* control.check(current, {
                isServed: isServed(report, connection),
                challenge: report.challenge
              }),
              isConfirmed: isConfirmed(progress, timeouts, now),
              isTimedOut,
              ...(isTimedOut ? { details: describeMissingRecords(report.records) } : {})
            }),
            observations: encodeObservations({
              records: report.records,
              ...Option.match(toRemove(report), { onNone: () => ({}), onSome: (records) => ({ toRemove: records }) }),
              ...(report.failure === undefined ? {} : { failure: report.failure })
            })
          }
        })
      }
    })
  )
}

/** The intent that counts; a customer who changes the zone by hand is waited for by the new one. */
const intentToVerify = (connection: Connection): Connection =>
  connection.state === "awaiting_manual" && connection.pendingIntent !== undefined
    ? Connection.make({ ...connection, ...connection.pendingIntent }, { disableValidation: true })
    : connection

/** Whether the servers show everything that the state of the connection waits for. */
const isServed = (report: VerificationReport, { state }: Connection): boolean =>
  report.authoritative === "right" && (state !== "verifying" || report.public !== "wrong")

/** The current records that the repair deletes to make room for the verified ones; unknown where none could be planned. */
const toRemove = (report: VerificationReport): Option.Option<ReadonlyArray<ChangeRecord>> => {
  if (report.authoritative === "right") return Option.some([])
  const hosts = new Set(report.records.map(({ expected }) => expected.host))
  return Option.map(report.repair, ({ changes }) =>
    changes.flatMap(({ action, before }) =>
      action === "delete" && before !== undefined && hosts.has(before.host) ? [before] : []
    )
  )
}

const encodeObservations = Schema.encodeSync(Schema.parseJson(ObservationsBody))

const findTimeout = (state: ConnectionState, { awaitingManual, verifying }: StateTimeouts): Duration.Duration =>
  state === "awaiting_manual" ? awaitingManual : verifying

const hasPassed = (since: DateTime.Utc, duration: Duration.Duration, now: DateTime.Utc): boolean =>
  DateTime.greaterThanOrEqualTo(now, DateTime.addDuration(since, duration))

/** Whether a missing record counts now: the first miss may be a server that restarts. */
const isConfirmed = ({ missedAt, urgent }: Progress, { confirmMissAfter }: StateTimeouts, now: DateTime.Utc): boolean =>
  urgent || (missedAt !== undefined && hasPassed(missedAt, confirmMissAfter, now))
