import { expect } from "bun:test"
import { DateTime, Effect, Option } from "effect"
import { initialControl } from "../../../src/domain/connection/Control.ts"
import { Connection, type ConnectionId, type ConnectionState } from "../../../src/domain/connection/Connection.ts"
import {
  desiredNamesOf,
  makeInitialProgress,
  type Progress,
  servedNamesOf
} from "../../../src/domain/connection/ConnectionRecord.ts"
import { DnsRecord } from "../../../src/domain/records/DnsRecord.ts"
import { DomainName, toFqdn } from "../../../src/domain/names/DomainName.ts"
import { EffectiveIntent } from "../../../src/domain/connection/Intent.ts"
import { makeExactNames, type NameSet } from "../../../src/domain/names/NameSet.ts"
import { TakeoverRight } from "../../../src/domain/connection/TakeoverRight.ts"
import type { Tenancy } from "../../../src/domain/access/Tenancy.ts"
import type { Transition } from "../../../src/domain/connection/Transition.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { HostHolderStore } from "../../../src/persistence/stores/connections/HostHolderStore.ts"
import { PhaseStore } from "../../../src/persistence/stores/phases/PhaseStore.ts"
import {
  createConnection,
  foreignTenancies,
  moveToState,
  ownTenancy,
  requestedConnection,
  transitionInto
} from "../connectionFixtures.ts"
import type { StoreTest } from "./storeContract.ts"

/** Another tenant of the same application. */
const [otherTenancy = ownTenancy] = foreignTenancies

/** The same tenant id in another application. */
const [, foreignTenancy = ownTenancy] = foreignTenancies

const names = desiredNamesOf(requestedConnection())

const domain = DomainName.make(requestedConnection().effectiveIntent.domain)

const wholeDomain: NameSet = { at: [domain], below: [domain] }

/** The names of an intent. */
const scopeOf = (effectiveIntent: EffectiveIntent): NameSet => makeExactNames(servedNamesOf({ effectiveIntent }))

/** A connection of a tenant in a state, whose phase has ended. */
const connectionIn = (state: ConnectionState, tenancy: Tenancy = ownTenancy, progress: Partial<Progress> = {}) =>
  Effect.zipRight(createConnection(tenancy), moveToState(state, {}, progress))

/** A claim by a connection that had lost no hosts when it was read. */
const claimOf = (
  { applicationId, id, tenantId }: Connection,
  right: TakeoverRight = TakeoverRight.Everything(),
  claimed: ReadonlyArray<DomainName> = names
) => ({ tenancy: { applicationId, tenantId }, connectionId: id, hadLostHosts: false, names: claimed, right })

const moment = (seconds: number) => DateTime.unsafeMake(seconds * 1_000)

/** Writes that a connection is active with an intent for other names of its domain. */
const moveToOtherNames = (
  id: ConnectionId,
  tenancy = ownTenancy,
  progress: Partial<Progress> = {},
  state: ConnectionState = "active",
  host = "elsewhere"
) =>
  Effect.gen(function* () {
    const store = yield* ConnectionStore
    const record = yield* store.findRecord(tenancy, id)
    const transition = yield* transitionInto(record, state, {}, progress)
    const records = record.connection.effectiveIntent.records.map((one) => DnsRecord.make({ ...one, host }))
    const connection = Connection.make({
      ...transition.after.connection,
      effectiveIntent: EffectiveIntent.make({ domain, records })
    })
    yield* store.update(tenancy, record, { ...transition, after: { ...transition.after, connection } }, Option.none())
  })

/** The contract of every `HostHolderStore`, and of the writes that rely on it. */
export const hostHolderContract = (test: StoreTest): void => {
  test("a name is held for the tenant that claimed it last, as often as it claims it", () =>
    Effect.gen(function* () {
      const { claim, isHolder } = yield* HostHolderStore
      const own = yield* connectionIn("verifying")
      const other = yield* connectionIn("verifying", otherTenancy)
      expect(yield* isHolder(ownTenancy, names)).toBe(false)
      const ownClaim = claimOf(own)
      expect([yield* claim(ownClaim), yield* claim(ownClaim), yield* isHolder(ownTenancy, names)]).toEqual([
        true,
        true,
        true
      ])
      expect(yield* claim(claimOf(other))).toBe(true)
      expect([yield* isHolder(ownTenancy, names), yield* isHolder(otherTenancy, names)]).toEqual([false, true])
    }))

  test("a name that another tenant has created a connection for, waits for, holds, has held or left is requested by another for good", () =>
    Effect.gen(function* () {
      const { claim, isRequestedByAnother } = yield* HostHolderStore
      const store = yield* ConnectionStore
      const isRequested = (tenancy: Tenancy) => isRequestedByAnother(tenancy, names)
      const askers = [ownTenancy, otherTenancy, foreignTenancy]
      expect(yield* Effect.forEach(askers, isRequested)).toEqual([false, false, false])
      // What a tenant asks for itself does not count, nor what another application does.
      yield* createConnection(ownTenancy)
      expect(yield* Effect.forEach(askers, isRequested)).toEqual([false, true, false])
      const own = yield* moveToState("awaiting_manual")
      expect(yield* Effect.forEach(askers, isRequested)).toEqual([false, true, false])
      const other = yield* connectionIn("active", otherTenancy)
      yield* claim(claimOf(other))
      yield* moveToOtherNames(own.id)
      expect(yield* Effect.forEach(askers, isRequested)).toEqual([true, true, false])
      const record = yield* store.findRecord(otherTenancy, other.id)
      yield* store.update(otherTenancy, record, yield* transitionInto(record, "disconnected"), Option.none())
      expect(yield* Effect.forEach(askers, isRequested)).toEqual([true, true, false])
      expect(yield* isRequestedByAnother(ownTenancy, [DomainName.make("nobody.example.com")])).toBe(false)
    }))

  test("a name is requested by another also where its connection was given up before its first plan", () =>
    Effect.gen(function* () {
      const { isRequestedByAnother } = yield* HostHolderStore
      yield* createConnection(otherTenancy)
      yield* moveToState("canceled")
      expect(yield* isRequestedByAnother(ownTenancy, names)).toBe(true)
    }))

  test("a name is requested by another also where a new intent asked for it before the first plan", () =>
    Effect.gen(function* () {
      const { isRequestedByAnother } = yield* HostHolderStore
      const { id } = yield* createConnection(otherTenancy)
      yield* moveToOtherNames(id, otherTenancy, {}, "requested")
      const elsewhere = DomainName.make(`elsewhere.${domain}`)
      expect(yield* isRequestedByAnother(ownTenancy, names)).toBe(true)
      expect(yield* isRequestedByAnother(ownTenancy, [elsewhere])).toBe(true)
    }))

  test("a request for a wildcard is one for every name below it, and the other way round, for good", () =>
    Effect.gen(function* () {
      const { claim, isRequestedByAnother } = yield* HostHolderStore
      const store = yield* ConnectionStore
      const other = yield* connectionIn("verifying", otherTenancy)
      const checkAll = Effect.gen(function* () {
        for (const [requested, isConcerned] of [
          ["*.shop", true],
          ["eu.shop", true],
          ["a.eu.shop", true],
          ["*.eu.shop", true],
          ["*", true],
          ["shop", false],
          ["other", false],
          ["*.other", false],
          ["workshop", false]
        ] as const)
          expect([
            requested,
            ...(yield* Effect.forEach([ownTenancy, otherTenancy, foreignTenancy], (tenancy) =>
              isRequestedByAnother(tenancy, [toFqdn(requested, domain)])
            ))
          ]).toEqual([requested, isConcerned, false, false])
      })
      // Waiting for the wildcard, holding it, and after the end.
      yield* moveToOtherNames(other.id, otherTenancy, {}, "active", "*.shop")
      yield* checkAll
      yield* claim(claimOf(other, TakeoverRight.Everything(), [toFqdn("*.shop", domain)]))
      const record = yield* store.findRecord(otherTenancy, other.id)
      yield* store.update(otherTenancy, record, yield* transitionInto(record, "disconnected"), Option.none())
      yield* checkAll
    }))

  test("a claim that takes over nothing gets all names or none, and those of the dead", () =>
    Effect.gen(function* () {
      const { claim, isHolder } = yield* HostHolderStore
      const own = yield* connectionIn("verifying")
      const other = yield* connectionIn("verifying", otherTenancy)
      const [first = domain, second = domain] = names
      yield* claim(claimOf(own, TakeoverRight.Nothing(), [first]))
      const otherClaim = claimOf(other, TakeoverRight.Nothing())
      expect(yield* claim(otherClaim)).toBe(false)
      expect(yield* isHolder(otherTenancy, [second])).toBe(false)
      const store = yield* ConnectionStore
      const record = yield* store.findRecord(ownTenancy, own.id)
      yield* store.update(ownTenancy, record, yield* transitionInto(record, "disconnected"), Option.none())
      expect([yield* claim(otherClaim), yield* isHolder(otherTenancy, names)]).toEqual([true, true])
    }))

  test("a claim gets nothing where another tenant has a proof that its right does not reach, though nobody holds the names", () =>
    Effect.gen(function* () {
      const { claim, isHolder } = yield* HostHolderStore
      const control = { ...initialControl, provenBy: "challenge" as const, provenAt: moment(1) }
      yield* connectionIn("awaiting_manual", otherTenancy, { control })
      const own = yield* connectionIn("verifying", ownTenancy, { control: initialControl })
      const tryClaim = (right: TakeoverRight) => claim(claimOf(own, right))
      const older = [Option.none(), Option.some(moment(0))].map((provenAt) => TakeoverRight.OlderProofs({ provenAt }))
      expect(yield* Effect.forEach([TakeoverRight.Nothing(), ...older], tryClaim)).toEqual([false, false, false])
      expect(yield* isHolder(ownTenancy, names)).toBe(false)
      expect(yield* tryClaim(TakeoverRight.OlderProofs({ provenAt: Option.some(moment(1)) }))).toBe(true)
    }))

  test("a claim gets the names of others whose proof has no time, and those that a proof is not for or has ended with", () =>
    Effect.gen(function* () {
      const { claim } = yield* HostHolderStore
      const proven = { ...initialControl, provenBy: "challenge" as const }
      const other = yield* connectionIn("awaiting_manual", otherTenancy, { control: proven })
      yield* connectionIn("canceled", otherTenancy, { control: { ...proven, provenAt: moment(2) } })
      const own = yield* connectionIn("verifying", ownTenancy, { control: initialControl })
      const tryClaim = (right: TakeoverRight) => claim(claimOf(own, right))
      expect(yield* tryClaim(TakeoverRight.Nothing())).toBe(false)
      expect(yield* tryClaim(TakeoverRight.OlderProofs({ provenAt: Option.none() }))).toBe(true)
      yield* moveToOtherNames(other.id, otherTenancy, { control: proven })
      expect(yield* tryClaim(TakeoverRight.Nothing())).toBe(true)
    }))

  test("a connection that has lost its hosts since it was read claims nothing", () =>
    Effect.gen(function* () {
      const { claim, isHolder } = yield* HostHolderStore
      const other = yield* connectionIn("active", otherTenancy)
      const own = yield* connectionIn("degraded", ownTenancy, { control: { ...initialControl, isLost: true } })
      yield* claim(claimOf(other))
      expect([yield* claim(claimOf(own)), yield* isHolder(otherTenancy, names)]).toEqual([false, true])
      expect(yield* claim({ ...claimOf(own), hadLostHosts: true })).toBe(true)
    }))

  test("a tenant holds the names that it goes on serving through a change, whichever connection claimed them", () =>
    Effect.gen(function* () {
      const { claim, findHolding, listHolders } = yield* HostHolderStore
      const [allowed = domain] = names
      const changing = yield* createConnection(ownTenancy, { allowedNames: [allowed] })
      yield* moveToState("verifying")
      const second = yield* connectionIn("active")
      yield* claim(claimOf(second))
      const store = yield* ConnectionStore
      const record = yield* store.findRecord(ownTenancy, second.id)
      yield* store.update(ownTenancy, record, yield* transitionInto(record, "disconnected"), Option.none())
      expect([yield* findHolding(otherTenancy, wholeDomain), yield* listHolders(otherTenancy, wholeDomain)]).toEqual([
        "another_tenant",
        [changing.id]
      ])
    }))

  test("a connection that was active holds the names of its old intent while a new one waits, whichever claimed them", () =>
    Effect.gen(function* () {
      const { claim, findHolding, listHolders } = yield* HostHolderStore
      const [old, added] = requestedConnection().effectiveIntent.records.map((record) =>
        EffectiveIntent.make({ domain, records: [record] })
      )
      if (old === undefined || added === undefined) throw new Error("the sample has two records")
      const pendingIntent = { intent: requestedConnection().intent, effectiveIntent: added, optionalFailures: [] }
      const changing = yield* createConnection(ownTenancy, { effectiveIntent: old, pendingIntent })
      yield* moveToState("awaiting_authorization", {}, { intentChange: { returnsTo: "active", hasBegun: false } })
      const second = yield* connectionIn("active")
      yield* claim(claimOf(second))
      const store = yield* ConnectionStore
      const record = yield* store.findRecord(ownTenancy, second.id)
      yield* store.update(ownTenancy, record, yield* transitionInto(record, "disconnected"), Option.none())
      expect(yield* listHolders(otherTenancy, wholeDomain)).toEqual([changing.id])
      expect(yield* findHolding(otherTenancy, scopeOf(old))).toBe("another_tenant")
      expect(yield* findHolding(otherTenancy, scopeOf(added))).toBe("nobody")
    }))

  test("names are held in each application by itself", () =>
    Effect.gen(function* () {
      const { claim, findHolding, isHolder, listCompetingConnections } = yield* HostHolderStore
      const own = yield* connectionIn("active")
      const foreign = yield* connectionIn("active", foreignTenancy)
      yield* claim(claimOf(own))
      yield* claim(claimOf(foreign, TakeoverRight.Nothing()))
      expect([yield* isHolder(ownTenancy, names), yield* isHolder(foreignTenancy, names)]).toEqual([true, true])
      expect(yield* listCompetingConnections(ownTenancy, names)).toEqual([])
      expect(yield* findHolding(ownTenancy, wholeDomain)).toBe("this_tenant")
    }))

  test("each tenant can read who holds a domain, by the names at and below it", () =>
    Effect.gen(function* () {
      const { claim, findHolding, listHolders } = yield* HostHolderStore
      const own = yield* connectionIn("active")
      const holdingOf = (tenancy: Tenancy) =>
        Effect.all([findHolding(tenancy, wholeDomain), listHolders(tenancy, wholeDomain)])
      expect(yield* holdingOf(otherTenancy)).toEqual(["nobody", []])
      yield* claim(claimOf(own))
      expect(yield* holdingOf(ownTenancy)).toEqual(["this_tenant", []])
      expect(yield* holdingOf(otherTenancy)).toEqual(["another_tenant", [own.id]])
      const below: NameSet = { at: [], below: [DomainName.make(`_dmarc.${domain}`)] }
      expect(yield* findHolding(otherTenancy, below)).toBe("nobody")
    }))

  test("a connection that has ended holds nothing, but another one of its tenant that is active does", () =>
    Effect.gen(function* () {
      const { claim, findHolding, listHolders } = yield* HostHolderStore
      const store = yield* ConnectionStore
      const own = yield* connectionIn("active")
      const second = yield* connectionIn("active")
      yield* claim(claimOf(own))
      const end = (id: typeof own.id) =>
        Effect.gen(function* () {
          const record = yield* store.findRecord(ownTenancy, id)
          yield* store.update(ownTenancy, record, yield* transitionInto(record, "disconnected"), Option.none())
        })
      yield* end(own.id)
      expect(yield* listHolders(otherTenancy, wholeDomain)).toEqual([second.id])
      yield* end(second.id)
      expect([yield* findHolding(otherTenancy, wholeDomain), yield* listHolders(otherTenancy, wholeDomain)]).toEqual([
        "nobody",
        []
      ])
    }))

  test("a connection gives up the names that it desires no more, for its tenant too unless another one is active there", () =>
    Effect.gen(function* () {
      const { claim, findHolding, isHolder, listHolders, listCompetingConnections } = yield* HostHolderStore
      const own = yield* connectionIn("active")
      const second = yield* connectionIn("active")
      yield* claim(claimOf(own))
      yield* moveToOtherNames(own.id)
      expect([yield* findHolding(otherTenancy, wholeDomain), yield* listHolders(otherTenancy, wholeDomain)]).toEqual([
        "another_tenant",
        [second.id]
      ])
      yield* moveToOtherNames(second.id)
      expect([
        yield* findHolding(otherTenancy, wholeDomain),
        yield* listCompetingConnections(otherTenancy, names)
      ]).toEqual(["nobody", []])
      const other = yield* connectionIn("verifying", otherTenancy)
      const otherClaim = claimOf(other, TakeoverRight.Nothing())
      expect([yield* claim(otherClaim), yield* isHolder(otherTenancy, names)]).toEqual([true, true])
    }))

  test("the rivals of a tenant are the connections of others with a plan that have not ended, at its names only", () =>
    Effect.gen(function* () {
      const { listCompetingConnections } = yield* HostHolderStore
      const nothingInZone = makeInitialProgress(requestedConnection())
      yield* connectionIn("awaiting_manual", ownTenancy, nothingInZone)
      const waiting = yield* connectionIn("awaiting_manual", otherTenancy, nothingInZone)
      const active = yield* connectionIn("active", otherTenancy)
      yield* connectionIn("canceled", otherTenancy, nothingInZone)
      expect((yield* listCompetingConnections(ownTenancy, names)).map(({ connectionId }) => connectionId)).toEqual([
        waiting.id,
        active.id
      ])
      yield* createConnection(otherTenancy)
      expect(yield* listCompetingConnections(ownTenancy, [DomainName.make(`elsewhere.${domain}`)])).toEqual([])
      expect((yield* listCompetingConnections(ownTenancy, names)).length).toBe(2)
    }))

  test("a transition that relies on names is written only while its tenant holds all of them", () =>
    Effect.gen(function* () {
      const { claim } = yield* HostHolderStore
      const store = yield* ConnectionStore
      const own = yield* connectionIn("verifying")
      const other = yield* connectionIn("verifying", otherTenancy)
      const requiredHolder = { tenantId: ownTenancy.tenantId, names }
      const activate = Effect.gen(function* () {
        const record = yield* store.findRecord(ownTenancy, own.id)
        const transition = yield* transitionInto(record, "active", { requiredHolder })
        return (yield* store.update(ownTenancy, record, transition, Option.none()))._tag
      })
      expect(yield* activate).toBe("Stale")
      const [first = domain] = names
      yield* claim(claimOf(own, TakeoverRight.Everything(), [first]))
      expect(yield* activate).toBe("Stale")
      yield* claim(claimOf(own))
      expect(yield* activate).toBe("Done")
      yield* claim(claimOf(other, TakeoverRight.Everything(), [first]))
      expect(yield* activate).toBe("Stale")
    }))

  test("the run of a phase writes such a transition only while its tenant holds the names, too", () =>
    Effect.gen(function* () {
      const { claim } = yield* HostHolderStore
      const store = yield* PhaseStore
      const created = yield* createConnection()
      const [due] = yield* store.takeDue(1, 60)
      if (due === undefined) return yield* Effect.dieMessage("no connection is due")
      const claimed = yield* due.claim
      const changes: Partial<Transition> = { requiredHolder: { tenantId: ownTenancy.tenantId, names } }
      const transition = yield* transitionInto(claimed, "active", changes)
      expect(yield* store.save(claimed, transition)).toBe(false)
      yield* claim(claimOf(created))
      expect(yield* store.save(claimed, transition)).toBe(true)
    }))
}
