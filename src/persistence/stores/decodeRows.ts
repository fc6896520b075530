import { Effect, Schema } from "effect"

/** Decodes the rows of a statement of ours; a row that does not fit is a defect. */
export const decodeRows = <A, I>(row: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknown(Schema.Array(row))
  return (rows: unknown): Effect.Effect<ReadonlyArray<A>> => Effect.orDie(decode(rows))
}

const decodeWritten = decodeRows(Schema.Struct({ written: Schema.Boolean }))

/** Whether a statement that answers `written` had its effect. */
export const isWritten = (rows: unknown): Effect.Effect<boolean> =>
  Effect.map(decodeWritten(rows), (answers) => answers.some(({ written }) => written))
