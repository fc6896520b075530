import type { DateTime } from "effect"
import type { DnsRecord, ZoneRecord } from "../../domain/records/DnsRecord.ts"
import type { DomainName } from "../../domain/names/DomainName.ts"
import type { Leftover } from "../../domain/plan/Plan.ts"
import type { ProviderLimits } from "../../domain/provider/Provider.ts"
import type { LongComputation } from "../../runtime/LongComputation.ts"
import { desiredRecordsOf } from "../DesiredRecord.ts"
import { collectWarnings, type LocatedWarning } from "../LocatedWarning.ts"
import type { PlanContext } from "../PlanContext.ts"
import type { PlanResult } from "../buildPlan.ts"
import { computeDigest } from "../changes/computeDigest.ts"
import { describeChanges, toChangeRecord } from "../changes/describeChanges.ts"
import { applyDiffs, type HostDiff } from "../changes/diffZone.ts"
import { takeAlternatives } from "../takeAlternatives.ts"
import type { IndexedZone } from "../zone/IndexedZone.ts"
import { listHostAndAncestors, type LiveRecord, type LiveZone, replaceRecordsAt } from "../zone/LiveZone.ts"
import {
  type ChangeInDomain,
  type ConnectionIntent,
  findChangesInDomain,
  type JournaledChange,
  selectIntentInDomain
} from "./JournaledChange.ts"
import { type CanStore, diffRestoredHost } from "./diffRestoredHost.ts"
import { excludeStaleRecords, type RecordsByHost, type StaleRecords } from "./excludeStaleRecords.ts"
import { hostKeyOf, type ReplayedZone, type ReplayInput } from "./replayWithout.ts"
import { findSharedPolicyKind } from "./revertPolicy.ts"

/** Everything that a restore depends on. */
export interface RestoreInput {
  /** Indexed for `domain` and the TTLs of the provider; with `public_dns`, read with every type at every host in the journal. */
  readonly zone: IndexedZone
  readonly domain: DomainName
  /** The changes written for all present and past connections of the zone, restores included, oldest first. */
  readonly journal: ReadonlyArray<JournaledChange>
  readonly leaving: ConnectionIntent
  /** The connections that stay, in the order in which they joined. */
  readonly others: ReadonlyArray<ConnectionIntent>
  readonly limits: ProviderLimits
  /** Without it, the provider can store every record. */
  readonly canStore?: CanStore
  readonly context: PlanContext
  readonly now: DateTime.Utc
  /** Records that the customer wants back although they are stale. */
  readonly putBack: ReadonlyArray<Pick<ZoneRecord, "host" | "type" | "value" | "priority">>
}

/** The plan of a restore; `leftovers` are the records that it does not return to their state before the connection. */
export interface RestoreResult extends Omit<PlanResult, "effectiveIntent" | "optionalFailures"> {
  readonly leftovers: ReadonlyArray<Leftover>
}

/** Plans a zone as if only the other connections had existed, wherever the leaving one wrote or desired records. */
export function* planRestore(input: RestoreInput): LongComputation<RestoreResult> {
  const { context, domain, zone } = input
  const live = zone.zone
  const restored = yield* restoreHosts({ ...input, live })
  const { diffs, leftovers, stayingRecords, unanswered } = restored
  const described = describeChanges(zone, diffs, {
    context: { ...context, others: stayingRecords },
    resulting: restored.zone,
    shouldCompareDmarc: () => true
  })
  const { changes, rows } = described
  return {
    changes,
    ...collectWarnings(described.locatedWarnings.map(adaptWarning), rows),
    digest: computeDigest({ domain, zone: live.name, changes }),
    zone: live.name,
    unanswered: [...unanswered, ...described.unanswered],
    leftovers
  }
}

/** A zone without the writes of one connection, as far as they can be undone. */
interface RestoredHosts extends Pick<RestoreResult, "leftovers" | "unanswered"> {
  /** How it differs from the live zone, at every host that the connection wrote to. */
  readonly diffs: ReadonlyArray<HostDiff>
  readonly zone: LiveZone
  /** The records that the other connections desire at or below the domain. */
  readonly stayingRecords: ReadonlyArray<DnsRecord>
}

/** Restores the hosts of a connection: the whole of a restore but its warnings, order and digest. */
export function* restoreHosts(
  input: Omit<RestoreInput, "zone" | "domain"> & { readonly live: LiveZone }
): LongComputation<RestoredHosts> {
  const { canStore = () => true, context, journal, leaving, limits, live, others } = input
  const { domain } = live
  const entries = findChangesInDomain(live, journal)
  const otherIntents = others.map(({ intent }) => selectIntentInDomain(domain, intent))
  const leavingIntent = takeAlternatives(leaving.intent, { zone: live.name, capabilities: limits.capabilities })
  const ownRecords = recordsOf({ ...leaving, intent: leavingIntent }, entries, live)
  const { replayed, staleRecords, unanswered } = yield* excludeStaleRecords(
    { live, entries, others: otherIntents, limits, context },
    ownRecords,
    input
  )
  const target = keepUndetermined(live, replayed)
  const restored = [...replayed.remaining].map(([host, remaining]) =>
    diffRestoredHost(host, [live, target], { own: ownRecords.get(host) ?? [], remaining, canStore })
  )
  const diffs = restored.map(({ diff }) => diff)
  return {
    diffs,
    zone: applyDiffs(live, diffs),
    stayingRecords: otherIntents.flatMap(({ effectiveIntent }) => effectiveIntent.records),
    unanswered: [...unanswered, ...replayed.unanswered],
    leftovers: [
      ...restored.flatMap(({ refused }) => refused.map(toRefusedLeftover)),
      ...findLeftovers({
        leaving: leaving.id,
        entries,
        live,
        target,
        changedSince: replayed.changedSince,
        staleRecords
      })
    ]
  }
}

const toRefusedLeftover = (record: LiveRecord): Leftover => ({
  record: toChangeRecord(record),
  reason: "provider_cannot_store"
})

/** A connection that leaves takes its DKIM key away, whatever was there before. */
const adaptWarning = (located: LocatedWarning): LocatedWarning =>
  located.warning === "dkim_key_replaced" ? { ...located, warning: "dkim_key_removed" } : located

/** The records that the connection wrote, removed, or desired and found in the zone. */
const recordsOf = (
  { id, intent }: ConnectionIntent,
  entries: ReplayInput["entries"],
  live: LiveZone
): RecordsByHost => {
  const written = entries
    .filter(({ connectionId }) => connectionId === id)
    .flatMap(({ after, before }) => [before, after].filter((record) => record !== undefined))
  const desired = desiredRecordsOf(selectIntentInDomain(live.domain, intent), live).map(({ key, record, role }) => ({
    ...record,
    key,
    role
  }))
  return Map.groupBy<string, LiveRecord>([...written, ...desired], ({ host }) => host)
}

/** The replayed zone, with live records at hosts, and names above, where the other connections' wishes are unknown. */
const keepUndetermined = (live: LiveZone, { live: replayedZone, undeterminedHosts }: ReplayedZone): LiveZone =>
  replaceRecordsAt(
    replayedZone,
    [...undeterminedHosts]
      .flatMap((host) => listHostAndAncestors(host).filter((above) => above === host || above !== "@"))
      .map((host) => [host, live.byHost.get(host) ?? []])
  )

/** The zone before and after a restore, and the findings of the restore in the journal. */
interface RestoredZone {
  /** The id of the leaving connection. */
  readonly leaving: string
  readonly entries: ReadonlyArray<ChangeInDomain>
  readonly live: LiveZone
  readonly target: LiveZone
  readonly changedSince: ReadonlySet<ChangeInDomain>
  readonly staleRecords: StaleRecords
}

/** Finds what is not restored: own records that stay or have changed, and removed ones that do not come back. */
const findLeftovers = (restored: RestoredZone): ReadonlyArray<Leftover> => {
  const { entries, leaving, staleRecords, target } = restored
  const written = new Set(
    entries.flatMap(({ after, host }) => (after === undefined ? [] : [hostKeyOf({ host, key: after.key })]))
  )
  const keys = { written, original: findOriginalKeys(entries) }
  const leftovers = [
    ...[...staleRecords.values()]
      .filter(({ record }) => !isServedIn(target, record))
      .map(({ reason, record }) => ({ record: toChangeRecord(record), reason })),
    ...entries
      .filter(({ connectionId }) => connectionId === leaving)
      .flatMap((entry) => leftoversOf(entry, restored, keys))
  ]
  return [...Map.groupBy(leftovers, identityOf).values()].flatMap((same) => same.slice(0, 1))
}

/** The records that were in the zone before any connection: the journal mentions them first as removed or replaced. */
const findOriginalKeys = (entries: ReadonlyArray<ChangeInDomain>): ReadonlySet<string> => {
  const firstMentions = new Map(
    entries
      .flatMap(({ after, before }) => [
        ...(before === undefined ? [] : [[hostKeyOf(before), true] as const]),
        ...(after === undefined ? [] : [[hostKeyOf(after), false] as const])
      ])
      .toReversed()
  )
  return new Set([...firstMentions].flatMap(([key, isOriginal]) => (isOriginal ? [key] : [])))
}

const leftoversOf = (
  entry: ChangeInDomain,
  { changedSince, live, staleRecords, target }: RestoredZone,
  { original, written }: { readonly original: ReadonlySet<string>; readonly written: ReadonlySet<string> }
): ReadonlyArray<Leftover> => {
  const { after, before } = entry
  if (after !== undefined && after.key === before?.key) return []
  if (changedSince.has(entry)) {
    const record = after ?? before
    const isBackAlready = after === undefined && before !== undefined && isServedIn(live, before)
    return record === undefined || isBackAlready ? [] : [{ record: toChangeRecord(record), reason: "changed_since" }]
  }
  const isStaying =
    after !== undefined && !original.has(hostKeyOf(after)) && isServedIn(live, after) && isServedIn(target, after)
  const staying = isStaying ? [after] : []
  const missing =
    before !== undefined &&
    !written.has(hostKeyOf(before)) &&
    findSharedPolicyKind(before) === undefined &&
    !isServedIn(target, before) &&
    !staleRecords.has(hostKeyOf(before))
      ? [before]
      : []
  return [...staying, ...missing].map((record) => ({
    record: toChangeRecord(record),
    reason: "wanted_by_another_connection"
  }))
}

const isServedIn = (zone: LiveZone, { host, key }: LiveRecord): boolean =>
  zone.recordsAt(host).some((record) => record.key === key)

const identityOf = ({ reason, record: { host, priority, type, value } }: Leftover): string =>
  [reason, host, type, priority ?? "", value].join(" ")
