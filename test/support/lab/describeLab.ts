import { describe, test } from "bun:test"
import { Layer } from "effect"
import { nameSkipped } from "../describeIfPossible.ts"
import { withLayer } from "../effectTest.ts"
import { Lab } from "./Lab.ts"
import { labUnavailableReason } from "./labAvailability.ts"

const reason = await labUnavailableReason()

/** Groups tests that share one lab. If no lab can run, they are skipped with the reason; with `CI=true` they fail. */
export const describeLab = (name: string, tests: LabTests<never>): void =>
  describeServiceInLab(name, Layer.empty, tests)

/** The same for tests that share a service too. */
export const describeServiceInLab = <R, E>(name: string, service: Layer.Layer<R, E, Lab>, tests: LabTests<R>): void => {
  if (reason === undefined) return withLayer(name, Layer.provideMerge(service, Lab.layer), tests)
  if (process.env["CI"] === "true") return test(`${name}: the lab runs`, () => Promise.reject(new Error(reason)))
  describe.skip(nameSkipped(name, reason), () => tests((title) => test(title, () => {})))
}

type LabTests<R> = Parameters<typeof withLayer<Lab | R, unknown>>[2]
