import { describe, test } from "bun:test"
import { patience } from "./patience.ts"

/** Groups tests that need something of the machine. Without it they are skipped with the reason; with `CI=true` they fail. */
export const describeIfPossible = (name: string, refusal: string | undefined, tests: () => void): void => {
  if (refusal === undefined) return describe(name, tests)
  if (process.env["CI"] === "true") return test(name, () => Promise.reject(new Error(refusal)))
  describe.skip(nameSkipped(name, refusal), tests)
}

/** The same for one test. */
export const testIfPossible = (
  name: string,
  refusal: string | undefined,
  body: () => void | Promise<unknown>
): void => {
  if (refusal === undefined) return test(name, async () => void (await body()), patience)
  if (process.env["CI"] === "true") return test(name, () => Promise.reject(new Error(refusal)))
  test.skip(nameSkipped(name, refusal), () => {})
}

/** The name of what is skipped, from which the summary of `npm test` has the reason. */
export const nameSkipped = (name: string, reason: string): string => `${name} (skipped: ${reason})`
