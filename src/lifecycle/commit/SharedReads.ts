import { Deferred, Effect, FiberId } from "effect"
import type { FairSemaphore } from "../../runtime/FairSemaphore.ts"

/** What is read, and for whom. */
interface SharedRead<I> {
  /** The tenant in whose turn it is read, by `toTenantKey`. */
  readonly tenant: string
  /** Reads under the same key are one. */
  readonly key: string
  /** What this caller wants of the read, if it reads several things at once. */
  readonly item: I
}

/**
 * Runs reads that many ask for at the same time once for all of them, and only a few different ones at once, in turns of the
 * tenants: thousands of waiters that are woken by one change need one query, and leave the database to other requests.
 */
export class SharedReads<A, E, I = void> {
  /** The reads that have not begun: whoever asks now sees everything that was written before. */
  readonly #waiting = new Map<string, WaitingRead<A, E, I>>()
  readonly #permits: FairSemaphore

  constructor(permits: FairSemaphore) {
    this.#permits = permits
  }

  /** The result of `run`, or of that which another one with the same key has asked for and which has not begun. */
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

const withPermit = <A, E>(permits: FairSemaphore, tenant: string, read: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    const granted = Deferred.unsafeMake<void>(FiberId.none)
    const release = permits.acquire(tenant, () => Deferred.unsafeDone(granted, Effect.void))
    return Effect.ensuring(
      Effect.zipRight(Deferred.await(granted), read),
      Effect.sync(() => release?.())
    )
  })
