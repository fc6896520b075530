import { describe, test } from "bun:test"
import { withLayer } from "../effectTest.ts"
import { Lab } from "./Lab.ts"
import { labUnavailableReason } from "./labAvailability.ts"

const reason = await labUnavailableReason()

/** Tests that share one lab. Where none can run they are skipped and say why; with `CI=true` that is a failure. */
export const describeLab = (name: string, tests: LabTests): void => {
  if (reason === undefined) return withLayer(name, Lab.layer, tests)
  if (process.env["CI"] === "true") return test(`${name}: the lab runs`, () => Promise.reject(new Error(reason)))
  console.warn(`skipped, ${name}: ${reason}`)
  describe.skip(name, () => tests((title) => test(title, () => {})))
}

type LabTests = Parameters<typeof withLayer<Lab, unknown>>[2]
