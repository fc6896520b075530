import { expect } from "bun:test"
import { Array, Context, Duration, Effect, Exit, Layer, Scope, TestClock } from "effect"
import { type Lease, Leases } from "../../../src/lifecycle/commit/Leases.ts"
import { StoreUnavailable } from "../../../src/persistence/StoreUnavailable.ts"
import { LeaseStore } from "../../../src/persistence/stores/phases/LeaseStore.ts"
import { effect } from "../../support/effectTest.ts"
import { sequentialIdentifiers } from "../../support/sequentialIdentifiers.ts"
import { storesInMemory } from "../../support/testApi.ts"

effect("a lease holds all its keys until its scope closes", () =>
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
      const conflict = yield* Effect.flip(hold(["zone:b"]))
      expect(conflict).toMatchObject({ _tag: "LeaseTaken", key: "zone:b" })
    })
  )
)

effect("closing the scope releases the keys immediately and ends the lease", () =>
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

effect("a waiting caller acquires a key as soon as its holder releases it, even in the same process", () =>
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

effect("a caller that waits too long fails and releases the keys it already acquired", () =>
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

effect("the lease of a dead process is free once it expires", () =>
  withLeases(
    Effect.gen(function* () {
      yield* Effect.flatMap(LeaseStore, ({ acquire }) => acquire("zone:b", "a process that died", 5))
      const waiting = yield* Effect.fork(hold(["zone:b"], "10 seconds"))
      yield* TestClock.adjust("5 seconds")
      expect((yield* waiting).guards).toEqual([{ key: "zone:b", claim: 2 }])
    })
  )
)

effect("a lease that another process took over stays lost", () =>
  withLeases(
    Effect.gen(function* () {
      const lease = yield* hold(["zone:b"])
      const { acquire, release } = yield* LeaseStore
      yield* release({ key: "zone:b", claim: 1 })
      yield* acquire("zone:b", "other", 5)
      yield* TestClock.adjust("2 seconds")
      expect(yield* lease.isHeld).toBe(false)
      yield* release({ key: "zone:b", claim: 2 })
      yield* TestClock.adjust("1 minute")
      expect(yield* lease.isHeld).toBe(false)
    })
  )
)

effect("while the database is unreachable, a lease is held until shortly before it expires", () =>
  withLeases(
    Effect.gen(function* () {
      const { end, start } = yield* DatabaseOutage
      const lease = yield* hold(["zone:b"])
      yield* start
      yield* TestClock.adjust("3700 millis")
      expect(yield* lease.isHeld).toBe(true)
      yield* end
      yield* TestClock.adjust("100 millis")
      expect(yield* lease.isHeld).toBe(true)
      yield* start
      yield* TestClock.adjust("4 seconds")
      expect(yield* lease.isHeld).toBe(false)
      yield* end
      yield* TestClock.adjust("10 seconds")
      expect(yield* lease.isHeld).toBe(false)
    })
  )
)

effect("on a database that is too slow for a lease the next ones last longer, until one is held", () =>
  withLeases(
    Effect.gen(function* () {
      const { slow } = yield* DatabaseOutage
      yield* slow(Duration.seconds(6))
      const isHeldForAMinute = Effect.scoped(
        Effect.flatMap(hold(["zone:b"]), ({ isHeld }) => Effect.zipRight(TestClock.adjust("1 minute"), isHeld))
      )
      const results = yield* Effect.replicateEffect(isHeldForAMinute, 5)
      expect(results).toEqual([false, false, false, true, true])
    })
  )
)

interface Database {
  isUnreachable: boolean
  delay: Duration.Duration
}

/** Lets lease renewals fail as if the database were unreachable, or take longer. */
class DatabaseOutage extends Context.Tag("test/DatabaseOutage")<
  DatabaseOutage,
  {
    readonly start: Effect.Effect<void>
    readonly end: Effect.Effect<void>
    readonly slow: (delay: Duration.Duration) => Effect.Effect<void>
    readonly database: Database
  }
>() {
  static readonly layer = Layer.sync(DatabaseOutage, () => {
    const database: Database = { isUnreachable: false, delay: Duration.zero }
    const set = (change: Partial<Database>) => Effect.sync(() => void Object.assign(database, change))
    return {
      start: set({ isUnreachable: true }),
      end: set({ isUnreachable: false }),
      slow: (delay) => set({ delay }),
      database
    }
  })
}

const leaseStore = Layer.effect(
  LeaseStore,
  Effect.gen(function* () {
    const store = yield* LeaseStore
    const { database } = yield* DatabaseOutage
    const unavailable = new StoreUnavailable({ code: "unavailable", message: "not now" })
    return {
      ...store,
      renew: (...args) =>
        Effect.suspend(() =>
          database.isUnreachable ? unavailable : Effect.delay(store.renew(...args), database.delay)
        )
    }
  })
)

const withLeases = <A, E>(body: Effect.Effect<A, E, Leases | LeaseStore | DatabaseOutage | Scope.Scope>) =>
  Effect.provide(
    body,
    Leases.layer(terms).pipe(
      Layer.provideMerge(leaseStore),
      Layer.provideMerge(Layer.merge(storesInMemory, DatabaseOutage.layer)),
      Layer.provide(sequentialIdentifiers)
    )
  )

const terms = {
  length: Duration.seconds(5),
  margin: Duration.millis(1_001),
  renewEvery: Duration.seconds(2),
  retryEvery: Duration.millis(250)
}

const hold = (keys: Array.NonEmptyReadonlyArray<string>, waitFor: Duration.DurationInput = 0) =>
  Effect.flatMap(Leases, (leases): Effect.Effect<Lease, unknown, Scope.Scope> =>
    leases.hold(keys, Duration.decode(waitFor))
  )
