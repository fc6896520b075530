import { describe, expect, test } from "bun:test"
import { DateTime, Option } from "effect"
import type { ConnectionRecord } from "../../../src/domain/connection/ConnectionRecord.ts"
import { Plan, PlanDigest, type RecordReference } from "../../../src/domain/plan/Plan.ts"
import { decideApproval } from "../../../src/lifecycle/commands/approvePlan.ts"
import { LifecycleEvent } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import {
  applyEvents,
  authorized,
  connectionRecordIn,
  consentTo,
  disconnectRequested,
  failed,
  now,
  planned,
  planOf,
  restoreDirection,
  verified
} from "../state/connectionRecords.ts"

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

  test("of a plan with serious warnings names those that must be acknowledged", () => {
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

describe("a repeated approval", () => {
  const approved = applyEvents(connectionRecordIn("planned"), LifecycleEvent.Approved())
  const nothing = { events: [], refusal: Option.none() }

  test("changes nothing while the plan is applied, and afterwards", () => {
    const active = applyEvents(approved, LifecycleEvent.Applied(), verified("right"))
    const degraded = applyEvents(active, verified("wrong", { isConfirmed: true, repair: Option.some(differentPlan()) }))
    for (const current of [approved, active, degraded, applyEvents(approved, failed("apply_partial", true))])
      expect(repeatedIn(current)).toEqual(nothing)
  })

  test("changes nothing if the consent came with the authorization", () => {
    const authorizing = applyEvents(
      connectionRecordIn("awaiting_authorization"),
      authorized(Option.some(consentTo(planOf())))
    )
    expect(repeatedIn(applyEvents(authorizing, planned()))).toEqual(nothing)
  })

  test("is another one once the plan was made again, or the connection disconnected", () => {
    const invalidated = applyEvents(approved, LifecycleEvent.PlanInvalidated({ code: "zone_changed" }))
    expect(tagsOf(repeatedIn(invalidated).events)).toEqual(["Approved"])
    const retried = applyEvents(
      approved,
      failed("apply_timeout"),
      LifecycleEvent.Retried({ toChoice: false }),
      planned()
    )
    expect(repeatedIn(retried)).not.toEqual(nothing)
    const active = applyEvents(approved, LifecycleEvent.Applied(), verified("right"), disconnectRequested(true))
    expect(tagsOf(repeatedIn(active).events)).toEqual(["Approved"])
  })

  test("changes nothing after the plan that puts records back is there", () => {
    const record = { host: "www", type: "A", value: "192.0.2.1" }
    const restoring = connectionRecordIn("planned", restoreDirection)
    const requested = applyEvents(restoring, LifecycleEvent.PutBackRequested({ putBack: [record] }))
    expect(repeatedIn(requested, [record])).toEqual(nothing)
    expect(repeatedIn(applyEvents(requested, planned(differentPlan())), [record])).toEqual(nothing)
  })
})

const repeatedIn = (current: ConnectionRecord, putBack: ReadonlyArray<RecordReference> = []) =>
  decideApproval(current, { ...consentTo(planOf()), putBack }, DateTime.add(now, { hours: 1 }))

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
