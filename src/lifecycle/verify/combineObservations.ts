import { type DateTime, Option, Schema } from "effect"
import type { ServerView } from "../../dns/zone/ServerView.ts"
import type { EffectiveIntent } from "../../domain/connection/Intent.ts"
import { DnsRecord } from "../../domain/records/DnsRecord.ts"
import {
  combineStatuses,
  ObservationStatus,
  RecordObservation,
  ServerObservation
} from "../../domain/plan/RecordObservation.ts"
import { withoutValidation } from "../../domain/values/boundedSchemas.ts"
import type { RecordComparison } from "../../planning/verification/compareZone.ts"
import { makeShownRecordSelector } from "./makeShownRecordSelector.ts"

/** How the answers of one server compare with the records of the effective intent, in their order. */
export interface ServerComparison {
  readonly kind: ServerObservation["kind"]
  readonly view: ServerView
  readonly compared: ReadonlyArray<RecordComparison>
}

export const combineObservations = (
  servers: ReadonlyArray<ServerComparison>,
  { records }: Pick<EffectiveIntent, "records">,
  checkedAt: DateTime.Utc
): ReadonlyArray<RecordObservation> => {
  const selectShown = makeShownRecordSelector(records.length * servers.length)
  return records.map((expected, index) =>
    RecordObservation.make({
      expected,
      observed: servers.flatMap((server) => observationBy(server, index, selectShown)),
      status: combineStatuses(statusesAt(index, servers)),
      checkedAt
    })
  )
}

/** The observations with the diagnoses of the last check, if that found the same. */
export const withKnownDiagnoses = (
  records: ReadonlyArray<RecordObservation>,
  previous: ReadonlyArray<RecordObservation>
): Option.Option<ReadonlyArray<RecordObservation>> =>
  areSame(records, previous)
    ? Option.some(
        records.map((record, index) => {
          const diagnosis = previous[index]?.diagnosis
          return diagnosis === undefined ? record : RecordObservation.make({ ...record, diagnosis }, withoutValidation)
        })
      )
    : Option.none()

const areSame = Schema.equivalence(
  Schema.Array(
    Schema.Struct({ expected: DnsRecord, observed: Schema.Array(ServerObservation), status: ObservationStatus })
  )
)

export const statusesAt = (index: number, servers: ReadonlyArray<ServerComparison>): ReadonlyArray<ObservationStatus> =>
  servers.flatMap(({ compared }) => compared.slice(index, index + 1).map(({ status }) => status))

/** The observation at an index, or none beyond the records. */
const observationBy = (
  { compared, kind, view }: ServerComparison,
  index: number,
  selectShown: ReturnType<typeof makeShownRecordSelector>
): ReadonlyArray<ServerObservation> =>
  compared.slice(index, index + 1).map(({ observed, reason, record, status }) => {
    const open = status === "unknown" ? view.unknownRRsets.find(({ host }) => host === record.host) : undefined
    return {
      server: view.server.name,
      kind,
      status,
      ...(open === undefined ? {} : { silence: open.reason }),
      ...(reason === undefined ? {} : { reason }),
      seen: selectShown(observed, record.value)
    }
  })
