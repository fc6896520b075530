import { describe, expect, test } from "bun:test"
import { Option } from "effect"
import { ConnectionState } from "../../../src/domain/connection/Connection.ts"
import type { ControlProgress } from "../../../src/domain/connection/Control.ts"
import type { Change } from "../../../src/domain/plan/Plan.ts"
import { LifecycleEvent, type PlannedControl } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import { hasLostHostsDuringChange } from "../../../src/lifecycle/state/controlState.ts"
import { requestedConnection, samplePlan } from "../../persistence/connectionFixtures.ts"
import {
  applyEvents,
  connectionRecordIn,
  discovered,
  failed,
  intentChanged,
  isPossible,
  pendingChange,
  planned,
  planOf,
  verified
} from "./connectionRecords.ts"

const proven: ControlProgress = { provenBy: "challenge", isAwaited: false, isLost: false, notified: [] }

const { effectiveIntent } = requestedConnection()

const challengeOf = (value: string) => ({
  type: "TXT" as const,
  host: "_domain-connection",
  name: `_domain-connection.${effectiveIntent.domain}`,
  value
})

const challengeChange = (value: string): Change => ({
  action: "create",
  after: { ...challengeOf(value), ttl: 300, optional: false },
  destructive: false
})

const awaited: PlannedControl = { isAwaited: true, challenge: "token" }

const discoveredWith = (control: PlannedControl, changes: ReadonlyArray<Change>) => {
  const event = discovered(planOf(changes))
  if (event._tag !== "Discovered") throw new Error("no discovery")
  return LifecycleEvent.Discovered({ ...event, control })
}

const requested = connectionRecordIn("requested")

/** A connection of which everything but the challenge was in place already. */
const waiting = applyEvents(requested, discoveredWith(awaited, [challengeChange("token")]))

describe("a connection whose records stood already", () => {
  test("is verified with its challenge, which is awaited, and shows it", () => {
    expect(waiting.connection.state).toBe("verifying")
    expect(waiting.connection.control).toEqual({ status: "unproven", challenge: challengeOf("token") })
  })

  test("waits although its records are served, until the challenge is shown", () => {
    const control = { isRequired: true, isHolder: true }
    const still = applyEvents(waiting, verified("right", { control }))
    expect(still.connection.state).toBe("verifying")
    const shown = applyEvents(still, verified("right", { control: { ...control, provenBy: "challenge" } }))
    expect(shown.connection.state).toBe("active")
    expect(shown.connection.control).toEqual({ status: "proven", by: "challenge" })
    expect(shown.connection.plan?.warnings).not.toContain("control_not_proven")
    expect(shown.progress.entered).toEqual([
      { change: expect.objectContaining({ action: "create" }), at: expect.anything() }
    ])
  })

  test("waits with a proof too while the hosts are held for another tenant", () => {
    const control = { provenBy: "challenge" as const, isRequired: true, isHolder: false }
    expect(applyEvents(waiting, verified("right", { control })).connection.state).toBe("verifying")
  })

  test("fails with a reason of its own when nobody proved control in time, and can be verified again", () => {
    const failed = applyEvents(
      waiting,
      verified("right", { control: { isRequired: true, isHolder: true }, isTimedOut: true })
    )
    expect(failed.connection.failure).toMatchObject({
      code: "control_unproven",
      retryable: true,
      resumeState: "verifying"
    })
    const retried = applyEvents(failed, LifecycleEvent.Retried({ toChoice: false }))
    expect([retried.connection.state, retried.connection.control]).toEqual(["verifying", waiting.connection.control])
  })
})

test("writing with a credential proves control, and a plan alone does not", () => {
  const inReview = applyEvents(connectionRecordIn("authorized"), planned())
  expect(inReview.connection.control?.status).not.toBe("proven")
  const written = applyEvents(inReview, LifecycleEvent.Approved(), LifecycleEvent.Applied())
  expect(written.connection.control).toEqual({ status: "proven", by: "credential" })
})

/** A connection that was written in part, failed at its authorization and waits for another one. */
const retried = (control?: ControlProgress) =>
  applyEvents(
    connectionRecordIn("authorizing", { progress: { control, hasWritten: true } }),
    failed("authorization_denied"),
    LifecycleEvent.Retried({ toChoice: false })
  )

describe("a connection that loses control", () => {
  test("is degraded from every state in which it serves its hosts, and shows no repair", () => {
    for (const state of ["active", "degraded"] as const) {
      const lost = applyEvents(
        connectionRecordIn(state, { progress: { control: proven } }),
        LifecycleEvent.ControlLost()
      )
      expect(lost.connection).toMatchObject({ state: "degraded", failure: { code: "control_lost", retryable: true } })
      expect(lost.connection.plan).toBeUndefined()
      const wrong = applyEvents(lost, verified("wrong", { repair: someRepair }))
      expect(wrong.connection.plan).toBeUndefined()
    }
  })

  test("never becomes active by a right verification alone, before and after its repair is planned", () => {
    const lost = applyEvents(
      connectionRecordIn("active", { progress: { control: proven, hasWritten: true } }),
      LifecycleEvent.ControlLost()
    )
    const right = verified("right", { control: { isRequired: true, isHolder: true } })
    expect(applyEvents(lost, right).connection).toMatchObject({ state: "degraded", failure: { code: "control_lost" } })
    const planning = applyEvents(
      lost,
      LifecycleEvent.Retried({ toChoice: false }),
      discoveredWith({ ...awaited, challenge: "fresh" }, [challengeChange("fresh")])
    )
    expect(planning.connection).toMatchObject({
      state: "awaiting_authorization",
      control: { status: "unproven", challenge: challengeOf("fresh") }
    })
    expect(applyEvents(planning, right).connection.state).toBe("awaiting_authorization")
  })

  test("keeps its other states, without its proof and its old challenge", () => {
    const control = { ...proven, challenge: "old" }
    for (const state of ["verifying", "awaiting_manual", "planned", "failed"] as const) {
      const lost = applyEvents(connectionRecordIn(state, { progress: { control } }), LifecycleEvent.ControlLost())
      expect(lost.connection).toMatchObject({ state, control: { status: "unproven" } })
      expect(lost.progress.control?.challenge).toBeUndefined()
    }
  })

  test("is degraded and gives up a new intent that waits, unless it may be written in part", () => {
    const waiting = ["awaiting_authorization", "authorizing", "planned", "awaiting_manual", "failed"] as const
    for (const state of waiting) {
      const change = pendingChange("active")
      const lost = applyEvents(connectionRecordIn(state, change), LifecycleEvent.ControlLost())
      expect(lost.connection).toMatchObject({ state: "degraded", failure: { code: "control_lost" } })
      expect([lost.connection.pendingIntent, lost.progress.intentChange]).toEqual([undefined, undefined])
    }
    for (const state of ["authorized", "applying", "failed"] as const) {
      const before = connectionRecordIn(state, pendingChange("active", true))
      const lost = applyEvents(before, LifecycleEvent.ControlLost())
      expect([lost.connection.state, lost.progress.intentChange?.returnsTo]).toEqual([state, "degraded"])
      expect([hasLostHostsDuringChange(before, lost), hasLostHostsDuringChange(lost, lost)]).toEqual([true, false])
    }
  })

  test("never active before has served nothing that it could lose", () => {
    const before = connectionRecordIn("applying", {
      ...pendingChange("verifying"),
      progress: { ...pendingChange("verifying").progress, control: proven }
    })
    const lost = applyEvents(before, LifecycleEvent.ControlLost())
    expect([lost.connection.state, hasLostHostsDuringChange(before, lost)]).toEqual(["applying", false])
  })

  test("never active, and failed after an authorization, keeps its state and has lost nothing that it served", () => {
    expect(retried().connection.state).toBe("awaiting_authorization")
    const lost = applyEvents(retried(proven), LifecycleEvent.ControlLost())
    expect(lost.connection.state).toBe("awaiting_authorization")
    expect(isPossible(retried(), LifecycleEvent.ControlLost())).toBe(false)
  })

  test("was active before it waited for its repair, and is degraded at once", () => {
    const active = applyEvents(connectionRecordIn("verifying", { progress: { hasWritten: true } }), verified("right"))
    const wrong = verified("wrong", { isConfirmed: true, repair: someRepair })
    const waiting = applyEvents(active, wrong, LifecycleEvent.Retried({ toChoice: false }), discovered())
    expect(waiting.connection.state).toBe("awaiting_authorization")
    expect(applyEvents(waiting, LifecycleEvent.ControlLost()).connection.state).toBe("degraded")
  })

  test("returns from a new intent that is given up to its verification, if it was never active", () => {
    const waiting = connectionRecordIn("awaiting_authorization", { progress: { hasWritten: true } })
    const changing = applyEvents(waiting, intentChanged())
    expect(applyEvents(changing, LifecycleEvent.Canceled()).connection.state).toBe("verifying")
    const earlier = connectionRecordIn("awaiting_authorization", {
      progress: { hasWritten: true, wasActive: undefined }
    })
    expect(applyEvents(earlier, intentChanged(), LifecycleEvent.Canceled()).connection.state).toBe("degraded")
  })

  test("loses nothing twice, nor what it never had, nor while it leaves", () => {
    for (const state of ConnectionState.literals) {
      expect(
        isPossible(
          connectionRecordIn(state, { connection: { direction: "restore" }, progress: { control: proven } }),
          LifecycleEvent.ControlLost()
        )
      ).toBe(false)
      const unproven = { isAwaited: true, isLost: true, notified: [] }
      expect(
        isPossible(connectionRecordIn(state, { progress: { control: unproven } }), LifecycleEvent.ControlLost())
      ).toBe(false)
    }
  })

  test("of an earlier version was active, which counted as a right to its hosts", () => {
    const lost = applyEvents(connectionRecordIn("active"), LifecycleEvent.ControlLost())
    expect(lost.connection).toMatchObject({ state: "degraded", control: { status: "unproven" } })
  })
})

const someRepair = Option.some(samplePlan)
