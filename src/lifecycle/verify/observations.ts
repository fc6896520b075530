import { Array, type DateTime, Order } from "effect"
import type { ServerView } from "../../dns/zone/ServerView.ts"
import type { EffectiveIntent } from "../../domain/Intent.ts"
import {
  combineStatuses,
  decideVerdict,
  type ObservationStatus,
  type ObservedRecord,
  RecordObservation,
  type ServerObservation,
  type VerificationVerdict
} from "../../domain/RecordObservation.ts"
import type { RecordComparison } from "../../planning/verification/compareZone.ts"

/** How the answers of one server compare with the records of the effective intent, in their order. */
export interface ServerComparison {
  readonly kind: ServerObservation["kind"]
  readonly view: ServerView
  readonly compared: ReadonlyArray<RecordComparison>
}

/** The verdict of all servers together over the required records. */
export const computeVerdict = (
  { records }: EffectiveIntent,
  servers: ReadonlyArray<ServerComparison>
): VerificationVerdict =>
  decideVerdict(
    records.flatMap(({ optional }, index) => (optional ? [] : [combineStatuses(statusesAt(index, servers))]))
  )

/** The observation of each record of the effective intent by all servers. */
export const combineObservations = (
  servers: ReadonlyArray<ServerComparison>,
  { records }: EffectiveIntent,
  checkedAt: DateTime.Utc
): ReadonlyArray<RecordObservation> =>
  records.map((expected, index) =>
    RecordObservation.make({
      expected,
      observed: servers.flatMap((server) => observationBy(server, index)),
      status: combineStatuses(statusesAt(index, servers)),
      checkedAt
    })
  )

const statusesAt = (index: number, servers: ReadonlyArray<ServerComparison>): ReadonlyArray<ObservationStatus> =>
  servers.flatMap(({ compared }) => compared.slice(index, index + 1).map(({ status }) => status))

/** One observation, or none of an index beyond the records. */
const observationBy = ({ compared, kind, view }: ServerComparison, index: number): ReadonlyArray<ServerObservation> =>
  compared.slice(index, index + 1).map(({ observed, record, status }) => {
    const open = status === "unknown" ? view.unknownRRsets.find(({ host }) => host === record.host) : undefined
    return {
      server: view.server.name,
      kind,
      status,
      ...(open === undefined ? {} : { silence: open.reason }),
      seen: Array.take(
        Array.sortWith(observed, ({ value }) => value !== record.value, Order.boolean),
        maxObserved
      ).map(toObservedRecord)
    }
  })

/** Enough to find the mistake in an RRset that may have hundreds of records. */
const maxObserved = 16

const toObservedRecord = ({ priority, ttl, type, value }: ObservedRecord): ObservedRecord => ({
  type,
  value,
  ttl,
  ...(priority === undefined ? {} : { priority })
})
