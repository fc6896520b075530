import type { Target } from "../bench/Report.ts"

/** The result of a proof: its figures and their limits. */
export interface ProofResult {
  readonly figures: object
  readonly targets: ReadonlyArray<Target>
}

/** A gate that fails if anything was found. */
export const expectNone = (what: string, found: ReadonlyArray<unknown>): Target => ({
  kind: "gate",
  what,
  value: found.length,
  atMost: 0
})
