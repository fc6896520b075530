import { expect } from "bun:test"
import { DateTime, Effect, Option } from "effect"
import { type Connection, ConnectionId, type ConnectionState } from "../../../src/domain/connection/Connection.ts"
import type { Progress } from "../../../src/domain/connection/ConnectionRecord.ts"
import { DnsRecord } from "../../../src/domain/records/DnsRecord.ts"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { EffectiveIntent } from "../../../src/domain/connection/Intent.ts"
import type { NameSet } from "../../../src/domain/names/NameSet.ts"
import type { Tenancy } from "../../../src/domain/access/Tenancy.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { type ConnectionFilter, ConnectionViews } from "../../../src/persistence/stores/connections/ConnectionViews.ts"
import type { PageRequest } from "../../../src/domain/values/PageRequest.ts"
import { PhaseStore } from "../../../src/persistence/stores/phases/PhaseStore.ts"
import { StoreFixture } from "../StoreFixture.ts"
import { createConnection, foreignTenancies, moveToState, ownTenancy } from "../connectionFixtures.ts"
import type { StoreTest } from "./storeContract.ts"

/** The contract of every `ConnectionViews`. */
export const connectionViewsContract = (test: StoreTest): void => {
  lists(test)
  timelines(test)
  observing(test)
  zones(test)
}

const lists = (test: StoreTest) => {
  test("a list contains the stored connections of its tenant only, oldest first", () =>
    Effect.gen(function* () {
      const { find } = yield* ConnectionStore
      const created = yield* Effect.replicateEffect(createConnection(), 3)
      for (const tenancy of foreignTenancies) yield* createConnection(tenancy)
      yield* moveToState("awaiting_manual")
      expect(yield* list()).toEqual(yield* Effect.forEach(created, ({ id }) => find(ownTenancy, id)))
      expect((yield* list({}, { limit: 50 }, foreignTenancies[0])).length).toBe(1)
    }))

  test("the versions of connections are found for their tenant only, and change with each write", () =>
    Effect.gen(function* () {
      const { findVersions } = yield* ConnectionViews
      yield* createConnection()
      const moved = yield* moveToState("awaiting_manual")
      const unchanged = yield* createConnection()
      const foreign = yield* createConnection(foreignTenancies[0])
      const ids = [moved.id, unchanged.id, foreign.id, ConnectionId.make("con_missing")]
      expect(yield* findVersions(ownTenancy, ids)).toEqual(
        new Map([
          [moved.id, 2],
          [unchanged.id, 1]
        ])
      )
      expect(yield* findVersions(ownTenancy, [])).toEqual(new Map())
    }))

  test("a list continues after the last id of the previous page", () =>
    Effect.gen(function* () {
      const ids = (yield* Effect.replicateEffect(createConnection(), 5)).map(({ id }) => id)
      expect(yield* idsOf(list({}, { limit: 2 }))).toEqual(ids.slice(0, 2))
      expect(yield* idsOf(list({}, { limit: 2, after: ids[1] ?? "" }))).toEqual(ids.slice(2, 4))
      expect(yield* idsOf(list({}, { limit: 2, after: ids[3] ?? "" }))).toEqual(ids.slice(4))
      expect(yield* idsOf(list({}, { limit: 2, after: ids[4] ?? "" }))).toEqual([])
    }))

  test("a list ends with the connection whose document exceeds the bytes of a page, and has two at least", () =>
    Effect.gen(function* () {
      const created = yield* Effect.replicateEffect(createConnection(), 5)
      const ids = created.map(({ id }) => id)
      const size = Buffer.byteLength((yield* list())[0]?.doc ?? "")
      expect(yield* idsOf(list({}, { limit: 50, maxBytes: 0 }))).toEqual(ids.slice(0, 2))
      expect(yield* idsOf(list({}, { limit: 50, maxBytes: size * 3 - 1 }))).toEqual(ids.slice(0, 3))
      expect(yield* idsOf(list({}, { limit: 50, maxBytes: size * 3 }))).toEqual(ids.slice(0, 4))
      expect(yield* idsOf(list({}, { limit: 2, maxBytes: size * 3 }))).toEqual(ids.slice(0, 2))
    }))

  test("a list can be filtered by state, domain, time, and all of them together", () =>
    Effect.gen(function* () {
      const early = yield* createAt("example.com", "2026-01-01T00:00:00.000Z")
      yield* moveToState("active")
      const elsewhere = yield* createAt("example.org", "2026-01-02T00:00:00.000Z")
      const late = yield* createAt("example.com", "2026-01-02T00:00:00.001Z")
      const example = DomainName.make("example.com")
      const page = { limit: 50, createdAfter: DateTime.toDateUtc(elsewhere.createdAt) }
      expect(yield* idsOf(list({ states: ["active"] }))).toEqual([early.id])
      expect(yield* idsOf(list({ states: ["active", "requested"] }))).toEqual([early.id, elsewhere.id, late.id])
      expect(yield* idsOf(list({ states: ["failed", "degraded"] }))).toEqual([])
      expect(yield* idsOf(list({ domain: example }))).toEqual([early.id, late.id])
      expect(yield* idsOf(list({ domain: DomainName.make("shop.example.com") }))).toEqual([])
      expect(yield* idsOf(list({}, page))).toEqual([elsewhere.id, late.id])
      expect(yield* idsOf(list({}, { ...page, createdBefore: DateTime.toDateUtc(late.createdAt) }))).toEqual([
        elsewhere.id
      ])
      expect(yield* idsOf(list({ states: ["requested"], domain: example }, page))).toEqual([late.id])
      expect(yield* idsOf(list({ states: ["active"], domain: example }, page))).toEqual([])
    }))

  test("a list is in either order, and continues at a cursor in both", () =>
    Effect.gen(function* () {
      const ids = (yield* Effect.replicateEffect(createConnection(), 5)).map(({ id }) => id)
      const newest = { limit: 2, order: "desc" } as const
      expect(yield* idsOf(list({}, newest))).toEqual(ids.slice(3).toReversed())
      expect(yield* idsOf(list({}, { ...newest, after: ids[3] ?? "" }))).toEqual(ids.slice(1, 3).toReversed())
      expect(yield* idsOf(list({}, { ...newest, order: "asc", after: ids[3] ?? "" }))).toEqual(ids.slice(4))
      expect((yield* list({}, { limit: 50, order: "desc", maxBytes: 0 })).map(({ id }) => id)).toEqual(
        ids.slice(3).toReversed()
      )
    }))

  test("a list can be filtered by metadata, all of which a connection must have", () =>
    Effect.gen(function* () {
      const pro = yield* createIn("example.com", ownTenancy, { metadata: { plan: "pro", region: "eu" } })
      const other = yield* createIn("example.org", ownTenancy, { metadata: { plan: "pro", region: "us" } })
      yield* createIn("example.net", ownTenancy, { metadata: { region: "pro" } })
      yield* createIn("example.com", foreignTenancies[0], { metadata: { plan: "pro", region: "eu" } })
      yield* createConnection()
      expect(yield* idsOf(list({ metadata: { plan: "pro" } }))).toEqual([pro.id, other.id])
      expect(yield* idsOf(list({ metadata: { plan: "pro", region: "eu" } }))).toEqual([pro.id])
      expect(yield* idsOf(list({ metadata: { plan: "free" } }))).toEqual([])
      yield* moveToState("active")
      expect((yield* idsOf(list({ metadata: {} }))).length).toBe(4)
    }))
}

const timelines = (test: StoreTest) => {
  test("a timeline contains every transition with its time, newest last", () =>
    Effect.gen(function* () {
      const { advanceTime } = yield* StoreFixture
      const { id } = yield* createConnection()
      yield* createConnection()
      yield* advanceTime("1 minute")
      yield* moveToState("failed")
      const events = yield* timeline(id)
      expect(events.map(({ failure, from, to }) => ({ from, to, failure }))).toEqual([
        { from: null, to: "requested", failure: null },
        { from: "requested", to: "failed", failure: "discovery_timeout" }
      ])
      const [first, second] = events.map(({ occurredAt }) => DateTime.toEpochMillis(occurredAt))
      expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(60_000)
    }))

  test("a timeline continues after the last id of the previous page", () =>
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

  test("a missing connection has no timeline", () =>
    Effect.gen(function* () {
      yield* createConnection()
      expect(yield* timeline(ConnectionId.make("con_missing"))).toEqual([])
    }))
}

const observing = (test: StoreTest) => {
  test("a new connection has no observations and no scheduled verification", () =>
    Effect.gen(function* () {
      const { findObservations } = yield* ConnectionViews
      const noObservations = { doc: Option.none(), lastCheckedAt: Option.none(), nextCheckAt: Option.none() }
      expect(yield* findObservations((yield* createConnection()).id)).toEqual(noObservations)
      expect(yield* findObservations(ConnectionId.make("con_missing"))).toEqual(noObservations)
    }))

  test("the latest observations are returned with the time of the next verification", () =>
    Effect.gen(function* () {
      const { findObservations } = yield* ConnectionViews
      const { advanceTime } = yield* StoreFixture
      const { id } = yield* createConnection()
      const next = Option.some({ phase: "verify" as const, inSeconds: 3_600 })
      yield* moveToState("active", { observations: Option.some('{"records":[]}'), next })
      const before = yield* findObservations(id)
      expect(before.doc).toEqual(Option.some('{"records":[]}'))
      yield* advanceTime("59 minutes")
      expect(yield* Effect.flatMap(PhaseStore, ({ takeDue }) => takeDue(1, 60))).toEqual([])
      yield* advanceTime("1 minute")
      expect(yield* Effect.flatMap(PhaseStore, ({ takeDue }) => takeDue(1, 60))).toHaveLength(1)
      expect(Option.isSome(before.nextCheckAt)).toBe(true)
    }))

  test("a due phase other than verify does not count as the next verification", () =>
    Effect.gen(function* () {
      const { findObservations } = yield* ConnectionViews
      const { id } = yield* createConnection()
      yield* moveToState("planned", { next: Option.some({ phase: "expire", inSeconds: 60 }) })
      expect((yield* findObservations(id)).nextCheckAt).toEqual(Option.none())
    }))
}

const zones = (test: StoreTest) => {
  test("zone tenants are the connections of all tenants with records at or below the names, and at no similar names", () =>
    Effect.gen(function* () {
      const apex = yield* createInZone("example.com")
      const foreign = yield* createInZone("example.com", foreignTenancies[0])
      const below = yield* createInZone("shop.example.com", foreignTenancies[1])
      const deep = yield* createInZone("a.b.example.com")
      for (const domain of ["notexample.com", "example.org", "com.example", "examplexcom.net", "example.com.net"]) {
        yield* createInZone(domain)
      }
      expect(yield* listZoneTenants({ at: ["example.com"] })).toEqual([apex, foreign])
      expect(yield* listZoneTenants({ below: ["example.com"] })).toEqual([below, deep])
      expect(yield* listZoneTenants({ at: ["example.com", "shop.example.com"], below: ["example.com"] })).toEqual([
        apex,
        foreign,
        below,
        deep
      ])
      expect(yield* listZoneTenants({ below: ["b.example.com", "ample.com", "e.com"] })).toEqual([deep])
      expect(yield* listZoneTenants({ at: ["b.example.com", "www.example.com"] })).toEqual([])
    }))

  test("a zone tenant is in its zone: served, or with possible records until it has ended", () =>
    Effect.gen(function* () {
      yield* createIn("example.com")
      const served = yield* createInState("active", { hasWritten: false })
      const wrote = yield* createInState("failed", { hasWritten: true })
      const entered = yield* createInState("awaiting_authorization", { hasWritten: false, entered: [someEntry] })
      yield* createInState("failed", { hasWritten: false })
      yield* createInState("canceled", { hasWritten: true })
      expect(yield* listZoneTenants({ at: ["example.com"] })).toEqual([served, wrote, entered])
    }))

  test("a connection of another tenant is a zone tenant if it proved control of the zone or has records in it", () =>
    Effect.gen(function* () {
      const [stranger] = foreignTenancies
      const createForeign = (progress: Partial<Progress>) =>
        createInState("verifying", { hasWritten: false, hasProvenAccess: false, ...progress }, stranger)
      yield* createForeign({})
      const own = yield* createInState("verifying", { hasWritten: false, hasProvenAccess: false })
      const proven = yield* createForeign({ hasProvenAccess: true })
      const wrote = yield* createForeign({ hasWritten: true })
      const entered = yield* createForeign({ entered: [someEntry] })
      expect(yield* listZoneTenants({ at: ["example.com"] })).toEqual([own, proven, wrote, entered])
    }))

  test("a connection that leaves its zone and comes back is a zone tenant again", () =>
    Effect.gen(function* () {
      const again = Option.some({ phase: "verify" as const, inSeconds: 0 })
      yield* createIn("example.com")
      const seen = yield* Effect.forEach(["applying", "failed", "active", "disconnected"] as const, (state) =>
        Effect.zipRight(
          moveToState(state, { next: again }, { hasWritten: false }),
          listZoneTenants({ at: ["example.com"] })
        )
      )
      expect(seen.map((found) => found.map(({ state }) => state))).toEqual([["applying"], [], ["active"], []])
    }))
}

/** A connection that is active, with a record at its domain. */
const createInZone = (domain: string, tenancy: Tenancy = ownTenancy) =>
  Effect.zipRight(createIn(domain, tenancy), moveToState("active"))

/** A connection of `example.com` in a state, with a record at its apex. */
const createInState = (state: ConnectionState, progress: Partial<Progress>, tenancy: Tenancy = ownTenancy) =>
  Effect.zipRight(createIn("example.com", tenancy), moveToState(state, {}, progress))

/** Records that a customer has entered by hand. */
const someEntry: Progress["entered"][number] = {
  change: {
    action: "create",
    after: { host: "@", type: "A", value: "192.0.2.1", ttl: 300, optional: false },
    destructive: false
  },
  at: DateTime.unsafeMake("2026-01-02T03:04:05.678Z")
}

const list = (
  filter: ConnectionFilter = {},
  page: PageRequest & { readonly maxBytes?: number } = { limit: 50 },
  tenancy: Tenancy = ownTenancy
) => Effect.flatMap(ConnectionViews, (views) => views.list(tenancy, filter, { maxBytes: 1_000_000, ...page }))

const idsOf = <E, R>(listed: Effect.Effect<ReadonlyArray<{ readonly id: ConnectionId }>, E, R>) =>
  Effect.map(listed, (connections) => connections.map(({ id }) => id))

const timeline = (id: ConnectionId, page: PageRequest = { limit: 50 }) =>
  Effect.flatMap(ConnectionViews, (views) => views.listTimeline(id, page))

const listZoneTenants = ({ at = [], below = [] }: { readonly [_ in keyof NameSet]?: ReadonlyArray<string> }) =>
  Effect.flatMap(ConnectionViews, (views) =>
    views
      .listZoneTenants(ownTenancy, {
        at: at.map((name) => DomainName.make(name)),
        below: below.map((name) => DomainName.make(name))
      })
      .pipe(
        Effect.flatMap((ids) =>
          Effect.map(views.readRecords(ids), (records) => {
            const read = records.map(({ connection }) => connection)
            expect(read.map(({ id }) => id)).toEqual([...ids])
            return read
          })
        )
      )
  )

const createIn = (domain: string, tenancy: Tenancy = ownTenancy, more: Partial<Connection> = {}) =>
  createConnection(tenancy, {
    effectiveIntent: EffectiveIntent.make({ domain, records: [apexRecord] }),
    ...more
  })

const apexRecord = DnsRecord.make({ host: "@", type: "A", value: "192.0.2.1", ttl: 300, optional: false })

const createAt = (domain: string, time: string) =>
  createIn(domain, ownTenancy, { createdAt: DateTime.unsafeMake(time) })
