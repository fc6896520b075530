import { Array, DateTime, Either, Option } from "effect"
import {
  Connection,
  type ConnectionState,
  Failure,
  type FailureCode
} from "../../../src/domain/connection/Connection.ts"
import {
  type ConnectionRecord,
  makeInitialProgress,
  Progress
} from "../../../src/domain/connection/ConnectionRecord.ts"
import { resolveIntent } from "../../../src/domain/connection/Intent.ts"
import { Plan } from "../../../src/domain/plan/Plan.ts"
import { type AuthorizationMethod, Provider } from "../../../src/domain/provider/Provider.ts"
import type { VerificationVerdict } from "../../../src/domain/plan/RecordObservation.ts"
import type { Warning } from "../../../src/domain/plan/Warning.ts"
import {
  LifecycleEvent,
  type VerifiedControl,
  type VerifiedEvent
} from "../../../src/lifecycle/state/LifecycleEvent.ts"
import { advance } from "../../../src/lifecycle/state/advance.ts"
import { requestedConnection, samplePlan, sampleProvider } from "../../persistence/connectionFixtures.ts"

/** The current time of these tests. */
export const now = DateTime.unsafeMake("2026-03-04T05:06:07.089Z")

interface RecordOverrides {
  readonly connection?: Partial<Connection>
  readonly progress?: Partial<Progress>
}

/** A connection that entered a state an hour ago, with a plan that has not expired. */
export const connectionRecordIn = (
  state: ConnectionState,
  { connection = {}, progress = {} }: RecordOverrides = {}
): ConnectionRecord => {
  const connectionInState = Connection.make({
    ...requestedConnection(),
    state,
    ...(state === "requested" ? {} : { provider: sampleProvider, plan: planOf() }),
    ...(state === "failed" ? { failure: failureOf("apply_timeout", "authorized") } : {}),
    ...connection
  })
  const enteredAt = DateTime.subtract(now, { hours: 1 })
  return {
    connection: connectionInState,
    progress: Progress.make({ ...makeInitialProgress(connectionInState), enteredAt, ...progress })
  }
}

export const restoreDirection = { connection: { direction: "restore" } } as const

export const failureOf = (code: FailureCode, resumeState?: ConnectionState) =>
  Failure.make({
    code,
    retryable: resumeState !== undefined,
    ...(resumeState === undefined ? {} : { resumeState }),
    occurredAt: now
  })

/** A plan that expires in a quarter of an hour, and that needs no acknowledgement unless `warnings` say so. */
export const planOf = (changes = samplePlan.changes, warnings: ReadonlyArray<Warning> = []) =>
  Plan.make({ ...samplePlan, changes, warnings, expiresAt: DateTime.add(now, { minutes: 15 }) })

export const noChanges: typeof samplePlan.changes = []

/** A consent to the plan that acknowledges only these warnings. */
export const consentTo = ({ digest }: Plan, ...acknowledged: ReadonlyArray<Warning>) => ({ digest, acknowledged })

const proposalOf = (plan: Plan) => ({
  plan,
  effectiveIntent: requestedConnection().effectiveIntent,
  optionalFailures: []
})

export const discovered = (
  plan = planOf(),
  methods: Array.NonEmptyReadonlyArray<AuthorizationMethod> = ["direct_credential", "manual"]
) =>
  LifecycleEvent.Discovered({
    provider: Provider.make({ ...sampleProvider, availableAuthorizationMethods: methods }),
    ...proposalOf(plan)
  })

export const discoveryFailed = (code: FailureCode = "discovery_timeout", provider = Option.none<Provider>()) =>
  LifecycleEvent.DiscoveryFailed({ code, provider })

export const planned = (plan = planOf()) => LifecycleEvent.Planned(proposalOf(plan))

export const authorized = (consent = Option.none<ReturnType<typeof consentTo>>()) =>
  LifecycleEvent.Authorized({ consent })

export const failed = (code: FailureCode, hasWrites = false) => LifecycleEvent.Failed({ code, hasWrites })

export const disconnectRequested = (hasCredential = false) => LifecycleEvent.DisconnectRequested({ hasCredential })

/** Another intent for the domain of these tests. */
export const newIntent = Either.getOrThrow(
  resolveIntent({
    domain: requestedConnection().intent.domain,
    records: [{ host: "shop", type: "CNAME", value: "shops.example.net" }]
  })
)

/** The change to it. */
export const intentChanged = (hasCredential = false) =>
  LifecycleEvent.IntentChanged({ ...pickIntent(newIntent), hasCredential })

/**
 * A connection to which it waits to be applied, from `returnsTo`; `hasBegun` says whether its plan may be written
 * already.
 */
export const pendingChange = (returnsTo: ConnectionState = "active", hasBegun = false) => ({
  connection: { pendingIntent: { ...pickIntent(newIntent), optionalFailures: [] } },
  progress: { intentChange: { returnsTo, hasBegun } }
})

const pickIntent = ({ effectiveIntent, intent }: typeof newIntent) => ({ effectiveIntent, intent })

/** A restore that leaves nothing behind. */
export const restoreAwaited = LifecycleEvent.RestoreAwaited({ leftovers: [], plan: planOf() })

export const restored = LifecycleEvent.Restored({ leftovers: [], plan: planOf() })

/** A connection that need not prove control. */
const exempt: VerifiedControl = { isRequired: false, isHolder: true }

export const verified = (
  authoritative: VerificationVerdict,
  fields: Partial<Omit<VerifiedEvent, "_tag" | "authoritative">> = {}
) =>
  LifecycleEvent.Verified({
    authoritative,
    publicResolvers: authoritative === "right" ? "right" : "unknown",
    repair: Option.none(),
    control: exempt,
    isConfirmed: false,
    isTimedOut: false,
    ...fields
  })

/** The record after these events; throws if one of them cannot happen. */
export const applyEvents = (current: ConnectionRecord, ...events: ReadonlyArray<LifecycleEvent>): ConnectionRecord =>
  events.reduce((before, event) => Either.getOrThrow(advance(before, event, now)), current)

/** The state to which these events lead. */
export const stateAfterEvents = (
  current: ConnectionRecord,
  ...events: ReadonlyArray<LifecycleEvent>
): ConnectionState => applyEvents(current, ...events).connection.state

/** Whether an event can happen to a connection. */
export const isPossible = (current: ConnectionRecord, event: LifecycleEvent): boolean =>
  Either.isRight(advance(current, event, now))
