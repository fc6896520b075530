import { Context, Deferred, Effect, FiberId, Layer, Option } from "effect"
import type { ConnectionId } from "../../domain/connection/Connection.ts"
import { type Tenancy, toTenantKey } from "../../domain/access/Tenancy.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { type ConnectionNotFound, ConnectionStore } from "../../persistence/stores/connections/ConnectionStore.ts"
import { ConnectionViews } from "../../persistence/stores/connections/ConnectionViews.ts"
import type { StoredConnection } from "../../persistence/stores/connections/StoredConnection.ts"
import { type FairQueue, makeFairQueue, withPermit } from "../../limits/FairQueue.ts"

/**
 * Reads connections for the thousands of requests that may wait for changes: they share reads, of which a process runs
 * few at once, in turns of the tenants.
 */
export class ConnectionReads extends Context.Tag("lifecycle/ConnectionReads")<
  ConnectionReads,
  {
    /** The version of a connection, or none. One statement reads all that a tenant's waiters ask for together. */
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
      const permits = makeFairQueue({ permits: readsAtOnce, reserved: readsAtOnce - readsOfTenant })
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

/** Three of the ten connections to the database, so that requests find one (see `ConcurrencyLimiter`). */
const readsAtOnce = 3

/** The last one is left to tenants that read nothing at the moment. */
const readsOfTenant = 2

/** The item to read, and its reader. */
interface SharedRead<I> {
  /** The tenant in whose turn it is read, by `toTenantKey`. */
  readonly tenant: string
  /** Reads under the same key are one. */
  readonly key: string
  /** The item that this caller wants, if the read returns several at once. */
  readonly item: I
}

/**
 * Runs equal reads once, and few different ones at once, in turns of the tenants: thousands of waiters that one change
 * wakes need one query, and leave the database to other requests.
 */
export class SharedReads<A, E, I = void> {
  /** The reads that have not begun: whoever asks now sees everything that was written before. */
  readonly #waiting = new Map<string, WaitingRead<A, E, I>>()
  readonly #permits: FairQueue

  constructor(permits: FairQueue) {
    this.#permits = permits
  }

  /** Runs `run`, or waits for a queued run with the same key. */
  readonly read = (
    { item, key, tenant }: SharedRead<I>,
    run: (items: ReadonlySet<I>) => Effect.Effect<A, E>
  ): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      const waiting = this.#waiting.get(key)
      if (waiting !== undefined) {
        waiting.items.add(item)
        return Deferred.await(waiting.result)
      }
      const added = { result: Deferred.unsafeMake<A, E>(FiberId.none), items: new Set([item]) }
      this.#waiting.set(key, added)
      const begin = Effect.suspend(() => {
        this.#waiting.delete(key)
        return run(added.items)
      })
      // On a fiber of its own, since whoever asked first may go away.
      return Effect.yieldNow().pipe(
        Effect.zipRight(withPermit(this.#permits, tenant, begin)),
        Effect.intoDeferred(added.result),
        Effect.forkDaemon,
        Effect.zipRight(Deferred.await(added.result))
      )
    })
}

interface WaitingRead<A, E, I> {
  readonly result: Deferred.Deferred<A, E>
  readonly items: Set<I>
}
