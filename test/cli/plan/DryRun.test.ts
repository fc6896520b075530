import { Doc } from "@effect/printer"
import { AnsiDoc } from "@effect/printer-ansi"
import { expect, test } from "bun:test"
import { Either, Option } from "effect"
import { type DryRun, planCase, toDryRunJson } from "../../../src/cli/plan/DryRun.ts"
import { formatDryRun } from "../../../src/cli/plan/formatDryRun.ts"
import { parseCase } from "../../../src/cli/plan/parseCase.ts"
import { warningMeanings } from "../../../src/domain/plan/Warning.ts"
import { failureMeanings } from "../../../src/domain/connection/failureMeanings.ts"
import { delegationFailures, ZoneSurveyFailed } from "../../../src/lifecycle/plan/ZoneSurvey.ts"
import { type RefusalCode, refusalRules } from "../../../src/planning/RecordRefusal.ts"
import { PlanRefused } from "../../../src/planning/buildPlan.ts"

const spf = { host: "@", type: "TXT", value: "v=spf1 include:spf.example.net -all" }

/** The JSON of a plan for an empty zone. */
const jsonFor = (records: ReadonlyArray<object>, context: object = {}) =>
  toDryRunJson(planCase(caseOf({ records }, context)))

const caseOf = (intent: object, context: object = {}) =>
  Either.getOrThrow(parseCase({ domain: "example.com", zone: [], intent, context }, { errors: "all" }))

test("the JSON lists each unknown fact that a plan depends on once", () => {
  expect(jsonFor([spf, { ...spf, host: "mail" }])).toMatchObject({
    plan: { warnings: ["spf_lookup_unknown"] },
    unanswered: [{ name: "spf.example.net", type: "TXT" }]
  })
})

const makeTexts = (host: string) =>
  Array.from({ length: 51 }, (_, nth) => ({ host, type: "TXT", value: `text ${nth}`, ttl: 300 }))

test("a plan that the API would refuse as too large is refused", () => {
  const hosts = Array.from({ length: 20 }, (_, nth) => `h${nth}`)
  const run = planCase(
    Either.getOrThrow(
      parseCase(
        {
          domain: "example.com",
          zone: hosts.flatMap(makeTexts),
          intent: { records: hosts.map((host) => ({ host, type: "CNAME", value: "web.hostprov.net" })) }
        },
        { errors: "all" }
      )
    )
  )
  expect(toDryRunJson(run)).toMatchObject({ failure: { code: "plan_too_large" } })
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

test("the JSON names the hosts of changes as the API does, also in the zone above the domain", () => {
  const input = {
    domain: "bücher.example.org",
    zoneName: "example.org",
    zone: [{ host: "_v", type: "CNAME", value: "old.example.net", ttl: 300 }],
    intent: { records: [{ host: "_v", type: "TXT", value: "token" }] }
  }
  const names = {
    name: "_v.xn--bcher-kva.example.org",
    unicodeName: "_v.bücher.example.org",
    zoneHost: "_v.xn--bcher-kva"
  }
  expect(toDryRunJson(planCase(Either.getOrThrow(parseCase(input, { errors: "all" }))))).toMatchObject({
    plan: {
      zone: "example.org",
      changes: [
        { action: "delete", before: { host: "_v", type: "CNAME", ...names } },
        { action: "create", after: { host: "_v", type: "TXT", ...names } }
      ]
    }
  })
})

const refusalCodes = Object.keys(refusalRules) as ReadonlyArray<RefusalCode>

const textOf = (run: DryRun): string =>
  AnsiDoc.render(Doc.unAnnotate(formatDryRun(run)), { style: "pretty", options: { lineWidth: 10_000 } })

/** A run that fails instead of being planned. */
const failedRun = (failure: PlanRefused | ZoneSurveyFailed): DryRun => ({
  intent: caseOf({ records: [spf] }).intent,
  provider: Option.none(),
  zone: Option.none(),
  planned: Either.left(failure)
})

test.each(refusalCodes)("a plan refused with %s is explained as in the API, in JSON and as text", (code) => {
  const refusal = { code, pointer: "/intent/records/0", host: "www", type: "CNAME", rule: refusalRules[code] } as const
  const run = failedRun(new PlanRefused({ ...refusal, unanswered: [] }))
  const detail = `CNAME at www: ${refusalRules[code]}`
  expect(toDryRunJson(run)).toMatchObject({
    failure: { code, message: failureMeanings[code], details: [{ message: detail, host: "www", type: "CNAME" }] }
  })
  expect(textOf(run)).toContain(`${failureMeanings[code]}\n  /intent/records/0: ${detail}`)
})

test.each(Object.values(delegationFailures))("a zone that fails with %s is explained as in the API", (code) => {
  const details = [{ message: "ns1.example.net refused to answer", server: "ns1.example.net", answer: "refused" }]
  const run = failedRun(new ZoneSurveyFailed({ code, provider: Option.none(), details }))
  expect(toDryRunJson(run)).toMatchObject({ failure: { code, message: failureMeanings[code], details } })
  expect(textOf(run)).toContain(`${failureMeanings[code]}\n  ns1.example.net refused to answer`)
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
    "optionalFailureDetails",
    "resultingZone"
  ])
})
