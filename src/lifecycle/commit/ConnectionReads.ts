import { Context, Effect, Layer, Option } from "effect"
import type { ConnectionId } from "../../domain/Connection.ts"
import { makeFairSemaphore } from "../../runtime/FairSemaphore.ts"
import { type Tenancy, toTenantKey } from "../../domain/Tenancy.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { type ConnectionNotFound, ConnectionStore } from "../../persistence/stores/ConnectionStore.ts"
import { ConnectionViews } from "../../persistence/stores/ConnectionViews.ts"
import type { StoredConnection } from "../../persistence/stores/StoredConnection.ts"
import { SharedReads } from "./SharedReads.ts"

/**
 * Reads connections for those that wait for their changes: event streams, and requests that wait for a plan. There may be
 * thousands of them, so they share their reads, and few reads of a process run at once, in turns of the tenants.
 */
export class ConnectionReads extends Context.Tag("lifecycle/ConnectionReads")<
  ConnectionReads,
  {
    /**
     * The current version of a connection; none if the tenant has no such connection. One statement reads the versions of
     * all connections that the waiters of a tenant ask for at the same time.
     */
    readonly findVersion: (tenancy: Tenancy, id: ConnectionId) => Effect.Effect<Option.Option<number>, StoreUnavailable>
    readonly find: (
      tenancy: Tenancy,
      id: ConnectionId
    ) => Effect.Effect<StoredConnection, ConnectionNotFound | StoreUnavailable>
    /** Further reads for waiters, in the same turns. */
    readonly makeSharedReads: <A, E>() => SharedReads<A, E>
  }
>() {
  static readonly layer = Layer.effect(
    ConnectionReads,
    Effect.gen(function* () {
      const store = yield* ConnectionStore
      const views = yield* ConnectionViews
      const permits = makeFairSemaphore({ permits: readsAtOnce, reserved: readsAtOnce - readsOfTenant })
      const versions = new SharedReads<ReadonlyMap<ConnectionId, number>, StoreUnavailable, ConnectionId>(permits)
      const documents = new SharedReads<StoredConnection, ConnectionNotFound | StoreUnavailable>(permits)

      return {
        findVersion: (tenancy, id) => {
          const tenant = toTenantKey(tenancy)
          return Effect.map(
            versions.read({ tenant, key: tenant, item: id }, (ids) => views.findVersions(tenancy, [...ids])),
            (found) => Option.fromNullable(found.get(id))
          )
        },
        find: (tenancy, id) => {
          const tenant = toTenantKey(tenancy)
          return documents.read({ tenant, key: `${tenant} ${id}`, item: undefined }, () => store.find(tenancy, id))
        },
        makeSharedReads: () => new SharedReads(permits)
      }
    })
  )
}

/** Of the ten connections to the database, so that requests always find one (see `ConcurrencyLimiter`). */
const readsAtOnce = 3

/** The last one is left to tenants that read nothing at the moment. */
const readsOfTenant = 2
