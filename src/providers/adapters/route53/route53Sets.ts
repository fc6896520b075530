import { formatLabel } from "../../../dns/wire/encodeName.ts"
import type { RecordSet } from "../../writing/RecordSet.ts"
import type { SetChange } from "../../writing/planSetCalls.ts"
import { type BatchChange, isSimpleSet, type ResourceRecordSet } from "./route53Xml.ts"

/** A set in standard presentation format, and as Route 53 stores it. */
export interface Route53Set extends RecordSet {
  readonly stored: ResourceRecordSet
}

/**
 * Converts a set as Route 53 lists it. Aliases, with their target as content, sets that share name and type with others
 * (weighted, latency, geolocation and so on) and those with any other setting, such as a health check, are locked.
 */
export const toRoute53Set = (stored: ResourceRecordSet): Route53Set => {
  const { AliasTarget, Name, TTL = aliasTtl, Type } = stored
  const values = AliasTarget === undefined ? valuesOf(stored) : [AliasTarget.DNSName]
  return {
    name: toStandardName(Name),
    type: Type,
    ttl: TTL,
    records: values.map((value) => ({ content: toStandardContent(value) })),
    ...(isSimpleSet(stored) ? {} : { locked: "fixed" }),
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
  ...setChanges.flatMap(({ before }) =>
    before === undefined ? [] : [{ Action: "DELETE" as const, ResourceRecordSet: before.stored }]
  ),
  ...setChanges.flatMap(({ after, before, name, type }) => {
    if (after === undefined) return []
    const storedRecords = before?.stored.ResourceRecords ?? []
    const storedOf = new Map(before?.records.map(({ content }, index) => [content, storedRecords[index]]))
    const ResourceRecords = after.records.map(
      ({ content }) => storedOf.get(content) ?? { Value: toRoute53Value(content) }
    )
    const Name = before?.stored.Name ?? `${name}.`
    return { Action: "CREATE" as const, ResourceRecordSet: { Name, Type: type, TTL: after.ttl, ResourceRecords } }
  })
]

/** Whether Route 53 takes these changes as one batch. */
export const fitsOneBatch = (setChanges: ReadonlyArray<SetChange<Route53Set>>): boolean => {
  const values = toBatch(setChanges).flatMap(({ ResourceRecordSet }) => valuesOf(ResourceRecordSet))
  return values.length <= 1000 && values.join("").length <= 32_000
}

const valuesOf = ({ ResourceRecords = [] }: ResourceRecordSet): ReadonlyArray<string> =>
  ResourceRecords.map(({ Value }) => Value)

/** A name in normal form; Route 53 writes all characters but `a-z0-9_-` as octal codes, also the `*` of a wildcard. */
export const toStandardName = (name: string): string => replaceOctalCodes(name, (byte) => formatLabel(Buffer.of(byte)))

/** Content in standard presentation format, in which codes are decimal (RFC 1035 section 5.1). */
const toStandardContent = (value: string): string =>
  replaceOctalCodes(value, (byte) => `\\${String(byte).padStart(3, "0")}`)

/** A value in which codes are octal, from content in which they are decimal. */
export const toRoute53Value = (content: string): string =>
  content.replace(/\\(?:(\d{3})|.)/gs, (escaped, code?: string) => {
    if (code === undefined) return escaped
    const character = String.fromCharCode(Number(code))
    return `\\${/["\\]/.test(character) ? character : Number(code).toString(8).padStart(3, "0")}`
  })

/** Replaces codes, but no escaped character whose backslash begins none. */
const replaceOctalCodes = (text: string, format: (byte: number) => string): string =>
  text.replace(/\\(?:([0-3][0-7]{2})|.)/gs, (escaped, code?: string) =>
    code === undefined ? escaped : format(parseInt(code, 8))
  )
