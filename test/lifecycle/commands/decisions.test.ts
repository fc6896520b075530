import { describe, expect, test } from "bun:test"
import { DateTime, Either, Option } from "effect"
import { Plan, PlanDigest } from "../../../src/domain/Plan.ts"
import { Provider } from "../../../src/domain/Provider.ts"
import {
  approve,
  authorize,
  cancel,
  chooseManual,
  openAuthorization,
  requireMethodOffered,
  retry
} from "../../../src/lifecycle/commands/decisions.ts"
import { LifecycleEvent } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import { sampleProvider } from "../../persistence/connectionFixtures.ts"
import {
  authorized,
  connectionRecordIn,
  consentTo,
  failureOf,
  now,
  planOf,
  restoreDirection
} from "../state/connectionRecords.ts"

const tagsOf = (events: ReadonlyArray<LifecycleEvent>) => events.map(({ _tag }) => _tag)

test("entering the records by hand can be chosen at once, and in place of going to the provider", () => {
  expect(chooseManual(connectionRecordIn("awaiting_authorization"))).toEqual([LifecycleEvent.ManualChosen()])
  expect(tagsOf(chooseManual(connectionRecordIn("authorizing")))).toEqual(["AuthorizationClosed", "ManualChosen"])
})

test("going to the provider can be chosen again, and in place of another way", () => {
  const denied = { connection: { failure: failureOf("credential_invalid", "awaiting_authorization") } }
  expect(tagsOf(openAuthorization(connectionRecordIn("awaiting_authorization")))).toEqual(["AuthorizationOpened"])
  expect(tagsOf(openAuthorization(connectionRecordIn("authorizing")))).toEqual([
    "AuthorizationClosed",
    "AuthorizationOpened"
  ])
  expect(tagsOf(openAuthorization(connectionRecordIn("awaiting_manual")))).toEqual([
    "ManualAbandoned",
    "AuthorizationOpened"
  ])
  expect(tagsOf(openAuthorization(connectionRecordIn("failed", denied)))).toEqual(["Retried", "AuthorizationOpened"])
})

describe("letting the service in", () => {
  const consent = Option.some(consentTo(planOf()))

  test("brings the consent that came with it", () =>
    expect(authorize(connectionRecordIn("awaiting_authorization"), consent)).toEqual([authorized(consent)]))

  test("takes the place of entering by hand, and of trying again", () => {
    const denied = { connection: { failure: failureOf("credential_invalid", "awaiting_authorization") } }
    expect(tagsOf(authorize(connectionRecordIn("awaiting_manual"), consent))).toEqual(["ManualAbandoned", "Authorized"])
    expect(tagsOf(authorize(connectionRecordIn("failed", denied), consent))).toEqual(["Retried", "Authorized"])
    expect(tagsOf(authorize(connectionRecordIn("failed"), consent))).toEqual(["Authorized"])
  })

  test("is possible only in a way that the provider has", () => {
    expect(requireMethodOffered(connectionRecordIn("awaiting_authorization").connection, "direct_credential")).toEqual(
      Either.void
    )
    const manual = Provider.make({ ...sampleProvider, availableAuthorizationMethods: ["manual"] })
    const refusal = requireMethodOffered(
      connectionRecordIn("awaiting_manual", { connection: { provider: manual } }).connection,
      "direct_credential"
    )
    expect(Either.mapLeft(refusal, ({ code, details, message }) => ({ code, message, details }))).toEqual(
      Either.left({
        code: "authorization_method_unavailable",
        message: "the provider of this domain takes manual",
        details: [{ pointer: "/method", code: "authorization_method_unavailable", message: "is not offered here" }]
      })
    )
    expect(Either.isLeft(requireMethodOffered(connectionRecordIn("requested").connection, "direct_credential"))).toBe(
      true
    )
  })
})

test("trying again is refused where it cannot help", () => {
  expect(retry(connectionRecordIn("failed"))).toEqual(Either.right([LifecycleEvent.Retried()]))
  const final = retry(connectionRecordIn("failed", { connection: { failure: failureOf("apply_rejected") } }))
  expect(Either.mapLeft(final, ({ code }) => code)).toEqual(Either.left("failure_not_retryable"))
})

test("canceling is refused where something was written", () => {
  expect(cancel(connectionRecordIn("planned"))).toEqual(Either.right([LifecycleEvent.Canceled()]))
  const written = cancel(connectionRecordIn("planned", { progress: { wrote: true } }))
  expect(Either.mapLeft(written, ({ code }) => code)).toEqual(Either.left("records_written"))
})

describe("approving", () => {
  test("the plan that is shown is granted", () =>
    expect(approving(planOf())).toEqual({ events: ["Approved"], refusal: undefined }))

  test("another plan is refused", () =>
    expect(approving(planOf(), consentTo(differentPlan())).refusal).toBe("plan_digest_mismatch"))

  test("a plan that is too old is refused, and a fresh one is made all the same", () =>
    expect(approving(planOf(), undefined, DateTime.add(now, { minutes: 15 }))).toEqual({
      events: ["PlanInvalidated"],
      refusal: "plan_expired"
    }))

  test("a plan with grave consequences names those that have to be acknowledged", () => {
    const plan = planOf(undefined, ["mx_replaced", "ttl_adjusted"])
    const { refusal } = approve(
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
            message: "this consequence of the plan has to be acknowledged by its name"
          }
        ]
      })
    )
    expect(approving(plan, consentTo(plan, "mx_replaced"))).toEqual({ events: ["Approved"], refusal: undefined })
  })

  test("with records to put back that the plan leaves out has another plan made, once", () => {
    const named = { host: "www", type: "A", value: "192.0.2.1" }
    const leaving = connectionRecordIn("planned", restoreDirection)
    const approving = { ...consentTo(planOf()), putBack: [named] }
    expect(approve(leaving, approving, now)).toEqual({
      events: [LifecycleEvent.PutBackRequested({ putBack: [named] })],
      refusal: Option.none()
    })
    const known = connectionRecordIn("planned", { ...restoreDirection, progress: { putBack: [named] } })
    expect(tagsOf(approve(known, approving, now).events)).toEqual(["Approved"])
  })

  test("where no plan waits is left to the table", () =>
    expect(approve(connectionRecordIn("active"), { ...consentTo(differentPlan()), putBack: [] }, now)).toEqual({
      events: [LifecycleEvent.Approved()],
      refusal: Option.none()
    }))
})

const differentPlan = () => Plan.make({ ...planOf(), digest: PlanDigest.make(`sha-256:${"f".repeat(64)}`) })

const approving = (plan: ReturnType<typeof planOf>, consent = consentTo(plan), at = now) => {
  const { events, refusal } = approve(
    connectionRecordIn("planned", { connection: { plan } }),
    { ...consent, putBack: [] },
    at
  )
  return { events: tagsOf(events), refusal: Option.getOrUndefined(Option.map(refusal, ({ code }) => code)) }
}
