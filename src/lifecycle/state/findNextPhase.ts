import { Array, DateTime, Duration, Hash, Option, Order } from "effect"
import {
  canAbandonChange,
  type ConnectionRecord,
  isRestoredByHand,
  isWatchedWhileWaiting,
  mustRestore
} from "../../domain/connection/ConnectionRecord.ts"
import type { Phase, ScheduledPhase } from "../../domain/connection/Transition.ts"
import type { LifecycleTimeouts } from "./StateTimeouts.ts"

/** The phase that runs next for a connection, and when, unless a command comes first; none if it waits for a command. */
export const findNextPhase = (
  current: ConnectionRecord,
  timeouts: LifecycleTimeouts,
  now: DateTime.Utc
): Option.Option<ScheduledPhase> => {
  const { connection, progress } = current
  const expireAfter = (timeout: Duration.Duration) =>
    schedule("expire", computeRemaining(progress.enteredAt, timeout, now))
  const unlessRequested = (delay: Duration.Duration) => (progress.isRecheckRequested ? Duration.zero : delay)
  const verifyIn = (delay: Duration.Duration) => schedule("verify", unlessRequested(delay))
  const bySchedule = progress.checks === 0 ? Duration.zero : computeTimeToNextCheck(progress.enteredAt, now)
  // What a customer has saved is there after a minute or two: the checks are frequent again.
  const manualSchedule =
    progress.checks === 0 ? Duration.zero : computeTimeToNextCheck(progress.recheckedAt ?? progress.enteredAt, now)
  const untilManualCheck = unlessRequested(
    Duration.min(manualSchedule, computeRemaining(progress.enteredAt, timeouts.awaitingManual, now))
  )
  const untilResumption = progress.resumesAt === undefined ? Duration.zero : timeUntil(progress.resumesAt, now)
  switch (connection.state) {
    case "requested":
      return schedule("discover", Duration.zero)
    case "awaiting_authorization": {
      const isWatched = isWatchedWhileWaiting(current)
      const isTurnOfCheck = isWatched && isAtEvenInterval(DateTime.addDuration(now, bySchedule), progress.enteredAt)
      return findSoonest(
        progress.needsSurvey && !isTurnOfCheck ? schedule("discover", bySchedule) : Option.none(),
        mustRestore(current) && !canAbandonChange(current)
          ? Option.none()
          : expireAfter(timeouts.awaitingAuthorization),
        isWatched
          ? verifyIn(progress.needsSurvey && isTurnOfCheck ? bySchedule : timeouts.recheckInterval)
          : Option.none()
      )
    }
    case "authorizing":
      return expireAfter(timeouts.authorizing)
    case "authorized":
      return schedule("provision", Duration.zero)
    case "applying":
      return schedule("provision", untilResumption)
    case "planned":
      return Option.flatMap(Option.fromNullable(connection.plan), ({ expiresAt }) =>
        schedule("expire", timeUntil(expiresAt, now))
      )
    case "awaiting_manual":
      return findSoonest(
        progress.needsSurvey ? schedule("discover", bySchedule) : Option.none(),
        schedule("verify", untilManualCheck)
      )
    case "verifying":
      return verifyIn(Duration.min(bySchedule, computeRemaining(progress.enteredAt, timeouts.verifying, now)))
    case "active":
      if (progress.missedAt !== undefined) return verifyIn(timeouts.confirmMissAfter)
      return verifyIn(
        progress.isLookedAt === true && timeouts.verifyInterval !== undefined
          ? shortenInterval(timeouts.verifyInterval, current, 1 - earliestCheckOfAll)
          : spreadInterval(timeouts.recheckInterval, current)
      )
    case "degraded": {
      if (progress.needsSurvey) return schedule("discover", Duration.zero)
      const next = computeTimeToNextCheck(progress.enteredAt, now)
      return verifyIn(progress.missedAt === undefined ? next : Duration.min(next, timeouts.confirmMissAfter))
    }
    case "disconnecting":
      return schedule("restore", isRestoredByHand(current) ? untilManualCheck : untilResumption)
    case "failed":
      return isWatchedWhileWaiting(current) ? verifyIn(timeouts.recheckInterval) : Option.none()
    case "expired":
    case "canceled":
    case "disconnected":
      return Option.none()
  }
}

const schedule = (phase: Phase, delay: Duration.Duration): Option.Option<ScheduledPhase> =>
  Option.some({ phase, inSeconds: Duration.toSeconds(delay) })

const findSoonest = (...dues: ReadonlyArray<Option.Option<ScheduledPhase>>): Option.Option<ScheduledPhase> =>
  Array.head(Array.sortWith(Array.getSomes(dues), ({ inSeconds }) => inSeconds, Order.number))

const computeRemaining = (since: DateTime.Utc, duration: Duration.Duration, now: DateTime.Utc): Duration.Duration =>
  timeUntil(DateTime.addDuration(since, duration), now)

const timeUntil = (moment: DateTime.Utc, now: DateTime.Utc): Duration.Duration =>
  Duration.millis(Math.max(0, DateTime.distance(now, moment)))

/** The time to the next check: 5 s, 15 s, 30 s, 1, 2, 4, 8, 16, 30 min after entering, then every 30 min. */
export const computeTimeToNextCheck = (enteredAt: DateTime.Utc, now: DateTime.Utc): Duration.Duration => {
  const elapsed = Duration.millis(Math.max(DateTime.distance(enteredAt, now), 0))
  const next = Option.getOrElse(
    Array.findFirst(firstChecks, (offset) => Duration.greaterThan(offset, elapsed)),
    () => Duration.times(laterInterval, Math.floor(Duration.toMillis(elapsed) / Duration.toMillis(laterInterval)) + 1)
  )
  return Duration.subtract(next, elapsed)
}

/**
 * Whether a check of the old intent comes at this time of the schedule, in place of a survey for the new one. Surveys
 * that fail come so often that it would never be due.
 */
const isAtEvenInterval = (time: DateTime.Utc, enteredAt: DateTime.Utc): boolean => {
  const intervals = DateTime.distance(enteredAt, time) / Duration.toMillis(laterInterval)
  return intervals > 0 && intervals % 2 === 0
}

/** Shortens an interval by up to a tenth, so that an import's connections drift apart for their name servers. */
const spreadInterval = (interval: Duration.Duration, current: ConnectionRecord): Duration.Duration =>
  current.progress.checks === 0 ? interval : shortenInterval(interval, current, 0.1)

/** Shortens an interval by up to this part, which differs from connection to connection and from check to check. */
const shortenInterval = (
  interval: Duration.Duration,
  { connection: { id }, progress: { checks } }: ConnectionRecord,
  most: number
): Duration.Duration => Duration.times(interval, 1 - most * (((Hash.string(`${checks} ${id}`) >>> 0) % 1_000) / 1_000))

/** The part of its interval after which the check of all servers comes at the earliest by itself. */
export const earliestCheckOfAll = 0.75

const firstChecks = [
  Duration.seconds(5),
  Duration.seconds(15),
  Duration.seconds(30),
  ...[1, 2, 4, 8, 16].map(Duration.minutes)
]

const laterInterval = Duration.minutes(30)
