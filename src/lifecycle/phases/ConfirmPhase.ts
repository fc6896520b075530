import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { type ConnectionRecord, hasSeenStored } from "../../domain/connection/ConnectionRecord.ts"
import { type PhaseDelayed, type StepResult, Transitions } from "../commit/Transitions.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { Verification } from "../verify/Verification.ts"
import { VerifyPhase } from "./VerifyPhase.ts"

/** Asks one name server whether an active connection is served. Any other answer starts a check of all. */
export class ConfirmPhase extends Context.Tag("lifecycle/ConfirmPhase")<
  ConfirmPhase,
  { readonly run: (current: ConnectionRecord) => Effect.Effect<StepResult, PhaseDelayed> }
>() {
  static readonly layer = Layer.effect(
    ConfirmPhase,
    Effect.gen(function* () {
      const { isServedByOne } = yield* Verification
      const { run: verify } = yield* VerifyPhase
      const { timeouts } = yield* Transitions

      const isConfirmed = Effect.fnUntraced(function* (current: ConnectionRecord) {
        const { connection, progress } = current
        if (!mayConfirm(current, timeouts.recheckInterval, yield* DateTime.now)) return false
        return yield* isServedByOne(connection, { isWritten: hasSeenStored(progress), turn: progress.checks })
      })

      return {
        run: (current) =>
          Effect.if(isConfirmed(current), {
            onTrue: () => Effect.succeed({ event: LifecycleEvent.Confirmed() }),
            onFalse: () => verify(current)
          })
      }
    })
  )
}

/** Whether nothing is open about a connection, and the check after this one is soon enough for all name servers. */
const mayConfirm = (
  { connection, progress: { control, isLookedAt, isRecheckRequested, missedAt, verifiedAt } }: ConnectionRecord,
  recheckInterval: Duration.Duration,
  now: DateTime.Utc
): boolean =>
  connection.state === "active" &&
  verifiedAt !== undefined &&
  missedAt === undefined &&
  !isRecheckRequested &&
  // Where single servers are looked at, it is the time of all of them, or a look found another answer.
  isLookedAt !== true &&
  control?.isAwaited !== true &&
  DateTime.lessThanOrEqualTo(
    DateTime.addDuration(now, recheckInterval),
    DateTime.addDuration(verifiedAt, longestWithoutVerification)
  )

/** All name servers are asked this often at least. */
const longestWithoutVerification = Duration.days(1)
