import { Context } from "effect"

/** Milliseconds that only grow: the time of a machine or database can be set, so that a wait would be wrong. */
export class MonotonicClock extends Context.Reference<MonotonicClock>()("runtime/MonotonicClock", {
  defaultValue: (): { readonly nowMillis: () => number } => ({ nowMillis: () => performance.now() })
}) {}
