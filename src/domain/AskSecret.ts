import { Schema } from "effect"
import { Timestamp } from "./Timestamp.ts"

export const AskSecretId = Schema.String.pipe(
  Schema.pattern(/^ask_[0-9a-z]{1,60}$/),
  Schema.annotations({
    jsonSchema: { type: "string", pattern: "^ask_[0-9a-z]{1,60}$", description: "Assigned by the service." },
    message: () => ({ message: "must be the id of an ask secret", override: true })
  }),
  Schema.brand("AskSecretId")
)
export type AskSecretId = typeof AskSecretId.Type

/**
 * The secret in the path by which a web server asks whether a host is allowed, without the secret itself: `prefix` is the
 * part of it that may be shown.
 */
export const AskSecret = Schema.Struct({
  id: AskSecretId,
  prefix: Schema.String,
  createdAt: Timestamp,
  expiresAt: Schema.optionalWith(Timestamp, { exact: true })
}).annotations({ identifier: "AskSecret" })
export type AskSecret = typeof AskSecret.Type
