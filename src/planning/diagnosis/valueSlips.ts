import type { Diagnosis } from "../../domain/plan/Diagnosis.ts"
import { mapNames, namesIn } from "../../domain/records/dnsTypes.ts"
import type { DnsRecord, ZoneRecord } from "../../domain/records/DnsRecord.ts"
import { type DiagnosisCase, isSameValue, unwrapText } from "./DiagnosisCase.ts"
import { contentOf } from "./pageFields.ts"

/** A finding at the host of a record: what shows it, and what to enter instead. */
export type ValueSlip = Pick<Diagnosis, "code" | "copy" | "field"> & { readonly records: ReadonlyArray<ZoneRecord> }

/** The target of a record that got the zone, or the domain, appended. */
export const findDoubledTarget = (subject: DiagnosisCase): ValueSlip | undefined => {
  const { desired, domain, entered, zone } = subject
  const [target] = namesIn(desired.type, desired.value)
  if (target === undefined) return undefined
  const doubled = [zone, domain].map((end) => mapNames(desired.type, desired.value, (name) => `${name}.${end}`))
  const records = ofType(entered, desired.type).filter(({ value }) => doubled.includes(value.toLowerCase()))
  return contentOf(subject, "target") === undefined
    ? slipOf(records, {
        code: "target_doubled",
        copy: mapNames(desired.type, desired.value, endWithDot),
        field: "value"
      })
    : slipOf(records, { code: "target_doubled", copy: endWithDot(target), field: "target" })
}

const endWithDot = (name: string): string => `${name}.`

/** A text that has quotation marks in it. */
export const findQuoted = ({ desired, entered }: DiagnosisCase): ValueSlip | undefined => {
  if (desired.type !== "TXT" || hasQuotes(desired.value)) return undefined
  const records = ofType(entered, "TXT").filter(({ value }) => hasQuotes(value) && isWrapped(value, desired))
  return slipOf(records, { code: "quoted", copy: desired.value, field: "value" })
}

/** A text that has backslashes in it. */
export const findEscaped = ({ desired, entered }: DiagnosisCase): ValueSlip | undefined => {
  if (desired.type !== "TXT") return undefined
  const records = ofType(entered, "TXT").filter(
    ({ value }) => value.includes("\\") && !hasQuotes(value) && isWrapped(value, desired)
  )
  return slipOf(records, { code: "escaped", copy: desired.value, field: "value" })
}

/** A text that is the beginning or the end of the desired one. */
export const findTruncated = ({ desired, entered }: DiagnosisCase): ValueSlip | undefined => {
  if (desired.type !== "TXT") return undefined
  const records = ofType(entered, "TXT").filter(({ value }) => {
    const text = unwrapText(value)
    return text.length >= minPart && text.length < desired.value.length && isPart(text, desired.value)
  })
  return slipOf(records, { code: "truncated", copy: desired.value, field: "value" })
}

/** The value under another type. */
export const findWrongType = ({ desired, entered }: DiagnosisCase): ValueSlip | undefined => {
  const wanted = toBareValue(desired.value)
  const records = entered.filter(({ type, value }) => type !== desired.type && toBareValue(value) === wanted)
  return slipOf(records, { code: "wrong_type", copy: desired.type, field: "type" })
}

const slipOf = (records: ReadonlyArray<ZoneRecord>, slip: Omit<ValueSlip, "records">): ValueSlip | undefined =>
  records.length === 0 ? undefined : { ...slip, records }

const ofType = (records: ReadonlyArray<ZoneRecord>, wanted: string): ReadonlyArray<ZoneRecord> =>
  records.filter(({ type }) => type === wanted)

const hasQuotes = (value: string): boolean => /["“”„‟]|^\s*['‘’`]|['‘’`]\s*$/.test(value)

/** Whether a text is the desired one as soon as quotation marks and backslashes are gone. */
const isWrapped = (value: string, desired: DnsRecord): boolean => {
  const text = unwrapText(value)
  return text !== value && isSameValue("TXT", text, unwrapText(desired.value))
}

const isPart = (text: string, whole: string): boolean => whole.startsWith(text) || whole.endsWith(text)

/** Shorter texts may be anything: `v=spf1 ` and the tags of a key are longer. */
const minPart = 16

const toBareValue = (value: string): string => unwrapText(value).toLowerCase().replace(/\.$/, "")
