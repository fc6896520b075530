import { Schema } from "effect"
import { Timestamp } from "./Timestamp.ts"

const Secret = Schema.Redacted(Schema.NonEmptyString)

/** The TSIG algorithms that are still secure (RFC 8945 section 6). */
const TsigAlgorithm = Schema.Literal("hmac-sha256", "hmac-sha384", "hmac-sha512")

/** The tokens that a provider issues after the customer has agreed (RFC 6749 section 5.1). */
export const OAuthToken = Schema.TaggedStruct("oauth_token", {
  accessToken: Secret,
  refreshToken: Schema.optionalWith(Secret, { exact: true }),
  expiresAt: Schema.optionalWith(Timestamp, { exact: true })
})
export type OAuthToken = typeof OAuthToken.Type

/** A credential that lets the service change a zone, by kind; secrets stay redacted. */
export const Credential = Schema.Union(
  Schema.TaggedStruct("api_token", { apiToken: Secret }),
  Schema.TaggedStruct("api_key_secret", { apiKey: Secret, apiSecret: Secret }),
  Schema.TaggedStruct("username_api_key", { username: Schema.NonEmptyString, apiKey: Secret }),
  Schema.TaggedStruct("access_key_secret", { accessKeyId: Schema.NonEmptyString, secretAccessKey: Secret }),
  Schema.TaggedStruct("service_account", { json: Secret }),
  Schema.TaggedStruct("tsig_key", {
    name: Schema.NonEmptyString,
    algorithm: TsigAlgorithm,
    /** Base64. */
    secret: Secret
  }),
  OAuthToken
)
export type Credential = typeof Credential.Type
