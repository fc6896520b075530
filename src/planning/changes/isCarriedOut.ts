import type { DomainName } from "../../domain/DomainName.ts"
import type { Change } from "../../domain/Plan.ts"
import type { Zone } from "../../domain/Zone.ts"
import { liveZone } from "../zone/LiveZone.ts"
import { resultingZone } from "./resultingZone.ts"

/**
 * Whether a zone serves, at the hosts of the changes, what another one served before them but for the changes: all that
 * was to come, nothing that was to go, and every sibling. TTLs do not count.
 */
export const isCarriedOut = (
  changes: ReadonlyArray<Change>,
  zones: { readonly before: Zone; readonly after: Zone },
  domain: DomainName
): boolean => {
  const expected = liveZone({ ...zones.before, records: resultingZone(zones.before, changes) }, domain)
  const found = liveZone(zones.after, domain)
  const hosts = new Set(changes.flatMap(({ after, before }) => [after, before].flatMap((record) => record?.host ?? [])))
  return [...hosts].every((host) => {
    const [wanted, served] = [expected, found].map((zone) => new Set(zone.recordsAt(host).map(({ key }) => key)))
    return wanted?.symmetricDifference(served ?? wanted).size === 0
  })
}
