import { Array, DateTime, Duration } from "effect"
import type { ZoneRecord } from "../../domain/records/DnsRecord.ts"
import type { Leftover } from "../../domain/plan/Plan.ts"
import type { LongComputation } from "../../runtime/LongComputation.ts"
import type { DnsLookup, LookupQuestion } from "../DnsLookup.ts"
import type { LiveRecord } from "../zone/LiveZone.ts"
import { makeZoneLookup } from "../zone/makeZoneLookup.ts"
import { isRelated } from "./diffRestoredHost.ts"
import { hostKeyOf, type ReplayedZone, type ReplayInput, replayWithout } from "./replayWithout.ts"

/** A restored zone and the records that must not be put back into it. */
interface StaleExclusion {
  readonly replayed: ReplayedZone
  readonly staleRecords: StaleRecords
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/** Records that are not put back, by `hostKeyOf`. */
export type StaleRecords = ReadonlyMap<string, StaleRecord>

/** A record that is not put back, and why. */
interface StaleRecord {
  readonly record: LiveRecord
  readonly reason: Extract<Leftover["reason"], "older_than_thirty_days" | "target_does_not_resolve">
}

/** The records that a connection wrote, removed or desired, by host. */
export type RecordsByHost = ReadonlyMap<string, ReadonlyArray<LiveRecord>>

interface RestoreOptions {
  readonly now: DateTime.Utc
  /** Records that the customer wants back although they are stale. */
  readonly putBack: ReadonlyArray<Pick<ZoneRecord, "host" | "type" | "value" | "priority">>
}

/** Replays the zone without the records that are too stale to be put back, again until no more stale records return. */
export function* excludeStaleRecords(
  input: ReplayInput,
  ownRecords: RecordsByHost,
  options: RestoreOptions,
  staleRecords: StaleRecords = new Map()
): LongComputation<StaleExclusion> {
  const replayed = yield* replayWithout(input, new Set(staleRecords.keys()))
  const lookup = makeZoneLookup(replayed.live, input.context)
  const checks = [...ownRecords].flatMap(([host, records]) => {
    const servedKeys = new Set(input.live.recordsAt(host).map(({ key }) => key))
    return replayed.live.recordsAt(host).flatMap((record) => {
      const removedAt = replayed.removedAt.get(hostKeyOf(record))
      const isReturning = !servedKeys.has(record.key) && records.some((own) => isRelated(own, record))
      return removedAt === undefined ||
        !isReturning ||
        staleRecords.has(hostKeyOf(record)) ||
        isRequested(record, options.putBack)
        ? []
        : [{ record, ...checkStaleness(record, DateTime.distanceDuration(removedAt, options.now), lookup) }]
    })
  })
  const found = checks.flatMap(({ reason, record }) =>
    reason === undefined ? [] : [[hostKeyOf(record), { record, reason }] as const]
  )
  return found.length === 0
    ? { replayed, staleRecords, unanswered: checks.flatMap(({ unanswered }) => unanswered) }
    : yield* excludeStaleRecords(input, ownRecords, options, new Map([...staleRecords, ...found]))
}

const isRequested = (record: LiveRecord, putBack: RestoreOptions["putBack"]): boolean =>
  putBack.some(
    ({ host, priority, type, value }) =>
      record.host === host && record.type === type && record.value === value && record.priority === priority
  )

/** Checks whether a record that was removed `age` ago is too stale to be put back; an unknown target counts as good. */
const checkStaleness = (
  { type, value }: Pick<LiveRecord, "type" | "value">,
  age: Duration.Duration,
  lookup: DnsLookup
): { readonly reason: StaleRecord["reason"] | undefined; readonly unanswered: ReadonlyArray<LookupQuestion> } => {
  const targetTypes = expectedTargetTypes.get(type)
  if (targetTypes === undefined) return { reason: undefined, unanswered: [] }
  if (Duration.greaterThan(age, maxAge)) return { reason: "older_than_thirty_days", unanswered: [] }
  const [unanswered, answers] = Array.separate(
    targetTypes.map((targetType) => lookup({ name: value, type: targetType }))
  )
  const resolves = answers.some((values) => values.length > 0)
  return {
    reason: targetTypes.length > 0 && unanswered.length === 0 && !resolves ? "target_does_not_resolve" : undefined,
    unanswered: resolves ? [] : unanswered
  }
}

const maxAge = Duration.days(30)

/** Types that point to machines, which may have a new owner since, with the types to expect at the target. */
const expectedTargetTypes: ReadonlyMap<string, ReadonlyArray<LookupQuestion["type"]>> = new Map([
  ["A", []],
  ["AAAA", []],
  ["CNAME", ["A", "AAAA", "MX", "TXT"]],
  ["ALIAS", ["A", "AAAA"]],
  ["ANAME", ["A", "AAAA"]],
  ["NS", ["A", "AAAA"]]
])
