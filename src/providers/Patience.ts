import type { Duration } from "effect"

/** How long a provider may take: for one call with its answer, and for reading a whole zone. */
export interface Patience {
  readonly call: Duration.DurationInput
  readonly snapshot: Duration.DurationInput
}

export const defaultPatience: Patience = { call: "10 seconds", snapshot: "30 seconds" }
