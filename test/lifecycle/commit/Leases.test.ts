import { expect } from "bun:test"
import { Array, Context, Duration, Effect, Exit, Layer, Scope, TestClock } from "effect"
import { type Lease, Leases } from "../../../src/lifecycle/commit/Leases.ts"
import { StoreUnavailable } from "../../../src/persistence/StoreUnavailable.ts"
import { LeaseStore } from "../../../src/persistence/stores/LeaseStore.ts"
import { effect } from "../../support/effectTest.ts"
import { sequentialIdentifiers } from "../../support/sequentialIdentifiers.ts"
import { storesInMemory } from "../../support/testApi.ts"

effect("a lease is held on all its keys, and kept for as long as its scope is open", () =>
  withLeases(
    Effect.gen(function* () {
      const lease = yield* hold(["zone:b", "connection:a"])
      expect(lease.guards).toEqual([
        { key: "connection:a", claim: 1 },
        { key: "zone:b", claim: 1 }
      ])
      for (const _ of Array.range(1, 60)) {
        yield* TestClock.adjust("1 second")
        expect(yield* lease.isHeld).toBe(true)
      }
      const other = yield* Effect.flip(hold(["zone:b"]))
      expect(other).toMatchObject({ _tag: "LeaseTaken", key: "zone:b" })
    })
  )
)

effect("the end of the scope frees the keys at once and ends the lease", () =>
  withLeases(
    Effect.gen(function* () {
      const first = yield* Effect.scoped(hold(["zone:b", "connection:a"]))
      expect(yield* first.isHeld).toBe(false)
      const second = yield* hold(["zone:b", "connection:a"])
      expect(second.guards.map(({ claim }) => claim)).toEqual([2, 2])
      expect([yield* first.isHeld, yield* second.isHeld]).toEqual([false, true])
    })
  )
)

effect("whoever is patient gets a key as soon as the one before is done, in the same process too", () =>
  withLeases(
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      yield* Scope.extend(hold(["zone:b"]), scope)
      const waiting = yield* Effect.fork(hold(["zone:b"], "10 seconds"))
      yield* TestClock.adjust("8 seconds")
      yield* Scope.close(scope, Exit.void)
      yield* TestClock.adjust("250 millis")
      expect((yield* waiting).guards).toEqual([{ key: "zone:b", claim: 2 }])
    })
  )
)

effect("patience ends, and what was taken on the way is free again", () =>
  withLeases(
    Effect.gen(function* () {
      yield* hold(["zone:b"])
      const waiting = yield* Effect.fork(Effect.flip(Effect.scoped(hold(["connection:a", "zone:b"], "10 seconds"))))
      yield* TestClock.adjust("11 seconds")
      expect(yield* waiting).toMatchObject({ _tag: "LeaseTaken", key: "zone:b" })
      expect((yield* hold(["connection:a"])).guards).toEqual([{ key: "connection:a", claim: 2 }])
    })
  )
)

effect("the lease of a process that died is free when it has run out", () =>
  withLeases(
    Effect.gen(function* () {
      yield* Effect.flatMap(LeaseStore, ({ acquire: take }) => take("zone:b", "a process that died", 5))
      const waiting = yield* Effect.fork(hold(["zone:b"], "10 seconds"))
      yield* TestClock.adjust("5 seconds")
      expect((yield* waiting).guards).toEqual([{ key: "zone:b", claim: 2 }])
    })
  )
)

effect("a lease that another took over is lost for good", () =>
  withLeases(
    Effect.gen(function* () {
      const lease = yield* hold(["zone:b"])
      const { release, acquire: take } = yield* LeaseStore
      yield* release({ key: "zone:b", claim: 1 })
      yield* take("zone:b", "other", 5)
      yield* TestClock.adjust("2 seconds")
      expect(yield* lease.isHeld).toBe(false)
      yield* release({ key: "zone:b", claim: 2 })
      yield* TestClock.adjust("1 minute")
      expect(yield* lease.isHeld).toBe(false)
    })
  )
)

effect("while the database cannot be reached a lease is held until shortly before it runs out", () =>
  withLeases(
    Effect.gen(function* () {
      const { fail, mend } = yield* Weather
      const lease = yield* hold(["zone:b"])
      yield* fail
      yield* TestClock.adjust("3700 millis")
      expect(yield* lease.isHeld).toBe(true)
      yield* mend
      yield* TestClock.adjust("100 millis")
      expect(yield* lease.isHeld).toBe(true)
      yield* fail
      yield* TestClock.adjust("4 seconds")
      expect(yield* lease.isHeld).toBe(false)
      yield* mend
      yield* TestClock.adjust("10 seconds")
      expect(yield* lease.isHeld).toBe(false)
    })
  )
)

/** Whether the database can be reached for renewals. */
class Weather extends Context.Tag("test/Weather")<
  Weather,
  { readonly fail: Effect.Effect<void>; readonly mend: Effect.Effect<void>; readonly isBad: () => boolean }
>() {
  static readonly layer = Layer.sync(Weather, () => {
    const state = { isBad: false }
    const make = (isBad: boolean) => Effect.sync(() => void (state.isBad = isBad))
    return { fail: make(true), mend: make(false), isBad: () => state.isBad }
  })
}

const leaseStore = Layer.effect(
  LeaseStore,
  Effect.gen(function* () {
    const store = yield* LeaseStore
    const weather = yield* Weather
    const unavailable = new StoreUnavailable({ code: "unavailable", message: "not now" })
    return {
      ...store,
      renew: (...args) => Effect.suspend(() => (weather.isBad() ? unavailable : store.renew(...args)))
    }
  })
)

const withLeases = <A, E>(body: Effect.Effect<A, E, Leases | LeaseStore | Weather | Scope.Scope>) =>
  Effect.provide(
    body,
    Leases.layer().pipe(
      Layer.provideMerge(leaseStore),
      Layer.provideMerge(Layer.merge(storesInMemory, Weather.layer)),
      Layer.provide(sequentialIdentifiers)
    )
  )

const hold = (keys: Array.NonEmptyReadonlyArray<string>, patience: Duration.DurationInput = 0) =>
  Effect.flatMap(Leases, (leases): Effect.Effect<Lease, unknown, Scope.Scope> =>
    leases.hold(keys, Duration.decode(patience))
  )
