import type { DelayCode } from "./Connection.ts"

/** The meaning of each delay, and what happens next, for people: in the API and the docs. */
export const delayMeanings: { readonly [_ in DelayCode]: string } = {
  resolver_unavailable:
    "The service cannot look up domains at the moment. It tries again every ten seconds by itself; nothing is wrong with the domain."
}
