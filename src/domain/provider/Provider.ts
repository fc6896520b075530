import { Schema } from "effect"
import { directCredentialKinds } from "./Credential.ts"
import { ProviderHealth } from "./ProviderHealth.ts"
import { ProviderListing } from "./ProviderListing.ts"
import { DomainConnectOffer } from "./DomainConnectOffer.ts"
import type { Network } from "../names/IpAddress.ts"
import { withoutValidation } from "../values/boundedSchemas.ts"

/** Whether a provider supports something; `manual`: only in its own user interface. */
export const Capability = Schema.Literal("supported", "unsupported", "manual", "not_applicable", "unknown").annotations(
  {
    identifier: "Capability",
    description: "Whether a provider supports something; `manual` only in its own user interface."
  }
)
export type Capability = typeof Capability.Type

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

/** The TTLs that a provider can store, in seconds; an `automatic` TTL is written as one value and served as another. */
export interface TtlRange {
  readonly minimum: number
  readonly maximum: number
  readonly automatic?: { readonly written: number; readonly served: number }
  /** The only TTLs between the bounds that the provider stores, in ascending order; without a list, all of them. */
  readonly allowed?: ReadonlyArray<number>
}

/** The TTL that a provider stores for a requested one: the same, or the next higher one if there is one. */
export const toStorableTtl = (requested: number, { allowed, maximum, minimum }: TtlRange): number => {
  const ttl = Math.min(Math.max(requested, minimum), maximum)
  return allowed?.find((candidate) => candidate >= ttl) ?? allowed?.at(-1) ?? ttl
}

/** Every TTL that DNS allows (RFC 2181 section 8). */
export const anyTtl: TtlRange = { minimum: 0, maximum: 2 ** 31 - 1 }

/** The limits of what a provider can store: its capabilities and TTLs. */
export interface ProviderLimits {
  readonly capabilities: Capabilities
  readonly ttl: TtlRange
  /** Whether the provider may answer with the addresses of an alias's target below the apex of a zone, too. */
  readonly flattensAliases?: boolean
  /** The networks of the addresses with which the provider answers for a record that it proxies. */
  readonly proxyNetworks?: ReadonlyArray<Network>
  /** What the provider does not support in a zone that it signs (DNSSEC). */
  readonly lacksIfSigned?: ReadonlyArray<keyof Capabilities>
}

/** The limits of a zone that is signed, or is not. */
export const limitsIn = (limits: ProviderLimits, { isSigned }: { readonly isSigned: boolean }): ProviderLimits => {
  const { capabilities, lacksIfSigned = [] } = limits
  if (!isSigned || lacksIfSigned.length === 0) return limits
  const lacked = Object.fromEntries(lacksIfSigned.map((name) => [name, "unsupported" as const]))
  return { ...limits, capabilities: { ...capabilities, ...lacked } }
}

/** How the customer can authorize the service, or make the changes manually. */
export const AuthorizationMethod = Schema.Literal(
  "oauth2_pkce",
  "direct_credential",
  "domain_connect",
  "manual"
).annotations({
  identifier: "AuthorizationMethod",
  description: "How the service gets access to a zone: `manual` is none, the customer enters the records."
})
export type AuthorizationMethod = typeof AuthorizationMethod.Type

const CredentialKind = Schema.Literal(...directCredentialKinds, "none").annotations({
  identifier: "CredentialKind",
  description: "The kind of credential that a provider takes; `none` if it takes none."
})

const maxShownNameServers = 16

/** The DNS provider of a domain; an unknown provider has the id `unknown`. */
export class Provider extends Schema.Class<Provider>("Provider")({
  id: Schema.String.annotations({ description: "A stable word; `unknown` if the provider was not recognized." }),
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
  authorizationInputs: Schema.Struct({
    directCredential: CredentialKind,
    providerSession: CredentialKind,
    roleTrust: Schema.optionalWith(
      Schema.String.annotations({
        description:
          "With `aws_role`: the ARN that the trust policy of the customer's role names as its principal. The policy also requires the id of the connection as external id (`sts:ExternalId`): the service takes no role that others could have it assume."
      }),
      { exact: true }
    )
  }),
  capabilities: Capabilities,
  detection: Schema.Struct({
    method: Schema.Literal("nameserver", "domain_connect", "soa", "manual_selection", "none").annotations({
      description:
        "What told the provider: the names of the name servers, its own answer (Domain Connect), the SOA record of the zone, or the customer."
    }),
    nameServers: Schema.optionalWith(
      Schema.Array(Schema.String).annotations({
        description: `The name servers of the domain, at most ${maxShownNameServers}; absent in the list of providers.`
      }),
      { exact: true }
    ),
    providers: Schema.optionalWith(
      Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String })).annotations({
        description:
          "Present where the name servers belong to several providers, this one first: every change has to be made at each of them."
      }),
      { exact: true }
    ),
    candidates: Schema.optionalWith(
      Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String })).annotations({
        description:
          "Present where several providers use these name servers, and nothing tells them apart: ask the customer, and name the answer with `POST /v1/connections/{connectionId}/provider`. With the method `manual_selection` the customer has answered."
      }),
      { exact: true }
    )
  }),
  health: Schema.optionalWith(
    ProviderHealth.annotations({
      description:
        "How the recent calls of its API went: in the list of providers, and on a connection if its circuit was open."
    }),
    { exact: true }
  ),
  listing: Schema.optionalWith(
    ProviderListing.annotations({ description: "Only in the list of providers, for those of the catalog." }),
    { exact: true }
  ),
  limitations: Schema.Array(Schema.String).annotations({ description: "What to know about this provider, in words." }),
  domainConnect: Schema.optionalWith(
    DomainConnectOffer.annotations({
      description: "Present with `domain_connect`: what the provider would write, and what it would remove."
    }),
    { exact: true }
  )
}) {}

/** The provider as it was detected for a domain with these name servers, which are in normal form. */
export const withNameServers = (provider: Provider, nameServers: ReadonlyArray<string>): Provider =>
  new Provider(
    {
      ...provider,
      detection: { ...provider.detection, nameServers: [...new Set(nameServers)].slice(0, maxShownNameServers) }
    },
    withoutValidation
  )

/** The methods in the order in which they are offered: while the provider's API fails, those without it come first. */
export const sortMethods = (
  methods: ReadonlyArray<AuthorizationMethod>,
  health?: Pick<ProviderHealth, "circuit">
): Provider["availableAuthorizationMethods"] => {
  const order = health?.circuit === "open" ? withoutApiFirst : bestFirst
  const [first = "manual", ...others] = order.filter((method) => methods.includes(method))
  return [first, ...others]
}

const bestFirst: ReadonlyArray<AuthorizationMethod> = ["oauth2_pkce", "domain_connect", "direct_credential", "manual"]

const withoutApiFirst: ReadonlyArray<AuthorizationMethod> = [
  "domain_connect",
  "manual",
  "oauth2_pkce",
  "direct_credential"
]

/** A provider whose API fails at present: it says so, and offers other ways first. */
export const withOpenCircuit = (provider: Provider, health: ProviderHealth): Provider =>
  new Provider(
    {
      ...provider,
      health,
      availableAuthorizationMethods: sortMethods(provider.availableAuthorizationMethods, health),
      limitations: [
        ...provider.limitations,
        `Its API fails at present: ${Math.round(health.errorRate * 100)} % of ${health.calls} calls in ${health.windowSeconds / 60} minutes. Other ways come first until it works again.`
      ]
    },
    withoutValidation
  )

/** Whether several providers may serve the zone, and the customer has not said yet which of them does. */
export const isUndecided = ({ detection: { candidates, method } }: Pick<Provider, "detection">): boolean =>
  candidates !== undefined && method === "nameserver"

type AvailableMethods = Pick<Provider, "availableAuthorizationMethods">

/** Whether the service can get access to the zones of a provider; if not, the provider or the customer makes all changes. */
export const canAuthorizeService = ({ availableAuthorizationMethods }: AvailableMethods): boolean =>
  availableAuthorizationMethods.some((method) => method !== "manual" && method !== "domain_connect")

/** Whether the customer can choose another way than to make all changes manually. */
export const hasChoiceOfMethod = ({ availableAuthorizationMethods }: AvailableMethods): boolean =>
  availableAuthorizationMethods.some((method) => method !== "manual")
