import { describe, expect, test } from "bun:test"
import { DateTime, Option } from "effect"
import { Plan } from "../../../src/domain/Plan.ts"
import { LifecycleEvent, type Verdict } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import { requested, someProvider } from "../../persistence/someConnection.ts"
import {
  after,
  authorized,
  checked,
  consentTo,
  disconnectRequested,
  discovered,
  discoveryFailed,
  failed,
  failureOf,
  isPossible,
  nothing,
  now,
  planned,
  planOf,
  restored,
  restoring,
  standingIn,
  stateAfter
} from "./standings.ts"

const wrote = { progress: { wrote: true } } as const

describe("a connection that was only asked for", () => {
  test("waits to be let in where that is possible, with provider and plan", () => {
    const { effectiveIntent, optionalFailures, plan, provider } = discovered()
    expect(after(standingIn("requested"), discovered()).connection).toEqual(
      expect.objectContaining({
        ...requested(),
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
    expect(stateAfter(standingIn("requested"), discovered(planOf(), ["manual"]))).toBe("awaiting_manual"))

  test("is verified where nothing has to change, whatever the provider can do", () => {
    expect(stateAfter(standingIn("requested"), discovered(planOf(nothing)))).toBe("verifying")
    expect(stateAfter(standingIn("requested"), discovered(planOf(nothing), ["manual"]))).toBe("verifying")
  })

  test("fails with the provider if that was found", () => {
    const { connection } = after(standingIn("requested"), discoveryFailed("zone_not_found", Option.some(someProvider)))
    expect({ state: connection.state, code: connection.failure?.code, provider: connection.provider }).toEqual({
      state: "failed",
      code: "zone_not_found",
      provider: someProvider
    })
  })
})

describe("a connection that waits to be let in", () => {
  test("is entered by hand instead, or let in, and may give up the one for the other", () => {
    const byHand = after(standingIn("awaiting_authorization"), LifecycleEvent.ManualChosen())
    expect([byHand.connection.state, byHand.progress.byHand]).toEqual(["awaiting_manual", true])
    const letIn = after(byHand, LifecycleEvent.ManualGivenUp(), authorized())
    expect([letIn.connection.state, letIn.progress.byHand]).toEqual(["authorized", false])
  })

  test("gets the plan of a new look, and waits on", () => {
    const plan = planOf(nothing)
    const { connection } = after(standingIn("awaiting_authorization"), discovered(plan))
    expect([connection.state, connection.plan]).toEqual(["awaiting_authorization", plan])
  })

  test("that could not be looked at keeps what it has, and is to be looked at again", () => {
    const before = standingIn("awaiting_authorization", { progress: { surveying: true } })
    const { connection, progress } = after(before, discoveryFailed())
    expect(connection).toEqual(expect.objectContaining({ ...before.connection, updatedAt: now }))
    expect([progress.surveying, progress.checks]).toEqual([true, 1])
  })

  test("waits again when the customer comes back from the provider without", () =>
    expect(stateAfter(standingIn("authorizing"), LifecycleEvent.AuthorizationClosed({ because: Option.none() }))).toBe(
      "awaiting_authorization"
    ))
})

describe("a plan from the provider's zone", () => {
  const consent = consentTo(planOf())
  const agreed = after(standingIn("awaiting_authorization"), authorized(Option.some(consent)))

  test("that was agreed to beforehand is written at once, and that consent serves no second plan", () => {
    expect(agreed.progress.consent).toEqual(consent)
    const applying = after(agreed, planned())
    expect([applying.connection.state, applying.progress.consent]).toEqual(["applying", undefined])
    expect(stateAfter(applying, LifecycleEvent.PlanLapsed(), planned())).toBe("planned")
  })

  test("that nobody agreed to waits", () => expect(stateAfter(standingIn("authorized"), planned())).toBe("planned"))

  test("that brings what was not acknowledged waits", () => {
    expect(stateAfter(agreed, planned(planOf(undefined, ["mx_replaced"])))).toBe("planned")
    const knowing = after(
      standingIn("awaiting_authorization"),
      authorized(Option.some(consentTo(planOf(), "mx_replaced")))
    )
    expect(stateAfter(knowing, planned(planOf(undefined, ["mx_replaced"])))).toBe("applying")
  })

  test("that is too old already waits, and is made anew from there", () =>
    expect(stateAfter(agreed, planned(expired()))).toBe("planned"))

  test("that changes nothing is verified, and proves that somebody may change the zone", () => {
    const { connection, progress } = after(standingIn("authorized"), planned(planOf(nothing)))
    expect([connection.state, progress.proven]).toEqual(["verifying", true])
  })

  test("is written once it is approved, and verified once it is written", () => {
    const written = after(standingIn("planned"), LifecycleEvent.Approved(), LifecycleEvent.Applied())
    expect([written.connection.state, written.progress.wrote]).toEqual(["verifying", true])
  })

  test("of which nothing could be written any more is made anew", () =>
    expect(stateAfter(standingIn("applying"), LifecycleEvent.PlanLapsed())).toBe("authorized"))
})

describe("a connection that is entered by hand", () => {
  test("is verified once the servers of the zone have it, and waits until then", () => {
    expect(stateAfter(standingIn("awaiting_manual"), checked("wrong"))).toBe("awaiting_manual")
    expect(stateAfter(standingIn("awaiting_manual"), checked("unknown"))).toBe("awaiting_manual")
    expect(stateAfter(standingIn("awaiting_manual"), checked("right", { timeIsUp: true }))).toBe("verifying")
  })

  test("expires when its time is up, but where something was written it fails", () => {
    const late = checked("wrong", { timeIsUp: true })
    expect(stateAfter(standingIn("awaiting_manual"), late)).toBe("expired")
    const { connection } = after(standingIn("awaiting_manual", wrote), late)
    expect([connection.state, connection.failure]).toEqual([
      "failed",
      failureOf("manual_setup_timeout", "awaiting_manual")
    ])
  })
})

describe("a connection that is verified", () => {
  test("is active once its servers are right and nobody in public objects", () => {
    expect(stateAfter(standingIn("verifying"), checked("right"))).toBe("active")
    expect(stateAfter(standingIn("verifying"), checked("right", { inPublic: "unknown" }))).toBe("active")
    expect(stateAfter(standingIn("verifying"), checked("right", { inPublic: "wrong" }))).toBe("verifying")
    expect(stateAfter(standingIn("verifying"), checked("wrong"))).toBe("verifying")
    expect(stateAfter(standingIn("verifying"), checked("unknown"))).toBe("verifying")
  })

  test("carries a warning where nobody has shown that they may change the zone", () => {
    const [unproven, proven] = [false, true].map((proven) =>
      after(standingIn("verifying", { progress: { proven } }), checked("right"))
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
  const missing = after(standingIn("active"), checked("wrong"))

  test("is looked at a second time before a miss counts", () => {
    expect([missing.connection.state, missing.progress.missedAt]).toEqual(["active", now])
    expect(stateAfter(missing, checked("wrong", { isSure: true }))).toBe("degraded")
  })

  test("has its miss forgotten by a look that finds everything, not by one that finds nothing out", () => {
    expect(after(missing, checked("right")).progress.missedAt).toBeUndefined()
    expect(after(missing, checked("unknown")).progress.missedAt).toEqual(now)
    expect(after(missing, checked("wrong")).progress.missedAt).toEqual(now)
  })

  test("is not degraded by what is unknown, however sure", () =>
    expect(stateAfter(standingIn("active"), checked("unknown", { isSure: true, timeIsUp: true }))).toBe("active"))

  test("that is degraded shows what would repair it, and is active again by itself", () => {
    const repair = planOf(nothing)
    const degraded = after(standingIn("active"), checked("wrong", { isSure: true, repair: Option.some(repair) }))
    expect(degraded.connection.plan).toEqual(repair)
    expect(stateAfter(degraded, checked("right"))).toBe("active")
  })

  test("is checked at once where somebody asks, once", () => {
    const asked = after(standingIn("active"), LifecycleEvent.RecheckRequested())
    expect(asked.progress.urgent).toBe(true)
    expect(after(asked, checked("unknown")).progress.urgent).toBe(false)
  })
})

test("a degraded connection is looked at anew before it is repaired, wherever it is now", () => {
  const looking = after(standingIn("degraded", wrote), LifecycleEvent.Retried())
  expect([looking.connection.state, looking.progress.surveying]).toEqual(["degraded", true])
  expect(stateAfter(looking, discovered())).toBe("awaiting_authorization")
  const whole = after(looking, discovered(planOf(nothing)))
  expect([whole.connection.state, whole.progress.surveying]).toEqual(["degraded", false])
  const silent = after(looking, discoveryFailed())
  expect([silent.connection.state, silent.progress.surveying]).toEqual(["degraded", false])
})

describe("a failed connection", () => {
  test("goes on where its failure says, as if it had just come there", () => {
    const again = after(standingIn("failed"), LifecycleEvent.Retried())
    expect([again.connection.state, again.connection.failure, again.progress.enteredAt]).toEqual([
      "authorized",
      undefined,
      now
    ])
  })

  test("does not go on where that cannot help", () =>
    expect(
      isPossible(
        standingIn("failed", { connection: { failure: failureOf("apply_rejected") } }),
        LifecycleEvent.Retried()
      )
    ).toBe(false))

  test("is looked at anew where it waits to be let in again", () => {
    const failure = failureOf("authorization_expired", "awaiting_authorization")
    const again = after(standingIn("failed", { connection: { failure } }), LifecycleEvent.Retried())
    expect([again.connection.state, again.progress.surveying]).toEqual(["awaiting_authorization", true])
  })

  test("remembers that it may have written", () => {
    expect(after(standingIn("applying"), failed("apply_partial", true)).progress.wrote).toBe(true)
    expect(after(standingIn("applying"), failed("apply_rejected", false)).progress.wrote).toBe(false)
    expect(after(standingIn("disconnecting", wrote), failed("provider_unavailable", false)).progress.wrote).toBe(true)
  })

  test("keeps its failure when it is canceled", () => {
    const before = standingIn("failed")
    const { connection } = after(before, LifecycleEvent.Canceled())
    expect(connection).toEqual(expect.objectContaining({ ...before.connection, state: "canceled", updatedAt: now }))
  })
})

describe("a connection that is to leave", () => {
  test("is planned at once where a credential is still held, and has to be let in again where none is", () => {
    expect(stateAfter(standingIn("failed", wrote), disconnectRequested(true))).toBe("authorized")
    const waiting = after(standingIn("active", wrote), disconnectRequested())
    expect([waiting.connection.state, waiting.connection.direction, waiting.progress.surveying]).toEqual([
      "awaiting_authorization",
      "restore",
      true
    ])
    expect(waiting.connection.plan).toBeUndefined()
  })

  test("of which the service wrote nothing tells the customer what to take out", () => {
    const leaving = after(standingIn("active"), disconnectRequested())
    expect([leaving.connection.state, leaving.connection.direction]).toEqual(["disconnecting", "restore"])
    expect(leaving.connection.plan).toBeUndefined()
  })

  test("can be asked for wherever something was written and nothing is being written", () => {
    for (const state of ["awaiting_authorization", "authorizing", "planned", "awaiting_manual", "failed"] as const) {
      expect(isPossible(standingIn(state, wrote), disconnectRequested())).toBe(true)
      expect(isPossible(standingIn(state), disconnectRequested())).toBe(false)
      expect(isPossible(standingIn(state, wrote), LifecycleEvent.Canceled())).toBe(false)
      expect(isPossible(standingIn(state), LifecycleEvent.Canceled())).toBe(true)
    }
  })

  test("is planned, approved and written like any other", () => {
    const leaving = standingIn("awaiting_authorization", restoring)
    expect(stateAfter(leaving, authorized(), planned())).toBe("planned")
    expect(stateAfter(leaving, authorized(), planned(), LifecycleEvent.Approved())).toBe("disconnecting")
    expect(stateAfter(leaving, authorized(Option.some(consentTo(planOf()))), planned())).toBe("disconnecting")
    expect(stateAfter(leaving, authorized(), planned(planOf(nothing)))).toBe("disconnecting")
  })

  test("is planned anew with what the customer wants back in spite of a doubt, and keeps that in mind", () => {
    const putBack = [{ host: "www", type: "A", value: "192.0.2.1" }]
    const named = after(standingIn("planned", restoring), LifecycleEvent.PutBackNamed({ putBack }))
    expect([named.connection.state, named.progress.putBack]).toEqual(["authorized", putBack])
    expect(after(named, planned(), LifecycleEvent.Approved()).progress.putBack).toEqual(putBack)
    expect(isPossible(standingIn("planned"), LifecycleEvent.PutBackNamed({ putBack }))).toBe(false)
  })

  test("is taken out by hand where the customer prefers that", () =>
    expect(stateAfter(standingIn("awaiting_authorization", restoring), LifecycleEvent.ManualChosen(), restored)).toBe(
      "disconnected"
    ))

  test("neither expires nor can be canceled, nor asked for twice", () => {
    const leaving = standingIn("awaiting_authorization", restoring)
    for (const event of [LifecycleEvent.Expired(), LifecycleEvent.Canceled(), disconnectRequested()])
      expect(isPossible(leaving, event)).toBe(false)
  })

  test("goes on leaving where its zone could not be found for a while", () => {
    const { failure } = after(standingIn("disconnecting", restoring), failed("discovery_timeout")).connection
    expect(failure).toEqual(failureOf("discovery_timeout", "disconnecting"))
  })
})

test("a new state begins to count anew", () => {
  const progress = { checks: 7, missedAt: now, surveying: true, urgent: true }
  const { enteredAt, ...counted } = after(standingIn("active", { progress }), disconnectRequested()).progress
  expect({ enteredAt, checks: counted.checks, missedAt: counted.missedAt, urgent: counted.urgent }).toEqual({
    enteredAt: now,
    checks: 0,
    missedAt: undefined,
    urgent: false
  })
})

const expired = () => Plan.make({ ...planOf(), expiresAt: DateTime.subtract(now, { minutes: 1 }) })

const failureWhenTimeIsUp = (verdict: Verdict, by: Parameters<typeof standingIn>[1] = {}) =>
  after(standingIn("verifying", by), checked(verdict, { timeIsUp: true, inPublic: "wrong" })).connection.failure
