import { expect, test } from "bun:test"
import { DateTime, Duration, Option } from "effect"
import type { ConnectionState } from "../../../src/domain/Connection.ts"
import { defaultStateTimeouts } from "../../../src/lifecycle/state/StateTimeouts.ts"
import { nextDue, timeToNextCheck } from "../../../src/lifecycle/state/nextDue.ts"
import { connectionRecordIn, now, restoreDirection } from "./connectionRecords.ts"

/** What comes next, as `verify in 0 s`, of a connection that entered its state an hour before `now`. */
const next = (state: ConnectionState, differing: Parameters<typeof connectionRecordIn>[1] = {}, at = now): string =>
  Option.match(nextDue(connectionRecordIn(state, differing), defaultStateTimeouts, at), {
    onNone: () => "nothing",
    onSome: ({ inSeconds, phase }) => `${phase} in ${inSeconds} s`
  })

const hour = 60 * 60

const ago = (duration: Duration.DurationInput) => DateTime.subtractDuration(now, duration)

const cases: ReadonlyArray<[what: string, due: string, expected: string]> = [
  ["what was asked for is discovered at once", next("requested"), "discover in 0 s"],
  [
    "the customer has seven days to let the service in",
    next("awaiting_authorization"),
    `expire in ${7 * 24 * hour - hour} s`
  ],
  [
    "what is known of it that is old is looked at first",
    next("awaiting_authorization", { progress: { surveying: true } }),
    "discover in 0 s"
  ],
  [
    "a look that failed is taken again by the schedule",
    next("awaiting_authorization", { progress: { surveying: true, checks: 1, enteredAt: ago("3 seconds") } }),
    "discover in 2 s"
  ],
  [
    "and no longer when the seven days are over",
    next("awaiting_authorization", { progress: { surveying: true, checks: 1, enteredAt: ago("7 days") } }),
    "expire in 0 s"
  ],
  [
    "what is to leave is waited for however long",
    next("awaiting_authorization", { ...restoreDirection, progress: { wrote: true } }),
    "nothing"
  ],
  [
    "what was written and waits to be repaired is looked at every hour",
    next("awaiting_authorization", { progress: { wrote: true } }),
    "verify in 3600 s"
  ],
  [
    "and at once when somebody asks",
    next("awaiting_authorization", { progress: { wrote: true, urgent: true } }),
    "verify in 0 s"
  ],
  [
    "the customer is at the provider for a quarter of an hour at most",
    next("authorizing", { progress: { enteredAt: ago("5 minutes") } }),
    "expire in 600 s"
  ],
  ["what has been let in is planned at once", next("authorized"), "provision in 0 s"],
  ["a plan waits until it is too old", next("planned"), "expire in 900 s"],
  ["a plan that is too old already is so now", next("planned", {}, DateTime.add(now, { hours: 1 })), "expire in 0 s"],
  ["what was approved is written at once", next("applying"), "provision in 0 s"],
  [
    "what is entered by hand is looked for on entering",
    next("awaiting_manual", { progress: { enteredAt: now } }),
    "verify in 0 s"
  ],
  [
    "and then by the schedule",
    next("awaiting_manual", { progress: { checks: 1, enteredAt: ago("1 second") } }),
    "verify in 4 s"
  ],
  [
    "and when its three days are over",
    next("awaiting_manual", { progress: { checks: 9, enteredAt: ago(Duration.minutes(72 * 60 - 1)) } }),
    "verify in 60 s"
  ],
  ["what was written is verified on entering", next("verifying", { progress: { enteredAt: now } }), "verify in 0 s"],
  [
    "and when its day is over",
    next("verifying", { progress: { checks: 9, enteredAt: ago(Duration.minutes(24 * 60 - 1)) } }),
    "verify in 60 s"
  ],
  ["an active connection is looked at hourly", next("active"), `verify in ${hour} s`],
  ["and five minutes after a first miss", next("active", { progress: { missedAt: now } }), "verify in 300 s"],
  ["and at once where somebody asks", next("active", { progress: { urgent: true } }), "verify in 0 s"],
  [
    "a degraded connection is looked at by the schedule",
    next("degraded", { progress: { enteredAt: ago("90 seconds") } }),
    "verify in 30 s"
  ],
  ["and planned anew where somebody asks", next("degraded", { progress: { surveying: true } }), "discover in 0 s"],
  ["what is to leave is taken out at once", next("disconnecting", restoreDirection), "restore in 0 s"],
  ["what failed waits for somebody", next("failed"), "nothing"],
  ["what has expired is over", next("expired"), "nothing"],
  ["what was canceled is over", next("canceled"), "nothing"],
  ["what was disconnected is over", next("disconnected"), "nothing"]
]

for (const [what, due, expected] of cases) test(what, () => expect(due).toBe(expected))

test("checks come 5, 15 and 30 s, 1, 2, 4, 8, 16 and 30 min after entering, and every 30 min from then on", () => {
  const seconds: Array<number> = [0]
  while (seconds.length < 13) {
    const elapsed = seconds.at(-1) ?? 0
    seconds.push(elapsed + untilNext(elapsed))
  }
  expect(seconds).toEqual([0, 5, 15, 30, ...[1, 2, 4, 8, 16, 30, 60, 90, 120].map((minutes) => minutes * 60)])
})

test("a check that comes late, or by a clock that went back, does not come twice", () => {
  expect([untilNext(7), untilNext(31), untilNext(1_801), untilNext(-3)]).toEqual([8, 29, 1_799, 5])
})

const untilNext = (elapsed: number): number =>
  Duration.toSeconds(timeToNextCheck(now, DateTime.addDuration(now, Duration.seconds(elapsed))))
