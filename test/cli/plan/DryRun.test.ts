import { expect, test } from "bun:test"
import { Either } from "effect"
import { dryRun, dryRunJson } from "../../../src/cli/plan/DryRun.ts"
import { parseCase } from "../../../src/cli/plan/parseCase.ts"

const spf = { host: "@", type: "TXT", value: "v=spf1 include:spf.example.net -all" }

/** What scripts are told of a plan for an empty zone. */
const jsonFor = (records: ReadonlyArray<object>, context: object = {}) => {
  const request = { domain: "example.com", zone: [], intent: { records }, context }
  return dryRunJson(dryRun(Either.getOrThrow(parseCase(request, { errors: "all" }))))
}

test("scripts are told once what a plan depends on and nobody told", () => {
  expect(jsonFor([spf, { ...spf, host: "mail" }])).toMatchObject({
    plan: { warnings: ["spf_lookup_unknown"] },
    unanswered: [{ name: "spf.example.net", type: "TXT" }]
  })
})

test("a plan that would fail tells it too", () => {
  const apex = { host: "@", type: "CNAME", value: "shops.example.net" }
  expect(jsonFor([{ ...spf, host: "mail" }, apex])).toMatchObject({
    failure: { code: "apex_cname_unsupported" },
    unanswered: [{ name: "spf.example.net", type: "TXT" }]
  })
})

test("where everything is told, nothing is said of it", () => {
  const answers = { "spf.example.net": { TXT: ["v=spf1 ip4:192.0.2.0/24 -all"] } }
  expect(Object.keys(jsonFor([spf], { answers }))).toEqual([
    "effectiveIntent",
    "plan",
    "optionalFailures",
    "resultingZone"
  ])
})
