import { formatLabel } from "../../../dns/wire/encodeName.ts"
import type { RecordSet } from "../../writing/RecordSet.ts"
import type { SetChange } from "../../writing/planSetCalls.ts"
import type { BatchChange, ResourceRecordSet } from "./route53Xml.ts"

/** A set in standard presentation format, and as Route 53 stores it. */
export interface Route53Set extends RecordSet {
  readonly stored: ResourceRecordSet
}

/**
 * Converts a set as Route 53 lists it. Aliases, with their target as content, and sets that share name and type with
 * others (weighted, latency, geolocation and so on) are shown, but a batch would lose their own settings.
 */
export const toRoute53Set = (stored: ResourceRecordSet): Route53Set => {
  const { AliasTarget, Name, SetIdentifier, TTL = aliasTtl, TrafficPolicyInstanceId, Type } = stored
  const values = AliasTarget === undefined ? valuesOf(stored) : [AliasTarget.DNSName]
  const isKept = [AliasTarget, SetIdentifier, TrafficPolicyInstanceId].some((setting) => setting !== undefined)
  return {
    name: toStandardName(Name),
    type: Type,
    ttl: TTL,
    records: values.map((value) => ({ content: toStandardContent(value) })),
    ...(isKept ? { locked: "fixed" } : {}),
    stored
  }
}

/** Route 53 answers for a minute for most resources of AWS; an alias does not say it. */
const aliasTtl = 60

/**
 * The batch that replaces sets only if they are still as they were read: a deletion must match exactly, a creation fails
 * if there is such a set. Records that stay are written back byte for byte.
 */
export const toBatch = (setChanges: ReadonlyArray<SetChange<Route53Set>>): ReadonlyArray<BatchChange> => [
  ...setChanges.flatMap(({ before, type }) =>
    before === undefined
      ? []
      : [
          {
            action: "DELETE" as const,
            name: before.stored.Name,
            type,
            ttl: before.ttl,
            values: valuesOf(before.stored)
          }
        ]
  ),
  ...setChanges.flatMap(({ after, before, name, type }) => {
    if (after === undefined) return []
    const values = before === undefined ? [] : valuesOf(before.stored)
    const storedValues = new Map(before?.records.map(({ content }, index) => [content, values[index]]))
    return {
      action: "CREATE" as const,
      name: before?.stored.Name ?? `${name}.`,
      type,
      ttl: after.ttl,
      values: after.records.map(({ content }) => storedValues.get(content) ?? toRoute53Value(content))
    }
  })
]

/** Whether Route 53 takes these changes as one batch. */
export const fitsOneBatch = (setChanges: ReadonlyArray<SetChange<Route53Set>>): boolean => {
  const values = toBatch(setChanges).flatMap(({ values }) => values)
  return values.length <= 1000 && values.join("").length <= 32_000
}

const valuesOf = ({ ResourceRecords = [] }: ResourceRecordSet): ReadonlyArray<string> =>
  ResourceRecords.map(({ Value }) => Value)

/** A name in normal form; Route 53 writes all characters but `a-z0-9_-` as octal codes, also the `*` of a wildcard. */
export const toStandardName = (name: string): string =>
  name.replace(octalCodes, (escaped, code?: string) =>
    code === undefined ? escaped : formatLabel(Buffer.of(parseInt(code, 8)))
  )

/** A value in which codes are octal, from content in which they are decimal (RFC 1035 section 5.1). */
export const toRoute53Value = (content: string): string =>
  content.replace(decimalCodes, (escaped, code?: string) => {
    if (code === undefined) return escaped
    const character = String.fromCharCode(Number(code))
    return `\\${/["\\]/.test(character) ? character : Number(code).toString(8).padStart(3, "0")}`
  })

const toStandardContent = (value: string): string =>
  value.replace(octalCodes, (escaped, code?: string) =>
    code === undefined ? escaped : `\\${String(parseInt(code, 8)).padStart(3, "0")}`
  )

/** A code, or an escaped character, whose backslash begins no code. */
const octalCodes = /\\(?:([0-3][0-7]{2})|.)/gs
const decimalCodes = /\\(?:(\d{3})|.)/gs
