import { expect, test } from "bun:test"
import { Either } from "effect"
import { warningMeanings } from "../../../src/domain/warningMeanings.ts"
import { planCase, toDryRunJson } from "../../../src/cli/plan/DryRun.ts"
import { parseCase } from "../../../src/cli/plan/parseCase.ts"

const spf = { host: "@", type: "TXT", value: "v=spf1 include:spf.example.net -all" }

/** The JSON of a plan for an empty zone. */
const jsonFor = (records: ReadonlyArray<object>, context: object = {}) => {
  const request = { domain: "example.com", zone: [], intent: { records }, context }
  return toDryRunJson(planCase(Either.getOrThrow(parseCase(request, { errors: "all" }))))
}

test("the JSON lists each unknown fact that a plan depends on once", () => {
  expect(jsonFor([spf, { ...spf, host: "mail" }])).toMatchObject({
    plan: { warnings: ["spf_lookup_unknown"] },
    unanswered: [{ name: "spf.example.net", type: "TXT" }]
  })
})

test("the JSON explains each warning as the API does", () => {
  const run = planCase(
    Either.getOrThrow(
      parseCase(
        {
          domain: "example.com",
          zone: [{ host: "*", type: "TXT", value: "hi", ttl: 300 }],
          intent: { records: [{ host: "app", type: "TXT", value: "hello" }] }
        },
        { errors: "all" }
      )
    )
  )
  expect(toDryRunJson(run)).toMatchObject({
    plan: {
      warningDetails: [
        {
          code: "wildcard_hidden",
          severity: "caution",
          requiresAcknowledgement: false,
          message: `${warningMeanings.wildcard_hidden} app.example.com no longer answers with TXT.`,
          changes: [0],
          findings: ["app.example.com no longer answers with TXT."]
        }
      ]
    }
  })
})

test("a plan that would fail lists unknown facts too", () => {
  const apex = { host: "@", type: "CNAME", value: "shops.example.net" }
  expect(jsonFor([{ ...spf, host: "mail" }, apex])).toMatchObject({
    failure: { code: "apex_cname_unsupported" },
    unanswered: [{ name: "spf.example.net", type: "TXT" }]
  })
})

test("the JSON has no list of unknown facts if all facts are known", () => {
  const answers = { "spf.example.net": { TXT: ["v=spf1 ip4:192.0.2.0/24 -all"] } }
  expect(Object.keys(jsonFor([spf], { answers }))).toEqual([
    "effectiveIntent",
    "plan",
    "optionalFailures",
    "resultingZone"
  ])
})
