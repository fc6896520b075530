import { describe, expect, test } from "bun:test"
import { DateTime, Duration, Either, Option } from "effect"
import type { ConnectionState } from "../../../src/domain/connection/Connection.ts"
import { lookKeyOf } from "../../../src/domain/connection/lookSchedule.ts"
import { toWatch } from "../../../src/lifecycle/commit/toWatch.ts"
import { LifecycleEvent } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import { defaultStateTimeouts, withLooks } from "../../../src/lifecycle/state/StateTimeouts.ts"
import { advance } from "../../../src/lifecycle/state/advance.ts"
import { findNextPhase } from "../../../src/lifecycle/state/findNextPhase.ts"
import { mayLook } from "../../../src/lifecycle/state/mayLook.ts"
import { connectionRecordIn, now, verified } from "./connectionRecords.ts"

const ago = (duration: Duration.DurationInput) => DateTime.subtractDuration(now, duration)

/** An active connection that all servers showed an hour ago, and that is left to looks since. */
const lookedAt = { verifiedAt: ago("1 hour"), isLookedAt: true }

const after = (event: LifecycleEvent, state: ConnectionState = "active", progress = {}) =>
  Either.getOrThrow(advance(connectionRecordIn(state, { progress }), event, now))

const kept = { zone: "example.com", servers: ["192.0.2.1"], silentServers: [], serversUntil: 0, answers: [] }

const isLeft = (state: ConnectionState, isKept: boolean) =>
  after(verified("right", { isKept }), state).progress.isLookedAt

const keyFor = (enteredAt: DateTime.Utc, driftedAt?: DateTime.Utc) => {
  const progress = { ...lookedAt, enteredAt, ...(driftedAt === undefined ? {} : { driftedAt }) }
  const { watch = Option.none() } = toWatch(connectionRecordIn("active", { progress }), Option.some(kept), now)
  return Option.getOrThrow(watch).lookKey
}

describe("a connection is left to looks", () => {
  test("once all servers show its records, and their answers are kept", () => {
    expect([isLeft("verifying", true), isLeft("active", true)]).toEqual([true, true])
    expect([isLeft("verifying", false), isLeft("active", false)]).toEqual([undefined, undefined])
  })

  test("until a check of all servers finds another answer, or none, or its state ends", () => {
    for (const event of [verified("wrong"), verified("unknown"), LifecycleEvent.ControlLost()])
      expect(after(event, "active", lookedAt).progress.isLookedAt).toBeUndefined()
  })

  test("but not for a day after a look that was wrong", () => {
    const timeouts = withLooks(defaultStateTimeouts)
    const may = (progress: object, at = timeouts, silentServers: ReadonlyArray<string> = []) =>
      mayLook(connectionRecordIn("active", { progress }).progress, Option.some({ ...kept, silentServers }), at, now)
    expect(may(lookedAt)).toBe(false)
    expect(may({ verifiedAt: ago("1 hour") })).toBe(true)
    expect(may({ ...lookedAt, isRecheckRequested: true })).toBe(true)
    expect(may({ ...lookedAt, verifiedAt: ago("18 hours") })).toBe(true)
    expect(may({}, defaultStateTimeouts)).toBe(false)
    // A server has fallen silent, or had for a moment.
    expect(may(lookedAt, timeouts, ["192.0.2.2"])).toBe(true)
    expect(may({ isLookedAt: true })).toBe(true)
  })

  test("as often as its age and its last drift say", () => {
    expect(keyFor(ago("1 hour"))).toBe(lookKeyOf("example.com", 4))
    expect(keyFor(ago("3 days"))).toBe(lookKeyOf("example.com", 2))
    expect(keyFor(ago("40 days"))).toBe(lookKeyOf("example.com", 1))
    expect(keyFor(ago("40 days"), ago("3 days"))).toBe(lookKeyOf("example.com", 2))
  })

  test("and what they ask for stays where a transition has not asked all servers", () => {
    expect(toWatch(connectionRecordIn("active", { progress: lookedAt }), undefined, now)).toEqual({})
    expect(toWatch(connectionRecordIn("degraded"), Option.some(kept), now)).toEqual({})
    expect(toWatch(connectionRecordIn("active"), Option.some(kept), now)).toEqual({ watch: Option.none() })
  })
})

test("a drift is remembered beyond the repair", () => {
  const missed = after(verified("wrong"), "active", lookedAt)
  expect(missed.progress.driftedAt).toEqual(now)
  const degraded = after(verified("wrong", { isConfirmed: true }), "active", {
    ...lookedAt,
    missedAt: ago("5 minutes")
  })
  const later = DateTime.add(now, { days: 3 })
  const repaired = Either.getOrThrow(advance(degraded, verified("right"), later))
  expect([repaired.connection.state, repaired.progress.driftedAt]).toEqual(["active", now])
})

describe("all servers of a connection that is left to looks are asked", () => {
  const timeouts = withLooks(defaultStateTimeouts)
  const secondsOf = (progress: object) =>
    Option.getOrThrow(findNextPhase(connectionRecordIn("active", { progress }), timeouts, now)).inSeconds

  test("in 18 to 24 hours, each time differently", () => {
    const seconds = Array.from({ length: 50 }, (_, checks) => secondsOf({ ...lookedAt, checks }))
    expect(Math.min(...seconds)).toBeGreaterThanOrEqual(18 * 3_600)
    expect(Math.max(...seconds)).toBeLessThanOrEqual(24 * 3_600)
    expect(new Set(seconds).size).toBeGreaterThan(40)
  })

  test("in five minutes after a miss, and at once on a recheck", () => {
    expect(secondsOf({ ...lookedAt, missedAt: now })).toBe(300)
    expect(secondsOf({ ...lookedAt, isRecheckRequested: true })).toBe(0)
  })

  test("in an hour where it is not, and where an interval of more than half a day leaves nothing to looks", () => {
    expect(secondsOf({ verifiedAt: now })).toBe(3_600)
    expect(withLooks({ ...defaultStateTimeouts, recheckInterval: Duration.hours(13) }).verifyInterval).toBeUndefined()
  })
})
