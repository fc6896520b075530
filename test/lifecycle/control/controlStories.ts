import { Array, Effect, FastCheck as fc, Option } from "effect"
import { ConnectionAction, type ConnectionId } from "../../../src/domain/connection/Connection.ts"
import type { Tenancy } from "../../../src/domain/access/Tenancy.ts"
import { Connections } from "../../../src/lifecycle/commands/Connections.ts"
import { rejectWith } from "../../support/scriptedZone.ts"
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

/** The tenants of a story. */
export const tenants = [tenancyOf("app", "one"), tenancyOf("app", "two"), tenancyOf("app", "three")]

/** The sets of hosts that tenants ask for: alone, together, overlapping, and below a wildcard of another one. */
const hostSets = [["shop"], ["blog"], ["shop", "blog"], ["blog", "news"], ["*"]] as const

const recordsAt = (hosts: ReadonlyArray<string>) =>
  hosts.map((host) => ({ host, type: "CNAME", value: "shops.example.net" }) as const)

/** What happens next in a story, to the latest connection of a tenant; `hosts` are those that it asks for. */
export type StoryStep =
  | {
      readonly kind: (typeof commandKinds)[number]
      readonly tenant: number
      readonly hosts: number
    }
  | { readonly kind: (typeof otherKinds)[number]; readonly hosts: number }

const commandKinds = [
  "ask",
  "change",
  "authorize",
  "refuse",
  "readOnly",
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
const plannedBefore = fc
  .record({ hosts, tenant, other: tenant, otherHosts: fc.option(hosts), earlier })
  .map(({ earlier, hosts, other, otherHosts, tenant }) => [
    { tenant, hosts, kind: "ask" as const },
    { tenant, hosts, kind: earlier },
    { tenant: other, hosts: otherHosts ?? hosts, kind: "ask" as const },
    { tenant: other, hosts: otherHosts ?? hosts, kind: "authorize" as const },
    { tenant: other, hosts: otherHosts ?? hosts, kind: "disconnect" as const },
    { tenant: other, hosts: otherHosts ?? hosts, kind: "authorize" as const },
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

/** A former owner whose records return after another tenant has asked for them. */
const returned = fc.record({ hosts, tenant, other: tenant }).map(({ hosts, other, tenant }) => [
  { tenant, hosts, kind: "ask" as const },
  { tenant, hosts, kind: "authorize" as const },
  { hosts, kind: "remove" as const },
  { tenant, hosts, kind: "recheck" as const },
  { tenant: other, hosts, kind: "ask" as const },
  { hosts, kind: "enter" as const },
  { tenant, hosts, kind: "recheck" as const }
])

/** Stories of several tenants who want hosts of one domain. */
export const arbitraryStory: fc.Arbitrary<ReadonlyArray<StoryStep>> = fc
  .array(
    fc.oneof(
      { weight: 1, arbitrary: connected },
      { weight: 1, arbitrary: changedByHand },
      { weight: 1, arbitrary: plannedBefore },
      { weight: 1, arbitrary: provenBeforeReturn },
      { weight: 1, arbitrary: returned },
      { weight: 4, arbitrary: command.map((step) => [step]) },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constantFrom(...otherKinds), hosts }).map((step) => [step])
      }
    ),
    { minLength: 5, maxLength: 25, size: "max" }
  )
  .map((steps) => steps.flat())

/** Plays one step of a story; `latest` has the connection of each tenant that the steps are about. */
export const playStep = (acme: ScriptedProvider, latest: Map<number, ConnectionId>, step: StoryStep) =>
  "tenant" in step ? act(acme, latest, step) : changeZone(acme, step)

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
    if (kind === "readOnly") return yield* authorizeReading(acme, id, owner)
    if (kind === "prove") yield* enterChallenge(acme, id, owner)
    return yield* Effect.ignore(kind === "prove" ? commands.recheck : commands[kind])
  })

const changeIntent = (id: ConnectionId, owner: Tenancy, records: ReturnType<typeof recordsAt>) =>
  Effect.zipRight(
    Effect.flatMap(Connections, (connections) =>
      connections.update(
        owner,
        id,
        { intent: { domain: "example.com", records } },
        { ...noOptions, allowDuplicate: true }
      )
    ),
    waitUntilIdle
  )

const noOptions = {
  callableActions: ConnectionAction.literals,
  idempotency: Option.none(),
  ifVersion: Option.none()
}

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

/** A credential that may read the zone and write nothing. */
const authorizeReading = (acme: ScriptedProvider, id: ConnectionId, owner: Tenancy) =>
  Effect.gen(function* () {
    yield* acme.play(...Array.makeBy(50, () => rejectWith("authorization_insufficient_scope")))
    yield* authorizeAndApprove(id, owner)
    yield* acme.play()
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
