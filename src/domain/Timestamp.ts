import { Schema } from "effect"

/** A moment; on the wire ISO 8601 in UTC with milliseconds. */
export const Timestamp = Schema.DateTimeUtc.annotations({
  identifier: "Timestamp",
  jsonSchema: { type: "string", format: "date-time", description: "ISO 8601 in UTC with milliseconds." }
})
