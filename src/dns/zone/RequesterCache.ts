import { Clock, Deferred, Duration, Effect, Exit, Option } from "effect"
import { Requester } from "../../limits/RequestSource.ts"

/** Looks values up, and keeps the found ones for a time. */
interface RequesterCache<K, A, E> {
  /** The value of a subject, looked up again where the known one is older than `maxAge`. */
  readonly get: (subject: K, maxAge?: Duration.DurationInput) => Effect.Effect<A, E>
}

/** Lookups are shared within a requester only, since those of another may have to wait. Failures are not kept. */
export const makeRequesterCache = <K, A, E>(options: {
  readonly lookup: (subject: K) => Effect.Effect<A, E>
  /** Names the subject of a lookup; the same for equal subjects. */
  readonly keyOf: (subject: K) => string
  /** Whether a value that was found for one requester serves the others; then it may not depend on the requester. */
  readonly isShared: boolean
  readonly timeToLive: (value: A) => Duration.DurationInput
  /** The number of values; the oldest give way. */
  readonly capacity: number
  /** The bytes that a value takes, about. */
  readonly sizeOf?: (value: A) => number
  /** The bytes of all values; the oldest give way. Unlimited without it. */
  readonly maxBytes?: number
}): RequesterCache<K, A, E> => {
  const { capacity, isShared, keyOf, lookup, maxBytes = Infinity, sizeOf = () => 0, timeToLive } = options
  /** The entries in the order in which they were found. */
  const found = new Map<string, FoundValue<A>>()
  /** The result of each lookup is none if it was interrupted. */
  const inFlight = new Map<string, Deferred.Deferred<Option.Option<A>, E>>()

  let bytes = 0
  const forget = (key: string) => {
    bytes -= found.get(key)?.bytes ?? 0
    found.delete(key)
  }
  const keep = (key: string, value: A, now: number) => {
    forget(key)
    const size = sizeOf(value)
    bytes += size
    found.set(key, { value, bytes: size, foundAt: now, expiresAt: now + Duration.toMillis(timeToLive(value)) })
    for (const [oldest, { expiresAt }] of found) {
      if (found.size <= capacity && bytes <= maxBytes && expiresAt > now) return
      forget(oldest)
    }
  }
  const lookUp = (subject: K, keys: CacheKeys): Effect.Effect<A, E> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const result = yield* Deferred.make<Option.Option<A>, E>()
        inFlight.set(keys.lookupKey, result)
        const exit = yield* Effect.exit(restore(lookup(subject)))
        inFlight.delete(keys.lookupKey)
        if (Exit.isSuccess(exit)) keep(keys.valueKey, exit.value, yield* Clock.currentTimeMillis)
        yield* Deferred.done(
          result,
          Exit.isInterrupted(exit) ? Exit.succeed(Option.none()) : Exit.map(exit, Option.some)
        )
        return yield* exit
      })
    )
  const get = (subject: K, maxAge: Duration.DurationInput = Duration.infinity): Effect.Effect<A, E> =>
    Effect.gen(function* () {
      const key = keyOf(subject)
      const lookupKey = `${yield* Requester} ${key}`
      const keys = { lookupKey, valueKey: isShared ? key : lookupKey }
      const known = found.get(keys.valueKey)
      const now = yield* Clock.currentTimeMillis
      if (known !== undefined && known.expiresAt > now && now - known.foundAt < Duration.toMillis(maxAge))
        return known.value
      const result = inFlight.get(lookupKey)
      if (result === undefined) return yield* lookUp(subject, keys)
      const value = yield* Deferred.await(result)
      return Option.isSome(value) ? value.value : yield* get(subject, maxAge)
    })
  return { get }
}

interface FoundValue<A> {
  readonly value: A
  readonly bytes: number
  readonly foundAt: number
  readonly expiresAt: number
}

interface CacheKeys {
  readonly lookupKey: string
  readonly valueKey: string
}
