import type { Target } from "../bench/Report.ts"

/** What a proof found out: its figures, and where they have to be. */
export interface ProofResult {
  readonly figures: object
  readonly targets: ReadonlyArray<Target>
}

/** Of all of something, none may be so. */
export const expectNone = (what: string, found: ReadonlyArray<unknown>): Target => ({
  kind: "gate",
  what,
  value: found.length,
  atMost: 0
})
