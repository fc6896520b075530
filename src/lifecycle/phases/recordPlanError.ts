import { Duration, Effect } from "effect"
import { providerNameOf } from "../../domain/connection/Connection.ts"
import { DomainName } from "../../domain/names/DomainName.ts"
import type { ConnectionRecord } from "../../domain/connection/ConnectionRecord.ts"
import type { JournalStore } from "../../persistence/stores/phases/JournalStore.ts"
import type { ZoneChanged } from "../../providers/ProviderFailure.ts"
import type { PhaseDelayed, StepResult } from "../commit/Transitions.ts"
import type { PlanImpossible } from "../plan/PlanImpossible.ts"
import type { ZoneSurveyFailed } from "../plan/ZoneSurvey.ts"
import { type FailureCause, LifecycleEvent } from "../state/LifecycleEvent.ts"
import { describeFailedWrite } from "../state/failureDetails.ts"
import type { PlanChanged } from "../apply/ApprovedPlanWriter.ts"
import type { ZoneAccessDenied } from "../apply/ZoneAccess.ts"
import type { ApplyFailed } from "../apply/ActiveRun.ts"
import type { ApplyDelayed } from "../apply/ApplyDelayed.ts"
import { describeRun } from "../apply/describeRun.ts"

/** Why a plan could not be made or written. */
type PlanError =
  | PlanChanged
  | ZoneChanged
  | ZoneAccessDenied
  | PlanImpossible
  | ZoneSurveyFailed
  | ApplyDelayed
  | ApplyFailed

/** Runs a phase that makes or writes a plan, and turns an error of it into the event that records the error. */
export const recordPlanError = <R>(
  phase: Effect.Effect<StepResult, PlanError | PhaseDelayed, R>,
  { connection }: ConnectionRecord,
  journal: typeof JournalStore.Service
): Effect.Effect<StepResult, PhaseDelayed, R> => {
  const domain = DomainName.make(connection.effectiveIntent.domain)
  const failed = ({ code, details = [] }: FailureCause) =>
    Effect.map(journal.hasWrites(connection.id), (hasWrites) => ({
      event: LifecycleEvent.Failed({ code, details, hasWrites })
    }))
  /** The plan may have been written partly before, and have waited for its provider. */
  const failedBeforeWrite = ({ code, details = [] }: FailureCause) =>
    Effect.flatMap(journal.findUnfinishedRun(connection.id), (entries) =>
      failed({ code, details: [...details, ...describeRun(entries, domain)] })
    )
  return phase.pipe(
    Effect.catchTags({
      PlanChanged: replan,
      ZoneChanged: replan,
      ZoneAccessDenied: failedBeforeWrite,
      PlanImpossible: failedBeforeWrite,
      ZoneSurveyFailed: failedBeforeWrite,
      ApplyDelayed: ({ detail, resumesIn }) =>
        Effect.logInfo("An approved plan waits for its provider").pipe(
          Effect.annotateLogs({ detail, seconds: Duration.toSeconds(resumesIn) }),
          Effect.zipRight(journal.hasWrites(connection.id)),
          Effect.map((hasWrites) => ({ event: LifecycleEvent.WriteDelayed({ resumesIn, hasWrites }) }))
        ),
      ApplyFailed: (failure) =>
        Effect.logWarning("An approved plan was not written completely").pipe(
          Effect.annotateLogs({ failure: failure.code, detail: failure.detail, hasWrites: failure.hasWrites }),
          Effect.zipRight(
            failed({
              code: failure.code,
              details: [
                ...(failure.isOwnFinding === true
                  ? [{ message: `The service read the zone again: ${failure.detail}` }]
                  : describeFailedWrite(providerNameOf(connection), failure, domain)),
                ...failure.changes
              ]
            })
          )
        )
    })
  )
}

const replan = () => Effect.succeed({ event: LifecycleEvent.PlanInvalidated({ code: "zone_changed" }) })
