import { expect } from "bun:test"
import { type Cause, Duration, Effect, Option } from "effect"
import { actAs } from "../../../src/domain/access/Actor.ts"
import { type Connection, ConnectionId, finalStates } from "../../../src/domain/connection/Connection.ts"
import { desiredNamesOf } from "../../../src/domain/connection/ConnectionRecord.ts"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { makeExactNames } from "../../../src/domain/names/NameSet.ts"
import { Origin } from "../../../src/domain/names/Origin.ts"
import { TakeoverRight } from "../../../src/domain/connection/TakeoverRight.ts"
import type { Tenancy } from "../../../src/domain/access/Tenancy.ts"
import type { StoreUnavailable } from "../../../src/persistence/StoreUnavailable.ts"
import { ApiKeyStore } from "../../../src/persistence/stores/access/ApiKeyStore.ts"
import { ApplicationStore } from "../../../src/persistence/stores/access/ApplicationStore.ts"
import { AuditStore } from "../../../src/persistence/stores/audit/AuditStore.ts"
import { BrowserTokenStore } from "../../../src/persistence/stores/access/BrowserTokenStore.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { ConnectionViews } from "../../../src/persistence/stores/connections/ConnectionViews.ts"
import { ErasureStore } from "../../../src/persistence/stores/erasure/ErasureStore.ts"
import { HostHolderStore } from "../../../src/persistence/stores/connections/HostHolderStore.ts"
import { JournalStore } from "../../../src/persistence/stores/phases/JournalStore.ts"
import { LeaseStore } from "../../../src/persistence/stores/phases/LeaseStore.ts"
import { StoreFixture } from "../StoreFixture.ts"
import {
  createConnection,
  foreignTenancies,
  moveToState,
  ownTenancy,
  samplePlan,
  transitionInto
} from "../connectionFixtures.ts"
import { keyOf } from "./apiKeyContract.ts"
import type { Stores, StoreTest } from "./storeContract.ts"

/** Another tenant of the same application. */
const [otherTenancy = ownTenancy] = foreignTenancies

/** The contract of every `ErasureStore`. */
export const erasureContract = (test: StoreTest): void => {
  connections(test)
  journals(test)
  tenants(test)
}

const connections = (test: StoreTest) => {
  finalStates.forEach((state) =>
    test(`a connection that is ${state} is erased once, with its timeline, observations, tokens and kept answers`, () =>
      Effect.gen(function* () {
        const { eraseConnection } = yield* ErasureStore
        const { findReplay } = yield* ConnectionStore
        const views = yield* ConnectionViews
        const { advanceTime, listEvents } = yield* StoreFixture
        yield* (yield* ApiKeyStore).insert(keyOf("key_1"))
        const { id } = yield* createConnection()
        yield* issueToken(id)
        yield* moveToState(state, { observations: Option.some("[]") })
        yield* keepAnswer(id)
        expect(Option.isSome(yield* findReplay(ownTenancy, request))).toBe(true)
        yield* advanceTime("1 minute")

        expect(yield* eraseConnection(ownTenancy, id)).toBe(true)
        expect(yield* isThere(id)).toBe(false)
        expect([yield* listEvents(id), yield* listTimeline(id)]).toEqual([[], []])
        expect((yield* views.findObservations(id)).doc).toEqual(Option.none())
        expect(yield* (yield* BrowserTokenStore).find(tokenHash)).toEqual(Option.none())
        expect(yield* findReplay(ownTenancy, request)).toEqual(Option.none())
        expect(yield* eraseConnection(ownTenancy, id)).toBe(false)
      }))
  )

  test("a connection that has not ended is not erased, nor is one of another tenant", () =>
    Effect.gen(function* () {
      const { eraseConnection, eraseConnections } = yield* ErasureStore
      const { id } = yield* createConnection()
      expect(yield* eraseConnection(ownTenancy, id)).toBe(false)
      expect(yield* eraseConnections(ownTenancy, 10)).toBe(0)
      yield* moveToState("canceled")
      for (const tenancy of foreignTenancies) {
        expect(yield* eraseConnection(tenancy, id)).toBe(false)
        expect(yield* eraseConnections(tenancy, 10)).toBe(0)
      }
      expect(yield* isThere(id)).toBe(true)
    }))

  test("an erasure is an entry of the audit log, without any data of the connection, after those that stay", () =>
    Effect.gen(function* () {
      const { eraseConnection } = yield* ErasureStore
      const { id } = yield* endedConnection()
      yield* actAs({ actor: { type: "api_key", id: "key_1" } })(eraseConnection(ownTenancy, id))
      const [erased, ...earlier] = yield* listAudit({ connectionId: id })
      expect(erased).toEqual({
        id: expect.anything(),
        occurredAt: expect.anything(),
        action: "connection.erased",
        actor: { type: "api_key", id: "key_1" },
        ...ownTenancy,
        connectionId: id,
        eventId: expect.stringMatching(/^evt_/)
      })
      expect(earlier.map(({ action }) => action)).toEqual(["connection.created"])
    }))

  test("the connections that ended longest ago are erased, up to a limit, once they are old enough", () =>
    Effect.gen(function* () {
      const { eraseOld } = yield* ErasureStore
      const { advanceTime } = yield* StoreFixture
      const living = yield* createConnection()
      yield* moveToState("active")
      const first = yield* endedConnection()
      yield* advanceTime("1 day")
      const second = yield* endedConnection(otherTenancy)
      yield* advanceTime("1 hour")
      expect(yield* eraseOld(Duration.days(2), 10)).toBe(0)
      expect(yield* eraseOld(Duration.days(1), 10)).toBe(1)
      yield* advanceTime("2 days")
      const third = yield* endedConnection()
      expect([yield* eraseOld(Duration.days(1), 1), yield* eraseOld(Duration.days(1), 1)]).toEqual([1, 0])
      const left = yield* Effect.filter([living, first, third], ({ id }) => isThere(id))
      expect(left.map(({ id }) => id)).toEqual([living.id, third.id])
      expect(yield* isThere(second.id, otherTenancy)).toBe(false)
    }))
}

const journals = (test: StoreTest) => {
  test("the journal of an erased connection goes with it where nobody else lives in the zone", () =>
    Effect.gen(function* () {
      const { id } = yield* erasedConnection()
      expect(yield* (yield* JournalStore).findByConnection(id)).toEqual([])
    }))

  test("a change of the last minutes stays, since the provider may not show it yet, and then goes by itself", () =>
    Effect.gen(function* () {
      const { releaseJournals } = yield* ErasureStore
      const { advanceTime } = yield* StoreFixture
      const journal = yield* JournalStore
      const { id } = yield* writingConnection()
      yield* moveToState("disconnected")
      yield* (yield* ErasureStore).eraseConnection(ownTenancy, id)
      expect(yield* journal.findByConnection(id)).toHaveLength(1)
      expect(yield* releaseJournals(10)).toBe(0)
      yield* advanceTime("11 minutes")
      expect([yield* releaseJournals(10), yield* releaseJournals(10)]).toEqual([1, 0])
      expect(yield* journal.findByConnection(id)).toEqual([])
    }))

  const residents: ReadonlyArray<
    readonly [
      does: string,
      settle: (tenancy: Tenancy) => Effect.Effect<Connection, Cause.NoSuchElementException | StoreUnavailable, Stores>
    ]
  > = [
    ["wants records", (tenancy) => Effect.zipRight(createConnection(tenancy), moveToState("awaiting_manual"))],
    ["has changed records", (tenancy) => Effect.zipLeft(writingConnection(tenancy), moveToState("verifying"))]
  ]
  residents.forEach(([does, settle]) =>
    test(`the journal stays while a connection of any tenant ${does} in the zone, and goes once that has ended`, () =>
      Effect.gen(function* () {
        const { releaseJournals } = yield* ErasureStore
        const { advanceTime } = yield* StoreFixture
        const journal = yield* JournalStore
        const [, foreign = ownTenancy] = foreignTenancies
        const resident = yield* settle(foreign)
        const { id } = yield* erasedConnection()
        const kept = yield* journal.findByConnection(id)
        expect(kept).toHaveLength(1)
        expect(yield* journal.findInZone(zone, { at: [zone], below: [zone] })).toEqual(
          expect.arrayContaining([...kept])
        )
        yield* advanceTime("11 minutes")
        expect(yield* releaseJournals(10)).toBe(1)
        expect(yield* journal.findByConnection(id)).toHaveLength(1)

        yield* endConnection(resident, foreign)
        yield* advanceTime("11 minutes")
        expect(yield* releaseJournals(10)).toBe(1)
        expect(yield* journal.findByConnection(id)).toEqual([])
        expect(yield* releaseJournals(10)).toBe(0)
      }))
  )
}

const tenants = (test: StoreTest) => {
  test("what an erasure would erase is counted for a tenant and for an application", () =>
    Effect.gen(function* () {
      const { count } = yield* ErasureStore
      const keys = yield* ApiKeyStore
      yield* keys.insert(keyOf("key_1"))
      yield* keys.insert(keyOf("key_2", [], otherTenancy))
      yield* endedConnection()
      yield* endedConnection(otherTenancy)
      yield* createConnection()
      expect(yield* count(ownTenancy)).toEqual({ liveConnections: 1, endedConnections: 1, apiKeys: 1 })
      const { applicationId } = ownTenancy
      expect(yield* count({ applicationId })).toEqual({ liveConnections: 1, endedConnections: 2, apiKeys: 2 })
      const [, foreign = ownTenancy] = foreignTenancies
      expect(yield* count(foreign)).toEqual({ liveConnections: 0, endedConnections: 0, apiKeys: 0 })
    }))

  test("the ended connections of an application or a tenant are erased in batches", () =>
    Effect.gen(function* () {
      const { eraseConnections } = yield* ErasureStore
      for (const tenancy of [ownTenancy, ownTenancy, otherTenancy, ...foreignTenancies.slice(1)])
        yield* endedConnection(tenancy)
      expect(yield* eraseConnections(ownTenancy, 1)).toBe(1)
      const { applicationId } = ownTenancy
      expect(yield* eraseConnections({ applicationId }, 10)).toBe(2)
      expect(yield* eraseConnections({ applicationId }, 10)).toBe(0)
    }))

  test("a tenant is erased once it has no connection any more, and no other tenant is", () =>
    Effect.gen(function* () {
      const { eraseConnections, eraseTenant } = yield* ErasureStore
      const keys = yield* ApiKeyStore
      const applications = yield* ApplicationStore
      yield* keys.insert(keyOf("key_1"))
      yield* keys.insert(keyOf("key_2", [], otherTenancy))
      yield* endedConnection()
      yield* endedConnection(otherTenancy)
      expect(yield* eraseTenant(ownTenancy)).toBe(false)
      expect(yield* keys.list).toHaveLength(2)
      yield* eraseConnections(ownTenancy, 10)
      expect(yield* actAs({ actor: { type: "admin_key", id: "adk_1" } })(eraseTenant(ownTenancy))).toBe(true)
      expect((yield* keys.list).map(({ id }) => `${id}`)).toEqual(["key_2"])
      const { applicationId, tenantId } = ownTenancy
      const left = yield* applications.listTenants(applicationId, { limit: 10 })
      expect(left.map(({ id }) => id)).toEqual([otherTenancy.tenantId])
      const [erased] = yield* listAudit({ tenantId })
      expect(erased).toMatchObject({ action: "tenant.erased", actor: { type: "admin_key", id: "adk_1" }, tenantId })
    }))

  test("another tenant still learns that a host was requested, also by a connection or tenant that is erased", () =>
    Effect.gen(function* () {
      const { eraseConnections, eraseTenant } = yield* ErasureStore
      const hosts = yield* HostHolderStore
      const connection = yield* holdingConnection
      const names = desiredNamesOf(connection)
      yield* endConnection(connection)
      yield* eraseConnections(ownTenancy, 10)
      expect(yield* hosts.isRequestedByAnother(otherTenancy, names)).toBe(true)
      expect(yield* hosts.isRequestedByAnother(ownTenancy, names)).toBe(false)
      expect(yield* hosts.isHolder(ownTenancy, names)).toBe(false)
      yield* eraseTenant(ownTenancy)
      expect(yield* hosts.isRequestedByAnother(otherTenancy, names)).toBe(true)
      // A later tenant of the same name is another one.
      expect(yield* hosts.isHolder(ownTenancy, names)).toBe(false)
      expect(yield* hosts.isRequestedByAnother(ownTenancy, names)).toBe(true)
      expect(yield* hosts.findHolding(otherTenancy, makeExactNames(names))).toBe("nobody")
    }))

  test("a host that another active connection of the tenant serves stays with it when the one that claimed it is erased", () =>
    Effect.gen(function* () {
      const hosts = yield* HostHolderStore
      yield* createConnection()
      yield* moveToState("active")
      const claimer = yield* holdingConnection
      yield* endConnection(claimer)
      expect(yield* (yield* ErasureStore).eraseConnection(ownTenancy, claimer.id)).toBe(true)
      const names = desiredNamesOf(claimer)
      expect(yield* hosts.isHolder(ownTenancy, names)).toBe(true)
      expect(yield* hosts.findHolding(otherTenancy, makeExactNames(names))).toBe("another_tenant")
    }))

  test("the erasure of a tenant of which nothing is there, also for the second time, is no entry of the audit log", () =>
    Effect.gen(function* () {
      const { eraseConnections, eraseTenant } = yield* ErasureStore
      expect(yield* eraseTenant(ownTenancy)).toBe(true)
      expect(yield* listAudit({ tenantId: ownTenancy.tenantId })).toEqual([])
      yield* endedConnection()
      yield* eraseConnections(ownTenancy, 10)
      expect([yield* eraseTenant(ownTenancy), yield* eraseTenant(ownTenancy)]).toEqual([true, true])
      const entries = yield* listAudit({ tenantId: ownTenancy.tenantId })
      expect(entries.filter(({ action }) => action === "tenant.erased")).toHaveLength(1)
    }))
}

const zone = DomainName.make("xn--bcher-kva.example")

const tokenHash = Buffer.from("a token")

const request = { route: "POST /cancel", key: "key", fingerprints: ["1:fingerprint"] } as const

const endedConnection = (tenancy: Tenancy = ownTenancy) =>
  Effect.zipRight(createConnection(tenancy), moveToState("canceled"))

/** An active connection that has claimed its hosts. */
const holdingConnection = Effect.gen(function* () {
  const connection = yield* createConnection()
  yield* moveToState("active")
  yield* (yield* HostHolderStore).claim({
    tenancy: ownTenancy,
    connectionId: connection.id,
    hadLostHosts: false,
    names: desiredNamesOf(connection),
    right: TakeoverRight.Everything()
  })
  return connection
})

/** A connection that has changed records of the zone, and whose phase is still due. */
const writingConnection = (tenancy: Tenancy = ownTenancy) =>
  Effect.gen(function* () {
    const journal = yield* JournalStore
    const connection = yield* createConnection(tenancy)
    const held = [
      { key: "zone", claim: yield* Effect.flatten((yield* LeaseStore).acquire("zone", "owner", 5)) }
    ] as const
    const run = {
      run: `run ${connection.id}`,
      connectionId: connection.id,
      providerId: "acme-dns",
      zone,
      domain: zone,
      direction: "connect",
      digest: samplePlan.digest
    } as const
    yield* journal.openRun(held, run, samplePlan.changes)
    yield* journal.setStatus(held, run.run, [0], "confirmed")
    return connection
  })

/** A connection that has changed records some time before it ended, and was erased then. */
const erasedConnection = () =>
  Effect.gen(function* () {
    const { advanceTime } = yield* StoreFixture
    const connection = yield* writingConnection()
    yield* advanceTime("6 minutes")
    yield* moveToState("disconnected")
    expect(yield* (yield* ErasureStore).eraseConnection(ownTenancy, connection.id)).toBe(true)
    return connection
  })

const endConnection = ({ id }: Connection, tenancy: Tenancy = ownTenancy) =>
  Effect.gen(function* () {
    const store = yield* ConnectionStore
    const read = yield* store.findRecord(tenancy, id)
    const transition = yield* transitionInto(read, "canceled")
    yield* store.update(tenancy, read, transition, Option.none())
  })

const keepAnswer = (id: ConnectionId) =>
  Effect.gen(function* () {
    const store = yield* ConnectionStore
    yield* store.keepAnswer(ownTenancy, yield* store.findRecord(ownTenancy, id), request)
  })

const issueToken = (connectionId: ConnectionId) =>
  Effect.flatMap(BrowserTokenStore, ({ insert }) =>
    insert(ownTenancy, {
      hash: tokenHash,
      connectionId,
      apiKeyId: keyOf("key_1").id,
      origin: Origin.make("https://shop.example.com"),
      role: "customer" as const,
      lifetimeSeconds: 900
    })
  )

const isThere = (id: ConnectionId, tenancy: Tenancy = ownTenancy) =>
  Effect.flatMap(ConnectionStore, ({ find }) =>
    find(tenancy, id).pipe(
      Effect.as(true),
      Effect.catchTag("ConnectionNotFound", () => Effect.succeed(false))
    )
  )

const listTimeline = (id: ConnectionId) =>
  Effect.flatMap(ConnectionViews, (views) => views.listTimeline(id, { limit: 10 }))

const listAudit = (filter: Parameters<typeof AuditStore.Service.list>[1]) =>
  Effect.map(
    Effect.flatMap(AuditStore, ({ list }) => list(Option.some(ownTenancy.applicationId), filter, { limit: 10 })),
    ({ entries }) => entries
  )
