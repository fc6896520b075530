import { Array, DateTime, Either, Option } from "effect"
import { Connection, type ConnectionState, Failure, type FailureCode } from "../../../src/domain/Connection.ts"
import { Plan, type Warning } from "../../../src/domain/Plan.ts"
import { noProgress, Progress, type Standing } from "../../../src/domain/Progress.ts"
import { type AuthorizationMethod, Provider } from "../../../src/domain/Provider.ts"
import { LifecycleEvent, type Verdict } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import { advance } from "../../../src/lifecycle/state/LifecycleState.ts"
import { requested, somePlan, someProvider } from "../../persistence/someConnection.ts"

/** When everything in these tests happens. */
export const now = DateTime.unsafeMake("2026-03-04T05:06:07.089Z")

interface Differing {
  readonly connection?: Partial<Connection>
  readonly progress?: Partial<Progress>
}

/** A connection that entered a state an hour ago, with a plan that is still good. */
export const standingIn = (state: ConnectionState, { connection = {}, progress = {} }: Differing = {}): Standing => {
  const made = Connection.make({
    ...requested(),
    state,
    ...(state === "requested" ? {} : { provider: someProvider, plan: planOf() }),
    ...(state === "failed" ? { failure: failureOf("apply_timeout", "authorized") } : {}),
    ...connection
  })
  const enteredAt = DateTime.subtract(now, { hours: 1 })
  return { connection: made, progress: Progress.make({ ...noProgress(made), enteredAt, ...progress }) }
}

export const restoring = { connection: { direction: "restore" } } as const

export const failureOf = (code: FailureCode, resumeState?: ConnectionState) =>
  Failure.make({
    code,
    retryable: resumeState !== undefined,
    ...(resumeState === undefined ? {} : { resumeState }),
    occurredAt: now
  })

/** A plan that is good for a quarter of an hour from now; nothing in it needs more than its digest. */
export const planOf = (changes = somePlan.changes, warnings: ReadonlyArray<Warning> = []) =>
  Plan.make({ ...somePlan, changes, warnings, expiresAt: DateTime.add(now, { minutes: 15 }) })

export const nothing: typeof somePlan.changes = []

/** Agreed to the plan, and to nothing beside it. */
export const consentTo = ({ digest }: Plan, ...acknowledged: ReadonlyArray<Warning>) => ({ digest, acknowledged })

const madeOf = (plan: Plan) => ({ plan, effectiveIntent: requested().effectiveIntent, optionalFailures: [] })

export const discovered = (
  plan = planOf(),
  methods: Array.NonEmptyReadonlyArray<AuthorizationMethod> = ["direct_credential", "manual"]
) =>
  LifecycleEvent.Discovered({
    provider: Provider.make({ ...someProvider, availableAuthorizationMethods: methods }),
    ...madeOf(plan)
  })

export const discoveryFailed = (code: FailureCode = "discovery_timeout", provider = Option.none<Provider>()) =>
  LifecycleEvent.DiscoveryFailed({ code, provider })

export const planned = (plan = planOf()) => LifecycleEvent.Planned(madeOf(plan))

export const authorized = (consent = Option.none<ReturnType<typeof consentTo>>()) =>
  LifecycleEvent.Authorized({ consent })

export const failed = (code: FailureCode, wrote = false) => LifecycleEvent.Failed({ code, wrote })

export const disconnectRequested = (credentialHeld = false) => LifecycleEvent.DisconnectRequested({ credentialHeld })

/** What is left behind is told elsewhere. */
export const restored = LifecycleEvent.Restored({ leftovers: [], plan: planOf() })

type Seen = Extract<LifecycleEvent, { readonly _tag: "Checked" }>

export const checked = (authoritative: Verdict, other: Partial<Omit<Seen, "_tag" | "authoritative">> = {}) =>
  LifecycleEvent.Checked({
    authoritative,
    inPublic: authoritative === "right" ? "right" : "unknown",
    repair: Option.none(),
    isSure: false,
    timeIsUp: false,
    ...other
  })

/** Where events lead; an event that cannot happen is an error of the test. */
export const after = (standing: Standing, ...events: ReadonlyArray<LifecycleEvent>): Standing =>
  events.reduce((before, event) => Either.getOrThrow(advance(before, event, now)), standing)

/** The state to which events lead. */
export const stateAfter = (standing: Standing, ...events: ReadonlyArray<LifecycleEvent>): ConnectionState =>
  after(standing, ...events).connection.state

/** Whether an event can happen. */
export const isPossible = (standing: Standing, event: LifecycleEvent): boolean =>
  Either.isRight(advance(standing, event, now))
