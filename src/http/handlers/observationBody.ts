import { Option, Schema } from "effect"
import type { Connection } from "../../domain/Connection.ts"
import { ObservationsBody, RecordObservation } from "../../domain/RecordObservation.ts"
import type { StoredObservations, TimelineRow } from "../../persistence/stores/ConnectionViews.ts"
import { decodeConnection, type StoredConnection } from "../../persistence/stores/StoredConnection.ts"

/** What servers answered for the records of a connection; before anybody has looked, each is unknown. */
export const observationBody = (
  { doc }: StoredConnection,
  watched: StoredObservations
): typeof ObservationsBody.Type => ({
  ...Option.match(watched.doc, { onNone: () => ({ records: unseen(decodeConnection(doc)) }), onSome: decode }),
  ...(Option.isNone(watched.nextCheckAt) ? {} : { nextCheckAt: watched.nextCheckAt.value })
})

/** The same in wire form. */
export const observationJson = (stored: StoredConnection, watched: StoredObservations): string =>
  encode(observationBody(stored, watched))

/** One entry of a timeline, as the API shows it. */
export const timelineEntryBody = ({ failure, from, ...entry }: TimelineRow) => ({
  ...entry,
  ...(from === null ? {} : { from }),
  ...(failure === null ? {} : { failure })
})

const decode = Schema.decodeSync(Schema.parseJson(ObservationsBody))

const encode = Schema.encodeSync(Schema.parseJson(ObservationsBody))

const unseen = ({ effectiveIntent }: Connection) =>
  effectiveIntent.records.map((expected) => RecordObservation.make({ expected, observed: [], status: "unknown" }))
