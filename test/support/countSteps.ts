import type { LongComputation } from "../../src/runtime/LongComputation.ts"

/** How many parts the work of a computation has. */
export const countSteps = (computation: LongComputation<unknown>): number => {
  let steps = 0
  while (computation.next().done !== true) steps += 1
  return steps
}
