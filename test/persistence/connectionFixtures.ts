import { DateTime, Effect, Either, Option } from "effect"
import { Connection, ConnectionId, type ConnectionState, Failure } from "../../src/domain/connection/Connection.ts"
import { type ConnectionRecord, makeInitialProgress, Progress } from "../../src/domain/connection/ConnectionRecord.ts"
import { auditActionOf } from "../../src/domain/access/AuditEntry.ts"
import { Identifiers } from "../../src/domain/values/Identifiers.ts"
import { EffectiveIntent, resolveIntent } from "../../src/domain/connection/Intent.ts"
import {
  CredentialChange,
  type ScheduledPhase,
  SessionChange,
  type Transition
} from "../../src/domain/connection/Transition.ts"
import { Change, Plan, PlanDigest } from "../../src/domain/plan/Plan.ts"
import { Provider } from "../../src/domain/provider/Provider.ts"
import type { Tenancy } from "../../src/domain/access/Tenancy.ts"
import { ConnectionStore } from "../../src/persistence/stores/connections/ConnectionStore.ts"
import { PhaseStore } from "../../src/persistence/stores/phases/PhaseStore.ts"
import { toExactIntent } from "../../src/planning/verification/compareZone.ts"
import { capabilities, desiredRecords } from "../support/planFixtures.ts"
import { tenancyOf } from "../support/testApi.ts"

/** The tenancy of tests that need only one. */
export const ownTenancy = tenancyOf("app", "tenant")

/** Tenancies that share one part with `ownTenancy`. */
export const foreignTenancies = [tenancyOf("app", "other"), tenancyOf("other", "tenant")]

const { effectiveIntent, intent } = Either.getOrThrow(
  resolveIntent({
    domain: "Bücher.example",
    records: [
      { host: "@", type: "MX", value: "mail.example.net" },
      { host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none", advancedDmarcOptions: { removeTags: ["pct"] } }
    ]
  })
)

/** A new connection. */
export const requestedConnection = (tenancy: Tenancy = ownTenancy, id = "con_1"): Connection =>
  Connection.make({
    ...tenancy,
    id: ConnectionId.make(id),
    intent,
    effectiveIntent,
    state: "requested",
    optionalFailures: [],
    createdAt: someTime,
    updatedAt: someTime
  })

/** A new connection that requests exactly these records. */
export const connectionFor = (domain: string, lines: ReadonlyArray<string>): Connection => {
  const { effectiveIntent, intent } = toExactIntent(EffectiveIntent.make({ domain, records: desiredRecords(...lines) }))
  return Connection.make({ ...requestedConnection(), effectiveIntent, intent })
}

/** A connection in a state, with every field that this state allows. */
export const connectionInState = (connection: Connection, state: ConnectionState): Connection =>
  Connection.make({
    ...connection,
    state,
    ...(state === "requested" ? {} : { provider: sampleProvider, plan: samplePlan }),
    ...(state === "failed" ? { failure: someFailure } : {}),
    ...(state === "disconnecting" || state === "disconnected" ? { direction: "restore" } : {}),
    ...(state === "disconnected" ? { leftovers: [someLeftover] } : {}),
    optionalFailures: [{ type: "CAA", host: "@", code: "record_type_unsupported" }],
    updatedAt: DateTime.add(someTime, { minutes: 1 })
  })

/** Creates a connection in the store, due for discovery. */
export const createConnection = (tenancy: Tenancy = ownTenancy, fields: Partial<Connection> = {}) =>
  Effect.gen(function* () {
    const first = yield* firstTransition(tenancy, fields)
    yield* Effect.flatMap(ConnectionStore, (store) =>
      store
        .create(tenancy, first, Option.none())
        .pipe(
          Effect.catchTags({ ApiKeyInvalid: Effect.die, DomainLimitReached: Effect.die, ConnectionExists: Effect.die })
        )
    )
    return first.after.connection
  })

/** The transition that creates a connection. */
export const firstTransition = (tenancy: Tenancy = ownTenancy, fields: Partial<Connection> = {}) =>
  Effect.gen(function* () {
    const { next } = yield* Identifiers
    const connection = Connection.make({ ...requestedConnection(tenancy, yield* next("con")), ...fields })
    return {
      after: { connection, progress: makeInitialProgress(connection) },
      events: [{ id: yield* next("evt"), to: connection.state }],
      next: dueNow("discover"),
      credential: CredentialChange.Keep(),
      session: SessionChange.Keep(),
      observations: Option.none(),
      audit: [yield* auditActionOf("connection.created", { to: connection.state })]
    } satisfies Transition
  })

/** The transition of a connection into a state; by default no phase is due afterwards. */
export const transitionInto = (
  from: ConnectionRecord,
  state: ConnectionState,
  changes: Partial<Transition> = {},
  progress: Partial<Progress> = {}
) =>
  Effect.gen(function* () {
    const { next } = yield* Identifiers
    const connection = connectionInState(from.connection, state)
    const failure = connection.failure === undefined ? {} : { failure: connection.failure.code }
    return {
      after: { connection, progress: Progress.make({ ...someProgress, ...progress }) },
      events: [{ id: yield* next("evt"), from: from.connection.state, to: state, ...failure }],
      next: Option.none(),
      credential: CredentialChange.Keep(),
      session: SessionChange.Keep(),
      observations: Option.none(),
      audit: [],
      ...changes
    } satisfies Transition
  })

export const dueNow = (phase: ScheduledPhase["phase"]): Option.Option<ScheduledPhase> =>
  Option.some({ phase, inSeconds: 0 })

/** Takes the one due connection and moves it into a state, as a phase does. */
export const moveToState = (state: ConnectionState, changes?: Partial<Transition>, progress?: Partial<Progress>) =>
  Effect.gen(function* () {
    const store = yield* PhaseStore
    const [due] = yield* store.takeDue(1, 60)
    if (due === undefined) return yield* Effect.dieMessage("no connection is due")
    const claim = yield* due.claim
    const transition = yield* transitionInto(claim, state, changes, progress)
    yield* store.save(claim, transition)
    return transition.after.connection
  })

/** The error of a store as text. */
export const failureDetails = <A, E extends { readonly _tag: string; readonly message: string }, R>(
  effect: Effect.Effect<A, E, R>
) => Effect.map(Effect.flip(effect), ({ _tag, message }) => `${_tag}: ${message}`)

const someTime = DateTime.unsafeMake("2026-01-02T03:04:05.678Z")

/** Progress that differs in every field from that of a new connection. */
const someProgress = Progress.make({
  enteredAt: DateTime.add(someTime, { minutes: 1 }),
  checks: 3,
  missedAt: DateTime.add(someTime, { minutes: 2 }),
  consent: { digest: PlanDigest.make(`sha-256:${"f".repeat(64)}`), acknowledged: ["mx_replaced"] },
  putBack: [{ host: "@", type: "MX", value: "mx.example.org", priority: 10 }],
  hasProvenAccess: true,
  hasWritten: true,
  isManual: true,
  needsSurvey: true,
  isRecheckRequested: true
})

export const sampleProvider = Provider.make({
  id: "acme-dns",
  name: "Acme DNS",
  referenceUrl: "https://acme.example/dns",
  implementation: "automatic",
  availableAuthorizationMethods: ["direct_credential", "manual"],
  authorizationInputs: { directCredential: "api_token", providerSession: "none" },
  capabilities: capabilities("supported"),
  detection: { method: "nameserver" },
  limitations: []
})

const record = { host: "@", type: "MX", value: "mail.example.net", ttl: 3_600, priority: 10, optional: false }

export const samplePlan = Plan.make({
  digest: PlanDigest.make(`sha-256:${"0123456789abcdef".repeat(4)}`),
  basis: "public_dns",
  changes: [
    Change.make({ action: "update", before: { ...record, value: "mx.example.org" }, after: record, destructive: true })
  ],
  warnings: ["mx_replaced"],
  warningDetails: [{ code: "mx_replaced", changes: [0], severity: "serious" }],
  expiresAt: DateTime.add(someTime, { minutes: 15 })
})

const someFailure = Failure.make({
  code: "discovery_timeout",
  retryable: true,
  resumeState: "requested",
  occurredAt: someTime
})

const someLeftover = { record: { ...record, value: "mx.example.org" }, reason: "target_does_not_resolve" } as const
