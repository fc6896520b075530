import { expect, test } from "bun:test"
import { Either, Schema } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { planCase } from "../../../src/cli/plan/DryRun.ts"
import { parseCase } from "../../../src/cli/plan/parseCase.ts"
import { computeResultingRecords } from "../../../src/planning/changes/computeResultingRecords.ts"
import { describeIfPossible } from "../../support/describeIfPossible.ts"
import { missingVendorData, vendorData } from "../../support/vendors/vendorData.ts"

const PlanReport = Schema.Struct({
  id: Schema.String,
  input: Schema.Unknown,
  expect: Schema.Struct({
    zoneHas: Schema.Array(Schema.Tuple(Schema.String, Schema.String, Schema.String)),
    warnings: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] }),
    warningsNot: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] })
  })
})

const directory = `${vendorData}reports/`

const reports =
  missingVendorData === undefined
    ? readdirSync(directory)
        .filter((name) => /^proxied-.*\.json$/.test(name))
        .map((name) =>
          Schema.decodeUnknownSync(Schema.parseJson(PlanReport))(readFileSync(`${directory}${name}`, "utf8"))
        )
    : []

describeIfPossible("a report of a proxied alias is planned as its provider serves it", missingVendorData, () => {
  for (const { expect: expected, id, input } of reports)
    test(id, () => {
      const parsed = Either.getOrThrow(parseCase(input, { errors: "all" }))
      const plan = Either.getOrThrow(planCase(parsed).planned)
      const resulting = computeResultingRecords(parsed.zone, plan.changes)
      for (const [host, type, pattern] of expected.zoneHas)
        expect(
          resulting.filter(
            (record) => record.host === host && record.type === type && new RegExp(pattern).test(record.value)
          )
        ).toHaveLength(1)
      expect(plan.warnings).toEqual(expect.arrayContaining([...expected.warnings]))
      expect(plan.warnings.filter((warning) => expected.warningsNot.includes(warning))).toEqual([])
    })
})

/** The actions by which a text is added to an alias whose target is in its zone. */
const actionsAt = (provider: string) => {
  const parsed = parseCase(
    {
      domain: "example.com",
      zone: [
        { host: "www", type: "CNAME", value: "example.com", ttl: 300 },
        { host: "@", type: "A", value: "192.0.2.1", ttl: 300 }
      ],
      intent: { records: [{ host: "www", type: "TXT", value: "platform-verify=1" }] },
      provider
    },
    { errors: "all" }
  )
  return Either.getOrThrow(planCase(Either.getOrThrow(parsed)).planned).changes.map(({ action }) => action)
}

test("a case at Cloudflare keeps an alias whose target is in its zone, and one elsewhere loses it for a text", () => {
  expect([actionsAt("cloudflare"), actionsAt("desec")]).toEqual([["create"], ["delete", "create"]])
})
