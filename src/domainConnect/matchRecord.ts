import { isSpf, listPermittedRules, listSpfRules } from "./mergeSpfRules.ts"
import { normalizeData } from "./normalData.ts"
import {
  findValue,
  type FoundValues,
  matchPattern,
  mayMatch,
  parsePattern,
  type TextPattern,
  type Values,
  type Visitor
} from "./Pattern.ts"
import { escapeText, formatText, toOneSpelling } from "./presentationText.ts"
import { isRedirect, isTarget, ownerPatternOf, type ZoneEntry } from "./resolveTemplate.ts"
import { fieldsOf, type Template, type TemplateRecord } from "./Template.ts"

/** A record of a template, or one rule of an SPFM record, as it is compared with desired records. */
export interface TemplateSource {
  readonly record: TemplateRecord
  readonly type: string
  /** Empty for a record that is always applied. */
  readonly group: string
  readonly owner: TextPattern
  /** Whether the owner is a full name, not one relative to the host. */
  readonly isAbsolute: boolean
  /** Whether the data are one variable, which takes a text of several strings. */
  readonly isBare: boolean
  readonly data: TextPattern
  readonly numbers: ReadonlyArray<readonly [NumberField, TextPattern]>
  /** The variable that the TTL is: the provider chooses the TTL, so that only a variable takes it. */
  readonly ttl: string | undefined
}

type NumberField = "priority" | "weight" | "port"

/** How a record of a template becomes a desired one: what its patterns have to be. */
export interface Match {
  readonly source: TemplateSource
  readonly pairs: ReadonlyArray<readonly [TextPattern, string]>
  readonly ttl: Pick<FoundValues, "name" | "value"> | undefined
}

/** The records of a template that the place can have, SPFM by its rules: providers merge those of one name. */
export const listSources = (template: Template, given: Values): ReadonlyArray<TemplateSource> =>
  template.records.flatMap((record) =>
    record.type.toUpperCase() === "SPFM"
      ? orEmptyRule(listSpfRules(record.spfRules ?? "")).map((rule) => toSource(record, rule, given))
      : [toSource(record, `${record[fieldsOf(record.type)[0] ?? "data"] ?? ""}`, given)]
  )

/** Divides SPF records into the rules of SPFM. */
export const divideSpf = (records: ReadonlyArray<ZoneEntry>): ReadonlyArray<ZoneEntry> =>
  records.flatMap((record) =>
    record.type === "TXT" && isSpf(record.data)
      ? orEmptyRule(listPermittedRules(record.data)).map((rule) => ({ type: "SPFM", name: record.name, data: rule }))
      : [record]
  )

/** Also without a rule, SPFM becomes a record. */
const orEmptyRule = (rules: ReadonlyArray<string>): ReadonlyArray<string> => (rules.length === 0 ? [""] : rules)

const toSource = (record: TemplateRecord, data: string, given: Values): TemplateSource => {
  const type = record.type.toUpperCase()
  const owner = ownerPatternOf(record) || "@"
  const isAbsolute = owner.endsWith(".")
  const fields = fieldsOf(type)
  return {
    record,
    type,
    group: record.groupId ?? "",
    owner: parsePattern(isAbsolute ? owner.slice(0, -1) : owner, given, toLowerCase),
    isAbsolute,
    isBare: isVariable(data),
    data: parseData(type, data, given),
    numbers: numberFields
      .filter((field) => fields.includes(field))
      .map((field) => [field, parsePattern(`${record[field] ?? ""}`, given)]),
    ttl: /^%([^%\s]+)%$/.exec(`${record.ttl ?? ""}`)?.[1]
  }
}

const numberFields = ["priority", "weight", "port"] as const

const isVariable = (text: string): boolean => /^%[^%\s]+%$/.test(text)

const toLowerCase = (text: string): string => text.toLowerCase()

const parseData = (type: string, data: string, given: Values): TextPattern => {
  if (type === "TXT") return parsePattern(isVariable(data) ? data : toOneSpelling(data), given)
  if (!isTarget(type)) return parsePattern(normalizeData(type, data), given)
  if (data === "@" || data === "") return { parts: [given["fqdn"] ?? ""], names: [] }
  return parsePattern(data === "." ? data : data.replace(/\.$/, ""), given, toLowerCase)
}

/** A desired record, as it is compared with sources. */
export interface ComparedEntry {
  readonly record: ZoneEntry
  /** The name below the host; nothing if it is elsewhere. */
  readonly relativeName: string | undefined
  /** The data in presentation format, as one string. */
  readonly data: string
  /** The data as a value: only a text that is one value as a whole can be several strings. */
  readonly bareData: string
}

export const toDesired = (record: ZoneEntry, fqdn: string): ComparedEntry => ({
  record,
  relativeName: toRelativeName(record.name, fqdn),
  data: record.type === "TXT" ? escapeText(record.data) : record.data,
  bareData: record.type === "TXT" ? formatText(record.data) : record.data
})

const toRelativeName = (name: string, fqdn: string): string | undefined => {
  if (name === fqdn) return "@"
  return name.endsWith(`.${fqdn}`) ? name.slice(0, -fqdn.length - 1) : undefined
}

/** What has to be so that a source becomes a desired record; nothing if it cannot. */
export const findMatch = (source: TemplateSource, desired: ComparedEntry): Match | undefined => {
  const { record, relativeName } = desired
  const owner = source.isAbsolute ? record.name : relativeName
  if (!isSameType(source.type, desired) || owner === undefined || !mayMatch(source.owner, owner)) return undefined
  const pairs: Match["pairs"] = [
    [source.owner, owner],
    [source.data, source.isBare ? desired.bareData : desired.data],
    ...source.numbers.map(([field, pattern]) => [pattern, `${record[field] ?? ""}`] as const)
  ]
  if (!pairs.every(([pattern, text]) => mayMatch(pattern, text))) return undefined
  return {
    source,
    pairs: pairs.filter(([{ names }]) => names.length > 0),
    ttl: source.ttl === undefined || record.ttl === undefined ? undefined : { name: source.ttl, value: `${record.ttl}` }
  }
}

/** An alias at the apex is asked for as a CNAME; a redirect is no record that can be desired. */
const isSameType = (type: string, { record, relativeName }: ComparedEntry): boolean =>
  type === "APEXCNAME" ? record.type === "CNAME" && relativeName === "@" : type === record.type && !isRedirect(type)

/** Visits all ways in which the values can be extended so that a source becomes the desired record. */
export const extendValues = <A>(
  match: Match,
  before: FoundValues | undefined,
  visitor: Visitor<A>,
  index = 0
): A | undefined => {
  const pair = match.pairs[index]
  if (pair === undefined) return visitor.visit(withTtl(match, before))
  return matchPattern(...pair, before, {
    takeStep: visitor.takeStep,
    visit: (found) => extendValues(match, found, visitor, index + 1)
  })
}

const withTtl = ({ ttl }: Match, before: FoundValues | undefined): FoundValues | undefined =>
  ttl === undefined || findValue(before, ttl.name) !== undefined ? before : { ...ttl, before }
