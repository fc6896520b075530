import type { ReplanCode } from "./Connection.ts"

/** The meaning of each reason to plan again, and what happens next, for people: in the API and the docs. */
export const replanMeanings: { readonly [_ in ReplanCode]: string } = {
  zone_changed:
    "After the plan was approved the zone changed, or the same changes got a serious consequence, so that nothing of that plan was written. The service plans again from the zone as it is now; the new plan needs an approval of its own.",
  plan_expired:
    "The plan expired before it was approved. The service plans again from the zone as it is now; the new plan needs an approval."
}
