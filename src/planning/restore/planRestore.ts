import { DateTime } from "effect"
import type { ZoneRecord } from "../../domain/DnsRecord.ts"
import type { DomainName } from "../../domain/DomainName.ts"
import type { Leftover } from "../../domain/Plan.ts"
import type { ProviderLimits } from "../../domain/Provider.ts"
import type { Zone } from "../../domain/Zone.ts"
import { desiredRecordsOf } from "../DesiredRecord.ts"
import type { LookupQuestion } from "../DnsLookup.ts"
import type { PlanContext } from "../PlanContext.ts"
import { type PlanResult, toChange } from "../buildPlan.ts"
import { computeDigest } from "../changes/computeDigest.ts"
import type { HostDiff } from "../changes/diffZone.ts"
import { findConsequences } from "../changes/findConsequences.ts"
import { orderChanges } from "../changes/orderChanges.ts"
import { hostWarnings, planWarnings, sortWarnings } from "../changes/warnings.ts"
import { compareDmarcStrictness } from "../dmarc/DmarcStrictness.ts"
import { hostAndAncestors, type LiveRecord, type LiveZone, liveZone, replaceRecordsAt } from "../zone/LiveZone.ts"
import { zoneLookup } from "../zone/zoneLookup.ts"
import { type ConnectionIntent, type JournaledChange, scopeIntent, scopeJournal } from "./JournaledChange.ts"
import { checkStaleness } from "./checkStaleness.ts"
import { diffRestoredHost, isRelated } from "./diffRestoredHost.ts"
import { findLeftovers, type StaleRecord } from "./findLeftovers.ts"
import { hostKeyOf, type ReplayedZone, type ReplayInput, replayWithout } from "./replayWithout.ts"
import { sharedPolicyKind } from "./traceProvenance.ts"

/** All that the restoring of a zone depends on, seen from `domain`, to which the hosts of the zone are relative. */
export interface RestoreInput {
  /** With `public_dns`, read with every type at every host that the journal names. */
  readonly zone: Zone
  readonly domain: DomainName
  /** What was written for all connections of the zone that ever were, and for their leaving, oldest first. */
  readonly journal: ReadonlyArray<JournaledChange>
  readonly leaving: ConnectionIntent
  /** The connections that stay, in the order in which they joined. */
  readonly others: ReadonlyArray<ConnectionIntent>
  readonly limits: ProviderLimits
  readonly context: PlanContext
  readonly now: DateTime.Utc
  /** Records that the customer wants back in spite of a doubt. */
  readonly putBack: ReadonlyArray<Pick<ZoneRecord, "host" | "type" | "value" | "priority">>
}

/** `left` is what remains otherwise than it was before the connection, and why. */
export interface RestoreResult extends Omit<PlanResult, "effectiveIntent" | "optionalFailures"> {
  readonly leftovers: ReadonlyArray<Leftover>
}

/**
 * The changes after which the zone is as if only the others had ever been there, where the leaving connection wrote or
 * wanted something; an order that is safe to apply.
 */
export const planRestore = (input: RestoreInput): RestoreResult => {
  const { context, domain, journal, leaving, limits, others, zone } = input
  const live = liveZone(zone, domain, limits.ttl)
  const entries = scopeJournal({ zone: zone.name, domain }, journal)
  const staying = others.map(({ intent }) => scopeIntent(domain, intent))
  const own = recordsOf(leaving, entries, live)
  const history = { zone, live, entries, others: staying, limits, context }
  const { doubts, restored, unanswered } = doubting(history, own, input, new Map())
  const target = sparing(live, restored)
  const diffs = [...restored.remaining].map(([host, remaining]) =>
    diffRestoredHost(host, [live, target], { own: own.get(host) ?? [], remaining })
  )
  const consequencesOf = findConsequences(
    live,
    diffs,
    staying.flatMap(({ effectiveIntent }) => effectiveIntent.records)
  )
  const rows = orderChanges(diffs).map((row) => ({ row, consequences: consequencesOf(row) }))
  const changes = rows.map(({ consequences, row }) => toChange(row, row.dropsData || consequences.length > 0))
  const shifts = diffs.filter(changesDmarc).map(({ host }) =>
    compareDmarcStrictness(host, [
      { live, lookup: zoneLookup(live, context) },
      { live: target, lookup: zoneLookup(target, context) }
    ])
  )
  return {
    changes,
    warnings: sortWarnings([
      ...diffs.flatMap(hostWarnings),
      ...rows.flatMap(({ consequences }) => consequences),
      ...shifts.flatMap(({ warnings }) => warnings),
      ...planWarnings(zone, changes)
    ]),
    digest: computeDigest({ domain, zone: zone.name, changes }),
    zone: zone.name,
    unanswered: [...unanswered, ...restored.unanswered, ...shifts.flatMap((shift) => shift.unanswered)],
    leftovers: findLeftovers({
      leaving: leaving.id,
      entries,
      live,
      target,
      changedSince: restored.changedSince,
      doubts
    })
  }
}

type RecordsByHost = ReadonlyMap<string, ReadonlyArray<LiveRecord>>

/** What the connection wrote, took away, or wanted and found there. */
const recordsOf = (
  { id, intent }: ConnectionIntent,
  entries: ReplayInput["entries"],
  live: LiveZone
): RecordsByHost => {
  const written = entries
    .filter(({ connectionId }) => connectionId === id)
    .flatMap(({ after, before }) => [before, after].filter((record) => record !== undefined))
  const wanted = desiredRecordsOf(scopeIntent(live.domain, intent), live).map(({ key, record, role }) => ({
    ...record,
    key,
    role
  }))
  return Map.groupBy<string, LiveRecord>([...written, ...wanted], ({ host }) => host)
}

interface Settled {
  readonly restored: ReplayedZone
  readonly doubts: ReadonlyMap<string, StaleRecord>
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/** Restores again without what must not be put back, until nothing more is held against anything. */
const doubting = (
  history: ReplayInput,
  own: RecordsByHost,
  input: Pick<RestoreInput, "now" | "putBack">,
  doubts: Settled["doubts"]
): Settled => {
  const restored = replayWithout(history, new Set(doubts.keys()))
  const lookup = zoneLookup(restored.live, history.context)
  const judged = [...own].flatMap(([host, records]) => {
    const already = new Set(history.live.recordsAt(host).map(({ key }) => key))
    return restored.live.recordsAt(host).flatMap((record) => {
      const goneSince = restored.removedAt.get(hostKeyOf(record))
      const isReturning = !already.has(record.key) && records.some((other) => isRelated(other, record))
      return goneSince === undefined || !isReturning || doubts.has(hostKeyOf(record)) || isNamed(record, input.putBack)
        ? []
        : [{ record, ...checkStaleness(record, DateTime.distanceDuration(goneSince, input.now), lookup) }]
    })
  })
  const fresh = judged.flatMap(({ doubt, record }) =>
    doubt === undefined ? [] : [[hostKeyOf(record), { record, reason: doubt }] as const]
  )
  return fresh.length === 0
    ? { restored, doubts, unanswered: judged.flatMap(({ unanswered }) => unanswered) }
    : doubting(history, own, input, new Map([...doubts, ...fresh]))
}

const isNamed = (record: LiveRecord, named: RestoreInput["putBack"]): boolean =>
  named.some(
    ({ host, priority, type, value }) =>
      record.host === host && record.type === type && record.value === value && record.priority === priority
  )

/** Where it is not known what the others want, nothing is changed, nor what would take it out of sight. */
const sparing = (live: LiveZone, { live: target, undeterminedHosts: unsettled }: ReplayedZone): LiveZone =>
  replaceRecordsAt(
    target,
    [...unsettled]
      .flatMap((host) => hostAndAncestors(host).filter((above) => above === host || above !== "@"))
      .map((host) => [host, live.byHost.get(host) ?? []])
  )

const changesDmarc = ({ rows }: HostDiff): boolean =>
  rows.some(({ after, before }) => [before, after].some((record) => record && sharedPolicyKind(record) === "DMARC"))
