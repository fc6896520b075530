import { Option, Schema } from "effect"
import type { Connection } from "../../domain/Connection.ts"
import { toObservationsDocument } from "../../domain/ConnectionDocument.ts"
import { ObservationsBody, RecordObservation } from "../../domain/RecordObservation.ts"
import type { StoredObservations, TimelineRow } from "../../persistence/stores/ConnectionViews.ts"
import { decodeConnection, type StoredConnection } from "../../persistence/stores/StoredConnection.ts"

/** The body of `/records`: what servers answered for each desired record; before the first check each is `unknown`. */
export const toObservationsJson = ({ doc }: StoredConnection, observations: StoredObservations): string => {
  const connection = decodeConnection(doc)
  const body = {
    ...Option.match(observations.doc, {
      onNone: () => ({ records: toUnknownRecords(connection) }),
      onSome: decodeObservations
    }),
    ...(Option.isNone(observations.nextCheckAt) ? {} : { nextCheckAt: observations.nextCheckAt.value })
  }
  return JSON.stringify(toObservationsDocument(encodeObservations(body), connection))
}

/** An entry of the timeline as it is sent. */
export const toTimelineEntryBody = ({ failure, from, ...entry }: TimelineRow) => ({
  ...entry,
  ...(from === null ? {} : { from }),
  ...(failure === null ? {} : { failure })
})

const decodeObservations = Schema.decodeSync(Schema.parseJson(ObservationsBody))

const encodeObservations = Schema.encodeSync(ObservationsBody)

const toUnknownRecords = ({ effectiveIntent }: Connection) =>
  effectiveIntent.records.map((expected) => RecordObservation.make({ expected, observed: [], status: "unknown" }))
