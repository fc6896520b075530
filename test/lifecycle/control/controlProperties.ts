import { expect } from "bun:test"
import { Array, Effect } from "effect"
import { type Connection, type ConnectionId, finalStates } from "../../../src/domain/connection/Connection.ts"
import type { ControlProof } from "../../../src/domain/access/Application.ts"
import {
  allowedNamesOf,
  type ConnectionRecord,
  servedNamesOf
} from "../../../src/domain/connection/ConnectionRecord.ts"
import { makeConcernedNames } from "../../../src/domain/names/NameSet.ts"
import { ConnectionViews } from "../../../src/persistence/stores/connections/ConnectionViews.ts"
import { HostHolderStore } from "../../../src/persistence/stores/connections/HostHolderStore.ts"
import { isNameIn } from "../../support/memory/isNameIn.ts"
import type { skewedClock } from "../../support/skewedClock.ts"
import type { LifecycleServices, ScriptedProvider } from "../phases/scriptedProvider.ts"
import { playStep, type StoryStep, tenants } from "./controlStories.ts"

/** How often a story had active connections, and connections with another intent than at first. */
export interface StoryCounts {
  readonly active: number
  readonly changed: number
}

/** Plays a story of several tenants who want hosts of one domain, and checks the properties after each step. */
export const playStory = (
  acme: ScriptedProvider,
  clock: ReturnType<typeof skewedClock>,
  story: ReadonlyArray<StoryStep>,
  mode: ControlProof
): Effect.Effect<StoryCounts, unknown, LifecycleServices> =>
  Effect.gen(function* () {
    const latest = new Map<number, ConnectionId>()
    const counts = { active: 0, changed: 0 }
    const plans = new Map<ConnectionId, ObservedPlan>()
    let before = yield* listRecords
    for (const [index, step] of story.entries()) {
      const latestBefore = new Set(latest.values())
      const written = acme.made().length
      // So that no two plans of a connection expire at the same time, which tells them apart where a proof may be required.
      if (mode !== "off") yield* clock.set((index + 1) * 1_000)
      yield* playStep(acme, latest, step)
      const after = yield* listRecords
      checkStaysServed(
        before.filter(({ connection: { id } }) => latestBefore.has(id)),
        after
      )
      if (mode !== "off") checkNewestProof(before, after, mode)
      if (mode === "required") checkReturned(before, after)
      if (acme.made().length === written) checkWritten(before, after)
      checkEntered(acme, plans, after, mode)
      const { active, changed } = yield* checkProperties(after, mode)
      counts.active += active
      counts.changed += changed
      before = after
    }
    return counts
  })

/** Whether a connection is active, also while a new intent waits to be applied. */
const isServed = ({ connection, progress }: ConnectionRecord): boolean =>
  [connection.state, progress.intentChange?.returnsTo].includes("active")

/** What is served is not left for a new intent whose control is still to be proven, unless another tenant took its hosts. */
const checkStaysServed = (before: ReadonlyArray<ConnectionRecord>, after: ReadonlyArray<ConnectionRecord>) => {
  const served = before.filter(isServed).map(({ connection }) => connection)
  for (const { connection } of after) {
    const known = served.find(({ id }) => id === connection.id)
    if (known === undefined || isTaken(known, after)) continue
    expect([connection.state, connection.control?.status]).not.toEqual(["verifying", "unproven"])
  }
}

/** Whether a connection of another tenant is active at a host that the connection served. */
const isTaken = (connection: Connection, after: ReadonlyArray<ConnectionRecord>): boolean => {
  const names = servedNamesOf(connection)
  return after.some(
    ({ connection: other }) =>
      other.state === "active" &&
      other.tenantId !== connection.tenantId &&
      servedNamesOf(other).some((name) => names.includes(name))
  )
}

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

/** Where a proof is required, whoever becomes active after its records were missing has a new one, if others wait for them. */
const checkReturned = (before: ReadonlyArray<ConnectionRecord>, after: ReadonlyArray<ConnectionRecord>) => {
  for (const current of after) {
    const { id, state, tenantId } = current.connection
    const known = before.find(({ connection }) => connection.id === id)
    if (state !== "active" || known?.connection.state !== "degraded" || isNewProof(known, current)) continue
    const waiting = before.filter(
      ({ connection }) =>
        connection.tenantId !== tenantId &&
        ![...finalStates, "degraded"].includes(connection.state) &&
        after.some((other) => other.connection.id === connection.id && !finalStates.includes(other.connection.state)) &&
        servedNamesOf(connection).some((name) => servedNamesOf(current.connection).includes(name))
    )
    expect(waiting).toEqual([])
  }
}

/** A credential that has written nothing proves nothing. */
const checkWritten = (before: ReadonlyArray<ConnectionRecord>, after: ReadonlyArray<ConnectionRecord>) => {
  for (const current of after) {
    const known = before.find(({ connection }) => connection.id === current.connection.id)
    if (current.progress.control?.provenBy === "credential") expect(isNewProof(known, current)).toBe(false)
  }
}

const isNewProof = (before: ConnectionRecord | undefined, after: ConnectionRecord): boolean =>
  before?.progress.control?.provenBy !== after.progress.control?.provenBy ||
  (before !== undefined && provenAtOf(before) !== provenAtOf(after))

const isHeld = ({ connection: { direction, state } }: ConnectionRecord): boolean =>
  !finalStates.includes(state) && direction !== "restore"

const provenAtOf = ({ progress: { control } }: ConnectionRecord): number => control?.provenAt?.epochMillis ?? 0

const listRecords = Effect.gen(function* () {
  const views = yield* ConnectionViews
  const pages = yield* Effect.forEach(tenants, (tenancy) => views.list(tenancy, {}, { limit: 1_000, maxBytes: 1e8 }))
  return yield* views.readRecords(pages.flat().map(({ id }) => id))
})

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
 * tenant has held a host of the plan since, nor a wildcard above or a host below one.
 */
const checkEntered = (
  acme: ScriptedProvider,
  plans: Map<ConnectionId, ObservedPlan>,
  records: ReadonlyArray<ConnectionRecord>,
  mode: ControlProof
) => {
  const active = records.map(({ connection }) => connection).filter(({ state }) => state === "active")
  for (const { connection, progress } of records) {
    const { id, plan, tenantId } = connection
    const names = makeConcernedNames(servedNamesOf(connection.pendingIntent ?? connection))
    const before = plans.get(id)
    const expiresAt = plan?.expiresAt.epochMillis
    const current = recordsOf(acme, connection)
    const isSamePlan = before !== undefined && before.expiresAt === expiresAt
    const isEntered = progress.control?.provenBy === "entered_records"
    const wasOfAnother = isSamePlan && before.wasOfAnother && mode !== "off"
    if (isEntered && before?.isEntered === false)
      expect([id, isSamePlan && before.records !== current, wasOfAnother]).toEqual([id, true, false])
    const isOfAnother = active.some(
      (other) => other.tenantId !== tenantId && servedNamesOf(other).some((name) => isNameIn(name, names))
    )
    plans.set(id, {
      expiresAt,
      records: isSamePlan ? before.records : current,
      wasOfAnother: wasOfAnother || isOfAnother,
      isEntered
    })
  }
}

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

/** The properties, over all connections that there are. */
const checkProperties = (records: ReadonlyArray<ConnectionRecord>, mode: ControlProof) =>
  Effect.gen(function* () {
    const connections = records.map(({ connection }) => connection)
    const active = connections.filter(({ state }) => state === "active")
    const holders = Map.groupBy(
      active.flatMap((connection) =>
        servedNamesOf(connection).map((name) => ({ name, tenantId: connection.tenantId }))
      ),
      ({ name }) => name
    )
    for (const [name, held] of holders)
      expect([name, Array.dedupe(held.map(({ tenantId }) => tenantId)).length]).toEqual([name, 1])
    for (const [name, tenantIds] of Map.groupBy(listAllowed(records), ({ name }) => name))
      expect([name, Array.dedupe(tenantIds.map(({ tenantId }) => tenantId)).length]).toEqual([name, 1])
    const { isHolder } = yield* HostHolderStore
    for (const connection of active) expect(yield* isHolder(connection, servedNamesOf(connection))).toBe(true)
    if (mode === "required") expect(active.filter(({ control }) => control?.status !== "proven")).toEqual([])
    return {
      active: active.length,
      changed: connections.filter(({ pendingIntent }) => pendingIntent !== undefined).length
    }
  })

/** The names at which each tenant's product may answer. */
const listAllowed = (records: ReadonlyArray<ConnectionRecord>) =>
  records.flatMap((record) => allowedNamesOf(record).map((name) => ({ name, tenantId: record.connection.tenantId })))
