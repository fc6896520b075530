import { names } from "./names.ts"
import { policies } from "./policies.ts"
import type { RoundTripLocation, RoundTrip } from "./RoundTrip.ts"
import { sets } from "./sets.ts"
import { texts } from "./texts.ts"

/** The round trips by the label of their own domain below the zone; `@` is the zone itself. */
export const roundTrips: Readonly<Record<string, (place: RoundTripLocation) => RoundTrip>> = {
  ...sets,
  ...texts,
  ...names,
  ...policies
}
