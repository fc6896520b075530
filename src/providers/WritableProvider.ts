import { Option } from "effect"
import type { Provider } from "../domain/Provider.ts"
import type { ProviderClient } from "./ProviderClient.ts"
import type { CatalogEntry } from "./catalog/catalog.ts"
import type { OAuthClient } from "./oauth/OAuthClient.ts"

/** A provider to whose zones the service writes: one of the catalog, or one that the operator declared. */
export interface WritableProvider extends CatalogEntry {
  readonly client: ProviderClient
  /** The OAuth client with which customers can authorize the service, if the operator has registered one. */
  readonly oauth: Option.Option<OAuthClient>
  /** Matches those of the provider's name servers, in normal form, that serve zones of the client; without it, all do. */
  readonly nameServers?: RegExp
}

/**
 * The fields of a provider to which the service writes, by how customers authorize it: with a credential of the provider,
 * or of another company (`credentialIssuer`).
 */
export const automaticFields = ({
  client,
  credentialIssuer,
  oauth
}: Pick<WritableProvider, "client" | "oauth"> & { readonly credentialIssuer?: string | undefined }): Pick<
  Provider,
  "implementation" | "availableAuthorizationMethods" | "authorizationInputs"
> => ({
  implementation: "automatic",
  availableAuthorizationMethods: Option.isSome(oauth)
    ? ["oauth2_pkce", "direct_credential", "manual"]
    : ["direct_credential", "manual"],
  authorizationInputs: {
    directCredential: client.credential,
    providerSession: "none",
    ...(credentialIssuer === undefined ? {} : { credentialIssuer })
  }
})
