import { Effect, Schema } from "effect"

/** Decodes the rows of a statement of ours; a row that does not fit is a defect. */
export const decodeRows = <A, I>(row: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknown(Schema.Array(row))
  return (rows: unknown): Effect.Effect<ReadonlyArray<A>> => Effect.orDie(decode(rows))
}
