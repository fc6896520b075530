import { Either } from "effect"
import { toIntentRecordPointer } from "../domain/error/ErrorDetail.ts"
import type { ResolvedIntent } from "../domain/connection/Intent.ts"
import type { Change, ChangeRecord } from "../domain/plan/Plan.ts"
import { PlanRefused, type PlanResult } from "./buildPlan.ts"
import { refusalRules } from "./RecordRefusal.ts"

/** Refuses a plan that is too large to keep, show and approve. The largest intents replace 200 records of 4 KiB. */
export const limitPlan = <P extends Pick<PlanResult, "changes" | "effectiveIntent" | "unanswered">>(
  planned: P,
  { effectiveIntent }: ResolvedIntent
): Either.Either<P, PlanRefused> => {
  const { changes } = planned
  const records = [...changes.flatMap(recordsOf), ...planned.effectiveIntent.records]
  const bytes = records.reduce((sum, record) => sum + measureRecord(record), 0)
  if (changes.length <= maxChanges && bytes <= maxBytes) return Either.right(planned)
  const host = findLargestHost(records)
  const index = Math.max(
    0,
    effectiveIntent.records.findIndex((record) => record.host === host)
  )
  const record = effectiveIntent.records[index]
  return Either.left(
    new PlanRefused({
      code: "plan_too_large",
      pointer: toIntentRecordPointer(index),
      host: record?.host ?? "@",
      type: record?.type ?? "TXT",
      rule: refusalRules.plan_too_large,
      unanswered: planned.unanswered
    })
  )
}

const maxChanges = 1_000
const maxBytes = 2 * 1024 * 1024

const recordsOf = ({ after, before }: Change): ReadonlyArray<ChangeRecord> => [
  ...(before === undefined ? [] : [before]),
  ...(after === undefined ? [] : [after])
]

type MeasuredRecord = Pick<ChangeRecord, "host" | "value">

/** About the bytes of its JSON. */
const measureRecord = ({ host, value }: MeasuredRecord): number => host.length + value.length + 100

const findLargestHost = (records: ReadonlyArray<MeasuredRecord>): string | undefined => {
  const sizes = new Map<string, number>()
  for (const record of records) sizes.set(record.host, (sizes.get(record.host) ?? 0) + measureRecord(record))
  const [largest] = [...sizes].toSorted(([, one], [, other]) => other - one)
  return largest?.[0]
}
