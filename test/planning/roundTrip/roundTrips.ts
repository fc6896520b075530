import { names } from "./names.ts"
import { policies } from "./policies.ts"
import type { RoundTripLocation, RoundTrip } from "./RoundTrip.ts"
import { sets } from "./sets.ts"
import { texts } from "./texts.ts"

/** The round trips by the label below the zone at which each has a domain to itself; `@` is the zone's own. */
export const roundTrips: Readonly<Record<string, (place: RoundTripLocation) => RoundTrip>> = {
  ...sets,
  ...texts,
  ...names,
  ...policies
}
