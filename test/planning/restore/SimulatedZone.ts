import { Array, DateTime, Either, Option } from "effect"
import { formatOptionalFailure } from "../../../src/domain/Connection.ts"
import type { ZoneRecord } from "../../../src/domain/DnsRecord.ts"
import { type DomainName, HostName, toFqdn, toRelativeHost } from "../../../src/domain/DomainName.ts"
import type { ResolvedIntent } from "../../../src/domain/Intent.ts"
import type { Change } from "../../../src/domain/Plan.ts"
import { anyTtl } from "../../../src/domain/Provider.ts"
import type { Zone } from "../../../src/domain/Zone.ts"
import { emptyPlanContext, type PlanContext } from "../../../src/planning/PlanContext.ts"
import { buildPlan } from "../../../src/planning/buildPlan.ts"
import type { ConnectionIntent, JournaledChange } from "../../../src/planning/restore/JournaledChange.ts"
import { planRestore, type RestoreInput, type RestoreResult } from "../../../src/planning/restore/planRestore.ts"
import { liveZone } from "../../../src/planning/zone/LiveZone.ts"
import { applyChanges, capabilities, exampleCom } from "../../support/planFixtures.ts"

/** The zone `example.com` with all that was ever written to it, and the connections that have not left. */
export interface SimulatedZone {
  readonly zone: Zone
  readonly journal: ReadonlyArray<JournaledChange>
  readonly living: ReadonlyArray<ConnectionIntent>
  /** What the connections did without when they joined, because of other records that were there. */
  readonly forgone: ReadonlyArray<string>
  readonly now: DateTime.Utc
  readonly context: PlanContext
}

/** A zone to which nothing was written yet. */
export const pristineZone = (zone: Zone, context: PlanContext = emptyPlanContext): SimulatedZone => ({
  zone,
  journal: [],
  living: [],
  forgone: [],
  now: DateTime.unsafeMake("2026-01-01T00:00:00Z"),
  context
})

/** A connection joins, unless what it wants cannot be planned. */
export const join = (world: SimulatedZone, { id, intent }: ConnectionIntent): SimulatedZone =>
  Either.match(planIn(world, intent), {
    onLeft: () => world,
    onRight: ({ changes, optionalFailures }) =>
      written(
        {
          ...world,
          living: [...world.living, { id, intent }],
          forgone: [...world.forgone, ...optionalFailures.map((failure) => `${id} ${formatOptionalFailure(failure)}`)]
        },
        { id, intent },
        changes
      )
  })

/** A connection writes again what it wants and what is not there. */
export const repair = (world: SimulatedZone, id: string): SimulatedZone => {
  const { intent } = connectionIntentIn(world, id)
  const { changes } = Either.getOrThrow(planIn(world, intent))
  return written(world, connectionIntentIn(world, id), changes)
}

/** A connection leaves. */
export const disconnect = (
  world: SimulatedZone,
  id: string,
  options: Pick<Partial<RestoreInput>, "putBack"> = {}
): SimulatedZone => {
  const leaving = connectionIntentIn(world, id)
  const left = {
    ...world,
    living: world.living.filter((one) => one !== leaving),
    forgone: world.forgone.filter((failure) => !failure.startsWith(`${id} `))
  }
  return written(left, leaving, planRestoreIn(left, leaving, options).changes)
}

/** What would be done in the zone as it is, were a connection to leave that is not among the living any more. */
export const planRestoreIn = (
  { context, journal, living, now, zone }: SimulatedZone,
  leaving: ConnectionIntent,
  options: Pick<Partial<RestoreInput>, "putBack"> = {}
): RestoreResult =>
  planRestore({
    zone: seenFrom(leaving.intent.domain, zone),
    domain: leaving.intent.domain,
    journal,
    leaving,
    others: living.filter(({ id }) => id !== leaving.id),
    limits,
    context,
    now,
    putBack: [],
    ...options
  })

/** The connection of this id, which must not have left. */
export const connectionIntentIn = ({ living }: SimulatedZone, id: string): ConnectionIntent =>
  Option.getOrThrow(Array.findFirst(living, (one) => one.id === id))

/** Somebody else changes records of the zone. */
export const edit = (
  world: SimulatedZone,
  change: (records: ReadonlyArray<ZoneRecord>) => ReadonlyArray<ZoneRecord>
): SimulatedZone => ({
  ...world,
  zone: { ...world.zone, records: change(world.zone.records) }
})

/** Time passes. */
export const later = (world: SimulatedZone, days: number): SimulatedZone => ({
  ...world,
  now: DateTime.add(world.now, { days })
})

/** Everything that is served, in normal form and in an order of its own. */
export const servedRecords = ({ zone }: SimulatedZone): ReadonlyArray<string> =>
  recordsOf(zone)
    .map(({ host, key, ttl }) => `${host} ${key} ${ttl}`)
    .toSorted()

/** The same without TTLs. */
export const servedData = ({ zone }: SimulatedZone): ReadonlyArray<string> =>
  recordsOf(zone)
    .map(({ host, key }) => `${host} ${key}`)
    .toSorted()

const recordsOf = (zone: Zone) => {
  const live = liveZone(zone, exampleCom)
  return [...live.byHost.keys()].flatMap(live.recordsAt)
}

const planIn = ({ context, zone }: SimulatedZone, intent: ResolvedIntent) =>
  buildPlan({ intent, zone: seenFrom(intent.domain, zone), limits, context })

const written = (
  world: SimulatedZone,
  { id, intent: { domain } }: ConnectionIntent,
  changes: ReadonlyArray<Change>
): SimulatedZone => ({
  ...world,
  zone: applyChanges(
    world.zone,
    changes.map((change) => seenFromZone(change, domain))
  ),
  journal: [...world.journal, ...changes.map((change) => ({ connectionId: id, domain, change, writtenAt: world.now }))]
})

/** As a provider shows it to those who know of the domain alone. */
const seenFrom = (domain: DomainName, zone: Zone): Zone => ({
  ...zone,
  records: zone.records.flatMap((record) => {
    const host = toRelativeHost(toFqdn(HostName.make(record.host), zone.name), domain)
    return Option.toArray(host).map((host) => ({ ...record, host }))
  })
})

const seenFromZone = ({ after, before, ...change }: Change, domain: DomainName): Change => {
  const moved = <R extends ZoneRecord>(record: R) => {
    const host = toRelativeHost(toFqdn(HostName.make(record.host), domain), exampleCom)
    return { ...record, host: Option.getOrThrow(host) }
  }
  return {
    ...change,
    ...(before === undefined ? {} : { before: moved(before) }),
    ...(after === undefined ? {} : { after: moved(after) })
  }
}

const limits = { capabilities: capabilities("supported"), ttl: anyTtl }
