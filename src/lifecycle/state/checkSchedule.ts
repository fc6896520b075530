import { Array, DateTime, Duration, Option } from "effect"

/**
 * How long to wait, after a check, for the next one in the same state: checks come on entering it, 5 s, 15 s, 30 s, 1, 2,
 * 4, 8, 16 and 30 min after that moment, then every 30 min.
 */
export const untilNextCheck = (enteredAt: DateTime.Utc, now: DateTime.Utc): Duration.Duration => {
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
