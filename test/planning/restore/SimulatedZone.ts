import { Array, DateTime, Either, Option } from "effect"
import { formatOptionalFailure } from "../../../src/domain/connection/Connection.ts"
import type { ZoneRecord } from "../../../src/domain/records/DnsRecord.ts"
import { type DomainName, HostName, toFqdn, toRelativeHost } from "../../../src/domain/names/DomainName.ts"
import type { ResolvedIntent } from "../../../src/domain/connection/Intent.ts"
import type { Change } from "../../../src/domain/plan/Plan.ts"
import { anyTtl } from "../../../src/domain/provider/Provider.ts"
import type { Zone } from "../../../src/domain/plan/Zone.ts"
import { emptyPlanContext, type PlanContext } from "../../../src/planning/PlanContext.ts"
import type { PlanRefused } from "../../../src/planning/buildPlan.ts"
import type { IntentChangeResult } from "../../../src/planning/intentChange/planIntentChange.ts"
import type { ConnectionIntent, JournaledChange } from "../../../src/planning/restore/JournaledChange.ts"
import type { RestoreInput, RestoreResult } from "../../../src/planning/restore/planRestore.ts"
import { toLiveZone } from "../../../src/planning/zone/LiveZone.ts"
import { applyChanges, capabilities, exampleCom } from "../../support/planFixtures.ts"
import { planZone, planZoneChange, planZoneRestore } from "../../support/planZone.ts"

/** The zone `example.com` with its journal and its connected connections. */
export interface SimulatedZone {
  readonly zone: Zone
  readonly journal: ReadonlyArray<JournaledChange>
  readonly connections: ReadonlyArray<ConnectionIntent>
  /** The optional records that the connections left out when they joined, because of other records. */
  readonly skipped: ReadonlyArray<string>
  readonly now: DateTime.Utc
  readonly context: PlanContext
}

/** A zone without a journal. */
export const pristineZone = (zone: Zone, context: PlanContext = emptyPlanContext): SimulatedZone => ({
  zone,
  journal: [],
  connections: [],
  skipped: [],
  now: DateTime.unsafeMake("2026-01-01T00:00:00Z"),
  context
})

/** Connects a connection, unless its records cannot be planned. */
export const join = (state: SimulatedZone, { id, intent }: ConnectionIntent): SimulatedZone =>
  Either.match(planIn(state, intent), {
    onLeft: () => state,
    onRight: ({ changes, optionalFailures }) =>
      written(
        {
          ...state,
          connections: [...state.connections, { id, intent }],
          skipped: [...state.skipped, ...optionalFailures.map((failure) => `${id} ${formatOptionalFailure(failure)}`)]
        },
        { id, intent },
        changes
      )
  })

/** Writes the missing records of a connection again. */
export const repair = (state: SimulatedZone, id: string): SimulatedZone => {
  const { intent } = connectionIntentIn(state, id)
  const { changes } = Either.getOrThrow(planIn(state, intent))
  return written(state, connectionIntentIn(state, id), changes)
}

/** Changes the intent of a connection, unless its records cannot be planned. */
export const changeIntent = (state: SimulatedZone, id: string, intent: ResolvedIntent): SimulatedZone => {
  const connection = connectionIntentIn(state, id)
  return Either.match(planIntentChangeIn(state, id, intent), {
    onLeft: () => state,
    onRight: ({ changes }) =>
      written(
        {
          ...state,
          connections: state.connections.map((one) => (one === connection ? { ...connection, intent } : one))
        },
        { ...connection, intent },
        changes
      )
  })
}

/** Plans the change of the intent of a connection. */
export const planIntentChangeIn = (
  state: SimulatedZone,
  id: string,
  intent: ResolvedIntent,
  options: Pick<Partial<RestoreInput>, "canStore"> = {}
): Either.Either<IntentChangeResult, PlanRefused> => {
  const { connections, context, journal, now, zone } = state
  const connection = connectionIntentIn(state, id)
  return planZoneChange({
    zone: viewFrom(intent.domain, zone),
    domain: intent.domain,
    journal,
    connection,
    intent,
    others: connections.filter((one) => one.id !== id),
    limits,
    context,
    now,
    putBack: [],
    ...options
  })
}

/** Disconnects a connection. */
export const disconnect = (
  state: SimulatedZone,
  id: string,
  options: Pick<Partial<RestoreInput>, "putBack"> = {}
): SimulatedZone => {
  const leaving = connectionIntentIn(state, id)
  const left = {
    ...state,
    connections: state.connections.filter((one) => one !== leaving),
    skipped: state.skipped.filter((failure) => !failure.startsWith(`${id} `))
  }
  return written(left, leaving, planRestoreIn(left, leaving, options).changes)
}

/** Plans the restore of a connection that is no longer connected. */
export const planRestoreIn = (
  { connections, context, journal, now, zone }: SimulatedZone,
  leaving: ConnectionIntent,
  options: Pick<Partial<RestoreInput>, "canStore" | "limits" | "putBack"> = {}
): RestoreResult =>
  planZoneRestore({
    zone: viewFrom(leaving.intent.domain, zone),
    domain: leaving.intent.domain,
    journal,
    leaving,
    others: connections.filter(({ id }) => id !== leaving.id),
    limits,
    context,
    now,
    putBack: [],
    ...options
  })

/** The connected connection of this id. */
export const connectionIntentIn = ({ connections }: SimulatedZone, id: string): ConnectionIntent =>
  Option.getOrThrow(Array.findFirst(connections, (one) => one.id === id))

/** Changes records of the zone outside the journal. */
export const edit = (
  state: SimulatedZone,
  change: (records: ReadonlyArray<ZoneRecord>) => ReadonlyArray<ZoneRecord>
): SimulatedZone => ({
  ...state,
  zone: { ...state.zone, records: change(state.zone.records) }
})

/** Advances the clock. */
export const later = (state: SimulatedZone, days: number): SimulatedZone => ({
  ...state,
  now: DateTime.add(state.now, { days })
})

/** All served records, in normal form and sorted. */
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
  const live = toLiveZone(zone, exampleCom)
  return [...live.byHost.keys()].flatMap(live.recordsAt)
}

const planIn = ({ context, zone }: SimulatedZone, intent: ResolvedIntent) =>
  planZone({ intent, zone: viewFrom(intent.domain, zone), limits, context })

const written = (
  state: SimulatedZone,
  { id, intent: { domain } }: ConnectionIntent,
  changes: ReadonlyArray<Change>
): SimulatedZone => ({
  ...state,
  zone: applyChanges(
    state.zone,
    changes.map((change) => seenFromZone(change, domain))
  ),
  journal: [...state.journal, ...changes.map((change) => ({ connectionId: id, domain, change, writtenAt: state.now }))]
})

/** The part of a zone at or below the domain, as a provider returns it. */
const viewFrom = (domain: DomainName, zone: Zone): Zone => ({
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
