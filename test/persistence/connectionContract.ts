import { expect } from "bun:test"
import { Array, Effect, Option, Record } from "effect"
import { ConnectionId, ConnectionState, type Connection } from "../../src/domain/Connection.ts"
import type { Idempotency } from "../../src/domain/Idempotency.ts"
import { noProgress } from "../../src/domain/Progress.ts"
import type { Tenancy } from "../../src/domain/Tenancy.ts"
import { connectionOf, docOf } from "../../src/persistence/Advanced.ts"
import { Commit, ConnectionStore, type StoredConnection } from "../../src/persistence/ConnectionStore.ts"
import { PhaseStore } from "../../src/persistence/PhaseStore.ts"
import { Backstage } from "./Backstage.ts"
import { atOnce, create, firstStep, foreign, moveInto, ours, refusalOf, stepInto } from "./someConnection.ts"
import type { StoreTest } from "./storeContract.ts"

/** What every `ConnectionStore` promises. */
export const connectionContract = (test: StoreTest): void => {
  creation(test)
  idempotency(test)
  standings(test)
  changes(test)
  changesUnderKeys(test)
}

const creation = (test: StoreTest) => {
  test("keeps a new connection as it was handed in, with its first event", () =>
    Effect.gen(function* () {
      const store = yield* ConnectionStore
      const first = yield* firstStep()
      const { connection } = first.standing
      const stored = { id: connection.id, state: "requested" as const, doc: docOf(connection), version: 1 }
      expect(yield* store.create(ours, first, Option.none())).toEqual(Commit.Done({ stored }))
      expect(yield* store.find(ours, stored.id)).toEqual(stored)
      expect(yield* eventsOf(connection)).toEqual(first.events)
    }))

  test("finds nothing for another tenant or application, as if there were no such connection", () =>
    Effect.gen(function* () {
      const store = yield* ConnectionStore
      const { id } = yield* create()
      const missing = yield* refusalOf(store.find(ours, ConnectionId.make("con_missing")))
      expect(missing).toBe("ConnectionNotFound: there is no such connection")
      for (const tenancy of foreign) expect(yield* refusalOf(store.find(tenancy, id))).toBe(missing)
    }))

  test("gives back the very document of a connection in every state, without any null in it", () =>
    Effect.forEach(ConnectionState.literals, (state) =>
      Effect.gen(function* () {
        const store = yield* ConnectionStore
        yield* create()
        const connection = yield* moveInto(state)
        const stored = yield* store.find(ours, connection.id)
        expect(stored).toMatchObject({ id: connection.id, state, version: 2 })
        expect(connectionOf(stored.doc)).toEqual(connection)
        expect(stored.doc).not.toContain("null")
      })
    ))
}

const idempotency = (test: StoreTest) => {
  test("the same key and body give the first connection again, as it was at its creation", () =>
    Effect.gen(function* () {
      const first = yield* createWith(known)
      yield* moveInto("awaiting_manual")
      const again = yield* createWith(known)
      expect(again.creation).toEqual(Commit.Replayed({ stored: yield* createdIn(first) }))
      expect(yield* isKept(again.connection)).toBe(false)
      expect(yield* replay(known)).toEqual(Option.some(again.creation))
    }))

  test("another body under the same key is refused and nothing is written", () =>
    Effect.gen(function* () {
      yield* createWith(known)
      const reused = yield* createWith({ ...known, ...anotherBody })
      expect(reused.creation).toEqual(Commit.KeyReused())
      expect(yield* isKept(reused.connection)).toBe(false)
      expect(yield* replay({ ...known, ...anotherBody })).toEqual(Option.some(Commit.KeyReused()))
    }))

  test("a body is known again by the key of then, once there is a newer one", () =>
    Effect.gen(function* () {
      const { creation } = yield* createWith(known)
      const stored = yield* createdIn({ creation })
      expect(yield* replay({ ...known, fingerprints: ["k2:a body", "k1:a body"] })).toEqual(
        Option.some(Commit.Replayed({ stored }))
      )
      expect(yield* replay({ ...known, fingerprints: ["k2:another body", "k1:another body"] })).toEqual(
        Option.some(Commit.KeyReused())
      )
    }))

  test("a body that was known by a key that is not there counts as the same", () =>
    Effect.gen(function* () {
      const { creation } = yield* createWith({ ...known, fingerprints: ["k2:a body", "k1:a body"] })
      const stored = yield* createdIn({ creation })
      expect((yield* createWith({ ...known, fingerprints: ["k1:a body"] })).creation).toEqual(
        Commit.Replayed({ stored })
      )
    }))

  test("a key means nothing to another tenant, another application, another route or another key", () =>
    Effect.gen(function* () {
      yield* createWith(known)
      const others: ReadonlyArray<[Idempotency, Tenancy]> = [
        ...foreign.map((tenancy): [Idempotency, Tenancy] => [known, tenancy]),
        [{ ...known, route: "POST /elsewhere" }, ours],
        [{ ...known, key: "another key" }, ours]
      ]
      for (const [idempotency, tenancy] of others) {
        expect(yield* replay(idempotency, tenancy)).toEqual(Option.none())
        expect((yield* createWith(idempotency, tenancy)).creation._tag).toBe("Done")
      }
    }))

  test("a key is free again after 24 hours", () =>
    Effect.gen(function* () {
      const { pass } = yield* Backstage
      yield* createWith(known)
      yield* pass("23 hours")
      yield* pass("59 minutes")
      expect((yield* createWith(known)).creation._tag).toBe("Replayed")
      yield* pass("1 minute")
      expect(yield* replay(known)).toEqual(Option.none())
      const anew = yield* createWith({ ...known, ...anotherBody })
      expect(yield* isKept(anew.connection)).toBe(true)
      expect((yield* createWith({ ...known, ...anotherBody })).creation).toEqual(
        Commit.Replayed({ stored: yield* createdIn(anew) })
      )
    }))

  test("fifty creations at once under one key make exactly one connection", () =>
    Effect.gen(function* () {
      const made = yield* Effect.forEach(Array.range(1, 50), () => createWith(known), { concurrency: "unbounded" })
      const [first, ...others] = made.filter(({ creation }) => creation._tag === "Done")
      expect(others).toEqual([])
      const stored = yield* createdIn(first)
      expect(made.filter(({ creation }) => creation._tag === "Replayed")).toHaveLength(49)
      for (const { connection, creation } of made) {
        expect("stored" in creation && creation.stored).toEqual(stored)
        expect(yield* isKept(connection)).toBe(connection.id === stored.id)
      }
    }))

  test("creations without a key are all made", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* create(), yield* create()]
      expect([yield* isKept(one), yield* isKept(other)]).toEqual([true, true])
    }))
}

const standings = (test: StoreTest) => {
  test("a new connection stands at its beginning", () =>
    Effect.gen(function* () {
      const store = yield* ConnectionStore
      const connection = yield* create()
      const standing = { connection, progress: noProgress(connection), version: 1 }
      expect(yield* store.standing(ours, connection.id)).toEqual(standing)
    }))

  test("nothing stands for another tenant or application, as if there were no such connection", () =>
    Effect.gen(function* () {
      const store = yield* ConnectionStore
      const { id } = yield* create()
      const missing = yield* refusalOf(store.standing(ours, ConnectionId.make("con_missing")))
      expect(missing).toBe("ConnectionNotFound: there is no such connection")
      for (const tenancy of foreign) expect(yield* refusalOf(store.standing(tenancy, id))).toBe(missing)
    }))
}

const changes = (test: StoreTest) => {
  test("a change writes the connection, its progress, its events and what is due, as the next version", () =>
    Effect.gen(function* () {
      const { change, find, read, standing, step } = yield* aboutToChange()
      const stored = {
        id: read.connection.id,
        state: "active" as const,
        doc: docOf(step.standing.connection),
        version: 2
      }
      expect(yield* change(ours)).toEqual(Commit.Done({ stored }))
      expect(yield* find(ours, stored.id)).toEqual(stored)
      expect(yield* standing(ours, stored.id)).toEqual({ ...step.standing, version: 2 })
      expect((yield* eventsOf(read.connection)).slice(1)).toEqual([...step.events])
      expect(yield* Effect.flatMap(PhaseStore, ({ takeDue }) => takeDue(2, 60))).toEqual([
        { connectionId: stored.id, phase: "verify", attempt: 1 }
      ])
    }))

  test("a change is stale once somebody else has written, and nothing is written", () =>
    Effect.gen(function* () {
      const { change, read } = yield* aboutToChange()
      yield* moveInto("awaiting_manual")
      for (const key of withAndWithoutKey) {
        expect(yield* leaving(read.connection, change(ours, key))).toEqual(Commit.Stale())
      }
      expect(yield* replay(known)).toEqual(Option.none())
    }))

  test("nobody else can change a connection", () =>
    Effect.gen(function* () {
      const { change, read } = yield* aboutToChange()
      for (const tenancy of foreign) {
        for (const key of withAndWithoutKey) {
          expect(yield* leaving(read.connection, change(tenancy, key))).toEqual(Commit.Stale())
        }
        expect(yield* replay(known, tenancy)).toEqual(Option.none())
      }
    }))

  test("of fifty changes at once that have read the same one is written", () =>
    Effect.gen(function* () {
      const { change, read } = yield* aboutToChange()
      const commits = yield* atOnceFifty(() => change(ours))
      expect(tally(commits)).toEqual({ Done: 1, Stale: 49 })
      expect(yield* eventsOf(read.connection)).toHaveLength(2)
    }))
}

const changesUnderKeys = (test: StoreTest) => {
  test("the same key and body give what the first change left, though the connection has moved on", () =>
    Effect.gen(function* () {
      const { change, read } = yield* aboutToChange()
      const first = yield* change(ours, Option.some(known))
      yield* moveInto("degraded")
      const { change: changeAgain } = yield* aboutToChange(read.connection)
      const again = yield* leaving(read.connection, changeAgain(ours, Option.some(known)))
      expect(first._tag === "Done" && again).toEqual(Commit.Replayed({ stored: storedIn(first) }))
      expect(storedIn(first).version).toBe(2)
      expect(yield* replay(known)).toEqual(Option.some(again))
    }))

  test("another body under the same key is refused and nothing is written", () =>
    Effect.gen(function* () {
      const { change, read } = yield* aboutToChange()
      yield* change(ours, Option.some(known))
      const { change: changeAgain } = yield* aboutToChange(read.connection)
      const reused = changeAgain(ours, Option.some({ ...known, ...anotherBody }))
      expect(yield* leaving(read.connection, reused)).toEqual(Commit.KeyReused())
    }))

  test("a key that was used 24 hours ago is free", () =>
    Effect.gen(function* () {
      const { pass } = yield* Backstage
      const { change, read } = yield* aboutToChange()
      yield* change(ours, Option.some(known))
      yield* pass("1 day")
      const { change: changeAgain } = yield* aboutToChange(read.connection)
      const anew = yield* changeAgain(ours, Option.some({ ...known, ...anotherBody }))
      expect(anew._tag).toBe("Done")
      expect(storedIn(anew).version).toBe(3)
    }))

  test("fifty changes at once under one key are one change", () =>
    Effect.gen(function* () {
      const { change, read } = yield* aboutToChange()
      const commits = yield* atOnceFifty(() => change(ours, Option.some(known)))
      expect(tally(commits)).toEqual({ Done: 1, Replayed: 49 })
      expect(new Set(commits.map((commit) => JSON.stringify(storedIn(commit)))).size).toBe(1)
      expect(yield* eventsOf(read.connection)).toHaveLength(2)
    }))
}

const known: Idempotency = { route: "POST /v1/connections", key: "a key", fingerprints: ["k1:a body"] }
const anotherBody: Pick<Idempotency, "fingerprints"> = { fingerprints: ["k1:another body"] }

const createWith = (idempotency: Idempotency, tenancy = ours) =>
  Effect.gen(function* () {
    const store = yield* ConnectionStore
    const first = yield* firstStep(tenancy)
    const creation = yield* store.create(tenancy, first, Option.some(idempotency))
    return { creation, connection: first.standing.connection }
  })

const replay = (idempotency: Idempotency, tenancy = ours) =>
  Effect.flatMap(ConnectionStore, (store) => store.replay(tenancy, idempotency))

const createdIn = (made: { readonly creation: Commit } | undefined) =>
  made?.creation._tag === "Done" ? Effect.succeed(made.creation.stored) : Effect.dieMessage("was not created")

const isKept = ({ applicationId, id, tenantId }: Connection) =>
  Effect.flatMap(ConnectionStore, (store) => Effect.isSuccess(store.find({ applicationId, tenantId }, id)))

const eventsOf = ({ id }: Connection) => Effect.flatMap(Backstage, (backstage) => backstage.eventsOf(id))

const withAndWithoutKey: ReadonlyArray<Option.Option<Idempotency>> = [Option.none(), Option.some(known)]

/** A connection as it was read, a step that makes it active, and the change to write that. */
const aboutToChange = (of?: Connection) =>
  Effect.gen(function* () {
    const store = yield* ConnectionStore
    const { id } = of ?? (yield* create())
    const read = yield* store.standing(ours, id)
    const step = yield* stepInto(read, "active", { next: atOnce("verify") })
    const change = (tenancy: Tenancy, key: Option.Option<Idempotency> = Option.none()) =>
      store.change(tenancy, read, step, key)
    return { ...store, read, step, change }
  })

const atOnceFifty = <A, E, R>(effect: () => Effect.Effect<A, E, R>) =>
  Effect.forEach(Array.range(1, 50), effect, { concurrency: "unbounded" })

/** How many of each kind there are. */
const tally = (commits: ReadonlyArray<Commit>) =>
  Record.map(
    Array.groupBy(commits, ({ _tag }) => _tag),
    (those) => those.length
  )

/** Runs an effect and asserts that the connection and its timeline stay as they are. */
const leaving = <A, E, R>(connection: Connection, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const kept = Effect.all([
      Effect.flatMap(ConnectionStore, ({ standing }) => standing(ours, connection.id)),
      eventsOf(connection)
    ])
    const before = yield* kept
    const outcome = yield* effect
    expect(yield* kept).toEqual(before)
    return outcome
  })

const storedIn = (commit: Commit): StoredConnection => {
  if ("stored" in commit) return commit.stored
  throw new Error(`nothing is stored by ${commit._tag}`)
}
