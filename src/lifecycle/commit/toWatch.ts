import { DateTime, Option } from "effect"
import type { ConnectionRecord } from "../../domain/connection/ConnectionRecord.ts"
import type { KeptAnswers } from "../../domain/connection/KeptAnswers.ts"
import { chooseLooks, lookKeyOf } from "../../domain/connection/lookSchedule.ts"
import type { Transition } from "../../domain/connection/Transition.ts"

/** What single servers of an active connection are asked for from now on, where a check of all has found it out. */
export const toWatch = (
  { connection, progress }: ConnectionRecord,
  kept: Option.Option<KeptAnswers> | undefined,
  now: DateTime.Utc
): Pick<Transition, "watch"> => {
  if (kept === undefined || connection.state !== "active") return {}
  const ageOf = (moment: DateTime.Utc) => DateTime.distance(moment, now)
  const drift = progress.driftedAt && ageOf(progress.driftedAt)
  const looks = chooseLooks({ active: ageOf(progress.enteredAt), drift })
  return {
    watch:
      progress.isLookedAt === true
        ? Option.map(kept, (answers) => ({ ...answers, lookKey: lookKeyOf(answers.zone, looks) }))
        : Option.none()
  }
}
