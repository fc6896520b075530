import type { HttpClient } from "@effect/platform"
import type { ProviderLimits } from "../../domain/provider/Provider.ts"
import type { ProviderClient, Timeouts } from "../ProviderClient.ts"
import type { AuthorizationServer } from "../oauth/OAuthSettings.ts"

/** The facts about the adapter of a catalogued provider that the service knows before it loads it. */
export interface CatalogAdapter {
  /** The kind of credential that customers enter. */
  readonly credential: ProviderClient["credential"]
  /** Where customers authorize a client that the operator registers; without it the provider offers no OAuth. */
  readonly authorizationServer?: AuthorizationServer
  /** The company that issues the credential, and whose zones the adapter writes, where that is not the provider. */
  readonly credentialIssuer?: string
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
  readonly timeouts?: Timeouts
}) => ProviderClient

export type CatalogAdapters = Readonly<Record<string, CatalogAdapter>>
