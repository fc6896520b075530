import type { DateTime } from "effect"
import type { ZoneRecord } from "../../domain/DnsRecord.ts"
import type { DomainName } from "../../domain/DomainName.ts"
import { computeAtOnce, type LongComputation } from "../../runtime/LongComputation.ts"
import type { Leftover } from "../../domain/Plan.ts"
import type { ProviderLimits } from "../../domain/Provider.ts"
import type { Zone } from "../../domain/Zone.ts"
import { desiredRecordsOf } from "../DesiredRecord.ts"
import type { PlanContext } from "../PlanContext.ts"
import { collectWarnings, type LocatedWarning } from "../LocatedWarning.ts"
import type { PlanResult } from "../buildPlan.ts"
import { computeDigest } from "../changes/computeDigest.ts"
import { describeChanges } from "../changes/describeChanges.ts"
import { type IndexedZone, indexZone } from "../zone/IndexedZone.ts"
import { listHostAndAncestors, type LiveRecord, type LiveZone, replaceRecordsAt } from "../zone/LiveZone.ts"
import {
  type ConnectionIntent,
  type JournaledChange,
  selectIntentInDomain,
  findChangesInDomain
} from "./JournaledChange.ts"
import { diffRestoredHost } from "./diffRestoredHost.ts"
import { excludeStaleRecords, type RecordsByHost } from "./excludeStaleRecords.ts"
import { findLeftovers } from "./findLeftovers.ts"
import type { ReplayedZone, ReplayInput } from "./replayWithout.ts"

/** Everything that a restore depends on; the hosts of the zone are relative to `domain`. */
export interface RestoreInput {
  /** With `public_dns`, read with every type at every host in the journal. */
  readonly zone: Zone
  readonly domain: DomainName
  /** The changes written for all present and past connections of the zone, restores included, oldest first. */
  readonly journal: ReadonlyArray<JournaledChange>
  readonly leaving: ConnectionIntent
  /** The connections that stay, in the order in which they joined. */
  readonly others: ReadonlyArray<ConnectionIntent>
  readonly limits: ProviderLimits
  readonly context: PlanContext
  readonly now: DateTime.Utc
  /** Records that the customer wants back although they are stale. */
  readonly putBack: ReadonlyArray<Pick<ZoneRecord, "host" | "type" | "value" | "priority">>
}

/** The plan of a restore; `leftovers` are the records that it does not return to their state before the connection. */
export interface RestoreResult extends Omit<PlanResult, "effectiveIntent" | "optionalFailures"> {
  readonly leftovers: ReadonlyArray<Leftover>
}

/**
 * Plans the changes, in an order that is safe to apply, after which the zone is as if only the other connections had
 * ever existed, wherever the leaving connection wrote or desired records.
 */
export const planRestore = ({ zone, ...input }: RestoreInput): RestoreResult =>
  computeAtOnce(
    planIndexedRestore({
      ...input,
      zone: computeAtOnce(indexZone(zone, { domain: input.domain, ttl: input.limits.ttl }))
    })
  )

/** Plans a restore from a zone that is indexed already, for `domain` and the TTLs of its provider. */
export function* planIndexedRestore(
  input: Omit<RestoreInput, "zone"> & { readonly zone: IndexedZone }
): LongComputation<RestoreResult> {
  const { context, domain, journal, leaving, limits, others, zone } = input
  const live = zone.zone
  const entries = findChangesInDomain({ zone: live.name, domain }, journal)
  const otherIntents = others.map(({ intent }) => selectIntentInDomain(domain, intent))
  const ownRecords = recordsOf(leaving, entries, live)
  const { replayed, staleRecords, unanswered } = yield* excludeStaleRecords(
    { live, entries, others: otherIntents, limits, context },
    ownRecords,
    input
  )
  const target = keepUndetermined(live, replayed)
  const diffs = [...replayed.remaining].map(([host, remaining]) =>
    diffRestoredHost(host, [live, target], { own: ownRecords.get(host) ?? [], remaining })
  )
  const described = describeChanges(zone, diffs, {
    context: { ...context, others: otherIntents.flatMap(({ effectiveIntent }) => effectiveIntent.records) },
    shouldCompareDmarc: () => true
  })
  const { changes, rows } = described
  return {
    changes,
    ...collectWarnings(described.locatedWarnings.map(forRestore), rows),
    digest: computeDigest({ domain, zone: live.name, changes }),
    zone: live.name,
    unanswered: [...unanswered, ...replayed.unanswered, ...described.unanswered],
    leftovers: findLeftovers({
      leaving: leaving.id,
      entries,
      live,
      target,
      changedSince: replayed.changedSince,
      staleRecords
    })
  }
}

/** A connection that leaves takes its DKIM key away, whatever was there before. */
const forRestore = (located: LocatedWarning): LocatedWarning =>
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

/**
 * The replayed zone with the live records at hosts where it is not known what the other connections desire, and at the
 * names above them, whose records could hide those of the host.
 */
const keepUndetermined = (live: LiveZone, { live: replayedZone, undeterminedHosts }: ReplayedZone): LiveZone =>
  replaceRecordsAt(
    replayedZone,
    [...undeterminedHosts]
      .flatMap((host) => listHostAndAncestors(host).filter((above) => above === host || above !== "@"))
      .map((host) => [host, live.byHost.get(host) ?? []])
  )
