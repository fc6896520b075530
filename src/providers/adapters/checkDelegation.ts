import { Effect } from "effect"
import { normalizeName } from "../../domain/DomainName.ts"
import type { ZoneRequest } from "../ProviderClient.ts"
import { ProviderFailure } from "../ProviderFailure.ts"

/**
 * Fails unless all name servers to which the parent delegates are among those of this zone: a zone of the same name that
 * is private, left behind or served elsewhere too must not be written.
 */
export const checkDelegation = (
  zoneNameServers: ReadonlyArray<string>,
  { nameServers, zone }: ZoneRequest
): Effect.Effect<void, ProviderFailure> => {
  const own = new Set(zoneNameServers.map(normalizeName))
  return nameServers.length > 0 && nameServers.every((name) => own.has(normalizeName(name)))
    ? Effect.void
    : Effect.fail(
        new ProviderFailure({
          code: "authorization_zone_mismatch",
          detail: `${zone} is delegated to ${nameServers.join(", ") || "nobody"}, and here to ${[...own].join(", ") || "nobody"}`
        })
      )
}
