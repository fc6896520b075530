import { expect } from "bun:test"
import { Provider } from "../../../src/domain/provider/Provider.ts"
import { DateTime, Effect, Option } from "effect"
import { type Connection, ConnectionId, type ConnectionState } from "../../../src/domain/connection/Connection.ts"
import { Progress } from "../../../src/domain/connection/ConnectionRecord.ts"
import { Plan } from "../../../src/domain/plan/Plan.ts"
import type { Tenancy } from "../../../src/domain/access/Tenancy.ts"
import type { Transition } from "../../../src/domain/connection/Transition.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { ownTenancy, samplePlan, sampleProvider, transitionInto } from "../../persistence/connectionFixtures.ts"
import { get, issueKey, jsonOf, patch, post, sampleIntent } from "../../support/testApi.ts"
import { createConnectionPath } from "./connectionRequests.ts"
import { type ExpectedError, expectErrorWithoutWrites } from "./expectError.ts"

/** What differs from a connection that has just entered its state. */
export interface ConnectionOverrides {
  readonly connection?: Partial<Connection>
  readonly progress?: Partial<Progress>
  readonly transition?: Partial<Transition>
}

/** A new key, and a connection of its tenant in this state. */
export const createInState = (state: ConnectionState, overrides: ConnectionOverrides = {}) =>
  Effect.gen(function* () {
    const { key } = yield* issueKey()
    const path = yield* createConnectionPath(key)
    const connection = yield* moveTo(path, state, overrides)
    return { key, path, connection, id: connection.id }
  })

/** Moves a connection into a state as the lifecycle does; its plan, if it has one, may be approved. */
export const moveTo = (
  path: string,
  state: ConnectionState,
  overrides: ConnectionOverrides = {},
  tenancy: Tenancy = ownTenancy
) =>
  Effect.gen(function* () {
    const store = yield* ConnectionStore
    const read = yield* store.findRecord(tenancy, idIn(path))
    const step = yield* transitionInto(read, state, overrides.transition)
    const connection = {
      ...step.after.connection,
      ...(state === "requested" ? {} : { plan: yield* freshPlan }),
      ...overrides.connection
    }
    const progress = Progress.make({ ...read.progress, ...overrides.progress })
    const commit = yield* store.update(tenancy, read, { ...step, after: { connection, progress } }, Option.none())
    if (commit._tag !== "Done") return yield* Effect.dieMessage(`could not be brought into ${state}: ${commit._tag}`)
    return connection
  })

/** The plan of the connections here, valid for 15 minutes. */
const freshPlan = Effect.map(DateTime.now, (now) =>
  Plan.make({ ...samplePlan, expiresAt: DateTime.add(now, { minutes: 15 }) })
)

export const idIn = (path: string): ConnectionId => ConnectionId.make(path.slice("/v1/connections/".length))

/** The current connection, and its timeline without ids and times. */
export const connectionAndTimeline = (path: string, key: string) =>
  Effect.gen(function* () {
    const { connection } = yield* jsonOf(yield* get(path, key))
    const { events } = yield* jsonOf(yield* get(`${path}/events?limit=100`, key))
    return {
      connection,
      timeline: events.map(({ from, to }: { readonly from?: string; readonly to: string }) => `${from ?? ""}→${to}`)
    }
  })

/** A command on a connection, as a server sends it. */
export interface CommandCase {
  readonly name: string
  /** A state in which it has an effect, and the state that follows. */
  readonly from: ConnectionState
  readonly to: ConnectionState
  readonly body?: unknown
  readonly overrides?: ConnectionOverrides
}

/** Another intent for the domain of the connections here. */
export const otherIntent = {
  ...sampleIntent,
  records: [{ host: "store", type: "CNAME", value: "stores.example.net" }]
}

/** The provider of a domain on name servers that two providers share. */
const undecidedProvider = Provider.make({
  ...sampleProvider,
  detection: {
    method: "nameserver",
    candidates: [
      { id: "netlify", name: "Netlify" },
      { id: "squarespace", name: "Squarespace" }
    ]
  }
})

export const commandCases: ReadonlyArray<CommandCase> = [
  { name: "authorization", from: "awaiting_authorization", to: "awaiting_manual", body: { method: "manual" } },
  {
    name: "authorization",
    from: "awaiting_authorization",
    to: "authorized",
    body: { method: "direct_credential", credential: { apiToken: "a-token-of-a-customer" } }
  },
  {
    name: "provider",
    from: "awaiting_authorization",
    to: "requested",
    body: { provider: "unknown" },
    overrides: { connection: { provider: undecidedProvider } }
  },
  {
    name: "approval",
    from: "planned",
    to: "applying",
    body: { digest: samplePlan.digest, acknowledge: samplePlan.warnings }
  },
  { name: "recheck", from: "active", to: "active" },
  { name: "retry", from: "failed", to: "requested" },
  {
    name: "update",
    from: "active",
    to: "awaiting_authorization",
    // The tests of one file share a tenant.
    body: { intent: otherIntent, allowDuplicate: true }
  },
  { name: "cancel", from: "awaiting_authorization", to: "canceled" },
  { name: "disconnect", from: "active", to: "awaiting_authorization", overrides: { progress: { hasWritten: true } } }
]

/** Commands that a browser may send too. */
export const browserCommands = commandCases.filter(({ name }) => name !== "disconnect" && name !== "update")

/** The name of a command in the title of a test. */
export const commandTitle = ({ body, name }: Pick<CommandCase, "name" | "body">): string =>
  body instanceof Object && "method" in body ? `${name} (${String(body.method)})` : name

/** A connection on which the command has an effect. */
export const createForCommand = ({ from, overrides }: CommandCase) => createInState(from, overrides)

export const sendCommand = (
  path: string,
  key: string,
  { body, name }: Pick<CommandCase, "name" | "body">,
  headers: Record<string, string> = {}
) => (name === "update" ? patch(path, key, body, headers) : post(`${path}/${name}`, key, body ?? "", headers))

/** Asserts that a command is rejected and changes neither the connection nor its timeline. */
export const expectNoEffect = <E, R>(
  path: string,
  key: string,
  request: Effect.Effect<Response, E, R>,
  refusal: ExpectedError
) =>
  Effect.gen(function* () {
    const before = yield* connectionAndTimeline(path, key)
    yield* expectErrorWithoutWrites(request, refusal)
    expect(yield* connectionAndTimeline(path, key)).toEqual(before)
  })
