import type { VendorAnswer, VendorCall } from "./VendorCall.ts"

/** How often a vendor takes calls. */
export interface RateLimit {
  /** Calls of one kind are counted together. */
  readonly countAs: (call: VendorCall) => { readonly kind: string; readonly rates: Rates }
  /** The answer to a call that comes too early. */
  readonly refuse: (waitMillis: number) => VendorAnswer
}

/** By a number of calls, the milliseconds within which no more are taken. */
type Rates = Readonly<Record<number, number>>

/** Refuses calls beyond the rates by sliding windows: a call is free again when the oldest one that counts is forgotten. */
export const makeRateLimit = ({ countAs, refuse }: RateLimit): ((call: VendorCall) => VendorAnswer | undefined) => {
  const times = new Map<string, ReadonlyArray<number>>()
  return (call) => {
    const { kind, rates } = countAs(call)
    const before = times.get(kind) ?? []
    const waits = Object.entries(rates).map(
      ([calls, millis]) => (before.at(-Number(calls)) ?? -Infinity) + millis - call.now
    )
    if (waits.some((wait) => wait > 0)) return refuse(Math.max(...waits))
    times.set(kind, [...before, call.now])
    return undefined
  }
}
