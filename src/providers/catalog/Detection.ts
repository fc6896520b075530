import { Array, Option, Order } from "effect"
import { DomainName, normalizeName, selfAndAncestors } from "../../domain/DomainName.ts"
import type { Warning } from "../../domain/Plan.ts"
import { Provider, type ProviderLimits } from "../../domain/Provider.ts"
import { catalog, type CatalogEntry, limitsOf, manualOnly, unknownCapabilities, unknownProvider } from "./catalog.ts"

/** The provider of a zone, what the zone can store there, and what the customer should know about how it was found. */
export interface Detection {
  readonly provider: Provider
  readonly limits: ProviderLimits
  readonly warnings: ReadonlyArray<Warning>
}

/**
 * Names the provider from the host names of all name servers of a zone, in any letter case, with or without the last
 * dot. Where they are not all of one provider, the one with the most is named (the first by id when tied, a known one
 * before the unknown), its limitations name them all, nothing is known of what they can store, nobody but the customer
 * can write to it, and the warning is `multi_provider_ns`. What the operator declared wins over the catalogue.
 */
export const detectProvider = (
  nameServers: ReadonlyArray<string>,
  declared: ReadonlyArray<CatalogEntry> = []
): Detection => {
  const shares = sharesOf(
    Array.dedupe(nameServers.map((name) => DomainName.make(normalizeName(name)))),
    bySuffixOf(declared)
  )
  const [{ provider } = nobody, second] = shares
  return second === undefined
    ? { provider, limits: limitsOf(provider), warnings: [] }
    : { provider: amongSeveral(provider, shares), limits: limitsOf(unknownProvider), warnings: ["multi_provider_ns"] }
}

/** How many of the name servers of a zone belong to a provider. */
interface Share {
  readonly provider: Provider
  readonly servers: number
}

const nobody: Share = { provider: unknownProvider, servers: 0 }

const sharesOf = (names: ReadonlyArray<DomainName>, declared: BySuffix): ReadonlyArray<Share> =>
  Object.values(Array.groupBy(names.map(ownerAmong(declared)), ({ id }) => id))
    .map((owned): Share => ({ provider: owned[0], servers: owned.length }))
    .toSorted(Order.combineAll([knownFirst, mostServersFirst, byId]))

const knownFirst: Order.Order<Share> = Order.mapInput(Order.boolean, ({ provider }) => provider === unknownProvider)
const mostServersFirst: Order.Order<Share> = Order.mapInput(Order.number, ({ servers }) => -servers)
const byId: Order.Order<Share> = Order.mapInput(Order.string, ({ provider }) => provider.id)

/** What one of them can store says nothing about the zone that they serve together. */
const amongSeveral = (main: Provider, shares: ReadonlyArray<Share>): Provider =>
  new Provider({
    ...main,
    ...manualOnly,
    capabilities: unknownCapabilities,
    limitations: [
      `The name servers belong to several providers: ${shares.map(spelled).join(", ")}. Every change has to be made at each of them.`,
      ...shares.flatMap(({ provider }) => provider.limitations)
    ]
  })

const spelled = ({ provider, servers }: Share): string => `${provider.name} (${servers})`

type BySuffix = ReadonlyMap<string, Provider>

const bySuffixOf = (entries: ReadonlyArray<CatalogEntry>): BySuffix =>
  new Map(entries.flatMap(({ provider, suffixes }) => suffixes.map((suffix) => [suffix, provider] as const)))

const catalogued = bySuffixOf(catalog)

const ownerAmong =
  (declared: BySuffix) =>
  (nameServer: DomainName): Provider => {
    const ends = selfAndAncestors(nameServer)
    const found = (entry: (end: string) => Provider | undefined) =>
      Array.findFirst(ends, (end) => Option.fromNullable(entry(end)))
    return found((end) => declared.get(end)).pipe(
      Option.orElse(() => found((end) => catalogued.get(end) ?? catalogued.get(end.replace(/\d/g, "#")))),
      Option.getOrElse(() => unknownProvider)
    )
  }
