import { Array, Either, Option, Schema } from "effect"
import { AdvancedDmarcOptions, checkDmarcOptions } from "./AdvancedDmarcOptions.ts"
import { checkCaaValue } from "./CaaProperty.ts"
import { checkDmarcValue, isDmarc, isDmarcHost } from "./DmarcRecord.ts"
import { DnsRecord, hasPriority, nullTarget, parseValue, Priority, RecordType, Ttl } from "./DnsRecord.ts"
import { type DomainName, parseDomain, parseHost } from "./DomainName.ts"
import { type ErrorDetail, intentRecordPointer } from "./ErrorDetail.ts"
import { checkSpfValue } from "./SpfRecord.ts"
import { findRecordConflicts } from "./findRecordConflicts.ts"

const maxRecords = 200
const maxValueBytes = 4_096
const maxIssues = 20
const defaultTtl = 3_600
const defaultPriority = 10

const RecordValue = Schema.String.pipe(
  Schema.filter((value) => new TextEncoder().encode(value).length <= maxValueBytes || `at most ${maxValueBytes} bytes`)
).annotations({ jsonSchema: { description: `The logical value, at most ${maxValueBytes} bytes of UTF-8.` } })

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** An intent as a client sends it: only `domain`, `host`, `type` and `value` are required. */
export const IntentRequest = Schema.Struct({
  domain: Schema.String.annotations({ description: "The domain to connect, an apex or a subdomain, in any script." }),
  records: Schema.Array(
    Schema.Struct({
      host: Schema.String.annotations({
        description: "Relative to the domain (`@`, `www`, `*.app`), or absolute and inside it."
      }),
      type: RecordType,
      value: RecordValue,
      ttl: optional(Ttl),
      priority: optional(Priority),
      optional: optional(
        Schema.Boolean.annotations({ description: "Whether the rest may go on without this record; false." })
      ),
      advancedDmarcOptions: optional(AdvancedDmarcOptions)
    }).annotations({ identifier: "IntentRecordRequest" })
  ).pipe(Schema.minItems(1), Schema.maxItems(maxRecords)),
  existingRecordPolicy: optional(
    Schema.Struct({ validateDmarc: optional(Schema.Boolean), validateCAA: optional(Schema.Boolean) })
  )
}).annotations({ identifier: "IntentRequest" })
export type IntentRequest = typeof IntentRequest.Type

/** One wanted record as it was sent, with the defaults filled in (spec 2.3). */
export const IntentRecord = Schema.Struct({
  host: Schema.String,
  type: RecordType,
  value: Schema.String,
  ttl: Ttl,
  priority: optional(Priority),
  optional: Schema.Boolean,
  advancedDmarcOptions: optional(AdvancedDmarcOptions)
}).annotations({ identifier: "IntentRecord" })
export type IntentRecord = typeof IntentRecord.Type

/** What was asked for, with the defaults filled in (spec 2.2). */
export class Intent extends Schema.Class<Intent>("Intent")({
  domain: Schema.String,
  records: Schema.Array(IntentRecord),
  existingRecordPolicy: Schema.Struct({ validateDmarc: Schema.Boolean, validateCAA: Schema.Boolean })
}) {}

/** The records as the service resolved them, in normal form (spec 2.4). */
export class EffectiveIntent extends Schema.Class<EffectiveIntent>("EffectiveIntent")({
  domain: Schema.String,
  records: Schema.Array(DnsRecord)
}) {}

export interface ResolvedIntent {
  readonly intent: Intent
  readonly domain: DomainName
  readonly effectiveIntent: EffectiveIntent
}

/** Fills in the defaults and brings every name and value into normal form, or says what makes no sense. */
export const resolveIntent = (
  request: IntentRequest
): Either.Either<ResolvedIntent, Array.NonEmptyReadonlyArray<ErrorDetail>> => {
  const records = request.records.map(withDefaults)
  const domain = Either.mapLeft(parseDomain(request.domain), (refused) => issueAt("/intent/domain", refused))
  if (Either.isLeft(domain)) return Either.left([domain.left])
  const [issues, resolved] = Array.separate(records.map((record, index) => resolveRecord(record, index, domain.right)))
  const all = [...issues.flat(), ...(issues.length === 0 ? findRecordConflicts(resolved, domain.right) : [])]
  const told = Array.take(all, maxIssues)
  return Array.isNonEmptyReadonlyArray(told)
    ? Either.left(told)
    : Either.right({
        intent: Intent.make(
          {
            domain: request.domain,
            records,
            existingRecordPolicy: { validateDmarc: true, validateCAA: true, ...request.existingRecordPolicy }
          },
          checkedAlready
        ),
        domain: domain.right,
        effectiveIntent: EffectiveIntent.make({ domain: domain.right, records: resolved }, checkedAlready)
      })
}

/** What was read field by field just now: for a class to check it again would be a fifth of a creation's work. */
const checkedAlready = { disableValidation: true } as const

const withDefaults = (record: IntentRequest["records"][number]): IntentRecord => ({
  ttl: defaultTtl,
  optional: false,
  ...(hasPriority(record.type) ? { priority: isNullMx(record) ? 0 : defaultPriority } : {}),
  ...record
})

const isNullMx = (record: { readonly type: RecordType; readonly value: string }): boolean =>
  record.type === "MX" && record.value === nullTarget

const issueAt = (pointer: string, { code, message }: { readonly code: string; readonly message: string }) => ({
  pointer,
  code,
  message
})

const resolveRecord = (
  record: IntentRecord,
  index: number,
  domain: DomainName
): Either.Either<DnsRecord, ReadonlyArray<ErrorDetail>> => {
  const host = Either.mapLeft(parseHost(record.host, domain), (_) => issueAt(intentRecordPointer(index, "host"), _))
  const value = Either.mapLeft(parseValue(record.type, record.value), (_) =>
    issueAt(intentRecordPointer(index, "value"), _)
  )
  const issues = [
    ...Option.toArray(Either.getLeft(host)),
    ...Option.toArray(Either.getLeft(value)),
    ...priorityIssues(record, index),
    ...policyIssues(
      { ...record, value: Either.getOrElse(value, () => record.value) },
      index,
      Either.getOrElse(host, () => record.host)
    )
  ]
  return Either.isRight(host) && Either.isRight(value) && issues.length === 0
    ? Either.right(
        DnsRecord.make(
          {
            host: host.right,
            type: record.type,
            value: value.right,
            ttl: record.ttl,
            ...(record.priority === undefined ? {} : { priority: record.priority }),
            optional: record.optional
          },
          checkedAlready
        )
      )
    : Either.left(issues)
}

const priorityIssues = (record: IntentRecord, index: number): ReadonlyArray<ErrorDetail> => {
  const issue = (code: string, message: string) => [issueAt(intentRecordPointer(index, "priority"), { code, message })]
  if (record.priority === undefined) return []
  if (!hasPriority(record.type)) return issue("priority_not_applicable", "only MX and SRV records have a priority")
  return isNullMx(record) && record.priority !== 0
    ? issue("null_mx_priority", "a null MX has the priority 0 (RFC 7505 section 3)")
    : []
}

/** What SPF, DMARC and CAA ask of a value beyond its form. */
const policyIssues = (record: IntentRecord, index: number, host: string): ReadonlyArray<ErrorDetail> => [
  ...Option.toArray(Option.map(policyRefusal(record, host), (_) => issueAt(intentRecordPointer(index, "value"), _))),
  ...checkDmarcOptions({ ...record, host }, index)
]

const policyRefusal = ({ advancedDmarcOptions, type, value }: IntentRecord, host: string) => {
  if (type === "CAA") return checkCaaValue(value)
  if (type !== "TXT") return Option.none()
  const isPolicy = isDmarc(value) || advancedDmarcOptions !== undefined
  return isPolicy && isDmarcHost(host) ? checkDmarcValue(value) : checkSpfValue(value)
}
