import { Array, Clock, Context, Data, Duration, Effect, Layer, Option, Order, Schedule, type Scope } from "effect"
import { Identifiers } from "../../domain/values/Identifiers.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { type FencingToken, LeaseStore } from "../../persistence/stores/phases/LeaseStore.ts"

/** The exclusive right to work on some keys, as long as its scope is open and the database can be reached. */
export interface Lease {
  /** The fencing tokens that guarded writes carry: one for each key, in the order of the keys. */
  readonly guards: Array.NonEmptyReadonlyArray<FencingToken>
  /** Whether no other owner can have any of the keys yet, by the monotonic clock; a lost lease stays lost. */
  readonly isHeld: Effect.Effect<boolean>
}

export class LeaseTaken extends Data.TaggedError("LeaseTaken")<{ readonly key: string }> {}

/** The lease expired or was taken over; its new owner continues from what is written. */
export class LeaseLost extends Data.TaggedError("LeaseLost") {}

/** How long a lease lasts and how it is renewed; its owner gives it up by `margin` earlier than the database does. */
interface LeaseTerms {
  readonly length: Duration.Duration
  readonly margin: Duration.Duration
  readonly renewEvery: Duration.Duration
  readonly retryEvery: Duration.Duration
}

/** Short, because the work of a killed process continues only after this time. */
const defaultLeaseTerms: LeaseTerms = {
  length: Duration.millis(1_800),
  margin: Duration.millis(400),
  renewEvery: Duration.millis(500),
  retryEvery: Duration.millis(100)
}

/** Leases last at most so many times as long as usual. */
const maxSlowness = 16

const lengthen = ({ length, margin, renewEvery, retryEvery }: LeaseTerms, times: number): LeaseTerms => {
  const lengthened = (duration: Duration.Duration) => Duration.millis(Math.round(Duration.toMillis(duration) * times))
  return { length: lengthened(length), margin: lengthened(margin), renewEvery: lengthened(renewEvery), retryEvery }
}

/** Acquires leases and renews them while their scope is open. A lease whose process died expires. */
export class Leases extends Context.Tag("lifecycle/Leases")<
  Leases,
  {
    readonly hold: (
      keys: Array.NonEmptyReadonlyArray<string>,
      maxWait: Duration.Duration
    ) => Effect.Effect<Lease, LeaseTaken | StoreUnavailable, Scope.Scope>
  }
>() {
  static readonly layer = (usualTerms: LeaseTerms = defaultLeaseTerms) =>
    Layer.effect(
      Leases,
      Effect.gen(function* () {
        const store = yield* LeaseStore
        const identifiers = yield* Identifiers
        let slowness = 1

        /** A machine or database that is too slow for a lease gets longer ones, or it would lose each one again. */
        const settle = (lease: KeyLeases, terms: LeaseTerms) =>
          Effect.map(Clock.currentTimeNanos, (now) => {
            const wasHeld = Option.exists(lease.renewedAt, isRecent(now, terms))
            slowness = wasHeld ? Math.max(1, slowness * 0.9) : Math.min(maxSlowness, slowness * 2)
          })

        return {
          hold: Effect.fnUntraced(function* (keys, maxWait) {
            const terms = lengthen(usualTerms, slowness)
            // A new owner each time: callers in the same process exclude each other too.
            const owner = yield* identifiers.next("own")
            const sorted = Array.sort(keys, Order.string)
            const lease = new KeyLeases(yield* Clock.currentTimeNanos)
            yield* Effect.addFinalizer(() => Effect.zipRight(settle(lease, terms), releaseAll(lease, store)))
            yield* Effect.forkScoped(renewUntilLost(lease, terms, store))
            yield* Effect.retry(acquireMissing({ lease, sorted, owner, terms, store }), {
              schedule: Schedule.upTo(Schedule.spaced(terms.retryEvery), maxWait),
              while: ({ _tag }) => _tag === "LeaseTaken"
            })
            return {
              guards: Array.map(sorted, (key) => ({ key, claim: lease.claims.get(key) ?? noClaim })),
              isHeld: Effect.map(Clock.currentTimeNanos, (now) => Option.exists(lease.renewedAt, isRecent(now, terms)))
            }
          })
        }
      })
    )
}

/** Never a real claim: claims start at the current time. */
const noClaim = 0

class KeyLeases {
  readonly claims = new Map<string, number>()
  /** When the last successful renewal of all began, in nanoseconds; none once one is lost, or they are released. */
  renewedAt: Option.Option<bigint>

  constructor(now: bigint) {
    this.renewedAt = Option.some(now)
  }

  get tokens(): ReadonlyArray<FencingToken> {
    return [...this.claims].map(([key, claim]) => ({ key, claim }))
  }
}

interface Acquisition {
  readonly lease: KeyLeases
  readonly sorted: ReadonlyArray<string>
  readonly owner: string
  readonly terms: LeaseTerms
  readonly store: typeof LeaseStore.Service
}

/** Acquires the missing keys together, but keeps only those before the first taken one, so that no owners deadlock. */
const acquireMissing = ({ lease, owner, sorted, store, terms }: Acquisition) =>
  Effect.gen(function* () {
    const missing = sorted.filter((key) => !lease.claims.has(key))
    const claims = yield* Effect.forEach(
      missing,
      (key) => Effect.map(store.acquire(key, owner, Duration.toSeconds(terms.length)), (claim) => ({ key, claim })),
      { concurrency: "unbounded" }
    )
    const [before, [taken, ...after]] = Array.span(claims, ({ claim }) => Option.isSome(claim))
    for (const { claim, key } of before) if (Option.isSome(claim)) lease.claims.set(key, claim.value)
    yield* Effect.forEach(after, ({ claim, key }) =>
      Option.match(claim, { onNone: () => Effect.void, onSome: (value) => store.release({ key, claim: value }) })
    )
    if (taken !== undefined) return yield* new LeaseTaken({ key: taken.key })
  }).pipe(Effect.uninterruptible)

/** A lease that cannot be released expires. */
const releaseAll = (lease: KeyLeases, store: typeof LeaseStore.Service) =>
  Effect.suspend(() => {
    lease.renewedAt = Option.none()
    return Effect.ignore(Effect.forEach(lease.tokens, store.release, { concurrency: "unbounded", discard: true }))
  })

/** Renews until a lease is lost; retries while the database cannot be reached. */
const renewUntilLost = (lease: KeyLeases, terms: LeaseTerms, store: typeof LeaseStore.Service) => {
  const renew = Effect.gen(function* () {
    const startedAt = yield* Clock.currentTimeNanos
    const renewals = yield* Effect.forEach(
      lease.tokens,
      (token) => store.renew(token, Duration.toSeconds(terms.length)),
      {
        concurrency: "unbounded"
      }
    )
    const endedAt = yield* Clock.currentTimeNanos
    const isRenewed = !renewals.includes(false) && Option.exists(lease.renewedAt, isRecent(endedAt, terms))
    lease.renewedAt = isRenewed ? Option.some(startedAt) : Option.none()
    return isRenewed
  })
  return Effect.retry(renew, Schedule.spaced(terms.retryEvery)).pipe(
    Effect.delay(terms.renewEvery),
    Effect.repeat({ while: (isRenewed) => isRenewed })
  )
}

const isRecent = (now: bigint, { length, margin }: LeaseTerms) => {
  const validNanos = BigInt(Duration.toMillis(length) - Duration.toMillis(margin)) * 1_000_000n
  return (at: bigint): boolean => now - at < validNanos
}
