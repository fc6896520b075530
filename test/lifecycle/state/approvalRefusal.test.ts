import { describe, expect, test } from "bun:test"
import { DateTime, Option } from "effect"
import { PlanDigest, Warning } from "../../../src/domain/Plan.ts"
import { ApprovalRefusal, approvalRefusalOf } from "../../../src/lifecycle/state/approvalRefusal.ts"
import { consentTo, now, planOf } from "./connectionRecords.ts"

const refused = (...args: Parameters<typeof approvalRefusalOf>) => Option.getOrUndefined(approvalRefusalOf(...args))

const grave: ReadonlyArray<Warning> = [
  "plan_large_deletion",
  "mx_replaced",
  "mail_records_removed",
  "mail_target_changed",
  "spf_excludes_existing_mail",
  "spf_lookup_limit_exceeded",
  "dmarc_policy_weakened",
  "dmarc_policy_strengthened",
  "cname_removed",
  "delegation_replaced"
]

describe("a consent", () => {
  test("holds for exactly the changes that it names", () => {
    expect(refused(planOf(), consentTo(planOf()), now)).toBeUndefined()
    const other = { digest: PlanDigest.make(`sha-256:${"f".repeat(64)}`), acknowledged: [] }
    expect(refused(planOf(), other, now)).toEqual(ApprovalRefusal.DigestMismatch())
  })

  test("holds until the plan is too old", () => {
    const { expiresAt } = planOf()
    expect(refused(planOf(), consentTo(planOf()), DateTime.subtract(expiresAt, { millis: 1 }))).toBeUndefined()
    expect(refused(planOf(), consentTo(planOf()), expiresAt)).toEqual(ApprovalRefusal.PlanExpired())
  })

  test("to other changes is refused as such, however old the plan and whatever it brings", () => {
    const plan = planOf(undefined, ["mx_replaced"])
    const other = { digest: PlanDigest.make(`sha-256:${"f".repeat(64)}`), acknowledged: [] }
    expect(refused(plan, other, plan.expiresAt)).toEqual(ApprovalRefusal.DigestMismatch())
  })

  test("names all grave consequences that it does not acknowledge, in the order of the plan", () => {
    const plan = planOf(undefined, ["ttl_adjusted", "cname_removed", "mx_replaced", "plan_large_deletion"])
    expect(refused(plan, consentTo(plan, "mx_replaced"), now)).toEqual(
      ApprovalRefusal.AcknowledgementRequired({ missing: ["cname_removed", "plan_large_deletion"] })
    )
  })
})

for (const warning of Warning.literals) {
  const isGrave = grave.includes(warning)
  test(`${warning} ${isGrave ? "has to be acknowledged" : "is only told"}`, () => {
    const plan = planOf(undefined, [warning])
    expect(refused(plan, consentTo(plan), now)).toEqual(
      isGrave ? ApprovalRefusal.AcknowledgementRequired({ missing: [warning] }) : undefined
    )
    expect(refused(plan, consentTo(plan, warning), now)).toBeUndefined()
  })
}
