import { DateTime, Effect, Either, Match, Option } from "effect"
import type { ConnectionId, ConnectionState } from "../../domain/connection/Connection.ts"
import type { ConnectionRecord, Consent } from "../../domain/connection/ConnectionRecord.ts"
import type { ErrorDetail } from "../../domain/error/ErrorDetail.ts"
import { isSameRecord, type RecordReference } from "../../domain/plan/Plan.ts"
import type { Tenancy } from "../../domain/access/Tenancy.ts"
import { CommandRunner, type Decision } from "../commit/CommandRunner.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { ApprovalRefusal, findApprovalRefusal } from "../state/ApprovalRefusal.ts"
import { ApprovalRefused, LeftoverNotFound } from "./commandErrors.ts"
import { type CommandEffect, type CommandOptions, runCommand } from "./defineCommand.ts"

export interface ApprovalInput extends Consent {
  readonly putBack: ReadonlyArray<RecordReference>
}

/** The customer, or the server for them, approves exactly the current plan. */
export const approvePlan = Effect.map(
  CommandRunner,
  (runner) =>
    (
      tenancy: Tenancy,
      id: ConnectionId,
      approval: ApprovalInput,
      options: CommandOptions
    ): CommandEffect<ApprovalRefused | LeftoverNotFound> =>
      runCommand(runner, tenancy, id, options, (current) =>
        Effect.gen(function* () {
          yield* requireLeftovers(current, approval.putBack)
          const decision = decideApproval(current, approval, yield* DateTime.now)
          // An expired plan is refused too, but its event is written, so that a new plan is made.
          const refusal = Option.filter(decision.refusal, ({ code }) => code !== "plan_expired")
          if (Option.isSome(refusal)) return yield* refusal.value
          return { ...decision, sideEffects: { acknowledged: approval.acknowledged } }
        })
      )
)

/**
 * Decides an approval; a repeated one changes nothing. An expired plan is refused, and leads to a new one, as do records
 * to put back that the plan lacks.
 */
export const decideApproval = (
  current: ConnectionRecord,
  approval: ApprovalInput,
  now: DateTime.Utc
): ApprovalDecision => {
  if (hasBeenApproved(current, approval)) return { events: [], refusal: Option.none() }
  const { connection, progress } = current
  const { putBack, ...consent } = approval
  const { plan, state } = connection
  const refusal = plan === undefined || state !== "planned" ? Option.none() : findApprovalRefusal(plan, consent, now)
  const added = putBack.filter((record) => !progress.putBack.some((known) => isSameRecord(known, record)))
  if (added.length > 0 && !Option.exists(refusal, isFinalRefusal)) {
    return {
      events: [LifecycleEvent.PutBackRequested({ putBack: [...progress.putBack, ...added] })],
      refusal: Option.none()
    }
  }
  return {
    events: Option.exists(refusal, ApprovalRefusal.$is("PlanExpired"))
      ? [LifecycleEvent.PlanInvalidated({ code: "plan_expired" })]
      : [LifecycleEvent.Approved()],
    refusal: Option.map(refusal, toApprovalRefused)
  }
}

/** Whether this approval was given before: its plan is being applied or was, or another one puts records back too. */
const hasBeenApproved = (
  { connection: { plan, state }, progress }: ConnectionRecord,
  { digest, putBack }: ApprovalInput
): boolean => {
  if (progress.approved !== digest) return false
  const isPuttingBack =
    putBack.length > 0 && putBack.every((record) => progress.putBack.some((known) => isSameRecord(known, record)))
  return (
    statesAfterApproval.has(state) ||
    (isPuttingBack && (state === "authorized" || (state === "planned" && plan?.digest !== digest)))
  )
}

/** The states to which an approval leads, until another plan must be approved. */
const statesAfterApproval: ReadonlySet<ConnectionState> = new Set<ConnectionState>([
  "applying",
  "verifying",
  "active",
  "degraded",
  "failed",
  "disconnecting",
  "disconnected"
])

type ApprovalDecision = Required<Pick<Decision<ApprovalRefused>, "events" | "refusal">>

const requireLeftovers = (
  { connection: { leftovers = [] }, progress }: ConnectionRecord,
  putBack: ReadonlyArray<RecordReference>
): Either.Either<void, LeftoverNotFound> => {
  const known = [...leftovers.map(({ record }) => record), ...progress.putBack]
  const details = putBack.flatMap((record, index): ReadonlyArray<ErrorDetail> =>
    known.some((leftover) => isSameRecord(leftover, record))
      ? []
      : [{ pointer: `/putBack/${index}`, code: "not_left_over", message: "is not one of the leftovers" }]
  )
  return details.length === 0
    ? Either.void
    : Either.left(new LeftoverNotFound({ code: "not_left_over", message: "only leftovers can be put back", details }))
}

/** A missing acknowledgement is not final: the next plan requires it again. */
const isFinalRefusal = (refusal: ApprovalRefusal): boolean => refusal._tag !== "AcknowledgementRequired"

const toApprovalRefused = (refusal: ApprovalRefusal): ApprovalRefused =>
  Match.valueTags(refusal, {
    DigestMismatch: () =>
      new ApprovalRefused({
        code: "plan_digest_mismatch",
        message: "the plan of this connection has another digest; read the connection again before you approve"
      }),
    PlanExpired: () =>
      new ApprovalRefused({
        code: "plan_expired",
        message: "the plan has expired; a new plan is being made and needs approval"
      }),
    AcknowledgementRequired: ({ missing }) =>
      new ApprovalRefused({
        code: "acknowledgement_required",
        message: `acknowledge ${listSome(missing)} to approve this plan`,
        details: missing.map((warning) => ({
          pointer: "/acknowledge",
          code: warning,
          message: "the approval must acknowledge this consequence of the plan"
        }))
      })
  })

/** The first few warnings by name; the details of the error have them all. */
const listSome = (warnings: ReadonlyArray<string>): string =>
  warnings.length > maxListed
    ? `${warnings.slice(0, maxListed).join(", ")} and ${warnings.length - maxListed} more`
    : warnings.join(", ")

const maxListed = 8
