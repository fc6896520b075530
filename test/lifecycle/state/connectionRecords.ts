import { Array, DateTime, Either, Option } from "effect"
import { Connection, type ConnectionState, Failure, type FailureCode } from "../../../src/domain/Connection.ts"
import { type ConnectionRecord, initialProgress, Progress } from "../../../src/domain/ConnectionRecord.ts"
import { Plan, type Warning } from "../../../src/domain/Plan.ts"
import { type AuthorizationMethod, Provider } from "../../../src/domain/Provider.ts"
import { LifecycleEvent } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import type { VerificationVerdict } from "../../../src/planning/verification/VerificationVerdict.ts"
import { advance } from "../../../src/lifecycle/state/advance.ts"
import { requestedConnection, samplePlan, sampleProvider } from "../../persistence/connectionFixtures.ts"

/** When everything in these tests happens. */
export const now = DateTime.unsafeMake("2026-03-04T05:06:07.089Z")

interface Differing {
  readonly connection?: Partial<Connection>
  readonly progress?: Partial<Progress>
}

/** A connection that entered a state an hour ago, with a plan that is still good. */
export const connectionRecordIn = (
  state: ConnectionState,
  { connection = {}, progress = {} }: Differing = {}
): ConnectionRecord => {
  const made = Connection.make({
    ...requestedConnection(),
    state,
    ...(state === "requested" ? {} : { provider: sampleProvider, plan: planOf() }),
    ...(state === "failed" ? { failure: failureOf("apply_timeout", "authorized") } : {}),
    ...connection
  })
  const enteredAt = DateTime.subtract(now, { hours: 1 })
  return { connection: made, progress: Progress.make({ ...initialProgress(made), enteredAt, ...progress }) }
}

export const restoreDirection = { connection: { direction: "restore" } } as const

export const failureOf = (code: FailureCode, resumeState?: ConnectionState) =>
  Failure.make({
    code,
    retryable: resumeState !== undefined,
    ...(resumeState === undefined ? {} : { resumeState }),
    occurredAt: now
  })

/** A plan that is good for a quarter of an hour from now; nothing in it needs more than its digest. */
export const planOf = (changes = samplePlan.changes, warnings: ReadonlyArray<Warning> = []) =>
  Plan.make({ ...samplePlan, changes, warnings, expiresAt: DateTime.add(now, { minutes: 15 }) })

export const noChanges: typeof samplePlan.changes = []

/** Agreed to the plan, and to nothing beside it. */
export const consentTo = ({ digest }: Plan, ...acknowledged: ReadonlyArray<Warning>) => ({ digest, acknowledged })

const madeOf = (plan: Plan) => ({ plan, effectiveIntent: requestedConnection().effectiveIntent, optionalFailures: [] })

export const discovered = (
  plan = planOf(),
  methods: Array.NonEmptyReadonlyArray<AuthorizationMethod> = ["direct_credential", "manual"]
) =>
  LifecycleEvent.Discovered({
    provider: Provider.make({ ...sampleProvider, availableAuthorizationMethods: methods }),
    ...madeOf(plan)
  })

export const discoveryFailed = (code: FailureCode = "discovery_timeout", provider = Option.none<Provider>()) =>
  LifecycleEvent.DiscoveryFailed({ code, provider })

export const planned = (plan = planOf()) => LifecycleEvent.Planned(madeOf(plan))

export const authorized = (consent = Option.none<ReturnType<typeof consentTo>>()) =>
  LifecycleEvent.Authorized({ consent })

export const failed = (code: FailureCode, wrote = false) => LifecycleEvent.Failed({ code, wrote })

export const disconnectRequested = (hasCredential = false) => LifecycleEvent.DisconnectRequested({ hasCredential })

/** What is left behind is told elsewhere. */
export const restored = LifecycleEvent.Restored({ leftovers: [], plan: planOf() })

type Seen = Extract<LifecycleEvent, { readonly _tag: "Verified" }>

export const checked = (
  authoritative: VerificationVerdict,
  other: Partial<Omit<Seen, "_tag" | "authoritative">> = {}
) =>
  LifecycleEvent.Verified({
    authoritative,
    inPublic: authoritative === "right" ? "right" : "unknown",
    repair: Option.none(),
    isConfirmed: false,
    isTimedOut: false,
    ...other
  })

/** Where events lead; an event that cannot happen is an error of the test. */
export const applyEvents = (standing: ConnectionRecord, ...events: ReadonlyArray<LifecycleEvent>): ConnectionRecord =>
  events.reduce((before, event) => Either.getOrThrow(advance(before, event, now)), standing)

/** The state to which events lead. */
export const stateAfterEvents = (
  standing: ConnectionRecord,
  ...events: ReadonlyArray<LifecycleEvent>
): ConnectionState => applyEvents(standing, ...events).connection.state

/** Whether an event can happen. */
export const isPossible = (standing: ConnectionRecord, event: LifecycleEvent): boolean =>
  Either.isRight(advance(standing, event, now))
