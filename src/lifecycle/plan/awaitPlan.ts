import { Duration, Effect, Option } from "effect"
import type { ConnectionId, ConnectionState } from "../../domain/connection/Connection.ts"
import type { ConnectionRecord } from "../../domain/connection/ConnectionRecord.ts"
import { type Tenancy, toTenantKey } from "../../domain/access/Tenancy.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { type ConnectionNotFound, ConnectionStore } from "../../persistence/stores/connections/ConnectionStore.ts"
import type { StoredConnection } from "../../persistence/stores/connections/StoredConnection.ts"
import { ConnectionReads } from "../commit/ConnectionReads.ts"
import { ConnectionSignals } from "../commit/ConnectionSignals.ts"

/** Returns the connection when no plan is being made for it, or as it was at most a second before the end of `atMost`. */
export const awaitPlan = Effect.gen(function* () {
  const signals = yield* ConnectionSignals
  const store = yield* ConnectionStore
  const reads = yield* ConnectionReads
  const sharedReads = reads.makeSharedReads<AwaitedConnection, ConnectionNotFound | StoreUnavailable>()

  /** A record that is newer than the document is read again with the document of its version. */
  const readAwaited = Effect.fnUntraced(function* (tenancy: Tenancy, id: ConnectionId) {
    const stored = yield* store.find(tenancy, id)
    if (planningStates.has(stored.state)) return { stored, isPlanned: false }
    const record = yield* store.findRecord(tenancy, id)
    return { stored, isPlanned: record.version === stored.version && !awaitsSurvey(record) }
  })

  return Effect.fnUntraced(function* (tenancy: Tenancy, id: ConnectionId, atMost: Duration.Duration) {
    let last: AwaitedConnection | undefined
    const isPlanned = Effect.gen(function* () {
      const version = yield* reads.findVersion(tenancy, id)
      if (last !== undefined && Option.contains(version, last.stored.version)) return false
      const tenant = toTenantKey(tenancy)
      last = yield* sharedReads.read({ tenant, key: `${tenant} ${id}`, item: undefined }, () =>
        readAwaited(tenancy, id)
      )
      return last.isPlanned
    })
    yield* Effect.timeoutOption(signals.waitUntil(id, readEvery, isPlanned), atMost)
    return last === undefined ? yield* reads.find(tenancy, id) : last.stored
  })
})

/** A connection as all that wait for its plan see it. */
interface AwaitedConnection {
  readonly stored: StoredConnection
  readonly isPlanned: boolean
}

const planningStates: ReadonlySet<ConnectionState> = new Set<ConnectionState>(["requested", "authorized"])

/** Whether the domain is being surveyed for a new plan. A survey that has failed is repeated later, and not waited for. */
const awaitsSurvey = ({
  connection: { failure, state },
  progress: { checks, needsSurvey }
}: ConnectionRecord): boolean => needsSurvey && failure === undefined && (state !== "awaiting_manual" || checks === 0)

/** Another process may make the plan, and its signal may not reach this one. */
const readEvery = Duration.seconds(1)
