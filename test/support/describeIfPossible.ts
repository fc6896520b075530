import { describe, test } from "bun:test"

/** Groups tests that need something of the machine. Without it they are skipped with the reason; with `CI=true` they fail. */
export const describeIfPossible = (name: string, refusal: string | undefined, tests: () => void): void => {
  if (refusal === undefined) return describe(name, tests)
  if (process.env["CI"] === "true") return test(name, () => Promise.reject(new Error(refusal)))
  console.warn(`skipped, ${name}: ${refusal}`)
  describe.skip(name, tests)
}
