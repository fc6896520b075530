import { Either, Option } from "effect"
import { formatOptionalFailure } from "../../domain/connection/Connection.ts"
import {
  toEffectiveIntentDocument,
  toOptionalFailureDetails,
  toPlanDocument
} from "../../domain/connection/ConnectionDocument.ts"
import type { ResolvedIntent } from "../../domain/connection/Intent.ts"
import type { Provider } from "../../domain/provider/Provider.ts"
import type { Zone } from "../../domain/plan/Zone.ts"
import type { PlanPreview, PreviewedPlan } from "../../lifecycle/plan/PlanMaker.ts"
import type { ZoneSurveyFailed } from "../../lifecycle/plan/ZoneSurvey.ts"
import { describeRefusal } from "../../lifecycle/state/failureDetails.ts"
import { explainFailure } from "../../lifecycle/state/failures.ts"
import type { LookupQuestion } from "../../planning/DnsLookup.ts"
import { buildPlan, type PlanRefused, type PlanResult } from "../../planning/buildPlan.ts"
import { computeResultingRecords } from "../../planning/changes/computeResultingRecords.ts"
import { limitPlan } from "../../planning/limitPlan.ts"
import { indexZone } from "../../planning/zone/IndexedZone.ts"
import { computeAtOnce } from "../../runtime/LongComputation.ts"
import { type ExitCode, exitCodes } from "../exitCodes.ts"
import type { PlanCase } from "./parseCase.ts"

/** The result of a dry run. `zone` is the current zone, absent if it could not be read. */
export interface DryRun {
  readonly intent: ResolvedIntent
  readonly provider: Option.Option<Provider>
  readonly zone: Option.Option<Zone>
  readonly planned: Either.Either<PlanResult, PlanRefused | ZoneSurveyFailed>
}

export const planCase = ({ provider, zone, ...input }: PlanCase): DryRun => {
  const { intent, limits } = input
  const indexed = computeAtOnce(indexZone(zone, { domain: intent.domain, ttl: limits.ttl }))
  return {
    intent,
    provider: Option.some(provider),
    zone: Option.some(zone),
    planned: Either.flatMap(computeAtOnce(buildPlan({ ...input, zone: indexed })), (plan) => limitPlan(plan, intent))
  }
}

/** Makes the result from a preview of the plan from the public DNS, which may have failed. */
export const toDryRun = (intent: ResolvedIntent, preview: Either.Either<PlanPreview, ZoneSurveyFailed>): DryRun =>
  Either.match(preview, {
    onLeft: (failed) => ({ intent, provider: failed.provider, zone: Option.none(), planned: Either.left(failed) }),
    onRight: ({ planned, provider, zone }) => ({
      intent,
      provider: Option.some(provider),
      zone: Option.some(zone),
      planned: Either.map(planned, toPreviewedResult(zone))
    })
  })

const toPreviewedResult =
  ({ name }: Zone) =>
  ({
    effectiveIntent,
    optionalFailures,
    plan: { changes, digest, warningDetails = [], warnings },
    unanswered
  }: PreviewedPlan): PlanResult => ({
    effectiveIntent,
    changes,
    warnings,
    digest,
    warningDetails,
    zone: name,
    optionalFailures,
    unanswered
  })

export const exitCodeOf = ({ planned }: DryRun): ExitCode =>
  Either.isRight(planned) ? exitCodes.planned : exitCodes.wouldFail

/** The lookups that the plan depends on and that have no answer. */
export const listUnansweredQuestions = ({ planned }: DryRun): ReadonlyArray<LookupQuestion> => {
  const result = Either.merge(planned)
  return "unanswered" in result ? result.unanswered : []
}

/**
 * Formats a dry run for scripts. With a `failure` there is no `plan`, and `resultingZone` is the current zone.
 * `resultingZone` is absent if the zone could not be read, `unanswered` if every lookup has an answer.
 */
export const toDryRunJson = (run: DryRun) => {
  const { intent, planned, zone } = run
  const unanswered = listUnansweredQuestions(run)
  return {
    ...Either.match(planned, {
      onLeft: (refused) => ({
        effectiveIntent: toEffectiveIntentDocument(intent.effectiveIntent, Option.getOrUndefined(zone)?.name),
        failure: failureOf(refused),
        optionalFailures: [],
        optionalFailureDetails: []
      }),
      onRight: ({ changes, digest, effectiveIntent, optionalFailures, warningDetails, warnings, zone }) => ({
        effectiveIntent: toEffectiveIntentDocument(effectiveIntent, zone),
        plan: toPlanDocument({ digest, zone, changes, warnings, warningDetails }, intent.domain),
        optionalFailures: optionalFailures.map(formatOptionalFailure),
        optionalFailureDetails: toOptionalFailureDetails(optionalFailures, intent.domain, zone)
      })
    }),
    ...(unanswered.length === 0 ? {} : { unanswered }),
    ...Option.match(zone, {
      onNone: () => ({}),
      onSome: (zone) => ({
        resultingZone: computeResultingRecords(zone, Either.isRight(planned) ? planned.right.changes : [])
      })
    })
  }
}

/** The failure as the API explains it; a record that cannot be planned is named by its pointer and the rule, too. */
export const failureOf = (failure: PlanRefused | ZoneSurveyFailed) =>
  failure._tag === "PlanRefused"
    ? {
        ...explainFailure({ code: failure.code, details: describeRefusal(failure) }),
        pointer: failure.pointer,
        rule: failure.rule
      }
    : explainFailure(failure)
