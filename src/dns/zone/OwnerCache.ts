import { Clock, Deferred, Duration, Effect, Exit, Option } from "effect"
import { QueryOwner } from "../transport/QueryOwner.ts"

/** Looks values up, and keeps those that it found for a short time. */
interface OwnerCache<K, A, E> {
  readonly get: (subject: K) => Effect.Effect<A, E>
}

/**
 * Makes a cache whose lookups run on behalf of whoever asks (see `QueryOwner`). Those who ask for the same owner share
 * one lookup; nobody waits for that of another owner, whose queries may have to wait for long. Failures are not kept.
 */
export const makeOwnerCache = <K, A, E>(options: {
  readonly lookup: (subject: K) => Effect.Effect<A, E>
  /** Names the subject of a lookup; the same for equal subjects. */
  readonly keyOf: (subject: K) => string
  /** Whether a value that was found for one owner serves the others too; it may not depend on the owner then. */
  readonly isShared: boolean
  readonly timeToLive: Duration.DurationInput
  /** The number of values; the oldest give way. */
  readonly capacity: number
}): OwnerCache<K, A, E> => {
  const { capacity, isShared, keyOf, lookup } = options
  const lifetimeMillis = Duration.toMillis(options.timeToLive)
  /** In the order in which they expire. */
  const found = new Map<string, FoundValue<A>>()
  /** The result of each lookup is none if it was interrupted. */
  const inFlight = new Map<string, Deferred.Deferred<Option.Option<A>, E>>()

  const keep = (key: string, value: A, now: number) => {
    found.delete(key)
    found.set(key, { value, expiresAt: now + lifetimeMillis })
    for (const [oldest, { expiresAt }] of found) {
      if (found.size <= capacity && expiresAt > now) return
      found.delete(oldest)
    }
  }
  const lookUp = (subject: K, keys: CacheKeys): Effect.Effect<A, E> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const result = yield* Deferred.make<Option.Option<A>, E>()
        inFlight.set(keys.ofLookup, result)
        const exit = yield* Effect.exit(restore(lookup(subject)))
        inFlight.delete(keys.ofLookup)
        if (Exit.isSuccess(exit)) keep(keys.ofValue, exit.value, yield* Clock.currentTimeMillis)
        yield* Deferred.done(
          result,
          Exit.isInterrupted(exit) ? Exit.succeed(Option.none()) : Exit.map(exit, Option.some)
        )
        return yield* exit
      })
    )
  const get = (subject: K): Effect.Effect<A, E> =>
    Effect.gen(function* () {
      const key = keyOf(subject)
      const ofLookup = `${yield* QueryOwner} ${key}`
      const keys = { ofLookup, ofValue: isShared ? key : ofLookup }
      const known = found.get(keys.ofValue)
      if (known !== undefined && known.expiresAt > (yield* Clock.currentTimeMillis)) return known.value
      const result = inFlight.get(ofLookup)
      if (result === undefined) return yield* lookUp(subject, keys)
      const value = yield* Deferred.await(result)
      return Option.isSome(value) ? value.value : yield* get(subject)
    })
  return { get }
}

interface FoundValue<A> {
  readonly value: A
  readonly expiresAt: number
}

interface CacheKeys {
  readonly ofLookup: string
  readonly ofValue: string
}
