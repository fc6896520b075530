import { expect } from "bun:test"
import { Array, Effect, FastCheck as fc, Option } from "effect"
import { type Connection, ConnectionAction, type ConnectionId, finalStates } from "../../../src/domain/Connection.ts"
import type { ControlProof } from "../../../src/domain/Application.ts"
import { type ConnectionRecord, desiredNamesOf, servedNamesOf } from "../../../src/domain/ConnectionRecord.ts"
import type { Tenancy } from "../../../src/domain/Tenancy.ts"
import { Connections } from "../../../src/lifecycle/commands/Connections.ts"
import { ConnectionStore } from "../../../src/persistence/stores/ConnectionStore.ts"
import { ConnectionViews } from "../../../src/persistence/stores/ConnectionViews.ts"
import { HostHolderStore } from "../../../src/persistence/stores/HostHolderStore.ts"
import { decodeConnection } from "../../../src/persistence/stores/StoredConnection.ts"
import { tenancyOf } from "../../support/testApi.ts"
import {
  advanceTime,
  commandsFor,
  createDiscovered,
  type LifecycleServices,
  readConnection,
  type ScriptedProvider,
  waitUntilIdle,
  zoneWith
} from "../phases/scriptedProvider.ts"

const tenants = [tenancyOf("app", "one"), tenancyOf("app", "two"), tenancyOf("app", "three")]

/** The sets of hosts that tenants ask for: alone, together, and overlapping. */
const hostSets = [["shop"], ["blog"], ["shop", "blog"], ["blog", "news"]] as const

const recordsAt = (hosts: ReadonlyArray<string>) =>
  hosts.map((host) => ({ host, type: "CNAME", value: "shops.example.net" }) as const)

/** What happens next in a story, to the latest connection of a tenant; `hosts` are those that it asks for. */
type StoryStep =
  | { readonly kind: (typeof commandKinds)[number]; readonly tenant: number; readonly hosts: number }
  | { readonly kind: (typeof otherKinds)[number]; readonly hosts: number }

const commandKinds = [
  "ask",
  "change",
  "authorize",
  "refuse",
  "chooseManual",
  "prove",
  "recheck",
  "retry",
  "cancel",
  "disconnect"
] as const

/** The customer enters records or removes them, the zone is restored from a backup, challenges are removed, or time passes. */
const otherKinds = ["enter", "remove", "restore", "clean", "wait", "waitLong"] as const

const hosts = fc.nat(hostSets.length - 1)

const tenant = fc.nat(tenants.length - 1)

const command = fc.record({ kind: fc.constantFrom(...commandKinds), tenant, hosts })

/** A tenant whose connection is usually active in the end. */
const connected = fc.record({ tenant, hosts }).map((step) => [
  { ...step, kind: "ask" as const },
  { ...step, kind: "authorize" as const }
])

/** A tenant who changes the intent of a connection by hand. */
const changedByHand = fc.record({ tenant, hosts }).map((step) => [
  { ...step, kind: "change" as const },
  { ...step, kind: "chooseManual" as const },
  { hosts: step.hosts, kind: "enter" as const },
  { ...step, kind: "recheck" as const }
])

/** A tenant who waits, or whose credential the provider refuses, while another one comes and leaves its records. */
const earlier = fc.constantFrom("chooseManual" as const, "refuse" as const)
const plannedBefore = fc.record({ hosts, tenant, other: tenant, earlier }).map(({ earlier, hosts, other, tenant }) => [
  { tenant, hosts, kind: "ask" as const },
  { tenant, hosts, kind: earlier },
  { tenant: other, hosts, kind: "ask" as const },
  { tenant: other, hosts, kind: "authorize" as const },
  { tenant: other, hosts, kind: "disconnect" as const },
  { tenant: other, hosts, kind: "authorize" as const },
  { hosts, kind: "enter" as const },
  { tenant, hosts, kind: "chooseManual" as const },
  { tenant, hosts, kind: "recheck" as const }
])

/** A holder whose records return while another tenant has proven control already, and waits for them too. */
const provenBeforeReturn = fc.record({ hosts, tenant, other: tenant }).map(({ hosts, other, tenant }) => [
  { tenant: other, hosts, kind: "ask" as const },
  { tenant: other, hosts, kind: "authorize" as const },
  { hosts, kind: "remove" as const },
  { hosts, kind: "wait" as const },
  { tenant, hosts, kind: "ask" as const },
  { tenant, hosts, kind: "chooseManual" as const },
  { tenant, hosts, kind: "prove" as const },
  { hosts, kind: "enter" as const },
  { tenant: other, hosts, kind: "recheck" as const }
])

/** Stories of several tenants who want hosts of one domain. */
export const arbitraryStory: fc.Arbitrary<ReadonlyArray<StoryStep>> = fc
  .array(
    fc.oneof(
      { weight: 1, arbitrary: connected },
      { weight: 1, arbitrary: changedByHand },
      { weight: 1, arbitrary: plannedBefore },
      { weight: 1, arbitrary: provenBeforeReturn },
      { weight: 4, arbitrary: command.map((step) => [step]) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom(...otherKinds), hosts }).map((step) => [step]) }
    ),
    { minLength: 5, maxLength: 25, size: "max" }
  )
  .map((steps) => steps.flat())

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
      if ("tenant" in step) yield* act(acme, latest, step)
      else yield* changeZone(acme, step)
      yield* checkStaysServed(served)
      if (mode === "required") checkNewestProof(before, yield* listRecords)
      yield* checkEntered(acme, plans, mode)
      const { active, changed } = yield* checkProperties(mode)
      counts.active += active
      counts.changed += changed
    }
    return counts
  })

/** What the state does not allow is refused. */
const act = (
  acme: ScriptedProvider,
  latest: Map<number, ConnectionId>,
  { hosts, kind, tenant }: Extract<StoryStep, { readonly tenant: number }>
): Effect.Effect<unknown, unknown, LifecycleServices> =>
  Effect.gen(function* () {
    const owner = tenants[tenant] ?? tenancyOf("app", "one")
    const records = recordsAt(hostSets[hosts] ?? [])
    if (kind === "ask") return latest.set(tenant, yield* createDiscovered(records, owner))
    const id = latest.get(tenant)
    if (id === undefined) return
    const commands = commandsFor(id, owner)
    if (kind === "change") return yield* Effect.ignore(changeIntent(id, owner, records))
    if (kind === "authorize") return yield* authorizeAndApprove(id, owner)
    if (kind === "refuse") return yield* authorizeInVain(acme, id, owner)
    if (kind === "prove") yield* enterChallenge(acme, id, owner)
    return yield* Effect.ignore(kind === "prove" ? commands.recheck : commands[kind])
  })

const changeIntent = (id: ConnectionId, owner: Tenancy, records: ReturnType<typeof recordsAt>) =>
  Effect.zipRight(
    Effect.flatMap(Connections, (connections) =>
      connections.changeIntent(owner, id, { domain: "example.com", records }, { ...noOptions, allowDuplicate: true })
    ),
    waitUntilIdle
  )

const noOptions = { callableActions: ConnectionAction.literals, idempotency: Option.none(), ifVersion: Option.none() }

const authorizeAndApprove = (id: ConnectionId, owner: Tenancy) =>
  Effect.gen(function* () {
    const commands = commandsFor(id, owner)
    yield* Effect.ignore(commands.authorize())
    if ((yield* readConnection(id, owner)).plan !== undefined) yield* Effect.ignore(commands.acknowledgeAndApprove)
  })

const authorizeInVain = (acme: ScriptedProvider, id: ConnectionId, owner: Tenancy) =>
  Effect.gen(function* () {
    yield* acme.refuse("credential_invalid")
    yield* Effect.ignore(commandsFor(id, owner).authorize())
    yield* acme.refuse()
  })

const enterChallenge = (acme: ScriptedProvider, id: ConnectionId, owner: Tenancy) =>
  Effect.gen(function* () {
    const { challenge } = (yield* readConnection(id, owner)).control ?? {}
    if (challenge !== undefined)
      yield* editZone(acme, (lines) => [...lines, `${challenge.host} 300 TXT ${challenge.value}`])
  })

const changeZone = (acme: ScriptedProvider, { hosts, kind }: Exclude<StoryStep, { readonly tenant: number }>) => {
  const chosen = hostSets[hosts] ?? []
  switch (kind) {
    case "wait":
      return advanceTime("1 hour")
    case "waitLong":
      return advanceTime("4 days")
    case "restore":
      return acme.become(zoneWith())
    case "clean":
      return editZone(acme, (lines) => lines.filter((line) => !isAt(line, "_domain-connection")))
    default: {
      const entered = kind === "enter" ? chosen.map((host) => `${host} 3600 CNAME shops.example.net`) : []
      return editZone(acme, (lines) => [
        ...lines.filter((line) => !chosen.some((host) => isAt(line, host))),
        ...entered
      ])
    }
  }
}

const isAt = (line: string, host: string): boolean => line.startsWith(`${host} `)

/** Edits the records that are not there from the beginning, one line each. */
const editZone = (acme: ScriptedProvider, edit: (lines: ReadonlyArray<string>) => ReadonlyArray<string>) =>
  Effect.suspend(() => {
    const lines = acme
      .now()
      .records.filter(({ host, type }) => type === "CNAME" || host === "_domain-connection")
      .map(({ host, ttl, type, value }) => `${host} ${ttl} ${type} ${value}`)
    return acme.become(zoneWith(...edit(Array.dedupe(lines))))
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

/** Who becomes active has proven control after every other tenant that had proven it for one of the hosts. */
const checkNewestProof = (before: ReadonlyArray<ConnectionRecord>, after: ReadonlyArray<ConnectionRecord>) => {
  // One that gives up a change returns to `active`, which it has not lost.
  const wasActive = new Set(before.filter(isServed).map(({ connection: { id } }) => id))
  for (const { connection, progress } of after) {
    if (connection.state !== "active" || wasActive.has(connection.id)) continue
    const names = servedNamesOf(connection)
    const earlier = before.flatMap(({ connection: other, progress: { control } }) =>
      other.tenantId !== connection.tenantId &&
      !finalStates.includes(other.state) &&
      other.direction !== "restore" &&
      servedNamesOf(other).some((name) => names.includes(name))
        ? [control?.provenAt?.epochMillis ?? 0]
        : []
    )
    expect(progress.control?.provenAt?.epochMillis ?? 0).toBeGreaterThanOrEqual(Math.max(0, ...earlier))
  }
}

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
 * Records prove control by being entered only if they came after the plan and, where a proof is always required, no other
 * tenant has held a host since.
 */
const checkEntered = (acme: ScriptedProvider, plans: Map<ConnectionId, ObservedPlan>, mode: ControlProof) =>
  Effect.gen(function* () {
    const connections = yield* listConnections
    const active = connections.filter(({ state }) => state === "active")
    for (const connection of connections) {
      const { control, id, plan, tenantId } = connection
      const names = desiredNamesOf(connection)
      const before = plans.get(id)
      const expiresAt = plan?.expiresAt.epochMillis
      const records = recordsOf(acme, connection)
      const isSamePlan = before !== undefined && before.expiresAt === expiresAt
      const isEntered = control?.by === "entered_records"
      const wasOfAnother = isSamePlan && before.wasOfAnother && mode === "required"
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

/** The records of the zone at the hosts that a connection desires. */
const recordsOf = (acme: ScriptedProvider, { effectiveIntent, pendingIntent }: Connection): string => {
  const hosts = [effectiveIntent, ...(pendingIntent === undefined ? [] : [pendingIntent.effectiveIntent])].flatMap(
    ({ records }) => records.map(({ host }) => host)
  )
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
    const { isHolder } = yield* HostHolderStore
    for (const connection of active) expect(yield* isHolder(connection, servedNamesOf(connection))).toBe(true)
    if (mode === "required") expect(active.filter(({ control }) => control?.status !== "proven")).toEqual([])
    return {
      active: active.length,
      changed: connections.filter(({ pendingIntent }) => pendingIntent !== undefined).length
    }
  })
