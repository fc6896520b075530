import { Schema } from "effect"
import { Timestamp } from "../values/Timestamp.ts"
import { assignedId } from "../values/boundedSchemas.ts"

export const AskSecretId = assignedId("Assigned by the service.").pipe(Schema.brand("AskSecretId"))
export type AskSecretId = typeof AskSecretId.Type

/**
 * An ask secret without the secret itself: a web server has it in the path by which it asks whether a host is allowed.
 * `prefix` is the part of it that may be shown.
 */
export const AskSecret = Schema.Struct({
  id: AskSecretId,
  prefix: Schema.String,
  createdAt: Timestamp,
  expiresAt: Schema.optionalWith(Timestamp, { exact: true })
}).annotations({ identifier: "AskSecret" })
export type AskSecret = typeof AskSecret.Type
