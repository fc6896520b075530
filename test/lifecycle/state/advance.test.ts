import { describe, expect, test } from "bun:test"
import { DateTime, Option } from "effect"
import { Plan } from "../../../src/domain/Plan.ts"
import { LifecycleEvent } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import type { VerificationVerdict } from "../../../src/planning/verification/VerificationVerdict.ts"
import { requestedConnection, sampleProvider } from "../../persistence/connectionFixtures.ts"
import {
  applyEvents,
  authorized,
  checked,
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

const wrote = { progress: { wrote: true } } as const

describe("a connection that was only asked for", () => {
  test("waits to be let in where that is possible, with provider and plan", () => {
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

  test("waits for the customer's hands where nothing else is possible", () =>
    expect(stateAfterEvents(connectionRecordIn("requested"), discovered(planOf(), ["manual"]))).toBe("awaiting_manual"))

  test("is verified where nothing has to change, whatever the provider can do", () => {
    expect(stateAfterEvents(connectionRecordIn("requested"), discovered(planOf(noChanges)))).toBe("verifying")
    expect(stateAfterEvents(connectionRecordIn("requested"), discovered(planOf(noChanges), ["manual"]))).toBe(
      "verifying"
    )
  })

  test("fails with the provider if that was found", () => {
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

describe("a connection that waits to be let in", () => {
  test("is entered by hand instead, or let in, and may give up the one for the other", () => {
    const byHand = applyEvents(connectionRecordIn("awaiting_authorization"), LifecycleEvent.ManualChosen())
    expect([byHand.connection.state, byHand.progress.byHand]).toEqual(["awaiting_manual", true])
    const letIn = applyEvents(byHand, LifecycleEvent.ManualAbandoned(), authorized())
    expect([letIn.connection.state, letIn.progress.byHand]).toEqual(["authorized", false])
  })

  test("gets the plan of a new look, and waits on", () => {
    const plan = planOf(noChanges)
    const { connection } = applyEvents(connectionRecordIn("awaiting_authorization"), discovered(plan))
    expect([connection.state, connection.plan]).toEqual(["awaiting_authorization", plan])
  })

  test("that could not be looked at keeps what it has, and is to be looked at again", () => {
    const before = connectionRecordIn("awaiting_authorization", { progress: { surveying: true } })
    const { connection, progress } = applyEvents(before, discoveryFailed())
    expect(connection).toEqual(expect.objectContaining({ ...before.connection, updatedAt: now }))
    expect([progress.surveying, progress.checks]).toEqual([true, 1])
  })

  test("waits again when the customer comes back from the provider without", () =>
    expect(
      stateAfterEvents(connectionRecordIn("authorizing"), LifecycleEvent.AuthorizationClosed({ reason: Option.none() }))
    ).toBe("awaiting_authorization"))
})

describe("a plan from the provider's zone", () => {
  const consent = consentTo(planOf())
  const agreed = applyEvents(connectionRecordIn("awaiting_authorization"), authorized(Option.some(consent)))

  test("that was agreed to beforehand is written at once, and that consent serves no second plan", () => {
    expect(agreed.progress.consent).toEqual(consent)
    const applying = applyEvents(agreed, planned())
    expect([applying.connection.state, applying.progress.consent]).toEqual(["applying", undefined])
    expect(stateAfterEvents(applying, LifecycleEvent.PlanInvalidated(), planned())).toBe("planned")
  })

  test("that nobody agreed to waits", () =>
    expect(stateAfterEvents(connectionRecordIn("authorized"), planned())).toBe("planned"))

  test("that brings what was not acknowledged waits", () => {
    expect(stateAfterEvents(agreed, planned(planOf(undefined, ["mx_replaced"])))).toBe("planned")
    const knowing = applyEvents(
      connectionRecordIn("awaiting_authorization"),
      authorized(Option.some(consentTo(planOf(), "mx_replaced")))
    )
    expect(stateAfterEvents(knowing, planned(planOf(undefined, ["mx_replaced"])))).toBe("applying")
  })

  test("that is too old already waits, and is made anew from there", () =>
    expect(stateAfterEvents(agreed, planned(expired()))).toBe("planned"))

  test("that changes nothing is verified, and proves that somebody may change the zone", () => {
    const { connection, progress } = applyEvents(connectionRecordIn("authorized"), planned(planOf(noChanges)))
    expect([connection.state, progress.proven]).toEqual(["verifying", true])
  })

  test("is written once it is approved, and verified once it is written", () => {
    const written = applyEvents(connectionRecordIn("planned"), LifecycleEvent.Approved(), LifecycleEvent.Applied())
    expect([written.connection.state, written.progress.wrote]).toEqual(["verifying", true])
  })

  test("of which nothing could be written any more is made anew", () =>
    expect(stateAfterEvents(connectionRecordIn("applying"), LifecycleEvent.PlanInvalidated())).toBe("authorized"))
})

describe("a connection that is entered by hand", () => {
  test("is verified once the servers of the zone have it, and waits until then", () => {
    expect(stateAfterEvents(connectionRecordIn("awaiting_manual"), checked("wrong"))).toBe("awaiting_manual")
    expect(stateAfterEvents(connectionRecordIn("awaiting_manual"), checked("unknown"))).toBe("awaiting_manual")
    expect(stateAfterEvents(connectionRecordIn("awaiting_manual"), checked("right", { isTimedOut: true }))).toBe(
      "verifying"
    )
  })

  test("expires when its time is up, but where something was written it fails", () => {
    const late = checked("wrong", { isTimedOut: true })
    expect(stateAfterEvents(connectionRecordIn("awaiting_manual"), late)).toBe("expired")
    const { connection } = applyEvents(connectionRecordIn("awaiting_manual", wrote), late)
    expect([connection.state, connection.failure]).toEqual([
      "failed",
      failureOf("manual_setup_timeout", "awaiting_manual")
    ])
  })
})

describe("a connection that is verified", () => {
  test("is active once its servers are right and nobody in public objects", () => {
    expect(stateAfterEvents(connectionRecordIn("verifying"), checked("right"))).toBe("active")
    expect(stateAfterEvents(connectionRecordIn("verifying"), checked("right", { inPublic: "unknown" }))).toBe("active")
    expect(stateAfterEvents(connectionRecordIn("verifying"), checked("right", { inPublic: "wrong" }))).toBe("verifying")
    expect(stateAfterEvents(connectionRecordIn("verifying"), checked("wrong"))).toBe("verifying")
    expect(stateAfterEvents(connectionRecordIn("verifying"), checked("unknown"))).toBe("verifying")
  })

  test("carries a warning where nobody has shown that they may change the zone", () => {
    const [unproven, proven] = [false, true].map((proven) =>
      applyEvents(connectionRecordIn("verifying", { progress: { proven } }), checked("right"))
    )
    expect(unproven?.connection.plan?.warnings).toEqual(["control_not_proven"])
    expect(proven?.connection.plan?.warnings).toEqual([])
  })

  test("fails when its time is up, by what the servers say and by who wrote", () => {
    expect(failureWhenTimeIsUp("wrong", wrote)).toEqual(failureOf("verification_mismatch", "verifying"))
    expect(failureWhenTimeIsUp("unknown", wrote)).toEqual(failureOf("verification_timeout", "verifying"))
    expect(failureWhenTimeIsUp("right", wrote)).toEqual(failureOf("verification_timeout", "verifying"))
    expect(failureWhenTimeIsUp("wrong")).toEqual(failureOf("manual_setup_timeout", "awaiting_manual"))
  })
})

describe("an active connection", () => {
  const missing = applyEvents(connectionRecordIn("active"), checked("wrong"))

  test("is looked at a second time before a miss counts", () => {
    expect([missing.connection.state, missing.progress.missedAt]).toEqual(["active", now])
    expect(stateAfterEvents(missing, checked("wrong", { isConfirmed: true }))).toBe("degraded")
  })

  test("has its miss forgotten by a look that finds everything, not by one that finds nothing out", () => {
    expect(applyEvents(missing, checked("right")).progress.missedAt).toBeUndefined()
    expect(applyEvents(missing, checked("unknown")).progress.missedAt).toEqual(now)
    expect(applyEvents(missing, checked("wrong")).progress.missedAt).toEqual(now)
  })

  test("is not degraded by what is unknown, however sure", () =>
    expect(
      stateAfterEvents(connectionRecordIn("active"), checked("unknown", { isConfirmed: true, isTimedOut: true }))
    ).toBe("active"))

  test("that is degraded shows what would repair it, and is active again by itself", () => {
    const repair = planOf(noChanges)
    const degraded = applyEvents(
      connectionRecordIn("active"),
      checked("wrong", { isConfirmed: true, repair: Option.some(repair) })
    )
    expect(degraded.connection.plan).toEqual(repair)
    expect(stateAfterEvents(degraded, checked("right"))).toBe("active")
  })

  test("is checked at once where somebody asks, once", () => {
    const asked = applyEvents(connectionRecordIn("active"), LifecycleEvent.RecheckRequested())
    expect(asked.progress.urgent).toBe(true)
    expect(applyEvents(asked, checked("unknown")).progress.urgent).toBe(false)
  })
})

test("a degraded connection is looked at anew before it is repaired, wherever it is now", () => {
  const looking = applyEvents(connectionRecordIn("degraded", wrote), LifecycleEvent.Retried())
  expect([looking.connection.state, looking.progress.surveying]).toEqual(["degraded", true])
  expect(stateAfterEvents(looking, discovered())).toBe("awaiting_authorization")
  const whole = applyEvents(looking, discovered(planOf(noChanges)))
  expect([whole.connection.state, whole.progress.surveying]).toEqual(["degraded", false])
  const silent = applyEvents(looking, discoveryFailed())
  expect([silent.connection.state, silent.progress.surveying]).toEqual(["degraded", false])
})

describe("a failed connection", () => {
  test("goes on where its failure says, as if it had just come there", () => {
    const again = applyEvents(connectionRecordIn("failed"), LifecycleEvent.Retried())
    expect([again.connection.state, again.connection.failure, again.progress.enteredAt]).toEqual([
      "authorized",
      undefined,
      now
    ])
  })

  test("does not go on where that cannot help", () =>
    expect(
      isPossible(
        connectionRecordIn("failed", { connection: { failure: failureOf("apply_rejected") } }),
        LifecycleEvent.Retried()
      )
    ).toBe(false))

  test("is looked at anew where it waits to be let in again", () => {
    const failure = failureOf("authorization_expired", "awaiting_authorization")
    const again = applyEvents(connectionRecordIn("failed", { connection: { failure } }), LifecycleEvent.Retried())
    expect([again.connection.state, again.progress.surveying]).toEqual(["awaiting_authorization", true])
  })

  test("remembers that it may have written", () => {
    expect(applyEvents(connectionRecordIn("applying"), failed("apply_partial", true)).progress.wrote).toBe(true)
    expect(applyEvents(connectionRecordIn("applying"), failed("apply_rejected", false)).progress.wrote).toBe(false)
    expect(
      applyEvents(connectionRecordIn("disconnecting", wrote), failed("provider_unavailable", false)).progress.wrote
    ).toBe(true)
  })

  test("keeps its failure when it is canceled", () => {
    const before = connectionRecordIn("failed")
    const { connection } = applyEvents(before, LifecycleEvent.Canceled())
    expect(connection).toEqual(expect.objectContaining({ ...before.connection, state: "canceled", updatedAt: now }))
  })
})

describe("a connection that is to leave", () => {
  test("is planned at once where a credential is still held, and has to be let in again where none is", () => {
    expect(stateAfterEvents(connectionRecordIn("failed", wrote), disconnectRequested(true))).toBe("authorized")
    const waiting = applyEvents(connectionRecordIn("active", wrote), disconnectRequested())
    expect([waiting.connection.state, waiting.connection.direction, waiting.progress.surveying]).toEqual([
      "awaiting_authorization",
      "restore",
      true
    ])
    expect(waiting.connection.plan).toBeUndefined()
  })

  test("of which the service wrote nothing tells the customer what to take out", () => {
    const leaving = applyEvents(connectionRecordIn("active"), disconnectRequested())
    expect([leaving.connection.state, leaving.connection.direction]).toEqual(["disconnecting", "restore"])
    expect(leaving.connection.plan).toBeUndefined()
  })

  test("can be asked for wherever something was written and nothing is being written", () => {
    for (const state of ["awaiting_authorization", "authorizing", "planned", "awaiting_manual", "failed"] as const) {
      expect(isPossible(connectionRecordIn(state, wrote), disconnectRequested())).toBe(true)
      expect(isPossible(connectionRecordIn(state), disconnectRequested())).toBe(false)
      expect(isPossible(connectionRecordIn(state, wrote), LifecycleEvent.Canceled())).toBe(false)
      expect(isPossible(connectionRecordIn(state), LifecycleEvent.Canceled())).toBe(true)
    }
  })

  test("is planned, approved and written like any other", () => {
    const leaving = connectionRecordIn("awaiting_authorization", restoreDirection)
    expect(stateAfterEvents(leaving, authorized(), planned())).toBe("planned")
    expect(stateAfterEvents(leaving, authorized(), planned(), LifecycleEvent.Approved())).toBe("disconnecting")
    expect(stateAfterEvents(leaving, authorized(Option.some(consentTo(planOf()))), planned())).toBe("disconnecting")
    expect(stateAfterEvents(leaving, authorized(), planned(planOf(noChanges)))).toBe("disconnecting")
  })

  test("is planned anew with what the customer wants back in spite of a doubt, and keeps that in mind", () => {
    const putBack = [{ host: "www", type: "A", value: "192.0.2.1" }]
    const named = applyEvents(
      connectionRecordIn("planned", restoreDirection),
      LifecycleEvent.PutBackRequested({ putBack })
    )
    expect([named.connection.state, named.progress.putBack]).toEqual(["authorized", putBack])
    expect(applyEvents(named, planned(), LifecycleEvent.Approved()).progress.putBack).toEqual(putBack)
    expect(isPossible(connectionRecordIn("planned"), LifecycleEvent.PutBackRequested({ putBack }))).toBe(false)
  })

  test("is taken out by hand where the customer prefers that", () =>
    expect(
      stateAfterEvents(
        connectionRecordIn("awaiting_authorization", restoreDirection),
        LifecycleEvent.ManualChosen(),
        restored
      )
    ).toBe("disconnected"))

  test("neither expires nor can be canceled, nor asked for twice", () => {
    const leaving = connectionRecordIn("awaiting_authorization", restoreDirection)
    for (const event of [LifecycleEvent.Expired(), LifecycleEvent.Canceled(), disconnectRequested()])
      expect(isPossible(leaving, event)).toBe(false)
  })

  test("goes on leaving where its zone could not be found for a while", () => {
    const { failure } = applyEvents(
      connectionRecordIn("disconnecting", restoreDirection),
      failed("discovery_timeout")
    ).connection
    expect(failure).toEqual(failureOf("discovery_timeout", "disconnecting"))
  })
})

test("a new state begins to count anew", () => {
  const progress = { checks: 7, missedAt: now, surveying: true, urgent: true }
  const { enteredAt, ...counted } = applyEvents(
    connectionRecordIn("active", { progress }),
    disconnectRequested()
  ).progress
  expect({ enteredAt, checks: counted.checks, missedAt: counted.missedAt, urgent: counted.urgent }).toEqual({
    enteredAt: now,
    checks: 0,
    missedAt: undefined,
    urgent: false
  })
})

const expired = () => Plan.make({ ...planOf(), expiresAt: DateTime.subtract(now, { minutes: 1 }) })

const failureWhenTimeIsUp = (verdict: VerificationVerdict, by: Parameters<typeof connectionRecordIn>[1] = {}) =>
  applyEvents(connectionRecordIn("verifying", by), checked(verdict, { isTimedOut: true, inPublic: "wrong" })).connection
    .failure
