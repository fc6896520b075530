import { DateTime } from "effect"
import type { ZoneRecord } from "../../domain/DnsRecord.ts"
import type { DomainName } from "../../domain/DomainName.ts"
import type { ProviderLimits } from "../../domain/Provider.ts"
import type { Zone } from "../../domain/Zone.ts"
import { changeOf, type Planned } from "../buildPlan.ts"
import { consequencesIn } from "../changes/consequences.ts"
import type { HostDiff } from "../changes/diff.ts"
import { digestOf } from "../changes/digest.ts"
import { safeOrder } from "../changes/safeOrder.ts"
import { inOrder, planWarnings, warningsAt } from "../changes/warnings.ts"
import type { Question } from "../Lookup.ts"
import type { PlanContext } from "../PlanContext.ts"
import { wantedIn } from "../Wanted.ts"
import { type LiveRecord, type LiveZone, liveZone, selfAndAbove, withRecordsAt } from "../zone/LiveZone.ts"
import { zoneLookup } from "../zone/zoneLookup.ts"
import { type AsIfOnly, asIfOnly, type History, placeOf } from "./asIfOnly.ts"
import { dmarcShift } from "./dmarcShift.ts"
import { concern, hostDiff } from "./hostDiff.ts"
import { judgeReturn } from "./judgeReturn.ts"
import { type Doubted, type Left, leftAfter } from "./left.ts"
import { policyKind } from "./provenance.ts"
import { entriesSeenFrom, intentSeenFrom, type Living, type Written } from "./Written.ts"

/** All that the restoring of a zone depends on, seen from `domain`, to which the hosts of the zone are relative. */
export interface RestoreInput {
  /** With `public_dns`, read with every type at every host that the journal names. */
  readonly zone: Zone
  readonly domain: DomainName
  /** What was written for all connections of the zone that ever were, and for their leaving, oldest first. */
  readonly journal: ReadonlyArray<Written>
  readonly leaving: Living
  /** The connections that stay, in the order in which they joined. */
  readonly others: ReadonlyArray<Living>
  readonly limits: ProviderLimits
  readonly context: PlanContext
  readonly now: DateTime.Utc
  /** Records that the customer wants back in spite of a doubt. */
  readonly putBack: ReadonlyArray<Pick<ZoneRecord, "host" | "type" | "value" | "priority">>
}

/** `left` is what remains otherwise than it was before the connection, and why. */
export interface PlannedRestore extends Omit<Planned, "effectiveIntent" | "optionalFailures"> {
  readonly left: ReadonlyArray<Left>
}

/**
 * The changes after which the zone is as if only the others had ever been there, where the leaving connection wrote or
 * wanted something; an order that is safe to apply.
 */
export const planRestore = (input: RestoreInput): PlannedRestore => {
  const { context, domain, journal, leaving, limits, others, zone } = input
  const live = liveZone(zone, domain, limits.ttl)
  const viewpoint = { name: zone.name, domain }
  const entries = entriesSeenFrom(viewpoint, journal)
  const staying = others.map(({ intent }) => intentSeenFrom(viewpoint, intent))
  const own = recordsOf(leaving, entries, live)
  const history = { zone, live, entries, others: staying, limits, context }
  const { doubts, restored, unanswered } = doubting(history, own, input, new Map())
  const target = sparing(live, restored)
  const diffs = [...restored.remaining].map(([host, remaining]) =>
    hostDiff(host, [live, target], { own: own.get(host) ?? [], remaining })
  )
  const consequencesOf = consequencesIn(
    live,
    diffs,
    staying.flatMap(({ effectiveIntent }) => effectiveIntent.records)
  )
  const rows = safeOrder(diffs).map((row) => ({ row, consequences: consequencesOf(row) }))
  const changes = rows.map(({ consequences, row }) => changeOf(row, row.dropsData || consequences.length > 0))
  const shifts = diffs.filter(changesDmarc).map(({ host }) =>
    dmarcShift(host, [
      { live, lookup: zoneLookup(live, context) },
      { live: target, lookup: zoneLookup(target, context) }
    ])
  )
  return {
    changes,
    warnings: inOrder([
      ...diffs.flatMap(warningsAt),
      ...rows.flatMap(({ consequences }) => consequences),
      ...shifts.flatMap(({ warnings }) => warnings),
      ...planWarnings(zone, changes)
    ]),
    digest: digestOf({ domain, zone: zone.name, changes }),
    zone: zone.name,
    unanswered: [...unanswered, ...restored.unanswered, ...shifts.flatMap((shift) => shift.unanswered)],
    left: leftAfter({ leaving: leaving.id, entries, live, target, changedSince: restored.changedSince, doubts })
  }
}

type RecordsByHost = ReadonlyMap<string, ReadonlyArray<LiveRecord>>

/** What the connection wrote, took away, or wanted and found there. */
const recordsOf = ({ id, intent }: Living, entries: History["entries"], live: LiveZone): RecordsByHost => {
  const written = entries
    .filter(({ connectionId }) => connectionId === id)
    .flatMap(({ after, before }) => [before, after].filter((record) => record !== undefined))
  const wanted = wantedIn(intentSeenFrom(live, intent), live).map(({ key, record, role }) => ({ ...record, key, role }))
  return Map.groupBy<string, LiveRecord>([...written, ...wanted], ({ host }) => host)
}

interface Settled {
  readonly restored: AsIfOnly
  readonly doubts: ReadonlyMap<string, Doubted>
  readonly unanswered: ReadonlyArray<Question>
}

/** Restores again without what must not be put back, until nothing more is held against anything. */
const doubting = (
  history: History,
  own: RecordsByHost,
  input: Pick<RestoreInput, "now" | "putBack">,
  doubts: Settled["doubts"]
): Settled => {
  const restored = asIfOnly(history, new Set(doubts.keys()))
  const lookup = zoneLookup(restored.live, history.context)
  const judged = [...own].flatMap(([host, records]) => {
    const already = new Set(history.live.recordsAt(host).map(({ key }) => key))
    return restored.live.recordsAt(host).flatMap((record) => {
      const goneSince = restored.goneSince.get(placeOf(record))
      const isReturning = !already.has(record.key) && records.some((other) => concern(other, record))
      return goneSince === undefined || !isReturning || doubts.has(placeOf(record)) || isNamed(record, input.putBack)
        ? []
        : [{ record, ...judgeReturn(record, DateTime.distanceDuration(goneSince, input.now), lookup) }]
    })
  })
  const fresh = judged.flatMap(({ doubt, record }) =>
    doubt === undefined ? [] : [[placeOf(record), { record, reason: doubt }] as const]
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
const sparing = (live: LiveZone, { live: target, unsettled }: AsIfOnly): LiveZone =>
  withRecordsAt(
    target,
    [...unsettled]
      .flatMap((host) => selfAndAbove(host).filter((above) => above === host || above !== "@"))
      .map((host) => [host, live.byHost.get(host) ?? []])
  )

const changesDmarc = ({ rows }: HostDiff): boolean =>
  rows.some(({ after, before }) => [before, after].some((record) => record && policyKind(record) === "DMARC"))
