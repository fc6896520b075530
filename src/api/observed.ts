import { Option, Schema } from "effect"
import type { Connection } from "../domain/Connection.ts"
import { Observations, RecordObservation } from "../domain/Observation.ts"
import { connectionOf } from "../persistence/Advanced.ts"
import type { StoredConnection } from "../persistence/ConnectionStore.ts"
import type { TimelineRow, Watched } from "../persistence/ConnectionViews.ts"

/** What servers answered for the records of a connection; before anybody has looked, each is unknown. */
export const observationsOf = ({ doc }: StoredConnection, watched: Watched): typeof Observations.Type => ({
  ...Option.match(watched.doc, { onNone: () => ({ records: unseen(connectionOf(doc)) }), onSome: decode }),
  ...(Option.isNone(watched.nextCheckAt) ? {} : { nextCheckAt: watched.nextCheckAt.value })
})

/** The same in wire form. */
export const recordsText = (stored: StoredConnection, watched: Watched): string =>
  encode(observationsOf(stored, watched))

/** One entry of a timeline, as the API shows it. */
export const timelineEntry = ({ failure, from, ...entry }: TimelineRow) => ({
  ...entry,
  ...(from === null ? {} : { from }),
  ...(failure === null ? {} : { failure })
})

const decode = Schema.decodeSync(Schema.parseJson(Observations))

const encode = Schema.encodeSync(Schema.parseJson(Observations))

const unseen = ({ effectiveIntent }: Connection) =>
  effectiveIntent.records.map((expected) => RecordObservation.make({ expected, observed: [], status: "unknown" }))
