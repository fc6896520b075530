import { Option, Order, Record } from "effect"
import { normalizeName } from "../../domain/names/DomainName.ts"
import { Provider, type ProviderLimits } from "../../domain/provider/Provider.ts"
import type { Warning } from "../../domain/plan/Warning.ts"
import { withoutValidation } from "../../domain/values/boundedSchemas.ts"
import { catalog, type CatalogEntry, limitsOf, manualOnly, unknownCapabilities, unknownProvider } from "./catalog.ts"
import { findByZone, type SecondLook, type SharedNameServers, sharedNameServers } from "./sharedNameServers.ts"

/** The provider of a zone, what the zone can store, and warnings about how the provider was detected. */
export interface Detection {
  readonly provider: Provider
  readonly limits: ProviderLimits
  readonly warnings: ReadonlyArray<Warning>
  /** The providers that share the name servers of the zone; absent where their names tell the provider. */
  readonly sharing?: NameServerSharing
}

/** The providers that share name servers, and the mailboxes that tell them apart. */
interface NameServerSharing extends Pick<SharedNameServers, "contacts" | "pattern"> {
  readonly candidates: ReadonlyArray<Provider>
}

/**
 * Detects the provider by the host names of all name servers of a zone; declared ones win over the catalog. If they belong
 * to several providers, it is the one with the most (a known one first, then by id), with `multi_provider_ns`: its
 * capabilities and limits are unknown, and only the customer can write. If several share them, it is unknown, with these
 * as candidates.
 */
export const detectProvider = (nameServers: ReadonlyArray<string>, index: ProviderIndex = catalogIndex): Detection => {
  const shares = countShares(new Set([...new Set(nameServers)].map(normalizeName)), index)
  const [{ provider } = noShare, second] = shares
  const mixed = second === undefined ? undefined : findSharing(nameServers, shares, index)
  if (mixed !== undefined) return detectAs(unknownProvider, "nameserver", mixed)
  if (second !== undefined)
    return {
      provider: combineProviders(provider, shares),
      limits: limitsOf(unknownProvider),
      warnings: ["multi_provider_ns"]
    }
  const sharing = index.shared.get(provider)
  return sharing === undefined || !nameServers.every((name) => sharing.pattern.test(normalizeName(name)))
    ? { provider, limits: limitsOf(provider), warnings: [] }
    : detectAs(unknownProvider, "nameserver", sharing)
}

/** The sharing of name servers that a provider has beside its own: Squarespace has some of NS1 in each zone. */
const findSharing = (
  nameServers: ReadonlyArray<string>,
  shares: ReadonlyArray<Share>,
  { shared }: ProviderIndex
): NameServerSharing | undefined =>
  shares
    .flatMap(({ provider }) => shared.get(provider) ?? [])
    .find(
      ({ candidates, pattern }) =>
        shares.every(({ provider }) => candidates.includes(provider)) &&
        nameServers.some((name) => pattern.test(normalizeName(name)))
    )

/** Looks again at a zone whose name servers several providers share: one of them, if the zone itself tells which. */
export const decideByZone = (detection: Detection, answers: SecondLook): Option.Option<Detection> => {
  const { sharing } = detection
  if (sharing === undefined) return Option.none()
  const ids = { ...sharing, candidates: sharing.candidates.map(({ id }) => id) }
  return Option.flatMap(findByZone(ids, answers), ({ id, method }) =>
    Option.map(findCandidate(detection, id), (found) => detectAs(found, method))
  )
}

/** The provider that a zone is known to have, if it is one of those that share its name servers; else as detected. */
export const selectKnown = (detection: Detection, known?: Provider): Detection => {
  const { sharing } = detection
  const method = known?.detection.method
  if (known === undefined || method === undefined || method === "nameserver" || sharing === undefined) return detection
  return Option.match(findCandidate(detection, known.id), {
    onNone: () => detection,
    onSome: (found) => detectAs(found, method, sharing)
  })
}

/** One of the providers that share the name servers of a zone, or the unknown one for any other. */
export const findCandidate = ({ sharing }: Detection, id: Provider["id"]): Option.Option<Provider> =>
  Option.fromNullable([...(sharing?.candidates ?? []), unknownProvider].find((candidate) => candidate.id === id))

/** The ids of the providers that a zone may have; none if its provider is unknown. */
export const listProviderIds = ({ provider, sharing }: Detection): ReadonlyArray<Provider["id"]> =>
  (sharing?.candidates ?? (provider === unknownProvider ? [] : [provider])).map(({ id }) => id)

/** Detects a provider by a second look or by the customer's choice; `sharing` if others are still possible. */
const detectAs = (
  provider: Provider,
  method: Provider["detection"]["method"],
  sharing?: NameServerSharing
): Detection => ({
  provider: new Provider(
    {
      ...provider,
      detection: {
        method,
        ...(sharing === undefined ? {} : { candidates: sharing.candidates.map(({ id, name }) => ({ id, name })) })
      }
    },
    withoutValidation
  ),
  limits: limitsOf(provider),
  warnings: [],
  ...(sharing === undefined ? {} : { sharing })
})

/** Providers by the suffixes of their name servers. */
interface ProviderIndex {
  readonly declared: SuffixIndex
  readonly catalog: SuffixIndex
  readonly shared: ReadonlyMap<Provider, NameServerSharing>
}

/** Indexes providers by the suffixes of their name servers; `shared` lists those that several of them use. */
export const indexProviders = (
  declared: ReadonlyArray<CatalogEntry>,
  catalogued: ReadonlyArray<CatalogEntry> = catalog,
  shared = sharedNameServers
): ProviderIndex => {
  const providers = new Map(catalogued.map(({ provider }) => [provider.id, provider]))
  const findAll = (ids: ReadonlyArray<Provider["id"]>) => ids.flatMap((id) => providers.get(id) ?? [])
  return {
    declared: indexBySuffix(declared),
    catalog: indexBySuffix(catalogued),
    shared: new Map(
      Record.toEntries(shared).flatMap(([owner, { candidates, ...sharing }]) =>
        findAll([owner]).map((provider) => [provider, { ...sharing, candidates: findAll(candidates) }] as const)
      )
    )
  }
}

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
      detection: { ...main.detection, providers: shares.map(({ provider: { id, name } }) => ({ id, name })) },
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

/** The provider with the longest suffix, a declared one first; no suffix of the catalog is below another. */
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
