import { describe, test } from "bun:test"
import { nameSkipped } from "../describeIfPossible.ts"
import { withLayer } from "../effectTest.ts"
import { Lab } from "./Lab.ts"
import { labUnavailableReason } from "./labAvailability.ts"

const reason = await labUnavailableReason()

/** Groups tests that share one lab. If no lab can run, they are skipped with the reason; with `CI=true` they fail. */
export const describeLab = (name: string, tests: LabTests): void => {
  if (reason === undefined) return withLayer(name, Lab.layer, tests)
  if (process.env["CI"] === "true") return test(`${name}: the lab runs`, () => Promise.reject(new Error(reason)))
  describe.skip(nameSkipped(name, reason), () => tests((title) => test(title, () => {})))
}

type LabTests = Parameters<typeof withLayer<Lab, unknown>>[2]
