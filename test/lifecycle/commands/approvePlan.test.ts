import { describe, expect, test } from "bun:test"
import { DateTime, Option } from "effect"
import { Plan, PlanDigest } from "../../../src/domain/Plan.ts"
import { decideApproval } from "../../../src/lifecycle/commands/approvePlan.ts"
import { LifecycleEvent } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import { connectionRecordIn, consentTo, now, planOf, restoreDirection } from "../state/connectionRecords.ts"

describe("an approval", () => {
  test("of the current plan is accepted", () =>
    expect(approvalOf(planOf())).toEqual({ events: ["Approved"], refusal: undefined }))

  test("of another plan is refused", () =>
    expect(approvalOf(planOf(), consentTo(differentPlan())).refusal).toBe("plan_digest_mismatch"))

  test("of an expired plan is refused, and leads to a new plan", () =>
    expect(approvalOf(planOf(), undefined, DateTime.add(now, { minutes: 15 }))).toEqual({
      events: ["PlanInvalidated"],
      refusal: "plan_expired"
    }))

  test("of a plan with blocking warnings names those that must be acknowledged", () => {
    const plan = planOf(undefined, ["mx_replaced", "ttl_adjusted"])
    const { refusal } = decideApproval(
      connectionRecordIn("planned", { connection: { plan } }),
      { ...consentTo(plan), putBack: [] },
      now
    )
    expect(Option.map(refusal, ({ code, details, message }) => ({ code, message, details }))).toEqual(
      Option.some({
        code: "acknowledgement_required",
        message: "acknowledge mx_replaced to approve this plan",
        details: [
          {
            pointer: "/acknowledge",
            code: "mx_replaced",
            message: "the approval must acknowledge this consequence of the plan"
          }
        ]
      })
    )
    expect(approvalOf(plan, consentTo(plan, "mx_replaced"))).toEqual({ events: ["Approved"], refusal: undefined })
  })

  test("with records to put back that the plan does not contain leads to another plan, once", () => {
    const record = { host: "www", type: "A", value: "192.0.2.1" }
    const restoring = connectionRecordIn("planned", restoreDirection)
    const approval = { ...consentTo(planOf()), putBack: [record] }
    expect(decideApproval(restoring, approval, now)).toEqual({
      events: [LifecycleEvent.PutBackRequested({ putBack: [record] })],
      refusal: Option.none()
    })
    const planned = connectionRecordIn("planned", { ...restoreDirection, progress: { putBack: [record] } })
    expect(tagsOf(decideApproval(planned, approval, now).events)).toEqual(["Approved"])
  })

  test("without a waiting plan is left to the transition table", () =>
    expect(decideApproval(connectionRecordIn("active"), { ...consentTo(differentPlan()), putBack: [] }, now)).toEqual({
      events: [LifecycleEvent.Approved()],
      refusal: Option.none()
    }))
})

const differentPlan = () => Plan.make({ ...planOf(), digest: PlanDigest.make(`sha-256:${"f".repeat(64)}`) })

const approvalOf = (plan: ReturnType<typeof planOf>, consent = consentTo(plan), at = now) => {
  const { events, refusal } = decideApproval(
    connectionRecordIn("planned", { connection: { plan } }),
    { ...consent, putBack: [] },
    at
  )
  return { events: tagsOf(events), refusal: Option.getOrUndefined(Option.map(refusal, ({ code }) => code)) }
}

const tagsOf = (events: ReadonlyArray<LifecycleEvent>) => events.map(({ _tag }) => _tag)
