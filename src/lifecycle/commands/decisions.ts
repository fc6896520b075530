import { type Array, type DateTime, Either, Match, Option, Schema } from "effect"
import { type Connection, type ConnectionState, finalStates } from "../../domain/Connection.ts"
import type { ConnectionRecord, Consent } from "../../domain/ConnectionRecord.ts"
import { RecordReference } from "../../domain/Plan.ts"
import type { AuthorizationMethod } from "../../domain/Provider.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { ApprovalRefusal, approvalRefusalOf } from "../state/approvalRefusal.ts"
import { hasRecordsInZone } from "../state/recordsInZone.ts"
import { CommandRefused, Unprocessable } from "./commandErrors.ts"

type Events = Array.NonEmptyReadonlyArray<LifecycleEvent>

/** What happens when the customer chooses to enter the records by hand, also in place of going to the provider. */
export const chooseManual = (standing: ConnectionRecord): Events => {
  const chosen = LifecycleEvent.ManualChosen()
  const { direction, state } = standing.connection
  if (state === "authorizing") return [closed, chosen]
  if (state === "failed" && direction === "restore") return [leaving, chosen]
  return state === "awaiting_manual" ? [chosen] : afterReturning(standing, chosen)
}

/** What happens when the customer lets the service in: from wherever that can be chosen, also in place of another way. */
export const authorize = (standing: ConnectionRecord, consent: Option.Option<Consent>): Events =>
  afterReturning(standing, LifecycleEvent.Authorized({ consent }))

/** What happens when the customer goes to the provider to let the service in, perhaps not for the first time. */
export const openAuthorization = (standing: ConnectionRecord): Events => {
  const opened = LifecycleEvent.AuthorizationOpened()
  return standing.connection.state === "authorizing" ? [closed, opened] : afterReturning(standing, opened)
}

/** What failed while it was being taken out begins to leave once more. */
const leaving = LifecycleEvent.DisconnectRequested({ credentialHeld: false })

const closed = LifecycleEvent.AuthorizationClosed({ because: Option.none() })

/** Comes back first to where one can choose how to let the service in. */
const afterReturning = ({ connection: { failure, state } }: ConnectionRecord, event: LifecycleEvent): Events => {
  if (state === "awaiting_manual") return [LifecycleEvent.ManualAbandoned(), event]
  return state === "failed" && failure?.resumeState === "awaiting_authorization"
    ? [LifecycleEvent.Retried(), event]
    : [event]
}

/** Refuses a way to let the service in that the provider of the connection does not have, or not yet. */
export const requireMethodOffered = (
  { provider, state }: Connection,
  method: AuthorizationMethod
): Either.Either<void, Unprocessable | CommandRefused> => {
  if (provider === undefined) return Either.left(stateConflict(state))
  if (provider.availableAuthorizationMethods.includes(method)) return Either.void
  return Either.left(
    new Unprocessable({
      code: "authorization_method_unavailable",
      message: `the provider of this domain takes ${provider.availableAuthorizationMethods.join(", ")}`,
      details: [{ pointer: "/method", code: "authorization_method_unavailable", message: "is not offered here" }]
    })
  )
}

/** A failed connection goes on where its failure says; a degraded one is planned anew. */
export const retry = ({ connection: { failure, state } }: ConnectionRecord): Either.Either<Events, CommandRefused> =>
  state === "failed" && failure?.retryable !== true
    ? Either.left(
        new CommandRefused({
          code: "failure_not_retryable",
          message: `trying again cannot help after ${failure?.code}; make a new connection once its cause is gone`
        })
      )
    : Either.right([LifecycleEvent.Retried()])

/** A connection ends before anything is written. */
export const cancel = ({ connection: { state }, progress }: ConnectionRecord): Either.Either<Events, CommandRefused> =>
  hasRecordsInZone(progress) && !finalStates.includes(state)
    ? Either.left(
        new CommandRefused({
          code: "records_written",
          message: "records of this connection may be in the zone; disconnect takes them out"
        })
      )
    : Either.right([LifecycleEvent.Canceled()])

/** What is approved, with the records that are to be put back in spite of a doubt. */
export interface ApprovalInput extends Consent {
  readonly putBack: ReadonlyArray<RecordReference>
}

/**
 * An approval, or why it does not hold; where the plan is too old, that happens all the same. With records to put back
 * that the plan leaves out, another plan is made first.
 */
export const approve = (
  { connection, progress }: ConnectionRecord,
  { putBack, ...consent }: ApprovalInput,
  now: DateTime.Utc
): { readonly events: Events; readonly refusal: Option.Option<CommandRefused> } => {
  const { plan, state } = connection
  const refused = plan === undefined || state !== "planned" ? Option.none() : approvalRefusalOf(plan, consent, now)
  const more = putBack.filter((record) => !progress.putBack.some((known) => isSame(known, record)))
  if (more.length > 0 && !Option.exists(refused, refusesPlanItself)) {
    return {
      events: [LifecycleEvent.PutBackRequested({ putBack: [...progress.putBack, ...more] })],
      refusal: Option.none()
    }
  }
  return {
    events: Option.exists(refused, ApprovalRefusal.$is("PlanExpired"))
      ? [LifecycleEvent.PlanInvalidated()]
      : [LifecycleEvent.Approved()],
    refusal: Option.map(refused, inWords)
  }
}

/** Refuses records to put back that nothing keeps away. */
export const requireLeftovers = (
  { connection: { leftovers = [] }, progress }: ConnectionRecord,
  putBack: ReadonlyArray<RecordReference>
): Either.Either<void, Unprocessable> => {
  const known = [...leftovers.map(({ record }) => record), ...progress.putBack]
  const details = putBack.flatMap((record, index) =>
    known.some((one) => isSame(one, record))
      ? []
      : [{ pointer: `/putBack/${index}`, code: "not_left_over", message: "is none of the leftovers" }]
  )
  return details.length === 0
    ? Either.void
    : Either.left(
        new Unprocessable({ code: "not_left_over", message: "only what is left over can be put back", details })
      )
}

/** What was not acknowledged is no matter yet: it is asked for again with the plan that is made next. */
const refusesPlanItself = (refusal: ApprovalRefusal): boolean => refusal._tag !== "AcknowledgementRequired"

const isSame = Schema.equivalence(RecordReference)

const inWords = (refusal: ApprovalRefusal): CommandRefused =>
  Match.valueTags(refusal, {
    DigestMismatch: () =>
      new CommandRefused({
        code: "plan_digest_mismatch",
        message: "the plan of this connection has another digest; read it again before approving"
      }),
    PlanExpired: () =>
      new CommandRefused({
        code: "plan_expired",
        message: "the plan is too old; a fresh one is being made and waits for approval"
      }),
    AcknowledgementRequired: ({ missing }) =>
      new CommandRefused({
        code: "acknowledgement_required",
        message: `acknowledge ${missing.join(", ")} to approve this plan`,
        details: missing.map((warning) => ({
          pointer: "/acknowledge",
          code: warning,
          message: "this consequence of the plan has to be acknowledged by its name"
        }))
      })
  })

/** The command has no meaning in this state. */
export const stateConflict = (state: ConnectionState): CommandRefused =>
  new CommandRefused({ code: "state_conflict", message: `this is not possible while the connection is ${state}` })
