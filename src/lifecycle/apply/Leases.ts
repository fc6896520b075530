import { Array, Clock, Context, Data, Duration, Effect, Layer, Option, Order, Ref, Schedule, type Scope } from "effect"
import { Identifiers } from "../../domain/Identifiers.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { type FencingToken, LeaseStore } from "../../persistence/stores/LeaseStore.ts"

/** The sole right to work on some keys, as long as its scope is open and the database can be reached. */
export interface Lease {
  /** What guarded writes name: one of each key, in the order of the keys. */
  readonly guards: Array.NonEmptyReadonlyArray<FencingToken>
  /** Whether nobody else can have any of the keys yet, by the monotonic clock; what is lost once stays lost. */
  readonly isHeld: Effect.Effect<boolean>
}

/** Somebody else works on the key. */
export class LeaseTaken extends Data.TaggedError("LeaseTaken")<{ readonly key: string }> {}

/** The lease ran out or was taken over: whoever has it now goes on from what is written. */
export class LeaseLost extends Data.TaggedError("LeaseLost") {}

/** How long a lease runs, and how it is kept; `margin` is how much earlier than the database its owner gives it up. */
export interface LeaseTerms {
  readonly length: Duration.Duration
  readonly margin: Duration.Duration
  readonly renewEvery: Duration.Duration
  readonly retryEvery: Duration.Duration
}

export const defaultLeaseTerms: LeaseTerms = {
  length: Duration.seconds(5),
  margin: Duration.seconds(1),
  renewEvery: Duration.seconds(2),
  retryEvery: Duration.millis(250)
}

/** Leases that are renewed while they are worked under. One whose process died runs out. */
export class Leases extends Context.Tag("lifecycle/Leases")<
  Leases,
  {
    /** Takes all keys, for each of which it waits up to `patience` while it is held by others. */
    readonly hold: (
      keys: Array.NonEmptyReadonlyArray<string>,
      patience: Duration.Duration
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
          hold: Effect.fn("Leases.hold")(function* (keys, patience) {
            // Within one process, too, the next owner has to wait until this one is done.
            const owner = yield* identifiers.next("own")
            // Everybody takes keys in the same order, so that no two wait for each other.
            const holds = yield* Effect.forEach(Array.sort(keys, Order.string), (key) =>
              holdOne({ store, terms, key, owner, patience })
            )
            return {
              guards: Array.map(holds, ({ guard }) => guard),
              isHeld: Effect.every(holds, (hold) => hold.isHeld)
            }
          })
        }
      })
    )
}

interface Wish {
  readonly store: typeof LeaseStore.Service
  readonly terms: LeaseTerms
  readonly key: string
  readonly owner: string
  readonly patience: Duration.Duration
}

const holdOne = Effect.fnUntraced(function* (wish: Wish) {
  const asking = Schedule.upTo(Schedule.spaced(wish.terms.retryEvery), wish.patience)
  const hold = yield* Effect.retry(taken(wish), { schedule: asking, while: ({ _tag }) => _tag === "LeaseTaken" })
  yield* Effect.forkScoped(keep(hold, wish))
  const isHeld = Effect.zipWith(hold.renewedAt, Clock.currentTimeNanos, (at, now) =>
    Option.exists(at, isRecent(now, wish.terms))
  )
  return { guard: hold.guard, isHeld }
})

interface Hold {
  readonly guard: FencingToken
  /** When the last renewal began that the store agreed to, in nanoseconds; none once the lease is lost or over. */
  readonly renewedAt: Ref.Ref<Option.Option<bigint>>
}

const taken = ({ key, owner, store, terms }: Wish): Effect.Effect<Hold, LeaseTaken | StoreUnavailable, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const renewedAt = yield* Ref.make(Option.some(yield* Clock.currentTimeNanos))
      const claim = yield* store.acquire(key, owner, Duration.toSeconds(terms.length))
      if (Option.isNone(claim)) return yield* new LeaseTaken({ key })
      return { guard: { key, claim: claim.value }, renewedAt }
    }),
    // What cannot be released runs out.
    ({ guard, renewedAt }) => Effect.zipRight(Ref.set(renewedAt, Option.none()), Effect.ignore(store.release(guard)))
  )

/** Renews until the lease is lost; while the database cannot be reached it asks again and again. */
const keep = ({ guard, renewedAt }: Hold, { store, terms }: Wish) => {
  const renew = Effect.gen(function* () {
    const began = yield* Clock.currentTimeNanos
    const isRenewed = yield* store.renew(guard, Duration.toSeconds(terms.length))
    const ended = yield* Clock.currentTimeNanos
    return yield* Ref.updateAndGet(renewedAt, (at) =>
      isRenewed && Option.exists(at, isRecent(ended, terms)) ? Option.some(began) : Option.none()
    )
  })
  return Effect.retry(renew, Schedule.spaced(terms.retryEvery)).pipe(
    Effect.delay(terms.renewEvery),
    Effect.repeat({ while: Option.isSome })
  )
}

const isRecent = (now: bigint, { length, margin }: LeaseTerms) => {
  const good = BigInt(Duration.toMillis(length) - Duration.toMillis(margin)) * 1_000_000n
  return (at: bigint): boolean => now - at < good
}
