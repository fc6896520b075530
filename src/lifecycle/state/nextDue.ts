import { Array, DateTime, Duration, Option, Order } from "effect"
import type { Standing } from "../../domain/Progress.ts"
import type { Due, Phase } from "../../persistence/Advanced.ts"
import { untilNextCheck } from "./checkSchedule.ts"
import type { Clocks } from "./Clocks.ts"
import { isBound, isInRepair } from "./isBound.ts"

/** What the lifecycle does next with a connection that stands so, and when, unless somebody asks for something else. */
export const nextDue = (standing: Standing, clocks: Clocks, now: DateTime.Utc): Option.Option<Due> => {
  const { connection, progress } = standing
  const inTime = (phase: Phase, duration: Duration.Duration) => due(phase, remaining(progress.enteredAt, duration, now))
  const checkAgain = (delay: Duration.Duration) => due("verify", progress.urgent ? Duration.zero : delay)
  const bySchedule = progress.checks === 0 ? Duration.zero : untilNextCheck(progress.enteredAt, now)
  switch (connection.state) {
    case "requested":
      return due("discover", Duration.zero)
    case "awaiting_authorization":
      return soonest(
        progress.surveying ? due("discover", bySchedule) : Option.none(),
        isBound(standing) ? Option.none() : inTime("expire", clocks.awaitingAuthorization),
        isInRepair(standing) ? checkAgain(clocks.recheck) : Option.none()
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
      return checkAgain(progress.missedAt === undefined ? clocks.recheck : clocks.secondLook)
    case "degraded":
      return progress.surveying ? due("discover", Duration.zero) : checkAgain(untilNextCheck(progress.enteredAt, now))
    case "disconnecting":
      return due("restore", Duration.zero)
    case "failed":
    case "expired":
    case "canceled":
    case "disconnected":
      return Option.none()
  }
}

const due = (phase: Phase, delay: Duration.Duration): Option.Option<Due> =>
  Option.some({ phase, inSeconds: Duration.toSeconds(delay) })

const soonest = (...dues: ReadonlyArray<Option.Option<Due>>): Option.Option<Due> =>
  Array.head(Array.sortWith(Array.getSomes(dues), ({ inSeconds }) => inSeconds, Order.number))

const remaining = (since: DateTime.Utc, duration: Duration.Duration, now: DateTime.Utc): Duration.Duration =>
  until(DateTime.addDuration(since, duration), now)

const until = (moment: DateTime.Utc, now: DateTime.Utc): Duration.Duration =>
  Duration.millis(Math.max(0, DateTime.distance(now, moment)))
