import { describe, expect, test } from "bun:test"
import { Either } from "effect"
import { allowedNamesOf, type ConnectionRecord } from "../../../src/domain/connection/ConnectionRecord.ts"
import { initialControl } from "../../../src/domain/connection/Control.ts"
import { resolveIntent } from "../../../src/domain/connection/Intent.ts"
import { LifecycleEvent } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import { hasLostHostsDuringChange } from "../../../src/lifecycle/state/controlState.ts"
import { requestedConnection } from "../../persistence/connectionFixtures.ts"
import { applyEvents, connectionRecordIn, disconnectRequested, isPossible, verified } from "./connectionRecords.ts"

const { domain } = requestedConnection().effectiveIntent

const intentAt = (...hosts: ReadonlyArray<string>) =>
  Either.getOrThrow(
    resolveIntent({
      domain,
      records: [
        ...hosts.map((host) => ({ host, type: "A" as const, value: "11.22.33.44" })),
        { host: "_verify", type: "TXT", value: "b41c" }
      ]
    })
  )

const namesOf = (...hosts: ReadonlyArray<string>) => hosts.map((host) => `${host}.${domain}`)

const { effectiveIntent, intent } = intentAt("shop", "blog")

const unproven = { control: initialControl }

const active = connectionRecordIn("active", { connection: { effectiveIntent, intent }, progress: unproven })

const changeTo = (...hosts: ReadonlyArray<string>) =>
  LifecycleEvent.IntentChanged({ ...intentAt(...hosts), hasCredential: true })

/** The record while a change to these hosts is verified, of which nobody has proven control. */
const verifyingChangeTo = (...hosts: ReadonlyArray<string>): ConnectionRecord => {
  const applying = applyEvents(active, changeTo(...hosts))
  return applyEvents(
    { ...applying, connection: { ...applying.connection, state: "awaiting_manual" } },
    verified("right")
  )
}

describe("the names that stay allowed", () => {
  test("are all those of addresses, while a new intent waits and after it was given up", () => {
    const waiting = applyEvents(active, changeTo("shop", "news"))
    expect([waiting.connection.allowedNames, allowedNamesOf(waiting)]).toEqual([
      namesOf("shop", "blog"),
      namesOf("shop", "blog")
    ])
    const back = applyEvents(
      { ...waiting, connection: { ...waiting.connection, state: "planned" } },
      LifecycleEvent.Canceled()
    )
    expect([back.connection.state, back.connection.allowedNames, allowedNamesOf(back)]).toEqual([
      "active",
      undefined,
      namesOf("shop", "blog")
    ])
  })

  test("are those of both intents while the new one is verified, also after a failure", () => {
    const verifying = verifyingChangeTo("shop", "news")
    expect([verifying.connection.state, verifying.connection.allowedNames]).toEqual(["verifying", namesOf("shop")])
    const failed = applyEvents(verifying, verified("wrong", { isTimedOut: true }))
    expect([failed.connection.state, allowedNamesOf(failed)]).toEqual(["failed", namesOf("shop")])
    expect(allowedNamesOf(applyEvents(verifying, verified("right")))).toEqual(namesOf("shop", "news"))
  })

  test("are those common to every intent, if one change follows another before it is active", () => {
    const again = applyEvents(verifyingChangeTo("shop", "news"), changeTo("news"))
    expect(allowedNamesOf(again)).toEqual(namesOf("shop"))
    const verifying = applyEvents(
      { ...again, connection: { ...again.connection, state: "awaiting_manual" } },
      verified("right")
    )
    expect([verifying.connection.state, verifying.connection.allowedNames]).toEqual(["verifying", undefined])
  })

  test("are none if the connection was not active, is degraded, or is disconnected", () => {
    const degraded = applyEvents(active, verified("wrong", { isConfirmed: true }))
    expect([degraded.connection.state, allowedNamesOf(degraded)]).toEqual(["degraded", []])
    expect(allowedNamesOf(applyEvents(degraded, changeTo("shop")))).toEqual([])
    expect(allowedNamesOf(applyEvents(verifyingChangeTo("shop"), disconnectRequested()))).toEqual([])
  })

  test("are lost to a newer proof, also where nobody has proven control of them", () => {
    const verifying = verifyingChangeTo("shop", "news")
    const lost = applyEvents(verifying, LifecycleEvent.ControlLost())
    expect([lost.connection.state, lost.connection.allowedNames, allowedNamesOf(lost)]).toEqual([
      "verifying",
      undefined,
      []
    ])
    expect([hasLostHostsDuringChange(verifying, lost), hasLostHostsDuringChange(lost, lost)]).toEqual([true, false])
    expect(isPossible(verifyingChangeTo("news"), LifecycleEvent.ControlLost())).toBe(false)
  })
})
