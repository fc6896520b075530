import { Duration, Effect, Option } from "effect"
import type { ConnectionId } from "../../domain/Connection.ts"
import type { ConnectionRecord } from "../../domain/ConnectionRecord.ts"
import { type Tenancy, toTenantKey } from "../../domain/Tenancy.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { type ConnectionNotFound, ConnectionStore } from "../../persistence/stores/ConnectionStore.ts"
import type { StoredConnection } from "../../persistence/stores/StoredConnection.ts"
import { ConnectionReads } from "../commit/ConnectionReads.ts"
import { ConnectionSignals } from "../commit/ConnectionSignals.ts"

/** Returns the connection when no plan is being made for it, or as it was at most a second before the end of `atMost`. */
export const awaitPlan = Effect.gen(function* () {
  const signals = yield* ConnectionSignals
  const store = yield* ConnectionStore
  const reads = yield* ConnectionReads
  const sharedReads = reads.makeSharedReads<AwaitedConnection, ConnectionNotFound | StoreUnavailable>()

  /** The document is read after the record, and may be newer: its version then differs at the next read. */
  const readAwaited = (tenancy: Tenancy, id: ConnectionId) =>
    Effect.zipWith(store.findRecord(tenancy, id), store.find(tenancy, id), (record, stored): AwaitedConnection => ({
      stored,
      version: record.version,
      isPlanned: !isBeingPlanned(record)
    }))

  return Effect.fn("Connections.awaitPlan")(function* (tenancy: Tenancy, id: ConnectionId, atMost: Duration.Duration) {
    let last: AwaitedConnection | undefined
    const isPlanned = Effect.gen(function* () {
      const version = yield* reads.findVersion(tenancy, id)
      if (last !== undefined && Option.contains(version, last.version)) return false
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
  readonly version: number
  readonly isPlanned: boolean
}

/** Whether the domain is being read to make a plan. A survey that has failed is repeated later, and not waited for. */
const isBeingPlanned = ({ connection: { failure, state }, progress: { surveying } }: ConnectionRecord): boolean =>
  state === "requested" || state === "authorized" || (surveying && failure === undefined)

/** Another process may make the plan, and its signal may not reach this one. */
const readEvery = Duration.seconds(1)
