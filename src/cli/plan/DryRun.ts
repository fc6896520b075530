import { Either, Option } from "effect"
import type { ResolvedIntent } from "../../domain/Intent.ts"
import type { Provider } from "../../domain/Provider.ts"
import type { Zone } from "../../domain/Zone.ts"
import { isRetryable } from "../../lifecycle/state/failures.ts"
import type { Surveyed, SurveyFailed } from "../../lifecycle/zone/Survey.ts"
import { buildPlan, type Planned, type PlanRefused } from "../../planning/buildPlan.ts"
import { resultingZone } from "../../planning/changes/resultingZone.ts"
import type { Question } from "../../planning/Lookup.ts"
import { type ExitCode, exitCodes } from "../ending.ts"
import type { PlanCase } from "./readCase.ts"

/** What would happen. `zone` is the zone as it is; there is none where it could not be read. */
export interface DryRun {
  readonly intent: ResolvedIntent
  readonly provider: Option.Option<Provider>
  readonly zone: Option.Option<Zone>
  readonly planned: Either.Either<Planned, PlanRefused | SurveyFailed>
}

/** Plans for the zone of a case. */
export const dryRun = (input: PlanCase): DryRun => ({
  intent: input.intent,
  provider: Option.some(input.provider),
  zone: Option.some(input.zone),
  planned: buildPlan(input)
})

/** A plan for a zone that was found in the public DNS, or not. */
export const dryRunFrom = (intent: ResolvedIntent, survey: Either.Either<Surveyed, SurveyFailed>): DryRun =>
  Either.match(survey, {
    onLeft: (failed) => ({ intent, provider: failed.provider, zone: Option.none(), planned: Either.left(failed) }),
    onRight: ({ planned, provider, zone }) => ({
      intent,
      provider: Option.some(provider),
      zone: Option.some(zone),
      planned
    })
  })

/** Whether the plan was made. */
export const exitCodeOf = ({ planned }: DryRun): ExitCode =>
  Either.isRight(planned) ? exitCodes.planned : exitCodes.wouldFail

/** What the plan depends on and nobody told. */
export const unansweredIn = ({ planned }: DryRun): ReadonlyArray<Question> => {
  const outcome = Either.merge(planned)
  return "unanswered" in outcome ? outcome.unanswered : []
}

/**
 * A dry run for scripts. With a `failure` there is no `plan`, and `resultingZone` is the zone as it is; it is absent
 * where the zone could not be read, as `unanswered` is where nothing is.
 */
export const planJson = (run: DryRun) => {
  const { intent, planned, zone } = run
  const unanswered = unansweredIn(run)
  return {
    ...Either.match(planned, {
      onLeft: (refused) => ({
        effectiveIntent: intent.effectiveIntent,
        failure: failureOf(refused),
        optionalFailures: []
      }),
      onRight: ({ changes, digest, effectiveIntent, optionalFailures, warnings }) => ({
        effectiveIntent,
        plan: { digest, changes, warnings },
        optionalFailures
      })
    }),
    ...(unanswered.length === 0 ? {} : { unanswered }),
    ...Option.match(zone, {
      onNone: () => ({}),
      onSome: (found) => ({
        resultingZone: resultingZone(found, Either.isRight(planned) ? planned.right.changes : [])
      })
    })
  }
}

const failureOf = (refused: PlanRefused | SurveyFailed) => ({
  code: refused.code,
  retryable: isRetryable(refused.code),
  ...(refused._tag === "PlanRefused" ? { pointer: refused.pointer, rule: refused.rule } : {})
})
