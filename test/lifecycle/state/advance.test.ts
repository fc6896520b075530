import { describe, expect, test } from "bun:test"
import { DateTime, Option } from "effect"
import { Plan } from "../../../src/domain/plan/Plan.ts"
import { LifecycleEvent } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import type { VerificationVerdict } from "../../../src/domain/plan/RecordObservation.ts"
import { requestedConnection, sampleProvider } from "../../persistence/connectionFixtures.ts"
import {
  applyEvents,
  authorized,
  verified,
  connectionRecordIn,
  consentTo,
  disconnectRequested,
  discovered,
  discoveryFailed,
  failed,
  failureOf,
  isPossible,
  noChanges,
  now,
  planned,
  planOf,
  restored,
  restoreDirection,
  stateAfterEvents
} from "./connectionRecords.ts"

const written = { progress: { hasWritten: true } } as const

describe("a requested connection", () => {
  test("waits for an authorization if the provider allows one, with provider and plan", () => {
    const { effectiveIntent, optionalFailures, plan, provider } = discovered()
    expect(applyEvents(connectionRecordIn("requested"), discovered()).connection).toEqual(
      expect.objectContaining({
        ...requestedConnection(),
        state: "awaiting_authorization",
        effectiveIntent,
        optionalFailures,
        plan,
        provider,
        updatedAt: now
      })
    )
  })

  test("waits for manual setup if nothing else is possible", () =>
    expect(stateAfterEvents(connectionRecordIn("requested"), discovered(planOf(), ["manual"]))).toBe("awaiting_manual"))

  test("is verified if nothing has to change, whatever the provider can do", () => {
    expect(stateAfterEvents(connectionRecordIn("requested"), discovered(planOf(noChanges)))).toBe("verifying")
    expect(stateAfterEvents(connectionRecordIn("requested"), discovered(planOf(noChanges), ["manual"]))).toBe(
      "verifying"
    )
  })

  test("fails with the provider if it was found", () => {
    const { connection } = applyEvents(
      connectionRecordIn("requested"),
      discoveryFailed("zone_not_found", Option.some(sampleProvider))
    )
    expect({ state: connection.state, code: connection.failure?.code, provider: connection.provider }).toEqual({
      state: "failed",
      code: "zone_not_found",
      provider: sampleProvider
    })
  })
})

describe("a connection that waits for an authorization", () => {
  test("can be set up by hand or be authorized, also one after the other", () => {
    const manual = applyEvents(
      connectionRecordIn("awaiting_authorization"),
      LifecycleEvent.ManualChosen({ isByLink: false })
    )
    expect([manual.connection.state, manual.progress.isManual]).toEqual(["awaiting_manual", true])
    const authorizedAfter = applyEvents(manual, LifecycleEvent.ManualAbandoned(), authorized())
    expect([authorizedAfter.connection.state, authorizedAfter.progress.isManual]).toEqual(["authorized", false])
  })

  test("gets the plan of a new discovery, and continues to wait", () => {
    const plan = planOf(noChanges)
    const { connection } = applyEvents(connectionRecordIn("awaiting_authorization"), discovered(plan))
    expect([connection.state, connection.plan]).toEqual(["awaiting_authorization", plan])
  })

  test("keeps its plan and provider if a discovery fails, and is discovered again", () => {
    const before = connectionRecordIn("awaiting_authorization", { progress: { needsSurvey: true } })
    const { connection, progress } = applyEvents(before, discoveryFailed())
    expect(connection).toEqual(expect.objectContaining({ ...before.connection, updatedAt: now }))
    expect([progress.needsSurvey, progress.checks]).toEqual([true, 1])
  })

  test("waits again when the customer comes back without an authorization", () =>
    expect(
      stateAfterEvents(connectionRecordIn("authorizing"), LifecycleEvent.AuthorizationClosed({ reason: Option.none() }))
    ).toBe("awaiting_authorization"))
})

describe("a plan from the provider's zone", () => {
  const consent = consentTo(planOf())
  const withConsent = applyEvents(connectionRecordIn("awaiting_authorization"), authorized(Option.some(consent)))

  test("with an earlier consent is written at once, and that consent serves no second plan", () => {
    expect(withConsent.progress.consent).toEqual(consent)
    const applying = applyEvents(withConsent, planned())
    expect([applying.connection.state, applying.progress.consent]).toEqual(["applying", undefined])
    expect(stateAfterEvents(applying, LifecycleEvent.PlanInvalidated({ code: "zone_changed" }), planned())).toBe(
      "planned"
    )
  })

  test("without a consent waits", () =>
    expect(stateAfterEvents(connectionRecordIn("authorized"), planned())).toBe("planned"))

  test("with a serious warning that was not acknowledged waits", () => {
    expect(stateAfterEvents(withConsent, planned(planOf(undefined, ["mx_replaced"])))).toBe("planned")
    const withAcknowledgement = applyEvents(
      connectionRecordIn("awaiting_authorization"),
      authorized(Option.some(consentTo(planOf(), "mx_replaced")))
    )
    expect(stateAfterEvents(withAcknowledgement, planned(planOf(undefined, ["mx_replaced"])))).toBe("applying")
  })

  test("that has expired already waits, and is made again from there", () =>
    expect(stateAfterEvents(withConsent, planned(expiredPlan()))).toBe("planned"))

  test("that changes nothing is verified, and proves control of the zone", () => {
    const { connection, progress } = applyEvents(connectionRecordIn("authorized"), planned(planOf(noChanges)))
    expect([connection.state, progress.hasProvenAccess]).toEqual(["verifying", true])
  })

  test("is written once it is approved, and verified once it is written", () => {
    const written = applyEvents(connectionRecordIn("planned"), LifecycleEvent.Approved(), LifecycleEvent.Applied())
    expect([written.connection.state, written.progress.hasWritten]).toEqual(["verifying", true])
  })

  test("that the zone no longer allows is made again", () =>
    expect(
      stateAfterEvents(connectionRecordIn("applying"), LifecycleEvent.PlanInvalidated({ code: "zone_changed" }))
    ).toBe("authorized"))
})

describe("a connection in manual setup", () => {
  test("is verified once the servers of the zone answer the records, and waits until then", () => {
    expect(stateAfterEvents(connectionRecordIn("awaiting_manual"), verified("wrong"))).toBe("awaiting_manual")
    expect(stateAfterEvents(connectionRecordIn("awaiting_manual"), verified("unknown"))).toBe("awaiting_manual")
    expect(stateAfterEvents(connectionRecordIn("awaiting_manual"), verified("right", { isTimedOut: true }))).toBe(
      "verifying"
    )
  })

  test("expires when its time is up, but fails if something was written", () => {
    const timedOut = verified("wrong", { isTimedOut: true })
    expect(stateAfterEvents(connectionRecordIn("awaiting_manual"), timedOut)).toBe("expired")
    const { connection } = applyEvents(connectionRecordIn("awaiting_manual", written), timedOut)
    expect([connection.state, connection.failure]).toEqual([
      "failed",
      failureOf("manual_setup_timeout", "awaiting_manual")
    ])
  })
})

describe("a connection that is being verified", () => {
  test("is active once its own servers are right and no public resolver contradicts", () => {
    expect(stateAfterEvents(connectionRecordIn("verifying"), verified("right"))).toBe("active")
    expect(stateAfterEvents(connectionRecordIn("verifying"), verified("right", { publicResolvers: "unknown" }))).toBe(
      "active"
    )
    expect(stateAfterEvents(connectionRecordIn("verifying"), verified("right", { publicResolvers: "wrong" }))).toBe(
      "verifying"
    )
    expect(stateAfterEvents(connectionRecordIn("verifying"), verified("wrong"))).toBe("verifying")
    expect(stateAfterEvents(connectionRecordIn("verifying"), verified("unknown"))).toBe("verifying")
  })

  test("has a warning if control of the zone is not proven", () => {
    const [unproven, proven] = [false, true].map((hasProvenAccess) =>
      applyEvents(connectionRecordIn("verifying", { progress: { hasProvenAccess } }), verified("right"))
    )
    expect(unproven?.connection.plan?.warnings).toEqual(["control_not_proven"])
    expect(proven?.connection.plan?.warnings).toEqual([])
  })

  test("fails when its time is up, with a code that depends on the answers and on who wrote", () => {
    expect(failureOnTimeout("wrong", written)).toEqual(failureOf("verification_mismatch", "verifying"))
    expect(failureOnTimeout("unknown", written)).toEqual(failureOf("verification_timeout", "verifying"))
    expect(failureOnTimeout("right", written)).toEqual(failureOf("verification_timeout", "verifying"))
    expect(failureOnTimeout("wrong")).toEqual(failureOf("manual_setup_timeout", "awaiting_manual"))
  })
})

describe("an active connection", () => {
  const missing = applyEvents(connectionRecordIn("active"), verified("wrong"))

  test("is checked a second time before a miss counts", () => {
    expect([missing.connection.state, missing.progress.missedAt]).toEqual(["active", now])
    expect(stateAfterEvents(missing, verified("wrong", { isConfirmed: true }))).toBe("degraded")
  })

  test("forgets a miss after a check that finds everything, but not after one without an answer", () => {
    expect(applyEvents(missing, verified("right")).progress.missedAt).toBeUndefined()
    expect(applyEvents(missing, verified("unknown")).progress.missedAt).toEqual(now)
    expect(applyEvents(missing, verified("wrong")).progress.missedAt).toEqual(now)
  })

  test("is not degraded by an unknown result, even a confirmed one", () =>
    expect(
      stateAfterEvents(connectionRecordIn("active"), verified("unknown", { isConfirmed: true, isTimedOut: true }))
    ).toBe("active"))

  test("that is degraded shows the plan that repairs it, and becomes active again by itself", () => {
    const repair = planOf(noChanges)
    const degraded = applyEvents(
      connectionRecordIn("active"),
      verified("wrong", { isConfirmed: true, repair: Option.some(repair) })
    )
    expect(degraded.connection.plan).toEqual(repair)
    expect(stateAfterEvents(degraded, verified("right"))).toBe("active")
  })

  test("is checked at once on a recheck, but only once", () => {
    const requested = applyEvents(connectionRecordIn("active"), LifecycleEvent.RecheckRequested())
    expect(requested.progress.isRecheckRequested).toBe(true)
    expect(applyEvents(requested, verified("unknown")).progress.isRecheckRequested).toBe(false)
  })
})

test("a degraded connection is checked once more soon where a check found out nothing, but not again and again", () => {
  const degraded = connectionRecordIn("degraded", written)
  const unanswered = applyEvents(degraded, verified("unknown"))
  expect([unanswered.connection.state, unanswered.progress.missedAt]).toEqual(["degraded", now])
  expect(applyEvents(unanswered, verified("unknown")).progress.missedAt).toBeUndefined()
  expect(applyEvents(unanswered, verified("wrong")).progress.missedAt).toBeUndefined()
  const active = applyEvents(unanswered, verified("right"))
  expect([active.connection.state, active.progress.missedAt]).toEqual(["active", undefined])
})

test("a degraded connection is discovered again before it is repaired", () => {
  const rediscovering = applyEvents(
    connectionRecordIn("degraded", written),
    LifecycleEvent.Retried({ toChoice: false })
  )
  expect([rediscovering.connection.state, rediscovering.progress.needsSurvey]).toEqual(["degraded", true])
  expect(stateAfterEvents(rediscovering, discovered())).toBe("awaiting_authorization")
  const repaired = applyEvents(rediscovering, discovered(planOf(noChanges)))
  expect([repaired.connection.state, repaired.progress.needsSurvey]).toEqual(["degraded", false])
  const undiscovered = applyEvents(rediscovering, discoveryFailed())
  expect([undiscovered.connection.state, undiscovered.progress.needsSurvey]).toEqual(["degraded", false])
})

describe("a failed connection", () => {
  test("resumes in the state that its failure names, as if it had just entered it", () => {
    const retried = applyEvents(connectionRecordIn("failed"), LifecycleEvent.Retried({ toChoice: false }))
    expect([retried.connection.state, retried.connection.failure, retried.progress.enteredAt]).toEqual([
      "authorized",
      undefined,
      now
    ])
  })

  test("does not resume if a retry cannot help", () =>
    expect(
      isPossible(
        connectionRecordIn("failed", { connection: { failure: failureOf("record_type_unsupported") } }),
        LifecycleEvent.Retried({ toChoice: false })
      )
    ).toBe(false))

  test("is discovered again if it waits for an authorization again", () => {
    const failure = failureOf("authorization_expired", "awaiting_authorization")
    const retried = applyEvents(
      connectionRecordIn("failed", { connection: { failure } }),
      LifecycleEvent.Retried({ toChoice: false })
    )
    expect([retried.connection.state, retried.progress.needsSurvey]).toEqual(["awaiting_authorization", true])
  })

  test("is discovered again if a sign-in after a write ends without access, also to go on by hand", () => {
    const events = [
      LifecycleEvent.Retried({ toChoice: true }),
      LifecycleEvent.AuthorizationOpened(),
      LifecycleEvent.AuthorizationClosed({ reason: Option.none() })
    ]
    const denied = applyEvents(connectionRecordIn("failed", written), ...events)
    expect([denied.connection.state, denied.progress.needsSurvey]).toEqual(["awaiting_authorization", true])
    expect(applyEvents(denied, LifecycleEvent.ManualChosen({ isByLink: false })).progress.needsSurvey).toBe(true)
  })

  test("remembers that the service may have written", () => {
    expect(applyEvents(connectionRecordIn("applying"), failed("apply_partial", true)).progress.hasWritten).toBe(true)
    expect(applyEvents(connectionRecordIn("applying"), failed("apply_rejected", false)).progress.hasWritten).toBe(false)
    expect(
      applyEvents(connectionRecordIn("disconnecting", written), failed("provider_unavailable", false)).progress
        .hasWritten
    ).toBe(true)
  })

  test("keeps its failure when it is canceled", () => {
    const before = connectionRecordIn("failed")
    const { connection } = applyEvents(before, LifecycleEvent.Canceled())
    expect(connection).toEqual(expect.objectContaining({ ...before.connection, state: "canceled", updatedAt: now }))
  })
})

describe("a connection that is being removed", () => {
  test("is planned at once if there is still a credential, and waits for an authorization if there is none", () => {
    expect(stateAfterEvents(connectionRecordIn("failed", written), disconnectRequested(true))).toBe("authorized")
    const waiting = applyEvents(connectionRecordIn("active", written), disconnectRequested())
    expect([waiting.connection.state, waiting.connection.direction, waiting.progress.needsSurvey]).toEqual([
      "awaiting_authorization",
      "restore",
      true
    ])
    expect(waiting.connection.plan).toBeUndefined()
  })

  test("shows the customer what to remove if the service wrote nothing", () => {
    const disconnecting = applyEvents(connectionRecordIn("active"), disconnectRequested())
    expect([disconnecting.connection.state, disconnecting.connection.direction]).toEqual(["disconnecting", "restore"])
    expect(disconnecting.connection.plan).toBeUndefined()
  })

  test("can be disconnected wherever something was written and nothing is being written", () => {
    for (const state of ["awaiting_authorization", "authorizing", "planned", "awaiting_manual", "failed"] as const) {
      expect(isPossible(connectionRecordIn(state, written), disconnectRequested())).toBe(true)
      expect(isPossible(connectionRecordIn(state), disconnectRequested())).toBe(false)
      expect(isPossible(connectionRecordIn(state, written), LifecycleEvent.Canceled())).toBe(false)
      expect(isPossible(connectionRecordIn(state), LifecycleEvent.Canceled())).toBe(true)
    }
  })

  test("is planned, approved and written like any other connection", () => {
    const restoring = connectionRecordIn("awaiting_authorization", restoreDirection)
    expect(stateAfterEvents(restoring, authorized(), planned())).toBe("planned")
    expect(stateAfterEvents(restoring, authorized(), planned(), LifecycleEvent.Approved())).toBe("disconnecting")
    expect(stateAfterEvents(restoring, authorized(Option.some(consentTo(planOf()))), planned())).toBe("disconnecting")
    expect(stateAfterEvents(restoring, authorized(), planned(planOf(noChanges)))).toBe("disconnecting")
  })

  test("is planned again with the leftovers that the customer wants back, and remembers them", () => {
    const putBack = [{ host: "www", type: "A", value: "192.0.2.1" }]
    const requested = applyEvents(
      connectionRecordIn("planned", restoreDirection),
      LifecycleEvent.PutBackRequested({ putBack })
    )
    expect([requested.connection.state, requested.progress.putBack]).toEqual(["authorized", putBack])
    expect(applyEvents(requested, planned(), LifecycleEvent.Approved()).progress.putBack).toEqual(putBack)
    expect(isPossible(connectionRecordIn("planned"), LifecycleEvent.PutBackRequested({ putBack }))).toBe(false)
  })

  test("can be removed by hand", () =>
    expect(
      stateAfterEvents(
        connectionRecordIn("awaiting_authorization", restoreDirection),
        LifecycleEvent.ManualChosen({ isByLink: false }),
        restored
      )
    ).toBe("disconnected"))

  test("neither expires nor can be canceled, nor disconnected twice", () => {
    const restoring = connectionRecordIn("awaiting_authorization", restoreDirection)
    for (const event of [LifecycleEvent.Expired(), LifecycleEvent.Canceled(), disconnectRequested()])
      expect(isPossible(restoring, event)).toBe(false)
  })

  test("resumes the removal after its zone could not be found for a while", () => {
    const { failure } = applyEvents(
      connectionRecordIn("disconnecting", restoreDirection),
      failed("discovery_timeout")
    ).connection
    expect(failure).toEqual(failureOf("discovery_timeout", "disconnecting"))
  })
})

test("a new state resets the counters", () => {
  const progress = { checks: 7, missedAt: now, needsSurvey: true, isRecheckRequested: true }
  const { checks, enteredAt, missedAt, isRecheckRequested } = applyEvents(
    connectionRecordIn("active", { progress }),
    disconnectRequested()
  ).progress
  expect({ enteredAt, checks, missedAt, isRecheckRequested }).toEqual({
    enteredAt: now,
    checks: 0,
    missedAt: undefined,
    isRecheckRequested: false
  })
})

const expiredPlan = () => Plan.make({ ...planOf(), expiresAt: DateTime.subtract(now, { minutes: 1 }) })

const failureOnTimeout = (verdict: VerificationVerdict, overrides: Parameters<typeof connectionRecordIn>[1] = {}) =>
  applyEvents(
    connectionRecordIn("verifying", overrides),
    verified(verdict, { isTimedOut: true, publicResolvers: "wrong" })
  ).connection.failure
