import { Option, Record } from "effect"
import { parseNetwork } from "../../domain/names/IpAddress.ts"
import {
  anyTtl,
  type Capabilities,
  type Capability,
  Provider,
  type ProviderLimits
} from "../../domain/provider/Provider.ts"
import { nameServers, type ProviderNameServers } from "./nameServers.ts"
import { type ProviderTraits, providerTraits, ttlRanges } from "./providerTraits.ts"

/** A provider and the suffixes of its name servers' host names, in the notation of `ProviderNameServers`. */
export interface CatalogEntry {
  readonly provider: Provider
  readonly suffixes: ReadonlyArray<string>
}

/** The fields of a provider without an adapter: the customer enters the records. */
export const manualOnly = {
  implementation: "manual",
  availableAuthorizationMethods: ["manual"],
  authorizationInputs: { directCredential: "none", providerSession: "none" }
} as const

/** The capabilities of an unknown provider, or of several together. */
export const unknownCapabilities: Capabilities = {
  rootNSModification: "unknown",
  subdomainNSModification: "unknown",
  wwwRedirect: "unknown",
  cnameFlattening: "unknown",
  wildcardRecords: "unknown",
  caaRecords: "unknown",
  spfRecords: "unknown",
  socialLogin: "unknown"
}

/** The provider of a zone if none of its name servers is in the catalog. */
export const unknownProvider = new Provider({
  ...manualOnly,
  id: "unknown",
  name: "Unknown provider",
  capabilities: unknownCapabilities,
  detection: { method: "none" },
  limitations: []
})

const capabilitiesOf = ({ lacks = [], supports = [] }: ProviderTraits): Capabilities =>
  Record.map(unknownCapabilities, (_, name): Capability =>
    supports.includes(name) ? "supported" : lacks.includes(name) ? "unsupported" : "unknown"
  )

const toCatalogEntry = ({ id, name, suffixes }: ProviderNameServers): CatalogEntry => {
  const { limitations = [], referenceUrl, ...traits } = providerTraits[id] ?? {}
  return {
    provider: new Provider({
      ...manualOnly,
      id,
      name,
      ...(referenceUrl === undefined ? {} : { referenceUrl }),
      capabilities: capabilitiesOf(traits),
      detection: { method: "nameserver" },
      limitations
    }),
    suffixes: Object.keys(suffixes)
  }
}

/** Every provider that the service detects by its name servers, sorted by id. */
export const catalog: ReadonlyArray<CatalogEntry> = nameServers.map(toCatalogEntry)

export const limitsOf = ({ capabilities, id }: Provider): ProviderLimits => {
  const { flattensAliases = false, lacksIfSigned, proxyNetworks = [] } = providerTraits[id] ?? {}
  return {
    capabilities,
    ttl: ttlRanges[id] ?? anyTtl,
    ...(flattensAliases ? { flattensAliases } : {}),
    ...(lacksIfSigned === undefined ? {} : { lacksIfSigned }),
    ...(proxyNetworks.length === 0
      ? {}
      : { proxyNetworks: proxyNetworks.flatMap((network) => Option.toArray(parseNetwork(network))) })
  }
}
