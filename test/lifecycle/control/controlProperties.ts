import { expect } from "bun:test"
import { Array, Effect, TestClock } from "effect"
import { type Connection, type ConnectionId, finalStates } from "../../../src/domain/Connection.ts"
import type { ControlProof } from "../../../src/domain/Application.ts"
import { allowedNamesOf, type ConnectionRecord, servedNamesOf } from "../../../src/domain/ConnectionRecord.ts"
import type { Tenancy } from "../../../src/domain/Tenancy.ts"
import { ConnectionStore } from "../../../src/persistence/stores/ConnectionStore.ts"
import { ConnectionViews } from "../../../src/persistence/stores/ConnectionViews.ts"
import { HostHolderStore } from "../../../src/persistence/stores/HostHolderStore.ts"
import { decodeConnection } from "../../../src/persistence/stores/StoredConnection.ts"
import { tenancyOf } from "../../support/testApi.ts"
import type { LifecycleServices, ScriptedProvider } from "../phases/scriptedProvider.ts"
import { playStep, type StoryStep, tenants } from "./controlStories.ts"

/** How often a story had active connections, and connections with another intent than at first. */
interface StoryCounts {
  readonly active: number
  readonly changed: number
}

/** Plays a story of several tenants who want hosts of one domain, and checks the properties after each step. */
export const playStory = (
  acme: ScriptedProvider,
  story: ReadonlyArray<StoryStep>,
  mode: ControlProof
): Effect.Effect<StoryCounts, unknown, LifecycleServices> =>
  Effect.gen(function* () {
    const latest = new Map<number, ConnectionId>()
    const counts = { active: 0, changed: 0 }
    const plans = new Map<ConnectionId, ObservedPlan>()
    for (const step of story) {
      const served = yield* listServed(latest)
      const before = yield* listRecords
      // So that no two plans of a connection expire at the same time, which tells them apart where a proof may be required.
      if (mode !== "off") yield* TestClock.adjust("1 second")
      yield* playStep(acme, latest, step)
      yield* checkStaysServed(served)
      if (mode !== "off") checkNewestProof(before, yield* listRecords, mode)
      yield* checkEntered(acme, plans, mode)
      const { active, changed } = yield* checkProperties(mode)
      counts.active += active
      counts.changed += changed
    }
    return counts
  })

/** The connections that are active, also while a new intent waits to be applied. */
const listServed = (latest: ReadonlyMap<number, ConnectionId>) =>
  Effect.map(
    Effect.forEach(latest, ([tenant, id]) => findRecord(tenants[tenant] ?? tenancyOf("app", "one"), id)),
    Array.filter(isServed)
  )

const isServed = ({ connection, progress }: ConnectionRecord): boolean =>
  [connection.state, progress.intentChange?.returnsTo].includes("active")

/** What is served is not left for a new intent whose control is still to be proven. */
const checkStaysServed = (served: ReadonlyArray<ConnectionRecord>) =>
  Effect.forEach(served, ({ connection: { id, ...tenancy } }) =>
    Effect.map(findRecord(tenancy, id), ({ connection: { control, state } }) =>
      expect([state, control?.status]).not.toEqual(["verifying", "unproven"])
    )
  )

const findRecord = (tenancy: Tenancy, id: ConnectionId) =>
  Effect.flatMap(ConnectionStore, (store) => store.findRecord(tenancy, id))

/**
 * Who becomes active has proven control after every other tenant that had proven it for one of the hosts. Where nobody has
 * to prove what no other tenant contests, another connection of its tenant may have done that.
 */
const checkNewestProof = (
  before: ReadonlyArray<ConnectionRecord>,
  after: ReadonlyArray<ConnectionRecord>,
  mode: ControlProof
) => {
  // One that gives up a change returns to `active`, which it has not lost.
  const wasActive = new Set(before.filter(isServed).map(({ connection: { id } }) => id))
  for (const current of after) {
    const { id, state, tenantId } = current.connection
    if (state !== "active" || wasActive.has(id)) continue
    const known = mode === "required" ? [] : [...before, ...after]
    const ownProofs = [current, ...known.filter(({ connection }) => connection.tenantId === tenantId)]
    for (const other of before.filter(isHeld)) {
      const shared = servedNamesOf(current.connection).filter((name) => servedNamesOf(other.connection).includes(name))
      if (other.connection.tenantId === tenantId || shared.length === 0) continue
      const proofs = ownProofs.filter(({ connection }) =>
        shared.some((name) => servedNamesOf(connection).includes(name))
      )
      expect(Math.max(...proofs.map(provenAtOf))).toBeGreaterThanOrEqual(provenAtOf(other))
    }
  }
}

const isHeld = ({ connection: { direction, state } }: ConnectionRecord): boolean =>
  !finalStates.includes(state) && direction !== "restore"

const provenAtOf = ({ progress: { control } }: ConnectionRecord): number => control?.provenAt?.epochMillis ?? 0

const listRecords = Effect.suspend(() =>
  Effect.flatMap(
    listConnections,
    Effect.forEach(({ id, ...tenancy }) => findRecord(tenancy, id))
  )
)

/** The plan of a connection as it was observed first, with what has happened at its hosts since. */
interface ObservedPlan {
  readonly expiresAt: number | undefined
  /** The records of the zone at the hosts. */
  readonly records: string
  readonly wasOfAnother: boolean
  readonly isEntered: boolean
}

/**
 * Records prove control by being entered only if they came after the plan and, where a proof may be required, no other
 * tenant has held a host of the plan since.
 */
const checkEntered = (acme: ScriptedProvider, plans: Map<ConnectionId, ObservedPlan>, mode: ControlProof) =>
  Effect.gen(function* () {
    const connections = yield* listConnections
    const active = connections.filter(({ state }) => state === "active")
    for (const connection of connections) {
      const { control, id, plan, tenantId } = connection
      const names = servedNamesOf(connection.pendingIntent ?? connection)
      const before = plans.get(id)
      const expiresAt = plan?.expiresAt.epochMillis
      const records = recordsOf(acme, connection)
      const isSamePlan = before !== undefined && before.expiresAt === expiresAt
      const isEntered = control?.by === "entered_records"
      const wasOfAnother = isSamePlan && before.wasOfAnother && mode !== "off"
      if (isEntered && before?.isEntered === false)
        expect([id, isSamePlan && before.records !== records, wasOfAnother]).toEqual([id, true, false])
      const isOfAnother = active.some(
        (other) => other.tenantId !== tenantId && servedNamesOf(other).some((name) => names.includes(name))
      )
      plans.set(id, {
        expiresAt,
        records: isSamePlan ? before.records : records,
        wasOfAnother: wasOfAnother || isOfAnother,
        isEntered
      })
    }
  })

/** The records of the zone at the hosts that the plan of a connection concerns. */
const recordsOf = (acme: ScriptedProvider, connection: Connection): string => {
  const hosts = (connection.pendingIntent ?? connection).effectiveIntent.records.map(({ host }) => host)
  return acme
    .now()
    .records.filter(({ host }) => hosts.includes(host))
    .map(({ host, type, value }) => `${host} ${type} ${value}`)
    .toSorted()
    .join()
}

const listConnections = Effect.gen(function* () {
  const views = yield* ConnectionViews
  const pages = yield* Effect.forEach(tenants, (tenancy) => views.list(tenancy, {}, { limit: 1_000, maxBytes: 1e8 }))
  return pages.flat().map(({ doc }) => decodeConnection(doc))
})

/** The names at which each tenant's product may answer. */
const listAllowed = Effect.map(listRecords, (records) =>
  records.flatMap((record) => allowedNamesOf(record).map((name) => ({ name, tenantId: record.connection.tenantId })))
)

/** The properties, over all connections that there are. */
const checkProperties = (mode: ControlProof) =>
  Effect.gen(function* () {
    const connections = yield* listConnections
    const active = connections.filter(({ state }) => state === "active")
    const holders = Map.groupBy(
      active.flatMap((connection) =>
        servedNamesOf(connection).map((name) => ({ name, tenantId: connection.tenantId }))
      ),
      ({ name }) => name
    )
    for (const [name, held] of holders)
      expect([name, Array.dedupe(held.map(({ tenantId }) => tenantId)).length]).toEqual([name, 1])
    for (const [name, tenantIds] of Map.groupBy(yield* listAllowed, ({ name }) => name))
      expect([name, Array.dedupe(tenantIds.map(({ tenantId }) => tenantId)).length]).toEqual([name, 1])
    const { isHolder } = yield* HostHolderStore
    for (const connection of active) expect(yield* isHolder(connection, servedNamesOf(connection))).toBe(true)
    if (mode === "required") expect(active.filter(({ control }) => control?.status !== "proven")).toEqual([])
    return {
      active: active.length,
      changed: connections.filter(({ pendingIntent }) => pendingIntent !== undefined).length
    }
  })
