import { Context, Effect, Layer, Option } from "effect"
import type { Delegation } from "../dns/zone/Delegation.ts"
import { normalizeName } from "../domain/names/DomainName.ts"
import { type Provider, sortMethods } from "../domain/provider/Provider.ts"
import type { ProviderHealth } from "../domain/provider/ProviderHealth.ts"
import type { CallHealth } from "./CallHealth.ts"
import type { ProviderClient } from "./ProviderClient.ts"
import { type Detection, detectProvider, indexProviders, selectKnown } from "./catalog/Detection.ts"
import { catalog, type CatalogEntry } from "./catalog/catalog.ts"
import type { OAuthClient } from "./oauth/OAuthClient.ts"

/** The providers that the service knows, and the clients of those that it can write to. */
export class Providers extends Context.Tag("providers/Providers")<
  Providers,
  {
    /** First those that the operator declared, then those of the catalog. */
    readonly all: ReadonlyArray<Provider>
    /** Detects a zone's provider by its name servers; of several, a second look or the customer's choice decides. */
    readonly detect: (
      delegation: Pick<Delegation, "parentNameServers" | "childNameServers">,
      known?: Provider
    ) => Detection
    /** The client that writes to the zones of a detected provider, if there is one. */
    readonly clientFor: (provider: Provider) => Option.Option<ProviderClient>
    /** The OAuth client with which customers of a provider can authorize the service, if there is one. */
    readonly oauthClientFor: (id: Provider["id"]) => Option.Option<OAuthClient>
    /** How the recent calls of a provider went; none where none was called by HTTP. */
    readonly healthOf: (id: Provider["id"]) => Effect.Effect<Option.Option<ProviderHealth>>
  }
>() {
  /** Of the catalog, the service writes to the `catalogued` providers only. */
  static readonly layer = (
    declared: ReadonlyArray<WritableProvider>,
    catalogued: ReadonlyArray<WritableProvider> = []
  ) =>
    Layer.sync(Providers, () => {
      const writable = new Map([...catalogued, ...declared].map((entry) => [entry.provider.id, entry]))
      const known = catalog.map((entry) => writable.get(entry.provider.id) ?? entry)
      const index = indexProviders(declared, known)
      const declaredOnly = indexProviders(declared)
      const findWritable = (id: Provider["id"]) => Option.fromNullable(writable.get(id))
      const isServed = ({ id }: Provider, nameServers: ReadonlyArray<string>) => {
        const served = writable.get(id)?.nameServers
        return served === undefined || nameServers.every((name) => served.test(normalizeName(name)))
      }
      return {
        all: [...declared, ...known].map(({ provider }) => provider),
        detect: ({ childNameServers, parentNameServers }, known) => {
          const nameServers = [...parentNameServers, ...childNameServers]
          const detection = detectProvider(nameServers, index)
          return isServed(detection.provider, nameServers)
            ? selectKnown(detection, known)
            : detectProvider(nameServers, declaredOnly)
        },
        // A zone that a writable provider serves together with others is changed manually.
        clientFor: ({ id, implementation }) =>
          implementation === "manual" ? Option.none() : Option.map(findWritable(id), ({ client }) => client),
        oauthClientFor: (id) => Option.flatMap(findWritable(id), ({ oauth }) => oauth),
        healthOf: (id) =>
          Option.match(findWritable(id), {
            onNone: () => Effect.succeedNone,
            onSome: ({ health }) => health?.read ?? Effect.succeedNone
          })
      }
    })
}

/** A provider to whose zones the service writes: one of the catalog, or one that the operator declared. */
export interface WritableProvider extends CatalogEntry {
  readonly client: ProviderClient
  /** The OAuth client with which customers can authorize the service, if the operator has registered one. */
  readonly oauth: Option.Option<OAuthClient>
  /** Matches those of the provider's name servers, in normal form, that serve zones of the client; without it, all do. */
  readonly nameServers?: RegExp
  /** How its recent calls went. */
  readonly health?: CallHealth
}

/** The fields of a provider to which the service writes, by how customers authorize it. */
export const automaticFields = ({
  client,
  oauth,
  roleTrust
}: Pick<WritableProvider, "client" | "oauth"> & {
  readonly roleTrust?: string | undefined
}): Pick<Provider, "implementation" | "availableAuthorizationMethods" | "authorizationInputs"> => ({
  implementation: "automatic",
  availableAuthorizationMethods: sortMethods([
    ...(Option.isSome(oauth) ? (["oauth2_pkce"] as const) : []),
    ...(client.credential === "none" ? [] : (["direct_credential"] as const)),
    "manual"
  ]),
  authorizationInputs: {
    directCredential: client.credential,
    providerSession: "none",
    ...(roleTrust === undefined ? {} : { roleTrust })
  }
})
