import type { HttpClient } from "@effect/platform"
import type { ProviderLimits } from "../../domain/provider/Provider.ts"
import type { AwsIdentity } from "../awsRoles.ts"
import type { ProviderClient, Timeouts } from "../ProviderClient.ts"
import type { OAuthClient } from "../oauth/OAuthClient.ts"
import type { AuthorizationServer, OAuthRegistration } from "../oauth/OAuthSettings.ts"

/** The facts about the adapter of a catalogued provider that the service knows before it loads it. */
export interface CatalogAdapter {
  /** The kind of credential that customers enter. */
  readonly credential: ProviderClient["credential"]
  /** Customers may give a role at AWS instead, where the operator has an identity that assumes it. */
  readonly takesAwsRole?: true
  /** Where customers authorize a client that the operator registers; without it the provider offers no OAuth. */
  readonly authorizationServer?: AuthorizationServer
  /** Makes the client of a provider that asks for consent in a way of its own, in place of an authorization server. */
  readonly makeOAuthClient?: (http: HttpClient.HttpClient, registration: OAuthRegistration) => OAuthClient
  /** Matches those of the provider's name servers, in normal form, that serve zones of the adapter; without it, all do. */
  readonly nameServers?: RegExp
  /** The limitations of its writes, besides those of the provider itself. */
  readonly limitations?: ReadonlyArray<string>
  /** The proofs of its writes without an account, as its tests declare (`docs/provider-evidence.md`). */
  readonly provenBy?: ReadonlyArray<AdapterProof>
  /** Whether the adapter has passed the adapter contract at a live account; until then the provider's limitations say so. */
  readonly isProvenLive?: true
  /** Imports the adapter, when a zone of the provider is first opened. */
  readonly load: () => Promise<CatalogClientFactory>
}

/** A document or a recording of the vendor, a client of another author, and traps that others met there. */
export type AdapterProof = "document" | "recording" | "judge" | "trap"

/** Makes the client of a catalogued provider; `limits` are what the catalog knows about every zone there. */
export type CatalogClientFactory = (environment: {
  readonly http: HttpClient.HttpClient
  readonly limits: ProviderLimits
  /** What the operator has registered at the provider. */
  readonly registration?: OAuthRegistration
  /** The operator's own identity at AWS, with which it assumes the roles of customers. */
  readonly awsIdentity?: AwsIdentity
  readonly timeouts?: Timeouts
}) => ProviderClient

export type CatalogAdapters = Readonly<Record<string, CatalogAdapter>>
