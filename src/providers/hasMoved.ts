import { icannDomainOf, normalizeName } from "../domain/names/DomainName.ts"
import type { Provider } from "../domain/provider/Provider.ts"
import { unknownProvider } from "./catalog/catalog.ts"
import type { Providers } from "./Providers.ts"

/**
 * Whether a zone is served elsewhere now than where a provider was detected: by none of its name servers, but by those of
 * another provider. Unknown providers differ if their name servers belong to different domains.
 */
export const hasMoved = (
  provider: Provider,
  nameServers: ReadonlyArray<string>,
  detect: (typeof Providers.Service)["detect"]
): boolean => {
  const now = nameServers.map(normalizeName)
  const before = provider.detection.nameServers
  if (now.length === 0 || before?.some((name) => now.includes(name)) === true) return false
  const { id } = detect({ parentNameServers: now, childNameServers: [] }, provider).provider
  // Domain Connect told this provider, whatever its name servers are called.
  if (before === undefined && provider.detection.method === "domain_connect") return false
  if (id !== provider.id) return true
  if (before === undefined || id !== unknownProvider.id) return false
  return new Set(before.map(icannDomainOf)).isDisjointFrom(new Set(now.map(icannDomainOf)))
}
