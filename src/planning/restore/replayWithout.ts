import { type DateTime, Either } from "effect"
import { toFqdn } from "../../domain/names/DomainName.ts"
import type { ResolvedIntent } from "../../domain/connection/Intent.ts"
import { type LongComputation, visitEach } from "../../runtime/LongComputation.ts"
import { hostOfChange } from "../../domain/plan/Plan.ts"
import type { ProviderLimits } from "../../domain/provider/Provider.ts"
import { dedupeQuestions, type LookupQuestion } from "../DnsLookup.ts"
import type { PlanContext } from "../PlanContext.ts"
import type { RecordRefusal } from "../RecordRefusal.ts"
import { planHosts } from "../buildPlan.ts"
import { toChangeRecord } from "../changes/describeChanges.ts"
import { computeResultingRecords, type ResultingChange } from "../changes/computeResultingRecords.ts"
import { takeAlternatives } from "../takeAlternatives.ts"
import { type LiveRecord, type LiveZone, replaceRecordsAt } from "../zone/LiveZone.ts"
import { type ChangeInDomain, withoutRecord } from "./JournaledChange.ts"
import { type UndoResult, undoChanges } from "./undoChanges.ts"

/** A zone, the changes that were written to it, and the connections that stay. */
export interface ReplayInput {
  readonly live: LiveZone
  /** Changes with hosts relative to the domain of `live`, oldest first. */
  readonly entries: ReadonlyArray<ChangeInDomain>
  /** Intents with hosts relative to that domain too, in the order in which their connections joined. */
  readonly others: ReadonlyArray<ResolvedIntent>
  readonly limits: ProviderLimits
  readonly context: PlanContext
}

/** The zone as if only the other connections had ever existed. */
export interface ReplayedZone {
  readonly live: LiveZone
  /** The served records that belong to the customer, by host, for every host that was written to. */
  readonly remaining: ReadonlyMap<string, ReadonlyArray<LiveRecord>>
  /** When the records that come back were removed, by `hostKeyOf`. */
  readonly removedAt: ReadonlyMap<string, DateTime.Utc>
  /** The changes that cannot be undone, because the zone has changed since. */
  readonly changedSince: ReadonlySet<ChangeInDomain>
  /** Hosts for which the records that the other connections desire are not known or cannot be planned. */
  readonly undeterminedHosts: ReadonlySet<string>
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/** Undoes all changes but `excluded` (`hostKeyOf`), and plans the other connections from there. */
export function* replayWithout(input: ReplayInput, excluded: ReadonlySet<string>): LongComputation<ReplayedZone> {
  const { entries, live, others } = input
  const hosts: Array<UndoneHost> = []
  yield* visitEach(
    Map.groupBy(entries, ({ host }) => host),
    ([host, entriesAtHost]) => {
      const served = live.recordsAt(host)
      const undone = undoChanges(toFqdn(host, live.domain), entriesAtHost, served)
      const records = undone.records.filter((record) => !excluded.has(hostKeyOf(record)))
      hosts.push({ ...undone, host, served, records })
    }
  )
  const base = applyChanges(
    live,
    hosts.flatMap(({ records, served }) => changesBetween(served, records))
  )
  let replay: Replay = { zone: base, undeterminedHosts: [], unanswered: [] }
  for (const intent of others) {
    const { capabilities } = input.limits
    replay = replayIntent(replay, takeAlternatives(intent, { zone: live.name, capabilities }), input)
    yield
  }
  return {
    live: replay.zone,
    remaining: new Map(hosts.map(({ host, remaining }) => [host, remaining])),
    removedAt: new Map(hosts.flatMap(({ removedAt }) => [...removedAt].map(([record, at]) => [hostKeyOf(record), at]))),
    changedSince: new Set(hosts.flatMap(({ changedSince }) => [...changedSince])),
    undeterminedHosts: new Set(replay.undeterminedHosts),
    unanswered: replay.unanswered
  }
}

interface UndoneHost extends UndoResult {
  readonly host: string
  readonly served: ReadonlyArray<LiveRecord>
}

/** The key of a record in its zone; records with equal keys serve the same data at the same host. */
export const hostKeyOf = ({ host, key }: Pick<LiveRecord, "host" | "key">): string => `${host} ${key}`

const changesBetween = (before: ReadonlyArray<LiveRecord>, after: ReadonlyArray<LiveRecord>) => {
  const [beforeSet, afterSet] = [new Set(before), new Set(after)]
  return [
    ...[...beforeSet.difference(afterSet)].map((record) => ({
      action: "delete" as const,
      before: toChangeRecord(record),
      destructive: true
    })),
    ...[...afterSet.difference(beforeSet)].map((record) => ({
      action: "create" as const,
      after: toChangeRecord(record),
      destructive: false
    }))
  ]
}

/** The zone with the changes made at their hosts. */
const applyChanges = (zone: LiveZone, changes: ReadonlyArray<ResultingChange>): LiveZone =>
  replaceRecordsAt(
    zone,
    [...Map.groupBy(changes, hostOfChange)].map(([host, changesAtHost]) => [
      host,
      computeResultingRecords({ records: zone.byHost.get(host) ?? [] }, changesAtHost)
    ])
  )

interface Replay {
  readonly zone: LiveZone
  readonly undeterminedHosts: ReadonlyArray<string>
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/** Plans an intent for the replayed zone; a required record that cannot be planned is left out. */
const replayIntent = (
  replay: Replay,
  intent: ResolvedIntent,
  { context, limits }: Pick<ReplayInput, "limits" | "context">
): Replay => {
  const planned = planHosts({ intent, zone: replay.zone, limits, context })
  if (Either.isLeft(planned)) {
    const { host, unanswered } = planned.left
    const without = {
      ...replay,
      undeterminedHosts: [...replay.undeterminedHosts, host],
      unanswered: [...replay.unanswered, ...unanswered]
    }
    return replayIntent(without, withoutRecord(intent, planned.left), { context, limits })
  }
  const { diffs, issuance, refusals, unanswered } = planned.right
  return {
    zone: applyChanges(
      replay.zone,
      diffs.flatMap(({ rows }) => rows)
    ),
    undeterminedHosts: [
      ...replay.undeterminedHosts,
      ...refusals.filter(isUndetermined).map(({ desired: { record } }) => record.host)
    ],
    unanswered: [...replay.unanswered, ...dedupeQuestions([...unanswered, ...issuance.unanswered])]
  }
}

/** An optional record that cannot be planned is left out; after a timeout it is unknown whether it can be planned. */
const isUndetermined = ({ code }: RecordRefusal): boolean => code === "discovery_timeout"
