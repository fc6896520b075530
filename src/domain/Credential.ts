import { Schema } from "effect"
import { Timestamp } from "./Timestamp.ts"

const Secret = Schema.Redacted(Schema.NonEmptyString)

/** The algorithms of a TSIG key that are still fit for use (RFC 8945 section 6). */
export const TsigAlgorithm = Schema.Literal("hmac-sha256", "hmac-sha384", "hmac-sha512")
export type TsigAlgorithm = typeof TsigAlgorithm.Type

/** What a provider gives once the customer has agreed there (RFC 6749 section 5.1). */
export const OAuthToken = Schema.TaggedStruct("oauth_token", {
  accessToken: Secret,
  refreshToken: Schema.optionalWith(Secret, { exact: true }),
  expiresAt: Schema.optionalWith(Timestamp, { exact: true })
})
export type OAuthToken = typeof OAuthToken.Type

/** What a customer gives so that a zone can be changed, by its kind; what is secret stays redacted. */
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
