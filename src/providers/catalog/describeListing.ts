import { Option, Record } from "effect"
import type { Provider } from "../../domain/provider/Provider.ts"
import type { ProviderListing } from "../../domain/provider/ProviderListing.ts"
import { providerProfiles } from "../../domainConnect/providerProfiles.ts"
import { manualGuides } from "../guides/manualGuides.ts"
import { catalogAdapters } from "./catalogAdapters.ts"
import { websiteShares } from "./websiteShares.ts"

/** Describes a provider of the catalog for the list of providers. */
export const describeListing = (id: Provider["id"]): ProviderListing => {
  const guide = manualGuides[id]
  const share = websiteShares.find(({ providers }) => providers.includes(id))
  return {
    ...(share === undefined ? {} : { websitePercent: share.percent }),
    domainConnect: providerProfiles.some((profile) => profile.id === id),
    hasGuide: guide !== undefined,
    ...(guide?.dnsPageUrl === undefined ? {} : { dnsPageUrl: guide.dnsPageUrl }),
    ...(guide?.apexType === undefined ? {} : { apexType: guide.apexType }),
    provenBy: Option.match(Record.get(catalogAdapters, id), {
      onNone: () => [],
      onSome: ({ provenBy = [] }) => provenBy
    })
  }
}
