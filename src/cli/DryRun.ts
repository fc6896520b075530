import { Either, Option } from "effect"
import type { ResolvedIntent } from "../domain/Intent.ts"
import type { Provider } from "../domain/Provider.ts"
import type { Zone } from "../domain/Zone.ts"
import type { Surveyed, SurveyFailed } from "../lifecycle/Survey.ts"
import { buildPlan, type Planned, type PlanRefused } from "../planning/buildPlan.ts"
import { inOrder } from "../planning/changes/warnings.ts"
import { type ExitCode, exitCodes } from "./exitCodes.ts"
import type { PlanCase } from "./PlanCase.ts"

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
    onRight: ({ planned, provider, warnings, zone }) => ({
      intent,
      provider: Option.some(provider),
      zone: Option.some(zone),
      planned: Either.map(planned, (plan) => ({ ...plan, warnings: inOrder([...plan.warnings, ...warnings]) }))
    })
  })

/** Whether the plan was made. */
export const exitCodeOf = ({ planned }: DryRun): ExitCode =>
  Either.isRight(planned) ? exitCodes.planned : exitCodes.wouldFail
