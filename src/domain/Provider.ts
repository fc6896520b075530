import { Schema } from "effect"

/** What a provider can store or do; `manual`: only in the provider's own page. */
export const Capability = Schema.Literal("supported", "unsupported", "manual", "not_applicable", "unknown").annotations(
  {
    identifier: "Capability"
  }
)
export type Capability = typeof Capability.Type

/** The capabilities of a provider (spec 2.5). */
export const Capabilities = Schema.Struct({
  rootNSModification: Capability,
  subdomainNSModification: Capability,
  wwwRedirect: Capability,
  cnameFlattening: Capability,
  wildcardRecords: Capability,
  caaRecords: Capability,
  spfRecords: Capability,
  socialLogin: Capability
}).annotations({ identifier: "Capabilities" })
export type Capabilities = typeof Capabilities.Type

/** The TTLs that a provider can store, in seconds; one that it calls automatic is written and served differently. */
export interface TtlRange {
  readonly minimum: number
  readonly maximum: number
  readonly automatic?: { readonly written: number; readonly served: number }
}

/** Any TTL that DNS knows (RFC 2181 section 8). */
export const anyTtl: TtlRange = { minimum: 0, maximum: 2 ** 31 - 1 }

/** What a provider can store. */
export interface ProviderLimits {
  readonly capabilities: Capabilities
  readonly ttl: TtlRange
}

/** How the customer can let the service, or do it by hand. */
export const AuthorizationMethod = Schema.Literal(
  "oauth2_pkce",
  "direct_credential",
  "domain_connect",
  "manual"
).annotations({ identifier: "AuthorizationMethod" })
export type AuthorizationMethod = typeof AuthorizationMethod.Type

/** The kind of credential that a method takes. */
export const CredentialKind = Schema.Literal(
  "api_token",
  "api_key_secret",
  "username_api_key",
  "access_key_secret",
  "service_account",
  "tsig_key",
  "none"
).annotations({ identifier: "CredentialKind" })

/** The DNS provider of a domain (spec 2.5). One that nobody knows has the id `unknown`. */
export class Provider extends Schema.Class<Provider>("Provider")({
  id: Schema.String.annotations({ description: "A stable word; `unknown` for a provider that nobody knows." }),
  name: Schema.String,
  referenceUrl: Schema.optionalWith(Schema.String.annotations({ jsonSchema: { type: "string", format: "uri" } }), {
    exact: true
  }),
  implementation: Schema.Literal("automatic", "redirect", "manual").annotations({
    description: "Whether the service writes, sends the customer to the provider, or shows what to do by hand."
  }),
  availableAuthorizationMethods: Schema.NonEmptyArray(AuthorizationMethod).annotations({
    description: "The best first; `manual` is always there."
  }),
  authorizationInputs: Schema.Struct({ directCredential: CredentialKind, providerSession: CredentialKind }),
  capabilities: Capabilities,
  detection: Schema.Struct({
    method: Schema.Literal("nameserver", "domain_connect", "soa", "manual_selection", "none")
  }),
  limitations: Schema.Array(Schema.String).annotations({ description: "What to know about this provider, in words." })
}) {}

/** Whether the service can be let into the zones of a provider; where it cannot, all is done by hand. */
export const canAuthorizeService = ({
  availableAuthorizationMethods
}: Pick<Provider, "availableAuthorizationMethods">): boolean =>
  availableAuthorizationMethods.some((method) => method !== "manual")
