import { Array, Context, Layer, Option } from "effect"
import type { Delegation } from "../dns/zone/Delegation.ts"
import type { Provider } from "../domain/Provider.ts"
import type { ProviderClient } from "./ProviderClient.ts"
import type { DeclaredProvider } from "./ProvidersFile.ts"
import { type Detection, detectProvider } from "./catalog/Detection.ts"
import { catalog } from "./catalog/catalog.ts"
import type { OAuthClient } from "./oauth/OAuthClient.ts"

/** The providers that the service knows, and the ways to write to some of them. */
export class Providers extends Context.Tag("providers/Providers")<
  Providers,
  {
    /** Those that the operator declared, then those of the catalogue. */
    readonly all: ReadonlyArray<Provider>
    /** Who hosts a zone: whoever has a name server that the parent or the zone itself names takes part in it. */
    readonly detect: (delegation: Pick<Delegation, "parentNameServers" | "childNameServers">) => Detection
    /** The way to write to the zones of a provider as it was detected, if there is one. */
    readonly clientFor: (provider: Provider) => Option.Option<ProviderClient>
    /** Where the customers of a provider can agree to be written for, if there is such a place. */
    readonly oauthClientFor: (id: Provider["id"]) => Option.Option<OAuthClient>
  }
>() {
  static readonly layer = (declared: ReadonlyArray<DeclaredProvider>) =>
    Layer.sync(Providers, () => {
      const declaredAs = (id: Provider["id"]) => Array.findFirst(declared, ({ provider }) => provider.id === id)
      return {
        all: [...declared, ...catalog].map(({ provider }) => provider),
        detect: ({ childNameServers, parentNameServers }) =>
          detectProvider([...parentNameServers, ...childNameServers], declared),
        // What a declared provider serves together with others is by hand.
        clientFor: ({ id, implementation }) =>
          implementation === "manual" ? Option.none() : Option.map(declaredAs(id), ({ client }) => client),
        oauthClientFor: (id) => Option.flatMap(declaredAs(id), ({ oauth }) => oauth)
      }
    })
}
