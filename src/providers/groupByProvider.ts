import type { Provider } from "../domain/provider/Provider.ts"
import type { Providers } from "./Providers.ts"

/** Name servers, and the provider that each of them alone is detected as. */
export interface ServersOfProvider {
  readonly provider: Provider
  readonly nameServers: ReadonlyArray<string>
}

/** Groups name servers by their providers, in the order of the first of each. */
export const groupByProvider = (
  nameServers: ReadonlyArray<string>,
  detect: (typeof Providers.Service)["detect"]
): ReadonlyArray<ServersOfProvider> => {
  const detected = nameServers.map((name) => ({
    name,
    provider: detect({ parentNameServers: [name], childNameServers: [] }).provider
  }))
  return [...Map.groupBy(detected, ({ provider }) => provider.id).values()].flatMap((share) =>
    share.slice(0, 1).map(({ provider }) => ({ provider, nameServers: share.map(({ name }) => name) }))
  )
}
