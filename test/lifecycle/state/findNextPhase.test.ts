import { expect, test } from "bun:test"
import { DateTime, Duration, Option } from "effect"
import { ConnectionId, type ConnectionState } from "../../../src/domain/connection/Connection.ts"
import { defaultStateTimeouts } from "../../../src/lifecycle/state/StateTimeouts.ts"
import { findNextPhase, computeTimeToNextCheck } from "../../../src/lifecycle/state/findNextPhase.ts"
import { connectionRecordIn, now, restoreDirection } from "./connectionRecords.ts"

/** What is due next, as `verify in 0 s`, for a connection that entered its state an hour before `now`. */
const next = (state: ConnectionState, overrides: Parameters<typeof connectionRecordIn>[1] = {}, at = now): string =>
  Option.match(findNextPhase(connectionRecordIn(state, overrides), defaultStateTimeouts, at), {
    onNone: () => "nothing",
    onSome: ({ inSeconds, phase }) => `${phase} in ${inSeconds} s`
  })

const hour = 60 * 60

const ago = (duration: Duration.DurationInput) => DateTime.subtractDuration(now, duration)

const cases: ReadonlyArray<[title: string, due: string, expected: string]> = [
  ["a requested connection is discovered at once", next("requested"), "discover in 0 s"],
  [
    "the customer has seven days to authorize the service",
    next("awaiting_authorization"),
    `expire in ${7 * 24 * hour - hour} s`
  ],
  [
    "a domain whose data is old is discovered first",
    next("awaiting_authorization", { progress: { needsSurvey: true } }),
    "discover in 0 s"
  ],
  [
    "a failed discovery is repeated by the schedule",
    next("awaiting_authorization", { progress: { needsSurvey: true, checks: 1, enteredAt: ago("3 seconds") } }),
    "discover in 2 s"
  ],
  [
    "but not once the seven days are over",
    next("awaiting_authorization", { progress: { needsSurvey: true, checks: 1, enteredAt: ago("7 days") } }),
    "expire in 0 s"
  ],
  [
    "a removal waits for its authorization without a limit",
    next("awaiting_authorization", { ...restoreDirection, progress: { hasWritten: true } }),
    "nothing"
  ],
  [
    "a connection that waits for its repair is verified every hour",
    next("awaiting_authorization", { progress: { hasWritten: true } }),
    "verify in 3600 s"
  ],
  [
    "and at once on a recheck",
    next("awaiting_authorization", { progress: { hasWritten: true, isRecheckRequested: true } }),
    "verify in 0 s"
  ],
  [
    "the customer is at the provider for a quarter of an hour at most",
    next("authorizing", { progress: { enteredAt: ago("5 minutes") } }),
    "expire in 600 s"
  ],
  ["an authorized connection is planned at once", next("authorized"), "provision in 0 s"],
  ["a plan waits until it expires", next("planned"), "expire in 900 s"],
  ["a plan that has expired is due now", next("planned", {}, DateTime.add(now, { hours: 1 })), "expire in 0 s"],
  ["an approved plan is written at once", next("applying"), "provision in 0 s"],
  [
    "a plan whose provider asked to wait goes on after that",
    next("applying", { progress: { resumesAt: DateTime.add(now, { seconds: 60 }) } }),
    "provision in 60 s"
  ],
  [
    "manual setup is verified on entering the state",
    next("awaiting_manual", { progress: { enteredAt: now } }),
    "verify in 0 s"
  ],
  [
    "and then by the schedule",
    next("awaiting_manual", { progress: { checks: 1, enteredAt: ago("1 second") } }),
    "verify in 4 s"
  ],
  [
    "and frequently again once the customer has saved something and asked for a check",
    next("awaiting_manual", { progress: { checks: 9, enteredAt: ago("2 hours"), recheckedAt: ago("1 second") } }),
    "verify in 4 s"
  ],
  [
    "and when its three days are over",
    next("awaiting_manual", { progress: { checks: 9, enteredAt: ago(Duration.minutes(72 * 60 - 1)) } }),
    "verify in 60 s"
  ],
  [
    "written records are verified on entering the state",
    next("verifying", { progress: { enteredAt: now } }),
    "verify in 0 s"
  ],
  [
    "and when its day is over",
    next("verifying", { progress: { checks: 9, enteredAt: ago(Duration.minutes(24 * 60 - 1)) } }),
    "verify in 60 s"
  ],
  ["an active connection is verified every hour", next("active"), `verify in ${hour} s`],
  ["and five minutes after a first miss", next("active", { progress: { missedAt: now } }), "verify in 300 s"],
  ["and at once on a recheck", next("active", { progress: { isRecheckRequested: true } }), "verify in 0 s"],
  [
    "a degraded connection is verified by the schedule",
    next("degraded", { progress: { enteredAt: ago("90 seconds") } }),
    "verify in 30 s"
  ],
  [
    "and once more soon after a check that found out nothing",
    next("degraded", { progress: { enteredAt: ago("17 minutes"), missedAt: now } }),
    "verify in 300 s"
  ],
  [
    "and discovered again when its repair is requested",
    next("degraded", { progress: { needsSurvey: true } }),
    "discover in 0 s"
  ],
  ["records to remove are removed at once", next("disconnecting", restoreDirection), "restore in 0 s"],
  [
    "a removal whose provider asked to wait goes on after that",
    next("disconnecting", {
      ...restoreDirection,
      progress: { hasWritten: true, resumesAt: DateTime.add(now, { seconds: 60 }) }
    }),
    "restore in 60 s"
  ],
  [
    "a restore by hand is checked by the schedule",
    next("disconnecting", { ...restoreDirection, progress: { checks: 1, enteredAt: ago("1 second") } }),
    "restore in 4 s"
  ],
  [
    "at once on a recheck",
    next("disconnecting", {
      ...restoreDirection,
      progress: { checks: 1, enteredAt: ago("1 second"), isRecheckRequested: true }
    }),
    "restore in 0 s"
  ],
  [
    "and when its 72 hours are over",
    next("disconnecting", {
      ...restoreDirection,
      progress: { checks: 1, enteredAt: ago(Duration.minutes(72 * 60 - 1)) }
    }),
    "restore in 60 s"
  ],
  ["a failed connection waits for a command", next("failed"), "nothing"],
  ["an expired connection has ended", next("expired"), "nothing"],
  ["a canceled connection has ended", next("canceled"), "nothing"],
  ["a disconnected connection has ended", next("disconnected"), "nothing"]
]

for (const [title, due, expected] of cases) test(title, () => expect(due).toBe(expected))

test("checks come 5, 15 and 30 s, 1, 2, 4, 8, 16 and 30 min after entering, and every 30 min from then on", () => {
  const seconds: Array<number> = [0]
  while (seconds.length < 13) {
    const elapsed = seconds.at(-1) ?? 0
    seconds.push(elapsed + secondsToNextCheck(elapsed))
  }
  expect(seconds).toEqual([0, 5, 15, 30, ...[1, 2, 4, 8, 16, 30, 60, 90, 120].map((minutes) => minutes * 60)])
})

test("an old intent is checked every hour although its new one cannot be planned", () => {
  const due: Array<string> = []
  for (let checks = 0, elapsed = 0; elapsed <= 4 * hour; checks += 1) {
    const progress = { hasWritten: true, needsSurvey: true, checks, enteredAt: ago(`${elapsed} seconds`) }
    const { inSeconds, phase } = Option.getOrThrow(
      findNextPhase(connectionRecordIn("awaiting_authorization", { progress }), defaultStateTimeouts, now)
    )
    elapsed += inSeconds
    due.push(`${phase} at ${elapsed / 60} min`)
  }
  expect(due.filter((each) => each.startsWith("verify"))).toEqual(
    [60, 120, 180, 240].map((minutes) => `verify at ${minutes} min`)
  )
  expect(due.filter((each) => each.startsWith("discover")).slice(-3)).toEqual(
    [150, 210, 270].map((minutes) => `discover at ${minutes} min`)
  )
})

test("connections that became active together are checked at the same time once, and drift apart then", () => {
  const ids = Array.from({ length: 200 }, (_, nth) => ConnectionId.make(`con_${nth}`))
  const dueOf = (checks: number) =>
    ids.map((id) => {
      const current = connectionRecordIn("active", { connection: { id }, progress: { checks } })
      return Option.getOrThrow(findNextPhase(current, defaultStateTimeouts, now)).inSeconds
    })
  expect(new Set(dueOf(0))).toEqual(new Set([hour]))
  const second = dueOf(1)
  expect([Math.min(...second) >= 0.9 * hour, Math.max(...second) <= hour]).toEqual([true, true])
  // No more than twice their share in any tenth of the time.
  const tenths = Map.groupBy(second, (seconds) => Math.floor((hour - seconds) / (hour / 100)))
  expect(Math.max(...[...tenths.values()].map(({ length }) => length))).toBeLessThan(40)
  expect(dueOf(2)).not.toEqual(second)
})

test("a check that runs late, or after the clock went back, does not run twice", () => {
  expect([secondsToNextCheck(7), secondsToNextCheck(31), secondsToNextCheck(1_801), secondsToNextCheck(-3)]).toEqual([
    8, 29, 1_799, 5
  ])
})

const secondsToNextCheck = (elapsed: number): number =>
  Duration.toSeconds(computeTimeToNextCheck(now, DateTime.addDuration(now, Duration.seconds(elapsed))))
