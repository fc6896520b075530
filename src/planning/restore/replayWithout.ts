import { type DateTime, Either } from "effect"
import type { OptionalFailure } from "../../domain/Connection.ts"
import type { ResolvedIntent } from "../../domain/Intent.ts"
import type { ProviderLimits } from "../../domain/Provider.ts"
import type { Zone } from "../../domain/Zone.ts"
import type { LookupQuestion } from "../DnsLookup.ts"
import type { PlanContext } from "../PlanContext.ts"
import { buildPlan, toChangeRecord } from "../buildPlan.ts"
import { resultingRecords } from "../changes/resultingRecords.ts"
import { type LiveRecord, type LiveZone, liveZone } from "../zone/LiveZone.ts"
import { type ScopedChange, withoutRecord } from "./JournaledChange.ts"
import { undoChanges } from "./undoChanges.ts"

/** A zone as it is, what was written to it, and who is to stay. */
export interface ReplayInput {
  readonly zone: Zone
  /** The same, by hosts. */
  readonly live: LiveZone
  /** Seen from the domain of `live`, oldest first. */
  readonly entries: ReadonlyArray<ScopedChange>
  /** Seen from that domain too, in the order in which they joined. */
  readonly others: ReadonlyArray<ResolvedIntent>
  readonly limits: ProviderLimits
  readonly context: PlanContext
}

/** The zone as if only the others had ever been there. */
export interface ReplayedZone {
  readonly live: LiveZone
  /** By host, for every host that was written to: what is the customer's of what is served now. */
  readonly remaining: ReadonlyMap<string, ReadonlyArray<LiveRecord>>
  /** Since when records that were brought back have been gone. */
  readonly removedAt: ReadonlyMap<string, DateTime.Utc>
  readonly changedSince: ReadonlySet<ScopedChange>
  /** Hosts for which it is not known, or cannot be had, what the others want there. */
  readonly undeterminedHosts: ReadonlySet<string>
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/** Takes back all that was written, but for what must not return, and plans the others from there, one by one. */
export const replayWithout = (history: ReplayInput, mustNotReturn: ReadonlySet<string>): ReplayedZone => {
  const { entries, limits, live, others, zone } = history
  const hosts = [...Map.groupBy(entries, ({ host }) => host)].map(([host, entries]) => {
    const served = live.recordsAt(host)
    const { removedAt: goneSince, records, ...undone } = undoChanges(entries, served)
    return {
      ...undone,
      host,
      served,
      goneSince,
      records: records.filter((record) => !mustNotReturn.has(hostKeyOf(record)))
    }
  })
  const base = resultingRecords(
    zone,
    hosts.flatMap(({ records, served }) => replacing(served, records))
  )
  const replayed = others.reduce<Replayed>((replayed, intent) => replay(replayed, intent, history), {
    zone: { ...zone, records: base },
    unsettled: [],
    unanswered: []
  })
  return {
    live: liveZone(replayed.zone, live.domain, limits.ttl),
    remaining: new Map(hosts.map(({ host, remaining }) => [host, remaining])),
    removedAt: new Map(hosts.flatMap(({ goneSince }) => [...goneSince].map(([record, at]) => [hostKeyOf(record), at]))),
    changedSince: new Set(hosts.flatMap(({ changedSince }) => [...changedSince])),
    undeterminedHosts: new Set(replayed.unsettled),
    unanswered: replayed.unanswered
  }
}

/** Equal for what serves the same at the same host. */
export const hostKeyOf = ({ host, key }: Pick<LiveRecord, "host" | "key">): string => `${host} ${key}`

const replacing = (served: ReadonlyArray<LiveRecord>, records: ReadonlyArray<LiveRecord>) => [
  ...served
    .filter((record) => !records.includes(record))
    .map((record) => ({ action: "delete" as const, before: toChangeRecord(record), destructive: true })),
  ...records
    .filter((record) => !served.includes(record))
    .map((record) => ({ action: "create" as const, after: toChangeRecord(record), destructive: false }))
]

interface Replayed {
  readonly zone: Zone
  readonly unsettled: ReadonlyArray<string>
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

const replay = (replayed: Replayed, intent: ResolvedIntent, { context, limits }: Means): Replayed =>
  Either.match(buildPlan({ intent, zone: replayed.zone, limits, context }), {
    onLeft: (refused) =>
      replay(
        {
          ...replayed,
          unsettled: [...replayed.unsettled, refused.host],
          unanswered: [...replayed.unanswered, ...refused.unanswered]
        },
        withoutRecord(intent, refused),
        { context, limits }
      ),
    onRight: ({ changes, optionalFailures, unanswered }) => ({
      zone: { ...replayed.zone, records: resultingRecords(replayed.zone, changes) },
      unsettled: [...replayed.unsettled, ...optionalFailures.flatMap(hostNotKnown)],
      unanswered: [...replayed.unanswered, ...unanswered]
    })
  })

type Means = Pick<ReplayInput, "limits" | "context">

/** An optional record that cannot be had is done without; of one that is not known, nothing can be said. */
const hostNotKnown = ({ code, host }: OptionalFailure): ReadonlyArray<string> =>
  code === "discovery_timeout" ? [host] : []
