import { Schema } from "effect"
import { Connection, Delay, Failure, FailureCode, type OptionalFailure, PendingIntent, Replan } from "./Connection.ts"
import { EffectiveIntent } from "./Intent.ts"
import { Change, Leftover, Plan } from "../plan/Plan.ts"
import { ChangeRecordDocument, hostNames, makeNaming, RecordDocument } from "../plan/NamedRecord.ts"
import { severityIn, Warning, warningMeanings, WarningSeverity } from "../plan/Warning.ts"
import { optional } from "../values/boundedSchemas.ts"
import { delayMeanings } from "./delayMeanings.ts"
import { failureMeanings } from "./failureMeanings.ts"
import { replanMeanings } from "./replanMeanings.ts"
import { RecordType } from "../records/recordTypes.ts"

const ChangeDocument = Schema.Struct({
  ...Change.fields,
  before: optional(ChangeRecordDocument),
  after: optional(ChangeRecordDocument)
}).annotations({ identifier: "Change" })
export type ChangeDocument = typeof ChangeDocument.Encoded

const LeftoverDocument = Schema.Struct({ ...Leftover.fields, record: ChangeRecordDocument }).annotations({
  identifier: "Leftover"
})

const WarningDetailDocument = Schema.Struct({
  code: Warning,
  severity: WarningSeverity,
  requiresAcknowledgement: Schema.Boolean.annotations({
    description: "Whether `acknowledge` of an approval must name it."
  }),
  message: Schema.String.annotations({ description: "A sentence for people." }),
  changes: Schema.Array(Schema.Int.annotations({ description: "A place in `changes`, from 0." })).annotations({
    description: "The changes that it is about, by their places in `changes`; none if it is about the whole."
  }),
  findings: optional(
    Schema.Array(Schema.String).annotations({
      description: "Sentences about this very plan; the message has them too."
    })
  )
}).annotations({ identifier: "WarningDetail" })
export type WarningDetailDocument = typeof WarningDetailDocument.Encoded

/** A plan as the API sends it. */
export const PlanDocument = Schema.Struct({
  ...Plan.fields,
  changes: Schema.Array(ChangeDocument).annotations({ description: "In an order in which they are safe to apply." }),
  warningDetails: Schema.Array(WarningDetailDocument).annotations({ description: "The same warnings, explained." })
}).annotations({ identifier: "Plan" })

/** A failure as the API sends it. */
export const FailureDocument = Schema.Struct({
  ...Failure.fields,
  message: Schema.String.annotations({ description: "A sentence for people." })
}).annotations({ identifier: "Failure" })
export type FailureDocument = typeof FailureDocument.Encoded

const DelayDocument = Schema.Struct({
  ...Delay.fields,
  message: Schema.String.annotations({ description: "A sentence for people: the reason, and what happens next." })
}).annotations({
  identifier: "Delay",
  description:
    "Why the service cannot go on for now, and since when, in any state in which it is at work. It tries again by itself; absent once it succeeds."
})

const ReplanDocument = Schema.Struct({
  ...Replan.fields,
  message: Schema.String.annotations({ description: "A sentence for people: the reason, and what happens next." })
}).annotations({
  identifier: "Replan",
  description:
    "Why the connection is planned again, and since when: in `authorized`, and in `planned` until the new plan is approved or given up."
})

const OptionalFailureDetail = Schema.Struct({
  type: RecordType,
  host: Schema.String,
  ...hostNames,
  code: FailureCode,
  message: Schema.String.annotations({ description: "A sentence for people." })
}).annotations({ identifier: "OptionalFailureDetail" })

/** The explanations that a response adds to optional failures, which are texts. */
export const optionalFailureDetails = Schema.Array(OptionalFailureDetail).annotations({
  description: "The same optional records, explained."
})

const EffectiveIntentDocument = Schema.Struct({
  ...EffectiveIntent.fields,
  records: Schema.Array(RecordDocument)
}).annotations({ identifier: "EffectiveIntent" })

const PendingIntentDocument = Schema.Struct({
  ...PendingIntent.fields,
  effectiveIntent: EffectiveIntentDocument,
  optionalFailureDetails
}).annotations({
  identifier: "PendingIntent",
  description:
    "A new intent, while it waits for its plan to be applied: `plan` leads to it, and `intent` counts until then. `cancel` gives it up."
})

/** A connection as the API sends it and as rows hold it: with the names of its hosts and sentences for people. */
export const ConnectionDocument = Schema.Struct({
  ...Connection.fields,
  effectiveIntent: EffectiveIntentDocument,
  pendingIntent: optional(PendingIntentDocument),
  plan: optional(PlanDocument),
  failure: optional(FailureDocument),
  delay: optional(DelayDocument),
  replan: optional(ReplanDocument),
  optionalFailureDetails,
  leftovers: optional(
    Schema.Array(LeftoverDocument).annotations({
      description: "Records that a disconnect, or a change of the intent, could not remove or restore, and why."
    })
  )
}).annotations({ identifier: "Connection" })
export type ConnectionDocument = typeof ConnectionDocument.Encoded

/** Adds names and sentences. Metadata come last: the platform's names must not hide a field from a text search. */
export const toConnectionDocument = (
  {
    delay,
    effectiveIntent,
    failure,
    leftovers,
    metadata,
    optionalFailures,
    pendingIntent,
    plan,
    replan,
    ...connection
  }: EncodedConnection,
  details: ReadonlyArray<OptionalFailure>,
  pendingDetails: ReadonlyArray<OptionalFailure> = []
): ConnectionDocument => {
  const addNames = makeNaming(effectiveIntent.domain, plan?.zone)
  return {
    ...connection,
    effectiveIntent: toEffectiveIntentDocument(effectiveIntent, plan?.zone),
    ...(pendingIntent === undefined
      ? {}
      : {
          pendingIntent: {
            ...pendingIntent,
            effectiveIntent: toEffectiveIntentDocument(pendingIntent.effectiveIntent, plan?.zone),
            optionalFailureDetails: toOptionalFailureDetails(pendingDetails, effectiveIntent.domain, plan?.zone)
          }
        }),
    ...(plan === undefined ? {} : { plan: toPlanDocument(plan, effectiveIntent.domain) }),
    ...(failure === undefined ? {} : { failure: { ...failure, message: failureMeanings[failure.code] } }),
    ...(delay === undefined ? {} : { delay: { ...delay, message: delayMeanings[delay.code] } }),
    ...(replan === undefined ? {} : { replan: { ...replan, message: replanMeanings[replan.code] } }),
    optionalFailures,
    optionalFailureDetails: toOptionalFailureDetails(details, effectiveIntent.domain, plan?.zone),
    ...(leftovers === undefined
      ? {}
      : { leftovers: leftovers.map(({ record, ...leftover }) => ({ ...leftover, record: addNames(record) })) }),
    ...(metadata === undefined ? {} : { metadata })
  }
}

type EncodedConnection = typeof Connection.Encoded
type EncodedPlan = typeof Plan.Encoded

/** Adds names to the records of an effective intent; `zone` is absent while it is unknown. */
export const toEffectiveIntentDocument = (
  { domain, records }: typeof EffectiveIntent.Encoded,
  zone: string | undefined
) => ({ domain, records: records.map(makeNaming(domain, zone)) })

/** Adds names to the records of a plan, and sentences to its warnings. */
export const toPlanDocument = <P extends Omit<EncodedPlan, "basis" | "expiresAt">>(plan: P, domain: string) => {
  const addNames = makeNaming(domain, plan.zone)
  return {
    ...plan,
    changes: plan.changes.map(({ after, before, ...change }) => ({
      ...change,
      ...(before === undefined ? {} : { before: addNames(before) }),
      ...(after === undefined ? {} : { after: addNames(after) })
    })),
    warningDetails: explainWarnings(plan)
  }
}

export const explainWarnings = (
  plan: Pick<EncodedPlan, "warningDetails" | "warnings">
): ReadonlyArray<WarningDetailDocument> => {
  const detailsOf = new Map(plan.warningDetails?.map((detail) => [detail.code, detail]))
  return plan.warnings.map((code) => {
    const severity = severityIn(plan, code)
    const { changes = [], findings } = detailsOf.get(code) ?? {}
    return {
      code,
      severity,
      requiresAcknowledgement: severity === "serious",
      message: [warningMeanings[code], ...(findings ?? [])].join(" "),
      changes,
      ...(findings === undefined ? {} : { findings })
    }
  })
}

/** Explains the optional records that a plan left out. */
export const toOptionalFailureDetails = (
  failures: ReadonlyArray<OptionalFailure>,
  domain: string,
  zone: string | undefined
): typeof optionalFailureDetails.Encoded => {
  const addNames = makeNaming(domain, zone)
  return failures.map((failure) => ({ ...addNames(failure), message: failureMeanings[failure.code] }))
}
