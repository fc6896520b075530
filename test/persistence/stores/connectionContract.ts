import { expect } from "bun:test"
import { Array, Effect, Option, Record } from "effect"
import { type Connection, ConnectionId, ConnectionState } from "../../../src/domain/connection/Connection.ts"
import { makeInitialProgress } from "../../../src/domain/connection/ConnectionRecord.ts"
import { type IdempotentRequest, lostFingerprint } from "../../../src/domain/access/IdempotentRequest.ts"
import type { ApiKeyId, Tenancy } from "../../../src/domain/access/Tenancy.ts"
import { MasterKeyMissing } from "../../../src/persistence/StoreUnavailable.ts"
import { ApiKeyStore } from "../../../src/persistence/stores/access/ApiKeyStore.ts"
import { CommitResult, ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { PhaseStore } from "../../../src/persistence/stores/phases/PhaseStore.ts"
import {
  decodeConnection,
  encodeConnection,
  type StoredConnection
} from "../../../src/persistence/stores/connections/StoredConnection.ts"
import { StoreFixture } from "../StoreFixture.ts"
import {
  createConnection,
  dueNow,
  failureDetails,
  firstTransition,
  foreignTenancies,
  moveToState,
  ownTenancy,
  transitionInto
} from "../connectionFixtures.ts"
import { keyOf } from "./apiKeyContract.ts"
import type { StoreTest } from "./storeContract.ts"

/** The contract of every `ConnectionStore`. */
export const connectionContract = (test: StoreTest): void => {
  creation(test)
  idempotency(test)
  standings(test)
  changes(test)
  changesUnderKeys(test)
  unchangedUnderKeys(test)
}

const creation = (test: StoreTest) => {
  test("stores a new connection unchanged, with its first event", () =>
    Effect.gen(function* () {
      const store = yield* ConnectionStore
      const first = yield* firstTransition()
      const { connection } = first.after
      const stored = { id: connection.id, state: "requested" as const, doc: encodeConnection(connection), version: 1 }
      expect(yield* store.create(ownTenancy, first, Option.none())).toEqual(CommitResult.Done({ stored }))
      expect(yield* store.find(ownTenancy, stored.id)).toEqual(stored)
      expect(yield* eventsOf(connection)).toEqual(first.events)
    }))

  test("writes nothing once the API key of the request is revoked or gone, also where it was used before", () =>
    Effect.gen(function* () {
      const store = yield* ConnectionStore
      const keys = yield* ApiKeyStore
      const [valid, gone] = [keyOf("key_1"), keyOf("key_2")]
      yield* keys.insert(valid)
      const createWithKey = (apiKeyId: ApiKeyId) =>
        Effect.flatMap(firstTransition(), (first) => store.create(ownTenancy, first, Option.some(known), { apiKeyId }))
      expect((yield* Effect.flip(createWithKey(gone.id)))._tag).toBe("ApiKeyInvalid")
      expect((yield* createWithKey(valid.id))._tag).toBe("Done")
      expect((yield* createWithKey(valid.id))._tag).toBe("Replayed")
      yield* keys.revoke(valid.id)
      expect((yield* Effect.flip(createWithKey(valid.id)))._tag).toBe("ApiKeyInvalid")
    }))

  test("answers another tenant or application as if the connection did not exist", () =>
    Effect.gen(function* () {
      const store = yield* ConnectionStore
      const { id } = yield* createConnection()
      const missing = yield* failureDetails(store.find(ownTenancy, ConnectionId.make("con_missing")))
      expect(missing).toBe(
        "ConnectionNotFound: there is no such connection: a key finds those of its own tenant and environment"
      )
      for (const tenancy of foreignTenancies) expect(yield* failureDetails(store.find(tenancy, id))).toBe(missing)
    }))

  test("returns the document of a connection in every state unchanged, without any null", () =>
    Effect.forEach(ConnectionState.literals, (state) =>
      Effect.gen(function* () {
        const store = yield* ConnectionStore
        yield* createConnection()
        const connection = yield* moveToState(state)
        const stored = yield* store.find(ownTenancy, connection.id)
        expect(stored).toMatchObject({ id: connection.id, state, version: 2 })
        expect(decodeConnection(stored.doc)).toEqual(connection)
        expect(stored.doc).not.toContain("null")
      })
    ))
}

const idempotency = (test: StoreTest) => {
  test("the same key and body return the first connection as it was at its creation", () =>
    Effect.gen(function* () {
      const first = yield* createWith(known)
      yield* moveToState("awaiting_manual")
      const repeated = yield* createWith(known)
      expect(repeated.creation).toEqual(CommitResult.Replayed({ stored: yield* createdIn(first) }))
      expect(yield* isStored(repeated.connection)).toBe(false)
      expect(yield* replay(known)).toEqual(Option.some(repeated.creation))
    }))

  test("another body under the same key is refused, and nothing is written", () =>
    Effect.gen(function* () {
      yield* createWith(known)
      const reused = yield* createWith({ ...known, ...anotherBody })
      expect(reused.creation).toEqual(CommitResult.KeyReused())
      expect(yield* isStored(reused.connection)).toBe(false)
      expect(yield* replay({ ...known, ...anotherBody })).toEqual(Option.some(CommitResult.KeyReused()))
    }))

  test("a body is recognized by an older fingerprint key after a newer one was added", () =>
    Effect.gen(function* () {
      const { creation } = yield* createWith(known)
      const stored = yield* createdIn({ creation })
      expect(yield* replay({ ...known, fingerprints: ["k2:a body", "k1:a body"] })).toEqual(
        Option.some(CommitResult.Replayed({ stored }))
      )
      expect(yield* replay({ ...known, fingerprints: ["k2:another body", "k1:another body"] })).toEqual(
        Option.some(CommitResult.KeyReused())
      )
    }))

  test("a body whose fingerprint key this process does not have is left to another one, and nothing is written", () =>
    Effect.gen(function* () {
      const newer: IdempotentRequest = { ...known, fingerprints: ["k2:a body", "k1:a body"] }
      const { creation } = yield* createWith(newer)
      const stored = yield* createdIn({ creation })
      for (const body of ["a body", "another body"] as const)
        expect(yield* Effect.flip(createWith({ ...known, fingerprints: [`k1:${body}`] }))).toBe(MasterKeyMissing.error)
      expect((yield* createWith(newer)).creation).toEqual(CommitResult.Replayed({ stored }))
    }))

  test("a body whose fingerprint key is lost counts as the same body", () =>
    Effect.gen(function* () {
      // As `credentials discard-unreadable` leaves it.
      const lost = { ...known, fingerprints: [lostFingerprint as "lost:"] } as const
      const stored = yield* createdIn(yield* createWith(lost))
      expect((yield* createWith(known)).creation).toEqual(CommitResult.Replayed({ stored }))
    }))

  test("a key has no effect for another tenant, application, route or key", () =>
    Effect.gen(function* () {
      yield* createWith(known)
      const others: ReadonlyArray<[IdempotentRequest, Tenancy]> = [
        ...foreignTenancies.map((tenancy): [IdempotentRequest, Tenancy] => [known, tenancy]),
        [{ ...known, route: "POST /elsewhere" }, ownTenancy],
        [{ ...known, key: "another key" }, ownTenancy]
      ]
      for (const [idempotency, tenancy] of others) {
        expect(yield* replay(idempotency, tenancy)).toEqual(Option.none())
        expect((yield* createWith(idempotency, tenancy)).creation._tag).toBe("Done")
      }
    }))

  test("a key can be used again after 24 hours", () =>
    Effect.gen(function* () {
      const { advanceTime } = yield* StoreFixture
      yield* createWith(known)
      yield* advanceTime("23 hours")
      yield* advanceTime("59 minutes")
      expect((yield* createWith(known)).creation._tag).toBe("Replayed")
      yield* advanceTime("1 minute")
      expect(yield* replay(known)).toEqual(Option.none())
      const anew = yield* createWith({ ...known, ...anotherBody })
      expect(yield* isStored(anew.connection)).toBe(true)
      expect((yield* createWith({ ...known, ...anotherBody })).creation).toEqual(
        CommitResult.Replayed({ stored: yield* createdIn(anew) })
      )
    }))

  test("fifty concurrent creations under one key create exactly one connection", () =>
    Effect.gen(function* () {
      const creations = yield* Effect.forEach(Array.range(1, 50), () => createWith(known), { concurrency: "unbounded" })
      const [first, ...others] = creations.filter(({ creation }) => creation._tag === "Done")
      expect(others).toEqual([])
      const stored = yield* createdIn(first)
      expect(creations.filter(({ creation }) => creation._tag === "Replayed")).toHaveLength(49)
      for (const { connection, creation } of creations) {
        expect("stored" in creation && creation.stored).toEqual(stored)
        expect(yield* isStored(connection)).toBe(connection.id === stored.id)
      }
    }))

  test("creations without a key all succeed", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* createConnection(), yield* createConnection()]
      expect([yield* isStored(first), yield* isStored(second)]).toEqual([true, true])
    }))
}

const standings = (test: StoreTest) => {
  test("a new connection has its initial progress", () =>
    Effect.gen(function* () {
      const store = yield* ConnectionStore
      const connection = yield* createConnection()
      const record = { connection, progress: makeInitialProgress(connection), version: 1 }
      expect(yield* store.findRecord(ownTenancy, connection.id)).toEqual(record)
    }))

  test("the record is hidden from another tenant or application as if it did not exist", () =>
    Effect.gen(function* () {
      const store = yield* ConnectionStore
      const { id } = yield* createConnection()
      const missing = yield* failureDetails(store.findRecord(ownTenancy, ConnectionId.make("con_missing")))
      expect(missing).toBe(
        "ConnectionNotFound: there is no such connection: a key finds those of its own tenant and environment"
      )
      for (const tenancy of foreignTenancies) expect(yield* failureDetails(store.findRecord(tenancy, id))).toBe(missing)
    }))
}

const changes = (test: StoreTest) => {
  test("a change writes the connection, its progress, its events and the due phase as the next version", () =>
    Effect.gen(function* () {
      const { change, find, read, findRecord, step } = yield* aboutToChange()
      const stored = {
        id: read.connection.id,
        state: "active" as const,
        doc: encodeConnection(step.after.connection),
        version: 2
      }
      expect(yield* change(ownTenancy)).toEqual(CommitResult.Done({ stored }))
      expect(yield* find(ownTenancy, stored.id)).toEqual(stored)
      expect(yield* findRecord(ownTenancy, stored.id)).toEqual({ ...step.after, version: 2 })
      expect((yield* eventsOf(read.connection)).slice(1)).toEqual([...step.events])
      expect(yield* Effect.flatMap(PhaseStore, ({ takeDue }) => takeDue(2, 60))).toMatchObject([
        { ...ownTenancy, connectionId: stored.id, phase: "verify", attempt: 1 }
      ])
    }))

  test("a change is stale after a concurrent write, and nothing is written", () =>
    Effect.gen(function* () {
      const { change, read } = yield* aboutToChange()
      yield* moveToState("awaiting_manual")
      for (const key of withAndWithoutKey) {
        expect(yield* leaving(read.connection, change(ownTenancy, key))).toEqual(CommitResult.Stale())
      }
      expect(yield* replay(known)).toEqual(Option.none())
    }))

  test("another tenant cannot change a connection", () =>
    Effect.gen(function* () {
      const { change, read } = yield* aboutToChange()
      for (const tenancy of foreignTenancies) {
        for (const key of withAndWithoutKey) {
          expect(yield* leaving(read.connection, change(tenancy, key))).toEqual(CommitResult.Stale())
        }
        expect(yield* replay(known, tenancy)).toEqual(Option.none())
      }
    }))

  test("only one of fifty concurrent changes of the same version is written", () =>
    Effect.gen(function* () {
      const { change, read } = yield* aboutToChange()
      const commits = yield* atOnceFifty(() => change(ownTenancy))
      expect(tally(commits)).toEqual({ Done: 1, Stale: 49 })
      expect(yield* eventsOf(read.connection)).toHaveLength(2)
    }))
}

const changesUnderKeys = (test: StoreTest) => {
  test("the same key and body return the result of the first change after later changes", () =>
    Effect.gen(function* () {
      const { change, read } = yield* aboutToChange()
      const first = yield* change(ownTenancy, Option.some(known))
      yield* moveToState("degraded")
      const { change: changeAgain } = yield* aboutToChange(read.connection)
      const repeated = yield* leaving(read.connection, changeAgain(ownTenancy, Option.some(known)))
      expect(first._tag === "Done" && repeated).toEqual(CommitResult.Replayed({ stored: storedIn(first) }))
      expect(storedIn(first).version).toBe(2)
      expect(yield* replay(known)).toEqual(Option.some(repeated))
    }))

  test("another body under the same key is refused, and nothing is written", () =>
    Effect.gen(function* () {
      const { change, read } = yield* aboutToChange()
      yield* change(ownTenancy, Option.some(known))
      const { change: changeAgain } = yield* aboutToChange(read.connection)
      const reused = changeAgain(ownTenancy, Option.some({ ...known, ...anotherBody }))
      expect(yield* leaving(read.connection, reused)).toEqual(CommitResult.KeyReused())
    }))

  test("a key used 24 hours ago can be used again", () =>
    Effect.gen(function* () {
      const { advanceTime } = yield* StoreFixture
      const { change, read } = yield* aboutToChange()
      yield* change(ownTenancy, Option.some(known))
      yield* advanceTime("1 day")
      const { change: changeAgain } = yield* aboutToChange(read.connection)
      const anew = yield* changeAgain(ownTenancy, Option.some({ ...known, ...anotherBody }))
      expect(anew._tag).toBe("Done")
      expect(storedIn(anew).version).toBe(3)
    }))

  test("fifty concurrent changes under one key result in one change", () =>
    Effect.gen(function* () {
      const { change, read } = yield* aboutToChange()
      const commits = yield* atOnceFifty(() => change(ownTenancy, Option.some(known)))
      expect(tally(commits)).toEqual({ Done: 1, Replayed: 49 })
      expect(new Set(commits.map((commit) => JSON.stringify(storedIn(commit)))).size).toBe(1)
      expect(yield* eventsOf(read.connection)).toHaveLength(2)
    }))
}

const unchangedUnderKeys = (test: StoreTest) => {
  test("a key without a change keeps the connection as it is, and nothing else is written", () =>
    Effect.gen(function* () {
      const { find, keepAnswer, read } = yield* aboutToChange()
      const current = yield* find(ownTenancy, read.connection.id)
      const kept = yield* leaving(read.connection, keepAnswer(ownTenancy, read, known))
      expect(kept).toEqual(CommitResult.Done({ stored: current }))
      yield* moveToState("degraded")
      expect(yield* replay(known)).toEqual(Option.some(CommitResult.Replayed({ stored: current })))
      expect(yield* keepAnswer(ownTenancy, read, known)).toEqual(CommitResult.Replayed({ stored: current }))
      expect(yield* keepAnswer(ownTenancy, read, { ...known, ...anotherBody })).toEqual(CommitResult.KeyReused())
    }))

  test("a key without a change is not kept after a concurrent write, nor for another tenant", () =>
    Effect.gen(function* () {
      const { keepAnswer, read } = yield* aboutToChange()
      for (const tenancy of foreignTenancies)
        expect(yield* keepAnswer(tenancy, read, known)).toEqual(CommitResult.Stale())
      yield* moveToState("awaiting_manual")
      expect(yield* keepAnswer(ownTenancy, read, known)).toEqual(CommitResult.Stale())
      expect(yield* replay(known)).toEqual(Option.none())
    }))
}

const known: IdempotentRequest = { route: "POST /v1/connections", key: "a key", fingerprints: ["k1:a body"] }
const anotherBody: Pick<IdempotentRequest, "fingerprints"> = { fingerprints: ["k1:another body"] }

const createWith = (idempotency: IdempotentRequest, tenancy = ownTenancy) =>
  Effect.gen(function* () {
    const store = yield* ConnectionStore
    const first = yield* firstTransition(tenancy)
    const creation = yield* store.create(tenancy, first, Option.some(idempotency))
    return { creation, connection: first.after.connection }
  })

const replay = (idempotency: IdempotentRequest, tenancy = ownTenancy) =>
  Effect.flatMap(ConnectionStore, (store) => store.findReplay(tenancy, idempotency))

const createdIn = (created: { readonly creation: CommitResult } | undefined) =>
  created?.creation._tag === "Done" ? Effect.succeed(created.creation.stored) : Effect.dieMessage("was not created")

const isStored = ({ applicationId, id, tenantId }: Connection) =>
  Effect.flatMap(ConnectionStore, (store) => Effect.isSuccess(store.find({ applicationId, tenantId }, id)))

const eventsOf = ({ id }: Connection) => Effect.flatMap(StoreFixture, (fixture) => fixture.listEvents(id))

const withAndWithoutKey: ReadonlyArray<Option.Option<IdempotentRequest>> = [Option.none(), Option.some(known)]

/** A connection that was read, a transition that makes it active, and the change that writes it. */
const aboutToChange = (of?: Connection) =>
  Effect.gen(function* () {
    const store = yield* ConnectionStore
    const { id } = of ?? (yield* createConnection())
    const read = yield* store.findRecord(ownTenancy, id)
    const step = yield* transitionInto(read, "active", { next: dueNow("verify") })
    const change = (tenancy: Tenancy, key: Option.Option<IdempotentRequest> = Option.none()) =>
      store.update(tenancy, read, step, key)
    return { ...store, read, step, change }
  })

const atOnceFifty = <A, E, R>(effect: () => Effect.Effect<A, E, R>) =>
  Effect.forEach(Array.range(1, 50), effect, { concurrency: "unbounded" })

/** Counts the results of each kind. */
const tally = (commits: ReadonlyArray<CommitResult>) =>
  Record.map(
    Array.groupBy(commits, ({ _tag }) => _tag),
    (those) => those.length
  )

/** Runs an effect and asserts that the connection and its timeline do not change. */
const leaving = <A, E, R>(connection: Connection, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const current = Effect.all([
      Effect.flatMap(ConnectionStore, ({ findRecord }) => findRecord(ownTenancy, connection.id)),
      eventsOf(connection)
    ])
    const before = yield* current
    const outcome = yield* effect
    expect(yield* current).toEqual(before)
    return outcome
  })

const storedIn = (commit: CommitResult): StoredConnection => {
  if ("stored" in commit) return commit.stored
  throw new Error(`nothing is stored by ${commit._tag}`)
}
