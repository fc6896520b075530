import { Order } from "effect"
import { normalizeName } from "../../domain/names/DomainName.ts"
import { Provider, type ProviderLimits } from "../../domain/provider/Provider.ts"
import type { Warning } from "../../domain/plan/Warning.ts"
import { withoutValidation } from "../../domain/values/boundedSchemas.ts"
import { catalog, type CatalogEntry, limitsOf, manualOnly, unknownCapabilities, unknownProvider } from "./catalog.ts"

/** The provider of a zone, what the zone can store, and warnings about how the provider was detected. */
export interface Detection {
  readonly provider: Provider
  readonly limits: ProviderLimits
  readonly warnings: ReadonlyArray<Warning>
}

/**
 * Detects the provider by the host names of all name servers of a zone, in any letter case, with or without the final
 * dot. Declared providers win over those of the catalog. If the name servers belong to several providers, the result is
 * the one with the most name servers (a known one before the unknown, then the first by id) with the warning
 * `multi_provider_ns`: its limitations name all of them, its capabilities and limits are unknown, and only the customer
 * can write to the zone.
 */
export const detectProvider = (nameServers: ReadonlyArray<string>, index: ProviderIndex = catalogIndex): Detection => {
  const shares = countShares(new Set([...new Set(nameServers)].map(normalizeName)), index)
  const [{ provider } = noShare, second] = shares
  return second === undefined
    ? { provider, limits: limitsOf(provider), warnings: [] }
    : {
        provider: combineProviders(provider, shares),
        limits: limitsOf(unknownProvider),
        warnings: ["multi_provider_ns"]
      }
}

/** Providers by the suffixes of their name servers. */
interface ProviderIndex {
  readonly declared: SuffixIndex
  readonly catalog: SuffixIndex
}

/** Indexes providers by the suffixes of their name servers. */
export const indexProviders = (
  declared: ReadonlyArray<CatalogEntry>,
  catalogued: ReadonlyArray<CatalogEntry> = catalog
): ProviderIndex => ({ declared: indexBySuffix(declared), catalog: indexBySuffix(catalogued) })

/** A provider and how many of the name servers of a zone belong to it. */
interface Share {
  readonly provider: Provider
  readonly servers: number
}

const noShare: Share = { provider: unknownProvider, servers: 0 }

const countShares = (names: ReadonlySet<string>, index: ProviderIndex): ReadonlyArray<Share> => {
  const counts = new Map<Provider, number>()
  for (const name of names) {
    const provider = findProvider(name, index)
    counts.set(provider, (counts.get(provider) ?? 0) + 1)
  }
  return [...counts].map(([provider, servers]): Share => ({ provider, servers })).toSorted(mainFirst)
}

const knownFirst: Order.Order<Share> = Order.mapInput(Order.boolean, ({ provider }) => provider === unknownProvider)
const mostServersFirst: Order.Order<Share> = Order.mapInput(Order.number, ({ servers }) => -servers)
const byId: Order.Order<Share> = Order.mapInput(Order.string, ({ provider }) => provider.id)
const mainFirst = Order.combineAll([knownFirst, mostServersFirst, byId])

/** Combines providers that serve a zone together: the capabilities of one of them tell nothing about the zone. */
const combineProviders = (main: Provider, shares: ReadonlyArray<Share>): Provider =>
  new Provider(
    {
      ...main,
      ...manualOnly,
      capabilities: unknownCapabilities,
      limitations: [
        `The name servers belong to several providers: ${shares.map(formatShare).join(", ")}. Every change has to be made at each of them.`,
        ...shares.flatMap(({ provider }) => provider.limitations)
      ]
    },
    // Its parts are valid.
    withoutValidation
  )

const formatShare = ({ provider, servers }: Share): string => `${provider.name} (${servers})`

/** The providers by the suffixes of their name servers. */
type SuffixIndex = ReadonlyMap<string, Provider>

const indexBySuffix = (entries: ReadonlyArray<CatalogEntry>): SuffixIndex =>
  new Map(entries.flatMap(({ provider, suffixes }) => suffixes.map((suffix) => [suffix, provider] as const)))

const catalogIndex = indexProviders([])

/**
 * The provider with the longest suffix of a name server, a declared one first; in the catalog no suffix is below
 * another.
 */
const findProvider = (nameServer: string, { catalog, declared }: ProviderIndex): Provider =>
  findBySuffix(nameServer, declared) ??
  findBySuffix(nameServer, catalog) ??
  findBySuffix(nameServer.replace(/\d/g, "#"), catalog) ??
  unknownProvider

const findBySuffix = (nameServer: string, bySuffix: SuffixIndex): Provider | undefined => {
  if (bySuffix.size === 0) return undefined
  let found = bySuffix.get(nameServer)
  for (let dot = nameServer.indexOf("."); found === undefined && dot !== -1; dot = nameServer.indexOf(".", dot + 1)) {
    found = bySuffix.get(nameServer.slice(dot + 1))
  }
  return found
}
