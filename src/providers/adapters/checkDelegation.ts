import { Effect } from "effect"
import { normalizeName } from "../../domain/DomainName.ts"
import type { ZoneRequest } from "../ProviderClient.ts"
import { ProviderFailure } from "../ProviderFailure.ts"

/**
 * Fails unless the zone has all name servers to which the parent delegates: a zone of the same name that is private,
 * left behind by a move or also served elsewhere must not be written.
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
          detail: `${zone} is delegated to ${nameServers.join(", ") || "no name server"}, but here to ${[...own].join(", ") || "no name server"}`
        })
      )
}
