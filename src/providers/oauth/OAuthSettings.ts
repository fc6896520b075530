import { Either, Schema } from "effect"
import { parseOrigin } from "../../domain/Origin.ts"

/** Tokens travel to these addresses, so plain `http` is for loopback only. */
const EndpointUrl = Schema.String.pipe(
  Schema.filter(
    (text) =>
      (/^https?:\/\/[^?#@\s]+$/.test(text) &&
        URL.canParse(text) &&
        Either.isRight(parseOrigin(new URL(text).origin))) ||
      "must be an https URL without user, query and fragment"
  )
)

/** A client that the operator has registered with the authorization server of a provider (RFC 6749, RFC 7009). */
export const OAuthSettings = Schema.Struct({
  authorizeUrl: EndpointUrl,
  tokenUrl: EndpointUrl,
  /** Where tokens are given back (RFC 7009), if the server has such an address. */
  revokeUrl: Schema.optionalWith(EndpointUrl, { exact: true }),
  /** How the server names itself in its answers (RFC 9207), if it does: every answer must then name it. */
  issuer: Schema.optionalWith(EndpointUrl, { exact: true }),
  clientId: Schema.NonEmptyString,
  /** Only for a confidential client. */
  clientSecret: Schema.optionalWith(Schema.Redacted(Schema.NonEmptyString), { exact: true }),
  /** How the secret is sent (RFC 7591 section 2). */
  tokenEndpointAuthMethod: Schema.optionalWith(Schema.Literal("client_secret_basic", "client_secret_post"), {
    default: () => "client_secret_basic" as const
  }),
  scopes: Schema.optionalWith(Schema.Array(Schema.String.pipe(Schema.pattern(/^[\x21\x23-\x5b\x5d-\x7e]+$/))), {
    default: () => []
  })
})
export type OAuthSettings = typeof OAuthSettings.Type
