import { Schema } from "effect"
import { Timestamp } from "../values/Timestamp.ts"
import { assignedId } from "../values/boundedSchemas.ts"

export const AskSecretId = assignedId("Assigned by the service.").pipe(Schema.brand("AskSecretId"))
export type AskSecretId = typeof AskSecretId.Type

/** An ask secret without the secret, which a web server sends in the path; `prefix` is the part that may be shown. */
export const AskSecret = Schema.Struct({
  id: AskSecretId,
  prefix: Schema.String,
  createdAt: Timestamp,
  expiresAt: Schema.optionalWith(Timestamp, { exact: true })
}).annotations({ identifier: "AskSecret" })
export type AskSecret = typeof AskSecret.Type
