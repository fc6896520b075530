import { DateTime, Effect, Either, Option } from "effect"
import { Connection, ConnectionId, type ConnectionState, Failure } from "../../src/domain/Connection.ts"
import { Identifiers } from "../../src/domain/Identifiers.ts"
import { resolveIntent } from "../../src/domain/Intent.ts"
import { Change, Plan, PlanDigest } from "../../src/domain/Plan.ts"
import { Provider } from "../../src/domain/Provider.ts"
import type { Tenancy } from "../../src/domain/Tenancy.ts"
import { type Advanced, ConnectionStore, type Phase } from "../../src/persistence/ConnectionStore.ts"
import { tenancyOf } from "../support/apiUnderTest.ts"
import { capabilities } from "../support/zones.ts"

/** The tenancy of a test that needs no second one. */
export const ours = tenancyOf("app", "tenant")

/** Tenancies that share something with ours and are not ours. */
export const foreign = [tenancyOf("app", "other"), tenancyOf("other", "tenant")]

const { effectiveIntent, intent } = Either.getOrThrow(
  resolveIntent({
    domain: "Bücher.example",
    records: [
      { host: "@", type: "MX", value: "mail.example.net" },
      { host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none", advancedDmarcOptions: { removeTags: ["pct"] } }
    ]
  })
)

/** A connection as it is when it is asked for. */
export const requested = (tenancy: Tenancy = ours, id = "con_1"): Connection =>
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

/** A connection in a state, with all that one in this state can have. */
export const inState = (connection: Connection, state: ConnectionState): Connection =>
  Connection.make({
    ...connection,
    state,
    ...(state === "requested" ? {} : { provider: someProvider, plan: somePlan }),
    ...(state === "failed" ? { failure: someFailure } : {}),
    optionalFailures: ["CAA @ record_type_unsupported"],
    updatedAt: DateTime.add(someTime, { minutes: 1 })
  })

/** A new connection in the store, due for its discovery. */
export const create = (tenancy: Tenancy = ours) =>
  Effect.gen(function* () {
    const first = yield* firstStep(tenancy)
    yield* Effect.flatMap(ConnectionStore, (store) => store.create(tenancy, first, Option.none()))
    return first.connection
  })

/** What the store is to write at the creation of a connection. */
export const firstStep = (tenancy: Tenancy = ours) =>
  Effect.gen(function* () {
    const { next } = yield* Identifiers
    const connection = requested(tenancy, yield* next("con"))
    const event = { id: yield* next("evt"), to: connection.state }
    return { connection, event, phase: Option.some("discover") } satisfies Advanced
  })

/** What the store is to write when a connection enters a state. */
export const stepInto = (from: Connection, state: ConnectionState, phase: Option.Option<Phase> = Option.none()) =>
  Effect.gen(function* () {
    const { next } = yield* Identifiers
    const connection = inState(from, state)
    const failure = connection.failure === undefined ? {} : { failure: connection.failure.code }
    return { connection, event: { id: yield* next("evt"), from: from.state, to: state, ...failure }, phase }
  })

/** Takes the one connection that is due and brings it into a state, as a phase does. */
export const moveInto = (state: ConnectionState) =>
  Effect.gen(function* () {
    const store = yield* ConnectionStore
    const [due] = yield* store.takeDue(1, 60)
    if (due === undefined) return yield* Effect.dieMessage("no connection is due")
    const claim = yield* Effect.flatten(store.claim(due))
    const step = yield* stepInto(claim.connection, state)
    yield* store.save(claim, step)
    return step.connection
  })

/** What a store said when it refused: an error as a plain value. */
export const refusalOf = <A, E extends { readonly _tag: string; readonly message: string }, R>(
  effect: Effect.Effect<A, E, R>
) => Effect.map(Effect.flip(effect), ({ _tag, message }) => `${_tag}: ${message}`)

const someTime = DateTime.unsafeMake("2026-01-02T03:04:05.678Z")

export const someProvider = Provider.make({
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

export const somePlan = Plan.make({
  digest: PlanDigest.make(`sha-256:${"0123456789abcdef".repeat(4)}`),
  basis: "public_dns",
  changes: [
    Change.make({ action: "update", before: { ...record, value: "mx.example.org" }, after: record, destructive: true })
  ],
  warnings: ["mx_replaced"],
  expiresAt: DateTime.add(someTime, { minutes: 15 })
})

const someFailure = Failure.make({
  code: "discovery_timeout",
  retryable: true,
  resumeState: "requested",
  occurredAt: someTime
})
