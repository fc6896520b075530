import type { DateTime } from "effect"
import type { ServerView } from "../../dns/zone/ServerView.ts"
import type { EffectiveIntent } from "../../domain/connection/Intent.ts"
import {
  combineStatuses,
  type ObservationStatus,
  RecordObservation,
  type ServerObservation
} from "../../domain/plan/RecordObservation.ts"
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
