import { describe, expect, test } from "bun:test"
import { Option } from "effect"
import type { ConnectionState } from "../../../src/domain/connection/Connection.ts"
import { decideCancel } from "../../../src/lifecycle/commands/cancel.ts"
import { decideIntentChange } from "../../../src/lifecycle/commands/updateConnection.ts"
import { LifecycleEvent } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import { defaultStateTimeouts } from "../../../src/lifecycle/state/StateTimeouts.ts"
import { findNextPhase } from "../../../src/lifecycle/state/findNextPhase.ts"
import {
  applyEvents,
  authorized,
  connectionRecordIn,
  disconnectRequested,
  discovered,
  failed,
  intentChanged,
  isPossible,
  newIntent,
  noChanges,
  now,
  pendingChange,
  planned,
  planOf,
  verified
} from "./connectionRecords.ts"

const oldIntent = connectionRecordIn("active").connection.intent

const proposed = { ...planned(), effectiveIntent: newIntent.effectiveIntent }

describe("a change of the intent", () => {
  test("takes the place of the old intent at once while nothing of it is in the zone", () => {
    for (const state of ["requested", "awaiting_authorization", "planned", "awaiting_manual", "failed"] as const) {
      const { connection } = applyEvents(connectionRecordIn(state), intentChanged())
      expect([
        connection.state,
        connection.intent,
        connection.pendingIntent,
        connection.plan,
        connection.failure
      ]).toEqual(["requested", newIntent.intent, undefined, undefined, undefined])
    }
  })

  test("waits while the old intent counts, until every change is in the zone", () => {
    const waiting = applyEvents(connectionRecordIn("active"), intentChanged(), discovered(), authorized(), proposed)
    const steps = [waiting, applyEvents(waiting, LifecycleEvent.Approved())]
    expect(steps.map(({ connection }) => connection.state)).toEqual(["planned", "applying"])
    for (const { connection } of steps) {
      expect(connection.intent).toEqual(oldIntent)
      expect(connection.pendingIntent?.intent).toEqual(newIntent.intent)
      expect(connection.pendingIntent?.effectiveIntent).toEqual(newIntent.effectiveIntent)
    }
    const { connection, progress } = applyEvents(waiting, LifecycleEvent.Approved(), LifecycleEvent.Applied())
    expect([connection.state, connection.intent, connection.effectiveIntent, connection.pendingIntent]).toEqual([
      "verifying",
      newIntent.intent,
      newIntent.effectiveIntent,
      undefined
    ])
    expect(progress.intentChange).toBeUndefined()
  })

  test("that needs no change in the zone is verified at once", () => {
    const { connection } = applyEvents(connectionRecordIn("active"), intentChanged(), discovered(planOf(noChanges)))
    expect([connection.state, connection.intent]).toEqual(["verifying", newIntent.intent])
  })

  test("with a stored credential is planned from the zone of the provider", () => {
    const failure = connectionRecordIn("failed", { progress: { hasWritten: true } })
    expect(applyEvents(failure, intentChanged(true)).connection.state).toBe("authorized")
  })

  test("leaves the connection verified while it waits, and after its plan could not be written", () => {
    const waiting = applyEvents(connectionRecordIn("active"), intentChanged(), discovered())
    const afterCheck = applyEvents(waiting, verified("right"))
    expect([afterCheck.connection.state, afterCheck.connection.pendingIntent]).toEqual([
      "awaiting_authorization",
      waiting.connection.pendingIntent
    ])
    const failure = applyEvents(
      waiting,
      authorized(),
      proposed,
      LifecycleEvent.Approved(),
      failed("apply_partial", true)
    )
    for (const record of [waiting, failure])
      expect(Option.map(findNextPhase(record, defaultStateTimeouts, now), ({ phase }) => phase)).toEqual(
        Option.some("verify")
      )
  })

  test("is continued by a retry after its plan was written in part, and can no longer be canceled", () => {
    const writing = applyEvents(connectionRecordIn("active"), intentChanged(), discovered(), authorized(), proposed)
    const failure = applyEvents(writing, LifecycleEvent.Approved(), failed("apply_partial", true))
    expect(isPossible(failure, LifecycleEvent.Canceled())).toBe(false)
    expect(decideCancel(failure)).toMatchObject({ _tag: "Left", left: { code: "records_written" } })
    const retried = applyEvents(failure, LifecycleEvent.Retried({ toChoice: false }), proposed)
    expect(retried.connection.pendingIntent?.intent).toEqual(newIntent.intent)
    const back = applyEvents(failure, LifecycleEvent.IntentChanged({ ...failure.connection, hasCredential: false }))
    expect(back.connection.pendingIntent?.intent).toEqual(oldIntent)
  })

  test("that is canceled, or not authorized in time, returns to the state before, to be verified at once", () => {
    const returns: ReadonlyArray<readonly [from: ConnectionState, to: ConnectionState]> = [
      ["verifying", "verifying"],
      ["active", "active"],
      ["degraded", "degraded"],
      ["failed", "verifying"],
      ["awaiting_authorization", "degraded"]
    ]
    for (const [from, to] of returns)
      for (const event of [LifecycleEvent.Canceled(), LifecycleEvent.Expired()]) {
        const before = connectionRecordIn(from, { progress: { hasWritten: true, wasActive: true } })
        const { connection, progress } = applyEvents(before, intentChanged(), discovered(), event)
        expect([from, connection.state, connection.intent, connection.pendingIntent]).toEqual([
          from,
          to,
          oldIntent,
          undefined
        ])
        expect([progress.isRecheckRequested, progress.intentChange]).toEqual([true, undefined])
      }
  })

  test("that is given up leaves a connection that had no control before as it was, unless it has lost its hosts", () => {
    const before = connectionRecordIn("active", { progress: { hasWritten: true } })
    const plannedControl = { ...proposed, control: { isAwaited: true, challenge: "token" } }
    const waiting = applyEvents(before, intentChanged(), discovered(), authorized(), plannedControl)
    expect([waiting.connection.control?.status, waiting.progress.hasProvenAccess]).toEqual(["unproven", true])
    const { connection, progress } = applyEvents(waiting, LifecycleEvent.Canceled())
    expect([connection.control, progress.control, progress.hasProvenAccess]).toEqual([undefined, undefined, false])
    const lost = {
      ...waiting,
      progress: { ...waiting.progress, control: { isAwaited: true, isLost: true, notified: [] } }
    }
    expect(applyEvents(lost, LifecycleEvent.Canceled()).progress.control?.isLost).toBe(true)
    const proven = connectionRecordIn("active", { progress: { hasWritten: true, hasProvenAccess: true } })
    const givenUp = applyEvents(proven, intentChanged(), LifecycleEvent.Canceled())
    expect([givenUp.progress.control, givenUp.progress.hasProvenAccess]).toEqual([undefined, true])
  })

  test("is dropped by a disconnect, which removes what either intent wrote", () => {
    const waiting = applyEvents(connectionRecordIn("active"), intentChanged(), disconnectRequested())
    expect([waiting.connection.direction, waiting.connection.pendingIntent]).toEqual(["restore", undefined])
  })

  test("is impossible while the records are being removed", () => {
    const leaving = connectionRecordIn("awaiting_authorization", { connection: { direction: "restore" } })
    expect(isPossible(leaving, intentChanged())).toBe(false)
  })
})

describe("a request for an intent", () => {
  const active = connectionRecordIn("active")
  const resolved = { ...newIntent, ...active.connection }

  test("that the connection has already, or changes to already, changes nothing", () => {
    expect(decideIntentChange(active, resolved, false)).toEqual([])
    expect(decideIntentChange(connectionRecordIn("awaiting_authorization", pendingChange()), newIntent, false)).toEqual(
      []
    )
  })

  test("that still counts gives up the waiting one", () =>
    expect(decideIntentChange(connectionRecordIn("awaiting_authorization", pendingChange()), resolved, false)).toEqual([
      LifecycleEvent.Canceled()
    ]))

  test("that still counts is planned if the waiting one may be partly written", () =>
    expect(
      decideIntentChange(connectionRecordIn("failed", pendingChange("active", true)), resolved, false)
    ).toMatchObject([{ _tag: "IntentChanged" }]))
})
