import { Array, Data, DateTime, Either, Option } from "effect"
import { Connection, type ConnectionState, type FailureCode } from "../../domain/Connection.ts"
import { type ConnectionRecord, Progress } from "../../domain/ConnectionRecord.ts"
import { Plan } from "../../domain/Plan.ts"
import { canAuthorizeService, type Provider } from "../../domain/Provider.ts"
import { LifecycleEvent, type ProposedPlan } from "./LifecycleEvent.ts"
import { approvalRefusalOf } from "./approvalRefusal.ts"
import { failureAt } from "./failures.ts"
import { awaitsRepair, hasRecordsInZone, mustRestore } from "./recordsInZone.ts"
import { transitionTable } from "./transitionTable.ts"

/** The event cannot happen to the connection as it stands. */
export class IllegalTransition extends Data.TaggedError("IllegalTransition")<{
  readonly from: ConnectionState
  readonly event: LifecycleEvent["_tag"]
}> {}

/** The only place where a connection changes its state; `now` becomes `updatedAt`. */
export const advance = (
  standing: ConnectionRecord,
  event: LifecycleEvent,
  now: DateTime.Utc
): Either.Either<ConnectionRecord, IllegalTransition> => {
  const from = standing.connection.state
  const illegal = new IllegalTransition({ from, event: event._tag })
  const allowed = transitionTable[event._tag][from]
  if (allowed === undefined || isRuledOut(standing, event)) return Either.left(illegal)
  const after = outcomeOf(standing, event, now)
  return Array.contains(allowed, after.to)
    ? Either.right(entered(standing, { ...after, event }, now))
    : Either.left(illegal)
}

/** What is in the zone cannot be left there, and what is not there cannot be taken out, nor twice. */
const isRuledOut = (standing: ConnectionRecord, { _tag }: LifecycleEvent): boolean => {
  const { direction, state } = standing.connection
  if (_tag === "Canceled" || _tag === "Expired") return mustRestore(standing)
  if (_tag === "PutBackRequested") return direction !== "restore"
  if (_tag === "Verified" || _tag === "RecheckRequested") {
    return state === "awaiting_authorization" && !awaitsRepair(standing)
  }
  if (_tag !== "DisconnectRequested") return false
  return direction === "restore" ? state !== "failed" : !mustRestore(standing) && !served.has(state)
}

/** The states in which the records are in the zone, whoever brought them there. */
const served: ReadonlySet<ConnectionState> = new Set<ConnectionState>(["verifying", "active", "degraded"])

/** What an event changes: the state, and fields of the connection and of its progress. */
interface Outcome {
  readonly to: ConnectionState
  readonly shows?: Partial<Connection>
  readonly keeps?: Partial<Progress>
  readonly fails?: FailureCode
  /** Whether the failure that is shown is none any more, though the state stays. */
  readonly isCleared?: boolean
}

const outcomeOf = (standing: ConnectionRecord, event: LifecycleEvent, now: DateTime.Utc): Outcome => {
  const { connection, progress } = standing
  const { direction, state } = connection
  const stay: Outcome = { to: state }
  const outcomes: Outcomes = {
    Discovered: ({ provider, ...made }) => ({
      to: state === "requested" ? afterDiscovery(made, provider) : afterSurvey(state, made),
      shows: { provider, ...shownOf(made) },
      keeps: { surveying: false },
      isCleared: isOfSurvey(connection.failure)
    }),
    DiscoveryFailed: ({ code, provider }) => ({
      ...(state === "requested" ? failing(code) : { ...stay, fails: code }),
      shows: Option.match(provider, { onNone: () => ({}), onSome: (known) => ({ provider: known }) }),
      keeps: { surveying: state === "awaiting_authorization", checks: progress.checks + 1 }
    }),
    ManualChosen: () => ({
      to: direction === "restore" ? "disconnecting" : "awaiting_manual",
      keeps: { byHand: true }
    }),
    ManualAbandoned: () => ({ to: "awaiting_authorization", keeps: { surveying: true } }),
    AuthorizationOpened: () => ({ to: "authorizing" }),
    AuthorizationClosed: ({ because }) => ({
      to: "awaiting_authorization",
      ...Option.match(because, { onNone: () => ({}), onSome: (code) => ({ fails: code }) })
    }),
    Authorized: ({ consent }) => ({
      to: "authorized",
      keeps: { byHand: false, consent: Option.getOrUndefined(consent) }
    }),
    Planned: (made) => ({
      to: afterPlanning(standing, made, now),
      shows: shownOf(made),
      keeps: { proven: true, wrote: progress.wrote || made.wrote === true }
    }),
    Approved: () => ({ to: direction === "restore" ? "disconnecting" : "applying" }),
    PutBackRequested: ({ putBack }) => ({ to: "authorized", keeps: { consent: undefined, putBack } }),
    PlanInvalidated: () => ({ to: "authorized", keeps: { consent: undefined } }),
    Applied: () => ({ to: "verifying", keeps: { wrote: true } }),
    Verified: (seen) => afterCheck(standing, seen, now),
    RecheckRequested: () => ({ ...stay, keeps: { urgent: true } }),
    Failed: ({ code, wrote }) => ({ to: "failed", fails: code, keeps: { wrote: progress.wrote || wrote } }),
    Retried: () =>
      state === "degraded"
        ? { ...stay, keeps: { surveying: true } }
        : resumed(connection.failure?.resumeState ?? "failed"),
    DisconnectRequested: ({ credentialHeld }) => ({
      to: !progress.wrote ? "disconnecting" : credentialHeld ? "authorized" : "awaiting_authorization",
      shows: { direction: "restore" },
      keeps: { surveying: true, checks: 0, consent: undefined }
    }),
    RecordsInherited: ({ plan }) => ({ to: "awaiting_authorization", shows: { plan }, keeps: { wrote: true } }),
    Restored: ({ leftovers, plan }) => ({
      to: "disconnected",
      shows: { leftovers, ...(plan === undefined ? {} : { plan }) }
    }),
    Expired: () => ({ to: "expired" }),
    Canceled: () => ({ to: "canceled" })
  }
  return LifecycleEvent.$match(event, outcomes)
}

type Outcomes = { readonly [E in LifecycleEvent as E["_tag"]]: (event: E) => Outcome }

const failing = (code: FailureCode): Outcome => ({ to: "failed", fails: code })

const shownOf = ({ effectiveIntent, leftovers, optionalFailures, plan }: ProposedPlan) => ({
  effectiveIntent,
  optionalFailures,
  plan,
  ...(leftovers === undefined ? {} : { leftovers })
})

const afterDiscovery = ({ plan }: ProposedPlan, provider: Provider) =>
  plan.changes.length === 0 ? "verifying" : canAuthorizeService(provider) ? "awaiting_authorization" : "awaiting_manual"

/** A failure to look at the domain, and not one of who was to let the service in. */
const isOfSurvey = (failure: Connection["failure"]): boolean =>
  failure !== undefined && !failure.code.startsWith("authorization_") && failure.code !== "credential_invalid"

/** A degraded connection that lacks nothing any more waits for its next check. */
const afterSurvey = (state: ConnectionState, { plan }: ProposedPlan): ConnectionState =>
  state === "degraded" && plan.changes.length > 0 ? "awaiting_authorization" : state

const afterPlanning = (
  { connection, progress }: ConnectionRecord,
  { plan }: ProposedPlan,
  now: DateTime.Utc
): ConnectionState => {
  const write = connection.direction === "restore" ? "disconnecting" : "applying"
  if (plan.changes.length === 0) return write === "applying" ? "verifying" : write
  const { consent } = progress
  return consent !== undefined && Option.isNone(approvalRefusalOf(plan, consent, now)) ? write : "planned"
}

/** A retry begins where the failure says; what leads to an authorization is looked at anew. */
const resumed = (to: ConnectionState): Outcome => ({ to, keeps: { surveying: to === "awaiting_authorization" } })

type Seen = Extract<LifecycleEvent, { readonly _tag: "Verified" }>

const afterCheck = ({ connection, progress }: ConnectionRecord, seen: Seen, now: DateTime.Utc): Outcome => {
  const { authoritative, inPublic, isConfirmed, repair, isTimedOut } = seen
  const keeps = { checks: progress.checks + 1, urgent: false }
  const stay: Outcome = { to: connection.state, keeps }
  switch (connection.state) {
    case "awaiting_manual":
      if (authoritative === "right")
        return { to: "verifying", keeps: { entered: enteredBy(connection, progress, now) } }
      if (!isTimedOut) return stay
      return hasRecordsInZone(progress) ? failing("manual_setup_timeout") : { to: "expired" }
    case "verifying":
      if (authoritative === "right" && inPublic !== "wrong") return activated(connection, progress)
      return isTimedOut ? { to: "failed", fails: verificationFailure(progress, seen) } : stay
    case "active":
      if (authoritative === "unknown") return stay
      if (authoritative === "right") return { ...stay, keeps: { ...keeps, missedAt: undefined } }
      return isConfirmed
        ? { to: "degraded", shows: repairShown(repair) }
        : { ...stay, keeps: { ...keeps, missedAt: progress.missedAt ?? now } }
    case "awaiting_authorization":
      return authoritative === "right" ? { to: "active" } : stay
    default:
      return authoritative === "right" ? { to: "active" } : { ...stay, shows: repairShown(repair) }
  }
}

/** What the plan asked of the customer is there now. */
const enteredBy = ({ plan }: Connection, { entered }: Progress, at: DateTime.Utc): Progress["entered"] => [
  ...entered,
  ...(plan?.changes ?? []).map((change) => ({ change, at }))
]

const repairShown = (repair: Option.Option<Plan>): Partial<Connection> =>
  Option.match(repair, { onNone: () => ({}), onSome: (plan) => ({ plan }) })

/** Records that were there, or that anybody could have entered, do not say who asked for them. */
const activated = ({ plan }: Connection, { proven }: Progress): Outcome => ({
  to: "active",
  ...(proven || plan === undefined
    ? {}
    : {
        shows: {
          plan: Plan.make({ ...plan, warnings: Array.dedupe([...plan.warnings, "control_not_proven" as const]) })
        }
      })
})

const verificationFailure = ({ wrote }: Progress, { authoritative }: Seen): FailureCode =>
  wrote ? (authoritative === "wrong" ? "verification_mismatch" : "verification_timeout") : "manual_setup_timeout"

/** The connection in its new state: what belonged to the old one only is gone. */
const entered = (
  { connection, progress }: ConnectionRecord,
  { event, fails, isCleared = false, keeps, shows, to }: Change,
  now: DateTime.Utc
) => {
  const { failure, plan, ...shown } = { ...connection, ...shows }
  const isNew = to !== connection.state
  const { consent, ...kept } = {
    ...progress,
    ...(isNew ? { enteredAt: now, checks: 0, missedAt: undefined, surveying: false, urgent: false } : {}),
    ...keeps
  }
  return {
    connection: Connection.make(
      {
        ...shown,
        // Once the records are to go, the plan that brought them says nothing any more.
        ...(plan === undefined || event._tag === "DisconnectRequested" ? {} : { plan }),
        ...(failure === undefined || isCleared || (isNew && to !== "canceled") ? {} : { failure }),
        ...(fails === undefined
          ? {}
          : { failure: failureAt(to === "failed" ? connection : { ...shown, state: to }, fails, now) }),
        state: to,
        updatedAt: now
      },
      unchecked
    ),
    // A consent waits for the one plan that is made next.
    progress: Progress.make(to === "authorized" && consent !== undefined ? { ...kept, consent } : kept, unchecked)
  }
}

/** Every part of them was checked when it was made; the store's encoding looks at the whole once more. */
const unchecked = { disableValidation: true } as const

interface Change extends Outcome {
  readonly event: LifecycleEvent
}
