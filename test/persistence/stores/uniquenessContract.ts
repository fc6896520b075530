import { expect } from "bun:test"
import { Array, Effect, Option } from "effect"
import { type Connection, Failure } from "../../../src/domain/connection/Connection.ts"
import { DnsRecord } from "../../../src/domain/records/DnsRecord.ts"
import type { IdempotentRequest } from "../../../src/domain/access/IdempotentRequest.ts"
import { EffectiveIntent } from "../../../src/domain/connection/Intent.ts"
import type { Transition } from "../../../src/domain/connection/Transition.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { ConnectionViews } from "../../../src/persistence/stores/connections/ConnectionViews.ts"
import type { CreationRules } from "../../../src/persistence/stores/connections/insertConnections.ts"
import {
  connectionInState,
  firstTransition,
  foreignTenancies,
  ownTenancy,
  requestedConnection,
  transitionInto
} from "../connectionFixtures.ts"
import type { StoreTest } from "./storeContract.ts"

/** The contract of every `ConnectionStore` for connections that exclude each other. */
export const uniquenessContract = (test: StoreTest): void => {
  sameIntent(test)
  sameExternalId(test)
}

const sameIntent = (test: StoreTest) => {
  test("a second connection with the same intent is refused with the id of the first", () =>
    Effect.gen(function* () {
      const first = yield* create(onlyOne)
      expect(yield* refusalOf(create(onlyOne))).toEqual(["connection_exists", first.id])
      for (const effectiveIntent of [reversed, withOtherTtl])
        expect(yield* refusalOf(create(onlyOne, { effectiveIntent }))).toEqual(["connection_exists", first.id])
    }))

  test("another record, another domain, another tenant or application is no duplicate", () =>
    Effect.gen(function* () {
      yield* create(onlyOne)
      const [mail, dmarc] = intent.records
      if (mail === undefined || dmarc === undefined) return yield* Effect.dieMessage("two records are expected")
      const others = [
        { records: [mail] },
        { records: [DnsRecord.make({ ...mail, priority: 20 }), dmarc] },
        { domain: "example.org" }
      ]
      for (const other of others)
        yield* create(onlyOne, { effectiveIntent: EffectiveIntent.make({ ...intent, ...other }) })
      for (const tenancy of foreignTenancies) yield* create(onlyOne, {}, tenancy)
    }))

  test("a duplicate is written if it is allowed, and refuses others like the first", () =>
    Effect.gen(function* () {
      const first = yield* create({})
      yield* create({})
      yield* create({})
      const [code, id] = yield* refusalOf(create(onlyOne))
      expect(code).toBe("connection_exists")
      expect(id).toStartWith(first.id.slice(0, 4))
    }))

  test("a connection that has ended, leaves its zone or failed for good excludes nobody", () =>
    Effect.forEach(leavers, (into) =>
      Effect.gen(function* () {
        const connection = yield* create(onlyOne)
        yield* refusalOf(create(onlyOne))
        yield* change(connection, into)
        const next = yield* create(onlyOne)
        yield* change(next, canceled)
      })
    ))

  test("a connection with a new intent excludes others from that one, and no longer from the one before", () =>
    Effect.gen(function* () {
      const connection = yield* create(onlyOne)
      yield* change(connection, waiting, { newIntent: otherIntent })
      const successor = yield* create(onlyOne)
      expect(yield* refusalOf(create(onlyOne, { effectiveIntent: otherIntent }))).toEqual([
        "connection_exists",
        connection.id
      ])
      yield* change(successor, waiting, { newIntent: otherIntent })
      yield* create(onlyOne)
      yield* change(connection, canceled)
      yield* create(onlyOne, { effectiveIntent: otherIntent })
    }))

  test("a change to the intent of another connection is refused with its id, unless a duplicate is allowed", () =>
    Effect.gen(function* () {
      const first = yield* create(onlyOne)
      const other = yield* create(onlyOne, { effectiveIntent: otherIntent })
      const refused = { newIntent: otherIntent, duplicates: "refused" } as const
      expect(yield* attemptChange(first, waiting, refused)).toMatchObject({
        _tag: "Duplicate",
        existing: { code: "connection_exists", connectionId: other.id }
      })
      expect(yield* attemptChange(other, waiting, refused)).toMatchObject({ _tag: "Done" })
      yield* change(first, waiting, { newIntent: otherIntent, duplicates: "allowed" })
      yield* create(onlyOne)
    }))

  test("while a new intent waits, a connection excludes others from that one and from the one that counts", () =>
    Effect.gen(function* () {
      const first = yield* create(onlyOne)
      const second = yield* create(onlyOne, { effectiveIntent: thirdIntent })
      const changes = { newIntent: otherIntent, countingIntent: intent, duplicates: "refused" } as const
      yield* change(first, waiting, changes)
      for (const effectiveIntent of [intent, otherIntent]) {
        expect(yield* refusalOf(create(onlyOne, { effectiveIntent }))).toEqual(["connection_exists", first.id])
        const change = { newIntent: effectiveIntent, duplicates: "refused" } as const
        expect(yield* attemptChange(second, waiting, change)).toMatchObject({
          _tag: "Duplicate",
          existing: { code: "connection_exists", connectionId: first.id }
        })
      }
      yield* change(first, waiting, { newIntent: intent })
      yield* change(second, waiting, { newIntent: otherIntent, duplicates: "refused" })
      expect(yield* refusalOf(create(onlyOne))).toEqual(["connection_exists", first.id])
    }))

  test("a connection whose new intent was applied excludes others from it, also once an allowed duplicate has ended", () =>
    Effect.gen(function* () {
      const first = yield* create(onlyOne)
      const waits = { newIntent: otherIntent, countingIntent: intent, duplicates: "allowed" } as const
      yield* change(first, waiting, waits)
      const duplicate = yield* create({}, { effectiveIntent: otherIntent })
      yield* change(first, waiting, { newIntent: otherIntent })
      yield* change(duplicate, canceled)
      expect(yield* refusalOf(create(onlyOne, { effectiveIntent: otherIntent }))).toEqual([
        "connection_exists",
        first.id
      ])
    }))

  test("one of fifty concurrent changes and creations gets an intent, and the others learn its id", () =>
    Effect.gen(function* () {
      const connections = yield* Effect.forEach(Array.range(1, 25), (nth) =>
        create(onlyOne, { effectiveIntent: EffectiveIntent.make({ ...intent, domain: `shop-${nth}.example` }) })
      )
      const changes = connections.map((connection) =>
        Effect.map(attemptChange(connection, waiting, { newIntent: otherIntent, duplicates: "refused" }), (commit) =>
          commit._tag === "Duplicate" ? { ...commit.existing } : { winner: connection.id }
        )
      )
      const creations = connections.map(() =>
        Effect.match(create(onlyOne, { effectiveIntent: otherIntent }), {
          onSuccess: ({ id }) => ({ winner: id }),
          onFailure: (error) => ({ ...error })
        })
      )
      const outcomes = yield* Effect.all(Array.zipWith(changes, creations, (one, other) => [one, other]).flat(), {
        concurrency: "unbounded"
      })
      const winners = outcomes.flatMap((outcome) => ("winner" in outcome ? [outcome.winner] : []))
      expect(winners).toHaveLength(1)
      const learned = outcomes.flatMap((outcome) => ("connectionId" in outcome ? [outcome.connectionId] : []))
      expect([learned.length, new Set(learned)]).toEqual([49, new Set(winners)])
    }))

  test("a connection that failed and can be tried again excludes others", () =>
    Effect.gen(function* () {
      const connection = yield* create(onlyOne)
      yield* change(connection, (current) => connectionInState(current, "failed"))
      expect(yield* refusalOf(create(onlyOne))).toEqual(["connection_exists", connection.id])
    }))

  test("one of fifty concurrent creations of the same intent is written, and the others learn its id", () =>
    Effect.gen(function* () {
      const outcomes = yield* Effect.forEach(Array.range(1, 50), () => Effect.either(create(onlyOne)), {
        concurrency: "unbounded"
      })
      const [refused, written] = Array.separate(outcomes)
      expect(written).toHaveLength(1)
      expect(new Set(refused.map(({ _tag }) => _tag))).toEqual(new Set(["ConnectionExists"]))
      expect(new Set(refused.map((error) => "connectionId" in error && error.connectionId))).toEqual(
        new Set(written.map(({ id }) => id))
      )
    }))

  test("a repeated request gets its first answer although its connection exists", () =>
    Effect.gen(function* () {
      const store = yield* ConnectionStore
      const attempt = Effect.flatMap(firstTransition(), (first) =>
        store.create(ownTenancy, first, Option.some(known), onlyOne)
      )
      expect((yield* attempt)._tag).toBe("Done")
      expect((yield* attempt)._tag).toBe("Replayed")
    }))

  test("a refused creation leaves its idempotency key unused", () =>
    Effect.gen(function* () {
      const store = yield* ConnectionStore
      const first = yield* create(onlyOne)
      yield* Effect.flip(
        Effect.flatMap(firstTransition(), (again) => store.create(ownTenancy, again, Option.some(known), onlyOne))
      )
      expect(yield* store.findReplay(ownTenancy, known)).toEqual(Option.none())
      yield* change(first, canceled)
    }))
}

const sameExternalId = (test: StoreTest) => {
  test("an external id belongs to one connection of a tenant until that ends", () =>
    Effect.gen(function* () {
      const first = yield* create({}, { externalId: "shop 7" })
      expect(yield* refusalOf(create({}, { externalId: "shop 7" }))).toEqual(["external_id_taken", first.id])
      yield* create({}, { externalId: "Shop 7" })
      yield* create({}, {})
      for (const tenancy of foreignTenancies) yield* create({}, { externalId: "shop 7" }, tenancy)
      yield* change(first, (current) => connectionInState(current, "disconnecting"))
      expect(yield* refusalOf(create({}, { externalId: "shop 7" }))).toEqual(["external_id_taken", first.id])
      yield* change(first, (current) => connectionInState(current, "disconnected"))
      const second = yield* create({}, { externalId: "shop 7" })
      expect(yield* listed("shop 7")).toEqual([first.id, second.id])
    }))

  test("a connection that takes an external id later is refused one that another has, and leaves its own to others", () =>
    Effect.gen(function* () {
      const first = yield* create({}, { externalId: "shop 7" })
      const second = yield* create({}, { externalId: "shop 8" })
      expect(yield* attemptChange(second, taking("shop 7"))).toMatchObject({
        _tag: "Duplicate",
        existing: { code: "external_id_taken", connectionId: first.id }
      })
      yield* change(first, taking("shop 9"))
      yield* change(second, taking("shop 7"))
      expect([yield* listed("shop 7"), yield* listed("shop 8"), yield* listed("shop 9")]).toEqual([
        [second.id],
        [],
        [first.id]
      ])
    }))

  test("one of fifty connections that take an external id at the same time gets it", () =>
    Effect.gen(function* () {
      const connections = yield* Effect.replicateEffect(create({}), 50)
      const outcomes = yield* Effect.forEach(
        connections,
        (connection) => attemptChange(connection, (current) => ({ ...current, externalId: "shop 7" })),
        { concurrency: "unbounded" }
      )
      const losers = outcomes.flatMap((commit) => (commit._tag === "Duplicate" ? [commit.existing.connectionId] : []))
      expect([losers.length, [...new Set(losers)]]).toEqual([49, yield* listed("shop 7")])
    }))

  test("one of fifty concurrent creations under an external id is written", () =>
    Effect.gen(function* () {
      const outcomes = yield* Effect.forEach(
        Array.range(1, 50),
        () => Effect.either(create({}, { externalId: "shop 7" })),
        { concurrency: "unbounded" }
      )
      const [refused, written] = Array.separate(outcomes)
      expect(written).toHaveLength(1)
      expect(new Set(refused.map((error) => "code" in error && error.code))).toEqual(new Set(["external_id_taken"]))
    }))

  test("others that come with an excluded connection are written", () =>
    Effect.gen(function* () {
      yield* create({}, { externalId: "taken" })
      const outcomes = yield* Effect.forEach(
        ["a", "taken", "b", "taken", "c"],
        (externalId) => Effect.either(create({}, { externalId })),
        { concurrency: "unbounded" }
      )
      expect(outcomes.map(({ _tag }) => _tag)).toEqual(["Right", "Left", "Right", "Left", "Right"])
    }))

  test("a list shows the connections with an external id, those of other tenants excepted", () =>
    Effect.gen(function* () {
      const mine = yield* create({}, { externalId: "shop 7" })
      yield* create({}, { externalId: "shop 8" })
      for (const tenancy of foreignTenancies) yield* create({}, { externalId: "shop 7" }, tenancy)
      expect(yield* listed("shop 7")).toEqual([mine.id])
      expect(yield* listed("shop 9")).toEqual([])
    }))
}

const onlyOne: CreationRules = { refusesDuplicate: true }

const known: IdempotentRequest = { route: "POST /v1/connections", key: "a key", fingerprints: ["k1:a body"] }

const intent = requestedConnection().effectiveIntent

const reversed = EffectiveIntent.make({ ...intent, records: intent.records.toReversed() })

const withOtherTtl = EffectiveIntent.make({
  ...intent,
  records: intent.records.map((record) => DnsRecord.make({ ...record, ttl: 60 }))
})

const create = (rules: CreationRules, fields: Partial<Connection> = {}, tenancy = ownTenancy) =>
  Effect.gen(function* () {
    const store = yield* ConnectionStore
    const first = yield* firstTransition(tenancy, fields)
    const creation = yield* store.create(tenancy, first, Option.none(), rules)
    expect(creation._tag).toBe("Done")
    return first.after.connection
  })

const refusalOf = <A, E, R>(creation: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(creation), (error) => {
    const { code, connectionId } = error as { readonly code?: string; readonly connectionId?: string }
    return [code, connectionId]
  })

type IntentFields = Pick<Transition, "countingIntent" | "duplicates" | "newIntent">

const change = (connection: Connection, into: (current: Connection) => Connection, changes: IntentFields = {}) =>
  Effect.map(attemptChange(connection, into, changes), ({ _tag }) => expect(_tag).toBe("Done"))

const attemptChange = ({ id }: Connection, into: (current: Connection) => Connection, changes: IntentFields = {}) =>
  Effect.gen(function* () {
    const store = yield* ConnectionStore
    const read = yield* store.findRecord(ownTenancy, id)
    const connection = into(read.connection)
    const transition = yield* transitionInto(read, connection.state)
    return yield* store.update(
      ownTenancy,
      read,
      { ...transition, ...changes, after: { ...transition.after, connection } },
      Option.none()
    )
  })

const otherIntent = EffectiveIntent.make({ ...intent, domain: "example.org" })

const thirdIntent = EffectiveIntent.make({ ...intent, domain: "example.net" })

const waiting = (current: Connection): Connection => connectionInState(current, "awaiting_authorization")

const taking =
  (externalId: string) =>
  (current: Connection): Connection => ({ ...current, externalId })

const canceled = (current: Connection): Connection => connectionInState(current, "canceled")

/** The changes after which a connection no longer stands for its intent. */
const leavers: ReadonlyArray<typeof canceled> = [
  canceled,
  (current) => connectionInState(current, "expired"),
  (current) => connectionInState(current, "disconnecting"),
  (current) => {
    const { failure, ...failed } = connectionInState(current, "failed")
    return { ...failed, ...(failure === undefined ? {} : { failure: Failure.make({ ...failure, retryable: false }) }) }
  }
]

const listed = (externalId: string) =>
  Effect.flatMap(ConnectionViews, (views) =>
    Effect.map(
      views.list(ownTenancy, { externalId }, { limit: 10, maxBytes: 1_000_000 }),
      Array.map(({ id }) => id)
    )
  )
