import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import type { ConnectionRecord, Progress } from "../../domain/ConnectionRecord.ts"
import type { ChangeRecord } from "../../domain/Plan.ts"
import { ObservationsBody } from "../../domain/RecordObservation.ts"
import { type StepResult, Transitions } from "../commit/Transitions.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import type { StateTimeouts } from "../state/StateTimeouts.ts"
import { Verification, type VerificationReport } from "../verify/Verification.ts"

/** Looks at a connection whose records should be served: until they are, and from then on. */
export class VerifyPhase extends Context.Tag("lifecycle/VerifyPhase")<
  VerifyPhase,
  { readonly run: (standing: ConnectionRecord) => Effect.Effect<StepResult> }
>() {
  static readonly layer = Layer.effect(
    VerifyPhase,
    Effect.gen(function* () {
      const { verify } = yield* Verification
      const { timeouts: clocks } = yield* Transitions

      return {
        run: Effect.fn("VerifyPhase.run")(function* ({ connection, progress }) {
          const verified = yield* verify(connection)
          const now = yield* DateTime.now
          return {
            event: LifecycleEvent.Verified({
              authoritative: verified.authoritative,
              inPublic: verified.public,
              repair: verified.repair,
              isConfirmed: isConfirmed(progress, clocks, now),
              isTimedOut: isOver(progress.enteredAt, limitOf(connection.state, clocks), now)
            }),
            observations: docOf({
              records: verified.records,
              ...Option.match(toRemove(verified), { onNone: () => ({}), onSome: (toRemove) => ({ toRemove }) }),
              ...(verified.failure === undefined ? {} : { failure: verified.failure })
            })
          }
        })
      }
    })
  )
}

/** What stands in the way of what is wanted; nothing does where all is right. */
const toRemove = ({ authoritative, repair }: VerificationReport): Option.Option<ReadonlyArray<ChangeRecord>> =>
  authoritative === "right"
    ? Option.some([])
    : Option.map(repair, ({ changes }) =>
        changes.flatMap(({ action, before }) => (action === "delete" && before !== undefined ? [before] : []))
      )

const docOf = Schema.encodeSync(Schema.parseJson(ObservationsBody))

const limitOf = (state: ConnectionRecord["connection"]["state"], clocks: StateTimeouts): Duration.Duration =>
  state === "awaiting_manual" ? clocks.awaitingManual : clocks.verifying

const isOver = (since: DateTime.Utc, duration: Duration.Duration, now: DateTime.Utc): boolean =>
  DateTime.greaterThanOrEqualTo(now, DateTime.addDuration(since, duration))

/** One miss may be a server that is being restarted. */
const isConfirmed = (
  { missedAt, urgent }: Progress,
  { confirmMissAfter: secondLook }: StateTimeouts,
  now: DateTime.Utc
): boolean => urgent || (missedAt !== undefined && isOver(missedAt, secondLook, now))
