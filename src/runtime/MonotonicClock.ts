import { Context } from "effect"

/**
 * A clock of milliseconds since some moment, which only grows: the time of a machine and of a database can be set, and
 * then a waiting time would be wrong. Tests replace it.
 */
export class MonotonicClock extends Context.Reference<MonotonicClock>()("runtime/MonotonicClock", {
  defaultValue: (): { readonly nowMillis: () => number } => ({ nowMillis: () => performance.now() })
}) {}
