import { Array, type DateTime, Order } from "effect"
import type { ServerView } from "../../dns/zone/ServerView.ts"
import type { EffectiveIntent } from "../../domain/Intent.ts"
import {
  type ObservationStatus,
  type ObservedRecord,
  RecordObservation,
  type ServerObservation
} from "../../domain/RecordObservation.ts"
import type { RecordComparison } from "../../planning/verification/compareZone.ts"
import {
  combineStatuses,
  type VerificationVerdict,
  verdictFrom
} from "../../planning/verification/VerificationVerdict.ts"

/** A server that was looked at, and what it shows of each record of the effective intent, in their order. */
export interface ServerComparison {
  readonly kind: ServerObservation["kind"]
  readonly view: ServerView
  readonly compared: ReadonlyArray<RecordComparison>
}

/** What the witnesses together say of the required records. */
export const verdictOfServers = (
  { records }: EffectiveIntent,
  witnesses: ReadonlyArray<ServerComparison>
): VerificationVerdict =>
  verdictFrom(
    records.flatMap(({ optional }, index) => (optional ? [] : [combineStatuses(statusesAt(index, witnesses))]))
  )

/** What the witnesses say of each record. */
export const observationsOf = (
  witnesses: ReadonlyArray<ServerComparison>,
  { records }: EffectiveIntent,
  checkedAt: DateTime.Utc
): ReadonlyArray<RecordObservation> =>
  records.map((expected, index) =>
    RecordObservation.make({
      expected,
      observed: witnesses.flatMap((witness) => sightingsBy(witness, index)),
      status: combineStatuses(statusesAt(index, witnesses)),
      checkedAt
    })
  )

const statusesAt = (index: number, witnesses: ReadonlyArray<ServerComparison>): ReadonlyArray<ObservationStatus> =>
  witnesses.flatMap(({ compared }) => compared.slice(index, index + 1).map(({ status }) => status))

const sightingsBy = ({ compared, kind, view }: ServerComparison, index: number): ReadonlyArray<ServerObservation> =>
  compared.slice(index, index + 1).map(({ record, observed: seen, status }) => {
    const open = status === "unknown" ? view.unknownRRsets.find(({ host }) => host === record.host) : undefined
    return {
      server: view.server.name,
      kind,
      status,
      ...(open === undefined ? {} : { silence: open.reason }),
      seen: Array.take(
        Array.sortWith(seen, ({ value }) => value !== record.value, Order.boolean),
        maxSeen
      ).map(shown)
    }
  })

/** Enough to see what is wrong, of sets that may have hundreds of members. */
const maxSeen = 16

const shown = ({ priority, ttl, type, value }: ObservedRecord): ObservedRecord => ({
  type,
  value,
  ttl,
  ...(priority === undefined ? {} : { priority })
})
