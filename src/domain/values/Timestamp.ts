import { Schema } from "effect"

/** A point in time; on the wire ISO 8601 in UTC with milliseconds. */
export const Timestamp = Schema.DateTimeUtc.annotations({
  identifier: "Timestamp",
  message: () => ({ message: "must be a moment such as 2026-01-31T09:30:00.000Z", override: true }),
  jsonSchema: { type: "string", format: "date-time", description: "ISO 8601 in UTC with milliseconds." }
})
