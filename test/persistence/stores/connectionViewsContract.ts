import { expect } from "bun:test"
import { Array, DateTime, Effect, Option } from "effect"
import { type Connection, ConnectionId, ConnectionState } from "../../../src/domain/Connection.ts"
import type { Progress } from "../../../src/domain/ConnectionRecord.ts"
import { DomainName } from "../../../src/domain/DomainName.ts"
import { EffectiveIntent } from "../../../src/domain/Intent.ts"
import type { Tenancy } from "../../../src/domain/Tenancy.ts"
import { ConnectionStore } from "../../../src/persistence/stores/ConnectionStore.ts"
import {
  type ConnectionFilter,
  ConnectionViews,
  type PageRequest
} from "../../../src/persistence/stores/ConnectionViews.ts"
import { PhaseStore } from "../../../src/persistence/stores/PhaseStore.ts"
import { StoreFixture } from "../StoreFixture.ts"
import { createConnection, foreignTenancies, moveToState, ownTenancy } from "../connectionFixtures.ts"
import type { StoreTest } from "./storeContract.ts"

/** What every `ConnectionViews` promises. */
export const connectionViewsContract = (test: StoreTest): void => {
  lists(test)
  timelines(test)
  observing(test)
  zones(test)
}

const lists = (test: StoreTest) => {
  test("a list holds the connections of its tenant only, oldest first, as they are kept", () =>
    Effect.gen(function* () {
      const { find } = yield* ConnectionStore
      const made = yield* Effect.replicateEffect(createConnection(), 3)
      for (const tenancy of foreignTenancies) yield* createConnection(tenancy)
      yield* moveToState("awaiting_manual")
      expect(yield* list()).toEqual(yield* Effect.forEach(made, ({ id }) => find(ownTenancy, id)))
      expect((yield* list({}, { limit: 50 }, foreignTenancies[0])).length).toBe(1)
    }))

  test("a list goes on behind the id where its part before ended", () =>
    Effect.gen(function* () {
      const ids = (yield* Effect.replicateEffect(createConnection(), 5)).map(({ id }) => id)
      expect(yield* idsOf(list({}, { limit: 2 }))).toEqual(ids.slice(0, 2))
      expect(yield* idsOf(list({}, { limit: 2, after: ids[1] ?? "" }))).toEqual(ids.slice(2, 4))
      expect(yield* idsOf(list({}, { limit: 2, after: ids[3] ?? "" }))).toEqual(ids.slice(4))
      expect(yield* idsOf(list({}, { limit: 2, after: ids[4] ?? "" }))).toEqual([])
    }))

  test("a list can be narrowed to a state, a domain, a time, and all of them", () =>
    Effect.gen(function* () {
      const early = yield* createAt("example.com", "2026-01-01T00:00:00.000Z")
      yield* moveToState("active")
      const other = yield* createAt("example.org", "2026-01-02T00:00:00.000Z")
      const late = yield* createAt("example.com", "2026-01-02T00:00:00.001Z")
      const example = DomainName.make("example.com")
      const createdAfter = DateTime.toDateUtc(other.createdAt)
      expect(yield* idsOf(list({ state: "active" }))).toEqual([early.id])
      expect(yield* idsOf(list({ state: "failed" }))).toEqual([])
      expect(yield* idsOf(list({ domain: example }))).toEqual([early.id, late.id])
      expect(yield* idsOf(list({ domain: DomainName.make("shop.example.com") }))).toEqual([])
      expect(yield* idsOf(list({ createdAfter }))).toEqual([late.id])
      expect(yield* idsOf(list({ createdAfter: DateTime.toDateUtc(early.createdAt) }))).toEqual([other.id, late.id])
      expect(yield* idsOf(list({ state: "requested", domain: example, createdAfter }))).toEqual([late.id])
      expect(yield* idsOf(list({ state: "active", domain: example, createdAfter }))).toEqual([])
    }))
}

const timelines = (test: StoreTest) => {
  test("a timeline tells every step with its moment, newest last", () =>
    Effect.gen(function* () {
      const { advanceTime: pass } = yield* StoreFixture
      const { id } = yield* createConnection()
      yield* createConnection()
      yield* pass("1 minute")
      yield* moveToState("failed")
      const told = yield* timeline(id)
      expect(told.map(({ failure, from, to }) => ({ from, to, failure }))).toEqual([
        { from: null, to: "requested", failure: null },
        { from: "requested", to: "failed", failure: "discovery_timeout" }
      ])
      const [one, other] = told.map(({ occurredAt }) => DateTime.toEpochMillis(occurredAt))
      expect((other ?? 0) - (one ?? 0)).toBeGreaterThanOrEqual(60_000)
    }))

  test("a timeline goes on behind the id where its part before ended", () =>
    Effect.gen(function* () {
      const connection = yield* createConnection()
      yield* moveToState("failed")
      const [first, second] = yield* timeline(connection.id)
      expect(yield* timeline(connection.id, { limit: 1 })).toEqual(first === undefined ? [] : [first])
      expect(yield* timeline(connection.id, { limit: 1, after: first?.id ?? "" })).toEqual(
        second === undefined ? [] : [second]
      )
      expect(yield* timeline(connection.id, { limit: 1, after: second?.id ?? "" })).toEqual([])
    }))

  test("there is no timeline of what is not there", () =>
    Effect.gen(function* () {
      yield* createConnection()
      expect(yield* timeline(ConnectionId.make("con_missing"))).toEqual([])
    }))
}

const observing = (test: StoreTest) => {
  test("nobody has looked at a new connection, and nobody is about to verify it", () =>
    Effect.gen(function* () {
      const { findObservations: observations } = yield* ConnectionViews
      const unseen = { doc: Option.none(), nextCheckAt: Option.none() }
      expect(yield* observations((yield* createConnection()).id)).toEqual(unseen)
      expect(yield* observations(ConnectionId.make("con_missing"))).toEqual(unseen)
    }))

  test("what was seen last is told with the moment of the next look", () =>
    Effect.gen(function* () {
      const { findObservations: observations } = yield* ConnectionViews
      const { advanceTime: pass } = yield* StoreFixture
      const { id } = yield* createConnection()
      const next = Option.some({ phase: "verify" as const, inSeconds: 3_600 })
      yield* moveToState("active", { observations: Option.some('{"records":[]}'), next })
      const before = yield* observations(id)
      expect(before.doc).toEqual(Option.some('{"records":[]}'))
      yield* pass("59 minutes")
      expect(yield* Effect.flatMap(PhaseStore, ({ takeDue }) => takeDue(1, 60))).toEqual([])
      yield* pass("1 minute")
      expect(yield* Effect.flatMap(PhaseStore, ({ takeDue }) => takeDue(1, 60))).toHaveLength(1)
      expect(Option.isSome(before.nextCheckAt)).toBe(true)
    }))

  test("what is due and is no verification is no next look", () =>
    Effect.gen(function* () {
      const { findObservations: observations } = yield* ConnectionViews
      const { id } = yield* createConnection()
      yield* moveToState("planned", { next: Option.some({ phase: "expire", inSeconds: 60 }) })
      expect((yield* observations(id)).nextCheckAt).toEqual(Option.none())
    }))
}

const zones = (test: StoreTest) => {
  test("in a zone are the connections of all tenants at or below its apex, and no look-alike", () =>
    Effect.gen(function* () {
      const apex = yield* createIn("example.com")
      const strange = yield* createIn("example.com", foreignTenancies[0])
      const below = yield* createIn("shop.example.com", foreignTenancies[1])
      const deep = yield* createIn("a.b.example.com")
      for (const domain of ["notexample.com", "example.org", "com.example", "examplexcom.net", "example.com.net"]) {
        yield* createIn(domain)
      }
      expect(yield* inZone("example.com")).toEqual([apex, strange, below, deep])
      expect(yield* inZone("b.example.com")).toEqual([deep])
      expect(yield* inZone("ample.com")).toEqual([])
      expect(yield* inZone("e.com")).toEqual([])
    }))

  test("in a zone are those in the states that are asked for, as they are now", () =>
    Effect.gen(function* () {
      yield* createIn("example.com")
      const moved = yield* moveToState("active", {}, { wrote: false })
      yield* createIn("example.com")
      expect(yield* inZone("example.com", ["active", "degraded"])).toEqual([moved])
      expect(yield* inZone("example.com", ["applying"])).toEqual([])
      expect(yield* inZone("example.com", [])).toEqual([])
    }))

  test("in a zone are also those of which records may be there, until they have ended", () =>
    Effect.gen(function* () {
      const wrote = yield* keeping("failed", { wrote: true })
      const entered = yield* keeping("awaiting_authorization", { entered: [someEntry] })
      yield* keeping("failed", {})
      yield* keeping("canceled", { wrote: true })
      expect(yield* inZone("example.com", [])).toEqual([wrote, entered])
    }))
}

const keeping = (state: ConnectionState, keeps: Partial<Progress>) =>
  Effect.zipRight(createIn("example.com"), moveToState(state, {}, { wrote: false, ...keeps }))

/** What a customer has entered by hand. */
const someEntry: Progress["entered"][number] = {
  change: {
    action: "create",
    after: { host: "@", type: "A", value: "192.0.2.1", ttl: 300, optional: false },
    destructive: false
  },
  at: DateTime.unsafeMake("2026-01-02T03:04:05.678Z")
}

const list = (filter: ConnectionFilter = {}, page: PageRequest = { limit: 50 }, tenancy: Tenancy = ownTenancy) =>
  Effect.flatMap(ConnectionViews, (views) => views.list(tenancy, filter, page))

const idsOf = <E, R>(listed: Effect.Effect<ReadonlyArray<{ readonly id: ConnectionId }>, E, R>) =>
  Effect.map(listed, (connections) => connections.map(({ id }) => id))

const timeline = (id: ConnectionId, page: PageRequest = { limit: 50 }) =>
  Effect.flatMap(ConnectionViews, (views) => views.listTimeline(id, page))

const inZone = (zone: string, states: ReadonlyArray<ConnectionState> = ConnectionState.literals) =>
  Effect.flatMap(ConnectionViews, (views) =>
    Effect.map(
      views.listRecordsInZone(DomainName.make(zone), states),
      Array.map(({ connection }) => connection)
    )
  )

const createIn = (domain: string, tenancy: Tenancy = ownTenancy, more: Partial<Connection> = {}) =>
  createConnection(tenancy, { effectiveIntent: EffectiveIntent.make({ domain, records: [] }), ...more })

const createAt = (domain: string, time: string) =>
  createIn(domain, ownTenancy, { createdAt: DateTime.unsafeMake(time) })
