import { Array, Either, Option, Schema } from "effect"
import { AdvancedDmarcOptions, checkDmarcOptions } from "../records/AdvancedDmarcOptions.ts"
import { DnsRecord, Priority, Ttl } from "../records/DnsRecord.ts"
import { apexHost, type DomainName, parseDomain, parseHost } from "../names/DomainName.ts"
import { type ErrorDetail, toIntentRecordPointer, type ValueIssue } from "../error/ErrorDetail.ts"
import { boundedArray, boundedString, optional, withoutValidation } from "../values/boundedSchemas.ts"
import { documentDefault, FalseByDefault, TrueByDefault } from "../values/documentedDefaults.ts"
import { findRecordConflicts } from "../records/findRecordConflicts.ts"
import { defaultPriority } from "../records/RecordFormat.ts"
import { findUnsetName, findUnsetText } from "../names/findUnsetVariable.ts"
import type { RecordTypeDefinition } from "../records/RecordTypeDefinition.ts"
import { listNamePlaces, parseValue, prioritizedTypes, RecordType, recordTypes } from "../records/recordTypes.ts"

const maxRecords = 200
const maxValueBytes = 4_096
const defaultTtl = 3_600

const RecordValue = Schema.String.pipe(
  Schema.maxLength(maxValueBytes, { title: "Value", message: () => `at most ${maxValueBytes} bytes` }),
  Schema.filter((value) => new TextEncoder().encode(value).length <= maxValueBytes || `at most ${maxValueBytes} bytes`)
).annotations({ jsonSchema: { description: `The logical value, at most ${maxValueBytes} bytes of UTF-8.` } })

/** A name in any script, before it is parsed; no valid one is as long. */
const NameText = boundedString(1_000)

const maxAlternatives = 16

/** An address record that takes the place of a CNAME at the apex of a zone whose provider cannot flatten it. */
const AlternativeRecord = Schema.Struct({ type: Schema.Literal("A", "AAAA"), value: RecordValue }).annotations({
  identifier: "AlternativeRecord"
})

const alternatives =
  "The addresses to write instead, of a CNAME at `@`, where the zone begins at the domain and its provider cannot flatten a CNAME there."

const ExistingRecordPolicyRequest = Schema.Struct({
  validateDmarc: optional(TrueByDefault).annotations({
    description: "Whether a valid DMARC policy stays as it is; otherwise the desired one replaces it."
  }),
  validateCAA: optional(TrueByDefault).annotations({
    description:
      "Whether a desired CAA record is left out where the existing ones allow its issuer already; otherwise it is added."
  })
}).annotations({
  identifier: "ExistingRecordPolicyRequest",
  description: "How existing records count that say the same as desired ones."
})

/** An intent as a client sends it: only `domain`, `host`, `type` and `value` are required. */
export const IntentRequest = Schema.Struct({
  domain: NameText.annotations({ description: "The domain to connect, an apex or a subdomain, in any script." }),
  records: boundedArray(
    Schema.Struct({
      host: NameText.annotations({
        description: "Relative to the domain (`@`, `www`, `*.app`), or absolute and inside it."
      }),
      type: RecordType,
      value: RecordValue,
      ttl: optional(documentDefault(Ttl, { identifier: "RequestedTtl", value: defaultTtl })),
      priority: optional(
        documentDefault(Priority, { identifier: "RequestedPriority", value: defaultPriority })
      ).annotations({ description: "Only of MX and SRV records, which have 10 if it is absent, the null MX 0." }),
      optional: optional(FalseByDefault).annotations({
        description: "Whether the rest may go on without this record."
      }),
      advancedDmarcOptions: optional(AdvancedDmarcOptions),
      alternatives: optional(
        boundedArray(AlternativeRecord, { min: 1, max: maxAlternatives }).annotations({ description: alternatives })
      )
    }).annotations({ identifier: "IntentRecordRequest" }),
    { min: 1, max: maxRecords }
  ),
  existingRecordPolicy: optional(ExistingRecordPolicyRequest)
}).annotations({ identifier: "IntentRequest" })
export type IntentRequest = typeof IntentRequest.Type

/** One desired record as it was sent, with the defaults filled in. */
export const IntentRecord = Schema.Struct({
  host: Schema.String,
  type: RecordType,
  value: Schema.String,
  ttl: Ttl,
  priority: optional(Priority),
  optional: Schema.Boolean,
  advancedDmarcOptions: optional(AdvancedDmarcOptions),
  alternatives: optional(Schema.Array(AlternativeRecord).annotations({ description: alternatives }))
}).annotations({ identifier: "IntentRecord" })
export type IntentRecord = typeof IntentRecord.Type

/** The intent as it was sent, with the defaults filled in. */
export class Intent extends Schema.Class<Intent>("Intent")({
  domain: Schema.String,
  records: Schema.Array(IntentRecord),
  existingRecordPolicy: Schema.Struct({ validateDmarc: Schema.Boolean, validateCAA: Schema.Boolean })
}) {}

/** The intent as the service resolved it: every record in normal form. */
export class EffectiveIntent extends Schema.Class<EffectiveIntent>("EffectiveIntent")({
  domain: Schema.String,
  records: Schema.Array(DnsRecord)
}) {}

export interface ResolvedIntent {
  readonly intent: Intent
  readonly domain: DomainName
  readonly effectiveIntent: EffectiveIntent
}

/** Fills in the defaults and brings every name and value into normal form, or lists all that is invalid. */
export const resolveIntent = (
  request: IntentRequest
): Either.Either<ResolvedIntent, Array.NonEmptyReadonlyArray<ErrorDetail>> => {
  const records = request.records.map(withDefaults)
  const domain = Either.mapLeft(
    refuseUnset(findUnsetName(request.domain, "domain"), () => parseDomain(request.domain)),
    (issue) => detailAt("/intent/domain", issue)
  )
  if (Either.isLeft(domain)) return Either.left([domain.left, ...records.flatMap(checkApartFromHost)])
  const [issues, resolved] = Array.separate(records.map((record, index) => resolveRecord(record, index, domain.right)))
  const all = [...issues.flat(), ...(issues.length === 0 ? findRecordConflicts(resolved, domain.right, records) : [])]
  return Array.isNonEmptyReadonlyArray(all)
    ? Either.left(all)
    : Either.right({
        // Every field was just parsed; checking the classes again would be a fifth of the work of a creation.
        intent: Intent.make(
          {
            domain: request.domain,
            records,
            existingRecordPolicy: { validateDmarc: true, validateCAA: true, ...request.existingRecordPolicy }
          },
          withoutValidation
        ),
        domain: domain.right,
        effectiveIntent: EffectiveIntent.make({ domain: domain.right, records: resolved }, withoutValidation)
      })
}

const withDefaults = (record: IntentRequest["records"][number]): IntentRecord => {
  const priority = definitionOf(record).priority?.defaultOf(record.value)
  return { ttl: defaultTtl, optional: false, ...(priority === undefined ? {} : { priority }), ...record }
}

const definitionOf = ({ type }: { readonly type: RecordType }): RecordTypeDefinition => recordTypes[type]

const detailAt = (pointer: string, issue: ValueIssue): ErrorDetail => ({ pointer, ...issue })

const resolveRecord = (
  record: IntentRecord,
  index: number,
  domain: DomainName
): Either.Either<DnsRecord, ReadonlyArray<ErrorDetail>> => {
  const host = Either.mapLeft(
    refuseUnset(findUnsetName(record.host, "host", domain), () => parseHost(record.host, domain)),
    (issue) => detailAt(toIntentRecordPointer(index, "host"), issue)
  )
  const value = parseValueAt(record, index).pipe(
    Either.mapLeft((detail) => suggestTarget(detail, record, domain)),
    Either.flatMap((normal) => refuseSingleLabel(normal, record.type, { index, domain }))
  )
  const issues = [
    ...Option.toArray(Either.getLeft(host)),
    ...Option.toArray(Either.getLeft(value)),
    ...checkPriority(record, index),
    ...Option.toArray(Option.filterMap(Either.getRight(host), (name) => checkHost(record, index, name))),
    ...checkAlternatives(
      record,
      index,
      Either.getOrElse(host, () => record.host)
    ),
    ...checkPolicies(
      { ...record, value: Either.getOrElse(value, ({ suggestion }) => suggestion ?? record.value) },
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
          withoutValidation
        )
      )
    : Either.left(issues)
}

/** Checks what can be checked of a record without the domain, to which its host is relative. */
const checkApartFromHost = (record: IntentRecord, index: number): ReadonlyArray<ErrorDetail> => [
  ...Option.toArray(Either.getLeft(parseValueAt(record, index))),
  ...checkPriority(record, index)
]

const parseValueAt = ({ type, value }: IntentRecord, index: number): Either.Either<string, ErrorDetail> =>
  Either.mapLeft(
    refuseUnset(findUnsetValue(type, value), () => parseValue(type, value)),
    (issue) => detailAt(toIntentRecordPointer(index, "value"), issue)
  )

const refuseUnset = <A>(
  issue: ValueIssue | undefined,
  parse: () => Either.Either<A, ValueIssue>
): Either.Either<A, ValueIssue> => (issue === undefined ? parse() : Either.left(issue))

const findUnsetValue = (type: RecordType, value: string): ValueIssue | undefined => {
  const place = namePlaces[type]
  return (
    findUnsetText(value) ?? (place === undefined ? undefined : findUnsetName(value.split(/\s+/)[place] ?? "", "value"))
  )
}

const namePlaces = listNamePlaces()

/** Only a host may be written `@`; as a target it means the domain, too. */
const suggestTarget = (detail: ErrorDetail, { value }: IntentRecord, domain: DomainName): ErrorDetail =>
  value === apexHost && detail.code.startsWith("target_") ? { ...detail, suggestion: domain } : detail

/** Servers take a name of one label for a top-level domain; people mean a host of their domain. */
const refuseSingleLabel = (
  value: string,
  type: RecordType,
  { domain, index }: { readonly domain: DomainName; readonly index: number }
): Either.Either<string, ErrorDetail> => {
  const words = value.split(" ")
  const place = namePlaces[type]
  const name = place === undefined ? "" : (words[place] ?? "")
  return place === undefined || name === "" || name.includes(".")
    ? Either.right(value)
    : Either.left(
        detailAt(toIntentRecordPointer(index, "value"), {
          code: "target_is_single_label",
          message: `${name} is a single label, which is no host; write the whole name`,
          suggestion: words.with(place, `${name}.${domain}`).join(" ")
        })
      )
}

const checkPriority = (record: IntentRecord, index: number): ReadonlyArray<ErrorDetail> => {
  if (record.priority === undefined) return []
  const rule = definitionOf(record).priority
  const issue: Option.Option<ValueIssue> =
    rule === undefined
      ? Option.some({
          code: "priority_not_applicable",
          message: `only ${prioritizedTypes.join(" and ")} records have a priority`
        })
      : (rule.check?.(record.value, record.priority) ?? Option.none())
  return Option.toArray(Option.map(issue, (found) => detailAt(toIntentRecordPointer(index, "priority"), found)))
}

const checkHost = (record: IntentRecord, index: number, host: string): Option.Option<ErrorDetail> =>
  Option.map(definitionOf(record).checkHost?.(host, record.value) ?? Option.none(), (issue) =>
    detailAt(toIntentRecordPointer(index, "host"), issue)
  )

/** Only a CNAME at the domain itself may have alternatives, each once: elsewhere every provider stores it. */
const checkAlternatives = (
  { alternatives = [], type }: IntentRecord,
  index: number,
  host: string
): ReadonlyArray<ErrorDetail> => {
  if (alternatives.length === 0) return []
  if (type !== "CNAME" || host !== apexHost) {
    const message = "only a CNAME at the domain itself has alternatives"
    return [detailAt(toIntentRecordPointer(index, "alternatives"), { code: "alternatives_not_applicable", message })]
  }
  const values = alternatives.map((record) => parseValue(record.type, record.value))
  return values.flatMap((value, at) => {
    const pointer = toIntentRecordPointer(index, "alternatives", at, "value")
    if (Either.isLeft(value)) return [detailAt(pointer, value.left)]
    const isRepeated = values.slice(0, at).some((earlier) => Either.isRight(earlier) && earlier.right === value.right)
    return isRepeated
      ? [detailAt(pointer, { code: "record_duplicated", message: "this address is an alternative already" })]
      : []
  })
}

/** Checks what SPF, DMARC and CAA require of a value beyond its form. */
const checkPolicies = (record: IntentRecord, index: number, host: string): ReadonlyArray<ErrorDetail> => [
  ...Option.toArray(
    Option.map(definitionOf(record).checkPolicy?.(record.value, host) ?? Option.none(), (issue) =>
      detailAt(toIntentRecordPointer(index, "value"), issue)
    )
  ),
  ...checkDmarcOptions({ ...record, host }, index)
]
