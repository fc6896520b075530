import { describe, expect, test } from "bun:test"
import { DateTime, Either, Option } from "effect"
import { Plan, PlanDigest } from "../../../src/domain/Plan.ts"
import { Provider } from "../../../src/domain/Provider.ts"
import {
  approve,
  byHand,
  cancel,
  goToProvider,
  letIn,
  offered,
  tryAgain
} from "../../../src/lifecycle/commands/decisions.ts"
import { LifecycleEvent } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import { someProvider } from "../../persistence/someConnection.ts"
import { authorized, consentTo, failureOf, now, planOf, restoring, standingIn } from "../state/standings.ts"

const tagsOf = (events: ReadonlyArray<LifecycleEvent>) => events.map(({ _tag }) => _tag)

test("entering the records by hand can be chosen at once, and in place of going to the provider", () => {
  expect(byHand(standingIn("awaiting_authorization"))).toEqual([LifecycleEvent.ManualChosen()])
  expect(tagsOf(byHand(standingIn("authorizing")))).toEqual(["AuthorizationClosed", "ManualChosen"])
})

test("going to the provider can be chosen again, and in place of another way", () => {
  const denied = { connection: { failure: failureOf("credential_invalid", "awaiting_authorization") } }
  expect(tagsOf(goToProvider(standingIn("awaiting_authorization")))).toEqual(["AuthorizationOpened"])
  expect(tagsOf(goToProvider(standingIn("authorizing")))).toEqual(["AuthorizationClosed", "AuthorizationOpened"])
  expect(tagsOf(goToProvider(standingIn("awaiting_manual")))).toEqual(["ManualGivenUp", "AuthorizationOpened"])
  expect(tagsOf(goToProvider(standingIn("failed", denied)))).toEqual(["Retried", "AuthorizationOpened"])
})

describe("letting the service in", () => {
  const consent = Option.some(consentTo(planOf()))

  test("brings the consent that came with it", () =>
    expect(letIn(standingIn("awaiting_authorization"), consent)).toEqual([authorized(consent)]))

  test("takes the place of entering by hand, and of trying again", () => {
    const denied = { connection: { failure: failureOf("credential_invalid", "awaiting_authorization") } }
    expect(tagsOf(letIn(standingIn("awaiting_manual"), consent))).toEqual(["ManualGivenUp", "Authorized"])
    expect(tagsOf(letIn(standingIn("failed", denied), consent))).toEqual(["Retried", "Authorized"])
    expect(tagsOf(letIn(standingIn("failed"), consent))).toEqual(["Authorized"])
  })

  test("is possible only in a way that the provider has", () => {
    expect(offered(standingIn("awaiting_authorization").connection, "direct_credential")).toEqual(Either.void)
    const manual = Provider.make({ ...someProvider, availableAuthorizationMethods: ["manual"] })
    const refusal = offered(
      standingIn("awaiting_manual", { connection: { provider: manual } }).connection,
      "direct_credential"
    )
    expect(Either.mapLeft(refusal, ({ code, details, message }) => ({ code, message, details }))).toEqual(
      Either.left({
        code: "authorization_method_unavailable",
        message: "the provider of this domain takes manual",
        details: [{ pointer: "/method", code: "authorization_method_unavailable", message: "is not offered here" }]
      })
    )
    expect(Either.isLeft(offered(standingIn("requested").connection, "direct_credential"))).toBe(true)
  })
})

test("trying again is refused where it cannot help", () => {
  expect(tryAgain(standingIn("failed"))).toEqual(Either.right([LifecycleEvent.Retried()]))
  const final = tryAgain(standingIn("failed", { connection: { failure: failureOf("apply_rejected") } }))
  expect(Either.mapLeft(final, ({ code }) => code)).toEqual(Either.left("failure_not_retryable"))
})

test("canceling is refused where something was written", () => {
  expect(cancel(standingIn("planned"))).toEqual(Either.right([LifecycleEvent.Canceled()]))
  const written = cancel(standingIn("planned", { progress: { wrote: true } }))
  expect(Either.mapLeft(written, ({ code }) => code)).toEqual(Either.left("records_written"))
})

describe("approving", () => {
  test("the plan that is shown is granted", () =>
    expect(approving(planOf())).toEqual({ events: ["Approved"], refusal: undefined }))

  test("another plan is refused", () =>
    expect(approving(planOf(), consentTo(differentPlan())).refusal).toBe("plan_digest_mismatch"))

  test("a plan that is too old is refused, and a fresh one is made all the same", () =>
    expect(approving(planOf(), undefined, DateTime.add(now, { minutes: 15 }))).toEqual({
      events: ["PlanLapsed"],
      refusal: "plan_expired"
    }))

  test("a plan with grave consequences names those that have to be acknowledged", () => {
    const plan = planOf(undefined, ["mx_replaced", "ttl_adjusted"])
    const { refusal } = approve(
      standingIn("planned", { connection: { plan } }),
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
    const leaving = standingIn("planned", restoring)
    const approving = { ...consentTo(planOf()), putBack: [named] }
    expect(approve(leaving, approving, now)).toEqual({
      events: [LifecycleEvent.PutBackNamed({ putBack: [named] })],
      refusal: Option.none()
    })
    const known = standingIn("planned", { ...restoring, progress: { putBack: [named] } })
    expect(tagsOf(approve(known, approving, now).events)).toEqual(["Approved"])
  })

  test("where no plan waits is left to the table", () =>
    expect(approve(standingIn("active"), { ...consentTo(differentPlan()), putBack: [] }, now)).toEqual({
      events: [LifecycleEvent.Approved()],
      refusal: Option.none()
    }))
})

const differentPlan = () => Plan.make({ ...planOf(), digest: PlanDigest.make(`sha-256:${"f".repeat(64)}`) })

const approving = (plan: ReturnType<typeof planOf>, consent = consentTo(plan), at = now) => {
  const { events, refusal } = approve(standingIn("planned", { connection: { plan } }), { ...consent, putBack: [] }, at)
  return { events: tagsOf(events), refusal: Option.getOrUndefined(Option.map(refusal, ({ code }) => code)) }
}
