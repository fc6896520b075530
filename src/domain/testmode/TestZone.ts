import { Schema } from "effect"

/** The records of one name and type in a zone of test mode, in presentation format; `ttl` in seconds. */
export const TestRecordSet = Schema.Struct({
  /** Absolute, in normal form. */
  name: Schema.String,
  type: Schema.String,
  ttl: Schema.Int,
  records: Schema.NonEmptyArray(Schema.Struct({ content: Schema.String }))
})
export type TestRecordSet = typeof TestRecordSet.Type

/** A zone of test mode as the provider stores it. */
export interface TestZone {
  readonly sets: ReadonlyArray<TestRecordSet>
  /** The sets before the last write. */
  readonly former: ReadonlyArray<TestRecordSet>
  /** How many calls have written to the zone or tried to. */
  readonly calls: number
  /** Counts the writes; 0 for a zone that nobody has written to. */
  readonly version: number
  /** How long ago the last write was, in seconds. */
  readonly secondsSinceWrite: number
}
