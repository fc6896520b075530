import { Either, Schema } from "effect"
import { parseOrigin } from "../../domain/names/Origin.ts"

/** Tokens are sent to these URLs, so plain `http` is allowed for loopback only. */
const EndpointUrl = Schema.String.pipe(
  Schema.filter(
    (text) =>
      (/^https?:\/\/[^?#@\s]+$/.test(text) &&
        URL.canParse(text) &&
        Either.isRight(parseOrigin(new URL(text).origin))) ||
      "must be an https URL without user, query and fragment"
  )
)

/** The OAuth client that the operator has registered with the authorization server of a provider (RFC 6749). */
export const OAuthSettings = Schema.Struct({
  authorizeUrl: EndpointUrl,
  tokenUrl: EndpointUrl,
  /** The revocation endpoint (RFC 7009), if the server has one. */
  revokeUrl: Schema.optionalWith(EndpointUrl, { exact: true }),
  /** The issuer that the server names in its responses (RFC 9207): if set, every response must name it. */
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

/** The client, or the application, that the operator has registered at a provider of the catalog. */
export const OAuthRegistration = Schema.Struct({
  clientId: Schema.NonEmptyString,
  clientSecret: Schema.Redacted(Schema.NonEmptyString),
  /** Where the accounts are for which it was registered, at a provider that keeps regions apart (OVHcloud); without it, `eu`. */
  region: Schema.optionalWith(Schema.Literal("eu", "ca", "us"), { exact: true })
})
export type OAuthRegistration = typeof OAuthRegistration.Type

export type OAuthSettings = AuthorizationServer & Pick<typeof OAuthSettings.Type, "clientId" | "clientSecret">

/** The authorization server of a provider, with the scopes that the service needs there. */
export interface AuthorizationServer extends Omit<typeof OAuthSettings.Type, "clientId" | "clientSecret"> {
  /** `bearer`: the access token authorizes its own revocation, in place of the client (unlike RFC 7009 section 2.1). */
  readonly revocationAuthMethod?: "bearer"
}
