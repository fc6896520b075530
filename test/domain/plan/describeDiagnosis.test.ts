import { expect, test } from "bun:test"
import { describeDiagnosis } from "../../../src/domain/plan/describeDiagnosis.ts"
import { DiagnosisCode } from "../../../src/domain/plan/Diagnosis.ts"
import { EffectiveIntent } from "../../../src/domain/connection/Intent.ts"
import { Plan } from "../../../src/domain/plan/Plan.ts"
import { withoutValidation } from "../../../src/domain/values/boundedSchemas.ts"
import { samplePlan } from "../../persistence/connectionFixtures.ts"

const connection = {
  effectiveIntent: EffectiveIntent.make({ domain: "xn--bcker-kva.de", records: [] }, withoutValidation)
}
const expected = { host: "www", type: "CNAME", value: "shops.example.net" } as const
const seen = [{ name: "www.xn--bcker-kva.de.xn--bcker-kva.de", type: "CNAME", value: "shops.example.net" }]

test.each([...DiagnosisCode.literals])("says of %s which record it is, what was found and what to do", (code) => {
  const text = describeDiagnosis({ code, seen, copy: "shops", field: "value" }, expected, connection)
  expect(text).toStartWith("CNAME www.bücker.de: ")
  expect(text.split(". ").length).toBeGreaterThan(1)
  expect(text).not.toMatch(/[{}]|undefined/)
})

const say = (code: DiagnosisCode, copy: string, field: "type" | "host" | "value") =>
  describeDiagnosis({ code, seen, copy, field }, expected, connection)

test("says what to enter once, and that a field stays empty", () => {
  expect(say("doubled_zone", "www", "host")).toBe(
    "CNAME www.bücker.de: We found www.bücker.de.bücker.de. Your provider adds “bücker.de” itself: put only “www” in “Host”."
  )
  expect(say("doubled_zone", "", "host")).toEndWith("Host: leave it empty.")
  expect(say("truncated", "v=spf1 -all", "value")).toEndWith("Copy all of it. Value: v=spf1 -all")
  expect(say("wrong_type", "CNAME", "type")).toEndWith("add it with the type CNAME.")
})

test("names the field of a part that differs, and the whole record where several do", () => {
  const mx = { host: "@", type: "MX", value: "smtp.google.com", priority: 1 } as const
  const old = { name: "xn--bcker-kva.de", type: "MX" }
  const change = "Change it to this, and save. If you have, wait some minutes."
  expect([
    describeDiagnosis(
      { code: "old_value_remains", seen: [{ ...old, value: "10 smtp.google.com" }], copy: "1", field: "priority" },
      mx,
      connection
    ),
    describeDiagnosis({ code: "old_value_remains", seen: [{ ...old, value: "10 mx.old.example" }] }, mx, connection)
  ]).toEqual([
    `MX bücker.de: We found MX 10 smtp.google.com instead. ${change} Priority: 1`,
    `MX bücker.de: We found MX 10 mx.old.example instead. ${change} MX 1 smtp.google.com`
  ])
})

test("counts the servers that show a record already", () => {
  const diagnosis = { code: "on_its_way", seen: [], servers: { showing: 1, asked: 2 } } as const
  expect(describeDiagnosis(diagnosis, expected, connection)).toBe(
    "CNAME www.bücker.de (at 1 of 2 name servers): It is on its way. There is nothing to do."
  )
})

test("says that a value is still there only where it stood there before the plan", () => {
  const before = { host: "@", type: "MX", value: "mx.old.example", priority: 10, ttl: 300, optional: false }
  const changes = [{ action: "delete", before, destructive: true }] as const
  const plan = Plan.make({ ...samplePlan, changes }, withoutValidation)
  const sayOf = (value: string, at = "xn--bcker-kva.de") =>
    describeDiagnosis(
      { code: "old_value_remains", seen: [{ name: at, type: "MX", value }] },
      { host: "@", type: "MX", value: "mx.new.example", priority: 10 },
      { ...connection, plan }
    )
  expect(sayOf("10 mx.old.example")).toContain("We still found MX 10 mx.old.example.")
  expect(sayOf("20 mx.other.example")).toContain("We found MX 20 mx.other.example instead.")
  expect(sayOf("10 mx.old.example", "www.xn--bcker-kva.de")).toContain("We found MX 10 mx.old.example instead.")
})
