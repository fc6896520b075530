import { Either, Option } from "effect"
import { isRetryable } from "../lifecycle/LifecycleState.ts"
import type { SurveyFailed } from "../lifecycle/Survey.ts"
import type { PlanRefused } from "../planning/buildPlan.ts"
import { resultingZone } from "../planning/zone/resultingZone.ts"
import type { BadInput } from "./BadInput.ts"
import type { DryRun } from "./DryRun.ts"

/**
 * A dry run for machines. With a `failure` there is no `plan`, and `resultingZone` is the zone as it is; it is absent
 * where the zone could not be read.
 */
export const planJson = ({ intent, planned, zone }: DryRun) => ({
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
  ...Option.match(zone, {
    onNone: () => ({}),
    onSome: (found) => ({ resultingZone: resultingZone(found, Either.isRight(planned) ? planned.right.changes : []) })
  })
})

/** Bad input for machines. */
export const errorJson = ({ code, issues, message }: BadInput) => ({
  error: { code, message, ...(issues === undefined ? {} : { issues }) }
})

const failureOf = (refused: PlanRefused | SurveyFailed) => ({
  code: refused.code,
  retryable: isRetryable(refused.code),
  ...(refused._tag === "PlanRefused" ? { pointer: refused.pointer, rule: refused.rule } : {})
})
