import { Array, Clock, Context, Data, Duration, Effect, Layer, Option, Order, Ref, Schedule, type Scope } from "effect"
import { Identifiers } from "../../domain/Identifiers.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { type FencingToken, LeaseStore } from "../../persistence/stores/LeaseStore.ts"

/** The exclusive right to work on some keys, as long as its scope is open and the database can be reached. */
export interface Lease {
  /** The fencing tokens that guarded writes carry: one for each key, in the order of the keys. */
  readonly guards: Array.NonEmptyReadonlyArray<FencingToken>
  /** Whether no other owner can have any of the keys yet, by the monotonic clock; a lost lease stays lost. */
  readonly isHeld: Effect.Effect<boolean>
}

/** Another owner has the lease on the key. */
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

const defaultLeaseTerms: LeaseTerms = {
  length: Duration.seconds(5),
  margin: Duration.seconds(1),
  renewEvery: Duration.seconds(2),
  retryEvery: Duration.millis(250)
}

/** Acquires leases and renews them while their scope is open. A lease whose process died expires. */
export class Leases extends Context.Tag("lifecycle/Leases")<
  Leases,
  {
    /** Acquires a lease on all keys; waits up to `maxWait` for each key that another owner has. */
    readonly hold: (
      keys: Array.NonEmptyReadonlyArray<string>,
      maxWait: Duration.Duration
    ) => Effect.Effect<Lease, LeaseTaken | StoreUnavailable, Scope.Scope>
  }
>() {
  static readonly layer = (terms: LeaseTerms = defaultLeaseTerms) =>
    Layer.effect(
      Leases,
      Effect.gen(function* () {
        const store = yield* LeaseStore
        const identifiers = yield* Identifiers

        return {
          hold: Effect.fn("Leases.hold")(function* (keys, maxWait) {
            // A new owner each time: callers in the same process exclude each other too.
            const owner = yield* identifiers.next("own")
            // All owners acquire keys in the same order, so that no two wait for each other.
            const heldKeys = yield* Effect.forEach(Array.sort(keys, Order.string), (key) =>
              holdKey({ store, terms, key, owner, maxWait })
            )
            return {
              guards: Array.map(heldKeys, ({ guard }) => guard),
              isHeld: Effect.every(heldKeys, ({ isHeld }) => isHeld)
            }
          })
        }
      })
    )
}

interface KeyRequest {
  readonly store: typeof LeaseStore.Service
  readonly terms: LeaseTerms
  readonly key: string
  readonly owner: string
  readonly maxWait: Duration.Duration
}

/** Waits for the key, and renews its lease in the background of the scope. */
const holdKey = Effect.fnUntraced(function* (request: KeyRequest) {
  const { maxWait, terms } = request
  const schedule = Schedule.upTo(Schedule.spaced(terms.retryEvery), maxWait)
  const lease = yield* Effect.retry(acquireKey(request), { schedule, while: ({ _tag }) => _tag === "LeaseTaken" })
  yield* Effect.forkScoped(renewUntilLost(lease, request))
  const isHeld = Effect.zipWith(lease.renewedAt, Clock.currentTimeNanos, (at, now) =>
    Option.exists(at, isRecent(now, terms))
  )
  return { guard: lease.guard, isHeld }
})

interface KeyLease {
  readonly guard: FencingToken
  /** When the last successful renewal began, in nanoseconds; none once the lease is lost or released. */
  readonly renewedAt: Ref.Ref<Option.Option<bigint>>
}

const acquireKey = ({
  key,
  owner,
  store,
  terms
}: KeyRequest): Effect.Effect<KeyLease, LeaseTaken | StoreUnavailable, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const renewedAt = yield* Ref.make(Option.some(yield* Clock.currentTimeNanos))
      const claim = yield* store.acquire(key, owner, Duration.toSeconds(terms.length))
      if (Option.isNone(claim)) return yield* new LeaseTaken({ key })
      return { guard: { key, claim: claim.value }, renewedAt }
    }),
    // A lease that cannot be released expires.
    ({ guard, renewedAt }) => Effect.zipRight(Ref.set(renewedAt, Option.none()), Effect.ignore(store.release(guard)))
  )

/** Renews until the lease is lost; retries while the database cannot be reached. */
const renewUntilLost = ({ guard, renewedAt }: KeyLease, { store, terms }: KeyRequest) => {
  const renew = Effect.gen(function* () {
    const startedAt = yield* Clock.currentTimeNanos
    const isRenewed = yield* store.renew(guard, Duration.toSeconds(terms.length))
    const endedAt = yield* Clock.currentTimeNanos
    return yield* Ref.updateAndGet(renewedAt, (at) =>
      isRenewed && Option.exists(at, isRecent(endedAt, terms)) ? Option.some(startedAt) : Option.none()
    )
  })
  return Effect.retry(renew, Schedule.spaced(terms.retryEvery)).pipe(
    Effect.delay(terms.renewEvery),
    Effect.repeat({ while: Option.isSome })
  )
}

const isRecent = (now: bigint, { length, margin }: LeaseTerms) => {
  const validNanos = BigInt(Duration.toMillis(length) - Duration.toMillis(margin)) * 1_000_000n
  return (at: bigint): boolean => now - at < validNanos
}
