import { Record } from "effect"
import { anyTtl, type Capabilities, type Capability, Provider, type ProviderLimits } from "../../domain/Provider.ts"
import { nameServers, type ProviderNameServers } from "./nameServers.ts"
import { type ProviderTraits, providerTraits } from "./providerTraits.ts"
import { ttlRanges } from "./ttlRanges.ts"

/** A provider and the ends of its name servers' host names, in the notation of `NameServers`. */
export interface CatalogEntry {
  readonly provider: Provider
  readonly suffixes: ReadonlyArray<string>
}

/** What the service can do where no adapter writes: the customer enters the records. */
export const manualOnly = {
  implementation: "manual",
  availableAuthorizationMethods: ["manual"],
  authorizationInputs: { directCredential: "none", providerSession: "none" }
} as const

/** The capabilities of a provider, or of several together, of which nothing is known. */
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

/** The provider of a zone none of whose name servers is in the catalogue. */
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

const entryOf = ({ id, name, suffixes }: ProviderNameServers): CatalogEntry => {
  const { limitations = [], referenceUrl, ...known } = providerTraits[id] ?? {}
  return {
    provider: new Provider({
      ...manualOnly,
      id,
      name,
      ...(referenceUrl === undefined ? {} : { referenceUrl }),
      capabilities: capabilitiesOf(known),
      detection: { method: "nameserver" },
      limitations
    }),
    suffixes: Object.keys(suffixes)
  }
}

/** Every provider that the service recognises by its name servers, by id. */
export const catalog: ReadonlyArray<CatalogEntry> = nameServers.map(entryOf)

/** What a provider can store; where no range of TTLs is known, any. */
export const limitsOf = ({ capabilities, id }: Provider): ProviderLimits => ({
  capabilities,
  ttl: ttlRanges[id] ?? anyTtl
})
