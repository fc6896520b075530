import { describe, expect, test } from "bun:test"
import { DateTime, Option } from "effect"
import { Plan, PlanDigest } from "../../../src/domain/plan/Plan.ts"
import { seriousByDefault, Warning } from "../../../src/domain/plan/Warning.ts"
import { ApprovalRefusal, findApprovalRefusal } from "../../../src/lifecycle/state/ApprovalRefusal.ts"
import { consentTo, now, planOf } from "./connectionRecords.ts"

const refusalOf = (...args: Parameters<typeof findApprovalRefusal>) =>
  Option.getOrUndefined(findApprovalRefusal(...args))

describe("a consent", () => {
  test("holds for exactly the changes of its digest", () => {
    expect(refusalOf(planOf(), consentTo(planOf()), now)).toBeUndefined()
    const otherConsent = { digest: PlanDigest.make(`sha-256:${"f".repeat(64)}`), acknowledged: [] }
    expect(refusalOf(planOf(), otherConsent, now)).toEqual(ApprovalRefusal.DigestMismatch())
  })

  test("holds until the plan expires", () => {
    const { expiresAt } = planOf()
    expect(refusalOf(planOf(), consentTo(planOf()), DateTime.subtract(expiresAt, { millis: 1 }))).toBeUndefined()
    expect(refusalOf(planOf(), consentTo(planOf()), expiresAt)).toEqual(ApprovalRefusal.PlanExpired())
  })

  test("to other changes is refused as such, even if the plan has expired or has serious warnings", () => {
    const plan = planOf(undefined, ["mx_replaced"])
    const otherConsent = { digest: PlanDigest.make(`sha-256:${"f".repeat(64)}`), acknowledged: [] }
    expect(refusalOf(plan, otherConsent, plan.expiresAt)).toEqual(ApprovalRefusal.DigestMismatch())
  })

  test("is refused with the serious warnings that it does not acknowledge, in the order of the plan", () => {
    const plan = planOf(undefined, ["ttl_adjusted", "cname_removed", "mx_replaced", "plan_large_deletion"])
    expect(refusalOf(plan, consentTo(plan, "mx_replaced"), now)).toEqual(
      ApprovalRefusal.AcknowledgementRequired({ missing: ["cname_removed", "plan_large_deletion"] })
    )
  })
})

test("a warning to which its plan gives a lower severity is only shown", () => {
  const plan = planOf(undefined, ["wildcard_hidden"])
  const caution = { code: "wildcard_hidden", changes: [0], severity: "caution" } as const
  expect(refusalOf(Plan.make({ ...plan, warningDetails: [caution] }), consentTo(plan), now)).toBeUndefined()
  expect(refusalOf(Plan.make({ ...plan, warningDetails: [] }), consentTo(plan), now)).toEqual(
    ApprovalRefusal.AcknowledgementRequired({ missing: ["wildcard_hidden"] })
  )
})

for (const warning of Warning.literals) {
  const isSerious = seriousByDefault.has(warning)
  test(`${warning} ${isSerious ? "must be acknowledged" : "is only shown"}`, () => {
    const plan = planOf(undefined, [warning])
    expect(refusalOf(plan, consentTo(plan), now)).toEqual(
      isSerious ? ApprovalRefusal.AcknowledgementRequired({ missing: [warning] }) : undefined
    )
    expect(refusalOf(plan, consentTo(plan, warning), now)).toBeUndefined()
  })
}
