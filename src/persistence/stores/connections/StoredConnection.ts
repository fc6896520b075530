import { Array, Effect, Schema } from "effect"
import { Connection, ConnectionId, ConnectionState } from "../../../domain/connection/Connection.ts"
import { toConnectionDocument } from "../../../domain/connection/ConnectionDocument.ts"
import { type ConnectionRecord, makeInitialProgress, Progress } from "../../../domain/connection/ConnectionRecord.ts"
import { decodeRows, type decodeRowsInSlices } from "../decodeRows.ts"

/** A connection as its row holds it: `doc` is its JSON in wire form, `version` counts its writes from 1. */
export const StoredConnection = Schema.Struct({
  id: ConnectionId,
  state: ConnectionState,
  doc: Schema.String,
  version: Schema.Int
})
export type StoredConnection = typeof StoredConnection.Type

/** The current record of a connection, and the version at which a command read it. */
export interface VersionedConnectionRecord extends ConnectionRecord {
  readonly version: number
}

/** Encodes a connection as the document that rows hold and the API answers. */
export const encodeConnection = (connection: Connection): string =>
  JSON.stringify(
    toConnectionDocument(
      encodeFields(connection),
      connection.optionalFailures,
      connection.pendingIntent?.optionalFailures
    )
  )

const encodeFields = Schema.encodeSync(Connection)

/** Decodes the `doc` of a row, without the fields that the document adds to a connection. */
export const decodeConnection = Schema.decodeSync(Schema.parseJson(Connection))

/** Brings a document that an earlier version of the service wrote to the present form. */
export const renewDocument = (doc: string): string =>
  doc.includes('"optionalFailureDetails":') ? doc : encodeConnection(decodeConnection(doc))

export const encodeProgress = (progress: Progress): string => JSON.stringify(encodeProgressFields(progress))

const encodeProgressFields = Schema.encodeSync(Progress)

/** Decodes rows of `doc as connection, progress`, and more. `progress` is null until the first transition. */
export const decodeConnectionRecords = <A extends object, I>(
  furtherColumns: Schema.Schema<A, I>,
  makeDecoder: typeof decodeRowsInSlices = decodeRows
) => {
  const decode = makeDecoder(Schema.extend(RecordColumns, furtherColumns))
  return (rows: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<A & ConnectionRecord>> =>
    Effect.map(
      decode(rows),
      Array.map((row) => ({ ...row, progress: row.progress ?? makeInitialProgress(row.connection) }))
    )
}

const RecordColumns = Schema.Struct({
  connection: Schema.parseJson(Connection),
  progress: Schema.NullOr(Schema.parseJson(Progress))
})
