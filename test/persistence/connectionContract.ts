import { expect } from "bun:test"
import { Array, Effect, Option } from "effect"
import { ConnectionId, ConnectionState, type Connection } from "../../src/domain/Connection.ts"
import type { Idempotency } from "../../src/domain/Idempotency.ts"
import type { Tenancy } from "../../src/domain/Tenancy.ts"
import { type Advanced, connectionOf, ConnectionStore, Creation, docOf } from "../../src/persistence/ConnectionStore.ts"
import { Backstage } from "./Backstage.ts"
import { create, firstStep, foreign, moveInto, ours, refusalOf, stepInto } from "./someConnection.ts"
import type { StoreTest } from "./storeContract.ts"

/** What every `ConnectionStore` promises. */
export const connectionContract = (test: StoreTest): void => {
  creation(test)
  idempotency(test)
  duePhases(test)
  claims(test)
}

const creation = (test: StoreTest) => {
  test("keeps a new connection as it was handed in, with its first event", () =>
    Effect.gen(function* () {
      const store = yield* ConnectionStore
      const first = yield* firstStep()
      const stored = { id: first.connection.id, state: "requested" as const, doc: docOf(first.connection), version: 1 }
      expect(yield* store.create(ours, first, Option.none())).toEqual(Creation.Created({ stored }))
      expect(yield* store.find(ours, stored.id)).toEqual(stored)
      expect(yield* eventsOf(first.connection)).toEqual([first.event])
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
      expect(again.creation).toEqual(Creation.Replayed({ stored: yield* createdIn(first) }))
      expect(yield* isKept(again.connection)).toBe(false)
      expect(yield* replay(known)).toEqual(Option.some(again.creation))
    }))

  test("another body under the same key is refused and nothing is written", () =>
    Effect.gen(function* () {
      yield* createWith(known)
      const reused = yield* createWith({ ...known, fingerprint: "another body" })
      expect(reused.creation).toEqual(Creation.KeyReused())
      expect(yield* isKept(reused.connection)).toBe(false)
      expect(yield* replay({ ...known, fingerprint: "another body" })).toEqual(Option.some(Creation.KeyReused()))
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
        expect((yield* createWith(idempotency, tenancy)).creation._tag).toBe("Created")
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
      const anew = yield* createWith({ ...known, fingerprint: "another body" })
      expect(yield* isKept(anew.connection)).toBe(true)
      expect((yield* createWith({ ...known, fingerprint: "another body" })).creation).toEqual(
        Creation.Replayed({ stored: yield* createdIn(anew) })
      )
    }))

  test("fifty creations at once under one key make exactly one connection", () =>
    Effect.gen(function* () {
      const made = yield* Effect.forEach(Array.range(1, 50), () => createWith(known), { concurrency: "unbounded" })
      const [first, ...others] = made.filter(({ creation }) => creation._tag === "Created")
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

const duePhases = (test: StoreTest) => {
  test("takes each due phase once, as its first attempt, and at most as many as asked for", () =>
    Effect.gen(function* () {
      const { takeDue } = yield* ConnectionStore
      const ids = yield* Effect.replicateEffect(create(), 3)
      const takes = [yield* takeDue(2, 60), yield* takeDue(2, 60), yield* takeDue(2, 60)]
      expect(takes.map((taken) => taken.length)).toEqual([2, 1, 0])
      expect(byId(takes.flat())).toEqual(ids.map(({ id }) => ({ connectionId: id, phase: "discover", attempt: 1 })))
    }))

  test("a phase that does not move is due again after the given time, as the next attempt", () =>
    Effect.gen(function* () {
      const { takeDue } = yield* ConnectionStore
      const { pass } = yield* Backstage
      const { id } = yield* create()
      yield* takeDue(1, 60)
      yield* pass("59 seconds")
      expect(yield* takeDue(1, 60)).toEqual([])
      yield* pass("1 second")
      expect(yield* takeDue(1, 60)).toEqual([{ connectionId: id, phase: "discover", attempt: 2 }])
    }))

  test("takes first what has been due for longest", () =>
    Effect.gen(function* () {
      const { takeDue } = yield* ConnectionStore
      const { pass } = yield* Backstage
      const early = yield* create()
      yield* takeDue(1, 60)
      yield* pass("1 second")
      const late = yield* create()
      yield* pass("60 seconds")
      expect((yield* takeDue(1, 60)).map(({ connectionId }) => connectionId)).toEqual([late.id])
      expect((yield* takeDue(1, 60)).map(({ connectionId }) => connectionId)).toEqual([early.id])
    }))

  test("takers at the same time never get the same phase", () =>
    Effect.gen(function* () {
      const { takeDue } = yield* ConnectionStore
      const created = yield* Effect.replicateEffect(create(), 20)
      const takes = yield* Effect.replicateEffect(takeDue(5, 60), 8).pipe(Effect.withConcurrency("unbounded"))
      const rest = yield* takeDue(20, 60)
      expect(byId([...takes.flat(), ...rest]).map(({ connectionId }) => connectionId)).toEqual(
        created.map(({ id }) => id)
      )
    }))
}

const claims = (test: StoreTest) => {
  test("a claim holds the connection as it is, and each one has a higher number", () =>
    Effect.gen(function* () {
      const { store, due, connection } = yield* taken
      const claimed = { connection, attempt: 1, version: 1 }
      expect(yield* store.claim(due)).toEqual(Option.some({ ...claimed, claim: 1 }))
      expect(yield* store.claim(due)).toEqual(Option.some({ ...claimed, claim: 2 }))
    }))

  test("nothing can be claimed for another attempt, for a phase that was done, or for no connection", () =>
    Effect.gen(function* () {
      const { store, due, claim, connection } = yield* claimed
      for (const attempt of [0, 2]) expect(yield* store.claim({ ...due, attempt })).toEqual(Option.none())
      expect(yield* store.claim({ ...due, connectionId: ConnectionId.make("con_missing") })).toEqual(Option.none())
      yield* store.save(claim, yield* stepInto(connection, "awaiting_manual"))
      expect(yield* store.claim(due)).toEqual(Option.none())
    }))

  test("saving writes the connection, its event and the next version, and ends what was due", () =>
    Effect.gen(function* () {
      const { pass } = yield* Backstage
      const { store, claim, connection } = yield* claimed
      const step = yield* stepInto(connection, "failed")
      expect(yield* store.save(claim, step)).toBe(true)
      expect(yield* store.find(ours, connection.id)).toEqual({
        id: connection.id,
        state: "failed",
        doc: docOf(step.connection),
        version: 2
      })
      expect((yield* eventsOf(connection)).slice(1)).toEqual([
        { id: step.event.id, from: "requested", to: "failed", failure: "discovery_timeout" }
      ])
      yield* pass("1 day")
      expect(yield* store.takeDue(1, 60)).toEqual([])
    }))

  test("a step saved with a phase is due at once, as the next attempt", () =>
    Effect.gen(function* () {
      const { store, due, claim, connection } = yield* claimed
      yield* store.save(claim, yield* stepInto(connection, "requested", Option.some("discover")))
      expect(yield* store.takeDue(1, 60)).toEqual([{ ...due, attempt: 2 }])
    }))

  test("a claim fences the one before it", () =>
    Effect.gen(function* () {
      const { store, due, claim, connection } = yield* claimed
      const newer = yield* Effect.flatten(store.claim(due))
      yield* expectRefused(claim, yield* stepInto(connection, "awaiting_manual"))
      expect(yield* store.save(newer, yield* stepInto(connection, "awaiting_authorization"))).toBe(true)
    }))

  test("a newer attempt fences the claim of the older one", () =>
    Effect.gen(function* () {
      const { pass } = yield* Backstage
      const { store, claim, connection } = yield* claimed
      yield* pass("60 seconds")
      yield* store.takeDue(1, 60)
      yield* expectRefused(claim, yield* stepInto(connection, "awaiting_manual"))
    }))

  test("a claim is good for one step", () =>
    Effect.gen(function* () {
      const { store, claim, connection } = yield* claimed
      yield* store.save(claim, yield* stepInto(connection, "awaiting_authorization"))
      yield* expectRefused(claim, yield* stepInto(connection, "canceled"))
    }))

  test("of two steps saved at once under one claim one is written", () =>
    Effect.gen(function* () {
      const { store, claim, connection } = yield* claimed
      const steps = [yield* stepInto(connection, "awaiting_manual"), yield* stepInto(connection, "failed")]
      const saved = yield* Effect.forEach(steps, (step) => store.save(claim, step), { concurrency: 2 })
      expect(saved.toSorted()).toEqual([false, true])
      const [, written, ...more] = yield* eventsOf(connection)
      expect(more).toEqual([])
      expect(written).toEqual(steps[saved.indexOf(true)]?.event)
    }))
}

const known: Idempotency = { route: "POST /v1/connections", key: "a key", fingerprint: "a body" }

const createWith = (idempotency: Idempotency, tenancy = ours) =>
  Effect.gen(function* () {
    const store = yield* ConnectionStore
    const first = yield* firstStep(tenancy)
    const creation = yield* store.create(tenancy, first, Option.some(idempotency))
    return { creation, connection: first.connection }
  })

const replay = (idempotency: Idempotency, tenancy = ours) =>
  Effect.flatMap(ConnectionStore, (store) => store.replay(tenancy, idempotency))

const createdIn = (made: { readonly creation: Creation } | undefined) =>
  made?.creation._tag === "Created" ? Effect.succeed(made.creation.stored) : Effect.dieMessage("was not created")

const isKept = ({ applicationId, id, tenantId }: Connection) =>
  Effect.flatMap(ConnectionStore, (store) => Effect.isSuccess(store.find({ applicationId, tenantId }, id)))

const eventsOf = ({ id }: Connection) => Effect.flatMap(Backstage, (backstage) => backstage.eventsOf(id))

const byId = <A extends { readonly connectionId: string }>(rows: ReadonlyArray<A>) =>
  rows.toSorted((one, other) => one.connectionId.localeCompare(other.connectionId))

/** One connection whose discovery was taken. */
const taken = Effect.gen(function* () {
  const store = yield* ConnectionStore
  const connection = yield* create()
  const due = yield* Effect.flatten(Effect.map(store.takeDue(1, 60), Array.head))
  return { store, connection, due }
})

/** One connection whose discovery was taken and claimed. */
const claimed = Effect.gen(function* () {
  const { store, connection, due } = yield* taken
  return { store, connection, due, claim: yield* Effect.flatten(store.claim(due)) }
})

const expectRefused = (claim: Parameters<ConnectionStore["Type"]["save"]>[0], step: Advanced) =>
  Effect.gen(function* () {
    const store = yield* ConnectionStore
    const kept = Effect.all([store.find(ours, step.connection.id), eventsOf(step.connection)])
    const before = yield* kept
    expect(yield* store.save(claim, step)).toBe(false)
    expect(yield* kept).toEqual(before)
  })
