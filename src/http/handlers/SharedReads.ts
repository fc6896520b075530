import { Deferred, Effect, FiberId } from "effect"

/**
 * Runs reads that many ask for at the same time once for all of them, and only a few different ones at once: thousands of event
 * streams that are woken by one change need one query, and leave the database to other requests.
 */
export class SharedReads<A, E> {
  /** The reads that have not begun: whoever asks now sees everything that was written before. */
  readonly #waiting = new Map<string, Deferred.Deferred<A, E>>()
  readonly #permits: Effect.Semaphore

  constructor(permits: Effect.Semaphore) {
    this.#permits = permits
  }

  /** The result of `read`, or of that which another one with the same key has asked for and which has not begun. */
  readonly read = (key: string, read: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      const waiting = this.#waiting.get(key)
      if (waiting !== undefined) return Deferred.await(waiting)
      const result = Deferred.unsafeMake<A, E>(FiberId.none)
      this.#waiting.set(key, result)
      const begin = Effect.sync(() => this.#waiting.delete(key))
      // On a fiber of its own, since whoever asked first may go away.
      return Effect.yieldNow().pipe(
        Effect.zipRight(this.#permits.withPermits(1)(Effect.zipRight(begin, read))),
        Effect.intoDeferred(result),
        Effect.forkDaemon,
        Effect.zipRight(Deferred.await(result))
      )
    })
}
