import { Array, DateTime, Duration, Option, Order } from "effect"
import type { ConnectionRecord } from "../../domain/ConnectionRecord.ts"
import type { Phase, ScheduledPhase } from "../../domain/Phase.ts"
import type { StateTimeouts } from "./StateTimeouts.ts"
import { awaitsRepair, mustRestore } from "./recordsInZone.ts"

/** What the lifecycle does next with a connection that stands so, and when, unless somebody asks for something else. */
export const nextDue = (
  standing: ConnectionRecord,
  clocks: StateTimeouts,
  now: DateTime.Utc
): Option.Option<ScheduledPhase> => {
  const { connection, progress } = standing
  const inTime = (phase: Phase, duration: Duration.Duration) => due(phase, remaining(progress.enteredAt, duration, now))
  const checkAgain = (delay: Duration.Duration) => due("verify", progress.urgent ? Duration.zero : delay)
  const bySchedule = progress.checks === 0 ? Duration.zero : timeToNextCheck(progress.enteredAt, now)
  switch (connection.state) {
    case "requested":
      return due("discover", Duration.zero)
    case "awaiting_authorization":
      return soonest(
        progress.surveying ? due("discover", bySchedule) : Option.none(),
        mustRestore(standing) ? Option.none() : inTime("expire", clocks.awaitingAuthorization),
        awaitsRepair(standing) ? checkAgain(clocks.recheckInterval) : Option.none()
      )
    case "authorizing":
      return inTime("expire", clocks.authorizing)
    case "authorized":
    case "applying":
      return due("provision", Duration.zero)
    case "planned":
      return Option.flatMap(Option.fromNullable(connection.plan), ({ expiresAt }) =>
        due("expire", until(expiresAt, now))
      )
    case "awaiting_manual":
      return checkAgain(Duration.min(bySchedule, remaining(progress.enteredAt, clocks.awaitingManual, now)))
    case "verifying":
      return checkAgain(Duration.min(bySchedule, remaining(progress.enteredAt, clocks.verifying, now)))
    case "active":
      return checkAgain(progress.missedAt === undefined ? clocks.recheckInterval : clocks.confirmMissAfter)
    case "degraded":
      return progress.surveying ? due("discover", Duration.zero) : checkAgain(timeToNextCheck(progress.enteredAt, now))
    case "disconnecting":
      return due("restore", Duration.zero)
    case "failed":
    case "expired":
    case "canceled":
    case "disconnected":
      return Option.none()
  }
}

const due = (phase: Phase, delay: Duration.Duration): Option.Option<ScheduledPhase> =>
  Option.some({ phase, inSeconds: Duration.toSeconds(delay) })

const soonest = (...dues: ReadonlyArray<Option.Option<ScheduledPhase>>): Option.Option<ScheduledPhase> =>
  Array.head(Array.sortWith(Array.getSomes(dues), ({ inSeconds }) => inSeconds, Order.number))

const remaining = (since: DateTime.Utc, duration: Duration.Duration, now: DateTime.Utc): Duration.Duration =>
  until(DateTime.addDuration(since, duration), now)

const until = (moment: DateTime.Utc, now: DateTime.Utc): Duration.Duration =>
  Duration.millis(Math.max(0, DateTime.distance(now, moment)))

/**
 * How long to wait, after a check, for the next one in the same state: checks come on entering it, 5 s, 15 s, 30 s, 1, 2,
 * 4, 8, 16 and 30 min after that moment, then every 30 min.
 */
export const timeToNextCheck = (enteredAt: DateTime.Utc, now: DateTime.Utc): Duration.Duration => {
  const elapsed = Duration.millis(Math.max(DateTime.distance(enteredAt, now), 0))
  const next = Option.getOrElse(
    Array.findFirst(firstChecks, (offset) => Duration.greaterThan(offset, elapsed)),
    () => Duration.times(interval, Math.floor(Duration.toMillis(elapsed) / Duration.toMillis(interval)) + 1)
  )
  return Duration.subtract(next, elapsed)
}

const firstChecks = [
  Duration.seconds(5),
  Duration.seconds(15),
  Duration.seconds(30),
  ...[1, 2, 4, 8, 16].map(Duration.minutes)
]

const interval = Duration.minutes(30)
