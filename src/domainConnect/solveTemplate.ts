import { Either, Option } from "effect"
import { listSpfRules } from "./mergeSpfRules.ts"
import { escapeText, formatText, toOneSpelling } from "./presentationText.ts"
import { givenValues, isRedirect, isTarget, ownerPatternOf, type ZoneEntry } from "./resolveTemplate.ts"
import { fieldsOf, givenVariables, groupsOf, type Template, type TemplateRecord } from "./Template.ts"

/** The values with which a template gives exactly the desired records, and the groups that have to be applied. */
export interface TemplateSolution {
  readonly variables: Readonly<Record<string, string>>
  readonly groups: ReadonlyArray<string>
}

export type NoSolution =
  | { readonly code: "host_required" }
  | { readonly code: "too_many_records" }
  /** No record of the template can become the desired one. */
  | { readonly code: "record_not_in_template"; readonly record: ZoneEntry }
  /** A record that the template always writes is not desired. */
  | { readonly code: "template_writes_more"; readonly record: Pick<TemplateRecord, "host" | "type"> }
  /** Each record has a counterpart, but no values and groups fit all of them. */
  | { readonly code: "no_common_values" }

/**
 * Finds values for which a template's records are the desired ones, whatever their TTLs; SPF by its rules. It begins with
 * the fewest counterparts, and gives up after a hundred thousand steps.
 */
export const solveTemplate = (
  template: Template,
  desired: ReadonlyArray<ZoneEntry>,
  { domain, host }: { readonly domain: string; readonly host: string }
): Either.Either<TemplateSolution, NoSolution> => {
  if (template.hostRequired === true && host === "") return Either.left({ code: "host_required" })
  if (desired.length > maxRecords || template.records.length > maxTemplateRecords)
    return Either.left({ code: "too_many_records" })
  const place = { given: givenValues({ domain, host, variables: {} }), takeStep: makeStepCounter() }
  const candidatesOf = desired.map((record) =>
    template.records.filter((source) => unify(source, record, place, {}).next().done !== true)
  )
  if (!place.takeStep()) return Either.left({ code: "no_common_values" })
  const lonely = candidatesOf.findIndex(({ length }) => length === 0)
  const alone = desired[lonely]
  if (alone !== undefined) return Either.left({ code: "record_not_in_template", record: alone })
  const unused = template.records.find(
    (source) => (source.groupId ?? "") === "" && !candidatesOf.some((candidates) => candidates.includes(source))
  )
  if (unused !== undefined)
    return Either.left({ code: "template_writes_more", record: { type: unused.type, host: ownerPatternOf(unused) } })
  const ordered = desired
    .map((record, index) => ({ record, candidates: candidatesOf[index] ?? [] }))
    .toSorted((one, other) => one.candidates.length - other.candidates.length)
  return Either.fromOption(search(template, ordered, place), () => ({ code: "no_common_values" as const }))
}

/** More than an intent can have. */
const maxRecords = 100

const maxTemplateRecords = 200

/** Tenths of a second: a value with several variables in a row can be split in millions of ways. */
const maxSteps = 100_000

const makeStepCounter = (): (() => boolean) => {
  let steps = 0
  return () => ++steps <= maxSteps
}

type Values = Readonly<Record<string, string>>

/** Where the template is applied, for one search. */
interface Place {
  readonly given: Values
  /** Counts a step; false if the search has to end. */
  readonly takeStep: () => boolean
}

/** They are found one after the other, as the search needs them. */
type FoundValues = IteratorObject<Values, unknown>

interface OpenRecord {
  readonly record: ZoneEntry
  readonly candidates: ReadonlyArray<TemplateRecord>
}

const search = (template: Template, open: ReadonlyArray<OpenRecord>, place: Place): Option.Option<TemplateSolution> => {
  const visit = (index: number, used: ReadonlySet<TemplateRecord>, values: Values): Option.Option<TemplateSolution> => {
    if (!place.takeStep()) return Option.none()
    const next = open[index]
    if (next === undefined) return complete(template, used, values)
    for (const source of next.candidates)
      if (!used.has(source))
        for (const extended of unify(source, next.record, place, values)) {
          const solution = visit(index + 1, new Set([...used, source]), extended)
          if (Option.isSome(solution)) return solution
        }
    return Option.none()
  }
  return visit(0, new Set(), {})
}

/** All records without a group are used, and of each group all or none. */
const complete = (
  template: Template,
  used: ReadonlySet<TemplateRecord>,
  variables: Values
): Option.Option<TemplateSolution> => {
  const groups = [...new Set([...used].flatMap(({ groupId = "" }) => (groupId === "" ? [] : [groupId])))]
  const isWhole = template.records.every((record) => {
    const { groupId = "" } = record
    return used.has(record) || (groupId !== "" && !groups.includes(groupId))
  })
  // Without the parameter for groups, a provider applies all of them.
  const canName = groups.length > 0 || groupsOf(template).length === 0
  return isWhole && canName ? Option.some({ variables, groups }) : Option.none()
}

/** All ways in which the values can be extended so that a template's record becomes the desired one. */
const unify = (source: TemplateRecord, record: ZoneEntry, place: Place, values: Values): FoundValues => {
  const type = source.type.toUpperCase()
  const fields = fieldsOf(type)
  if (isRedirect(type) || !isSameType(type, record, place.given)) return none()
  const [data = "data"] = fields
  const steps: ReadonlyArray<(known: Values) => FoundValues> = [
    (known) => matchName(ownerPatternOf(source), record.name, place, known),
    (known) => matchData(type, `${source[data] ?? ""}`, record.data, place, known),
    ...numberFields
      .filter((field) => fields.includes(field))
      .map((field) => (known: Values) => match(`${source[field] ?? ""}`, `${record[field] ?? ""}`, place, known)),
    (known) => matchTtl(`${source.ttl ?? ""}`, record.ttl, known)
  ]
  return steps.reduce<FoundValues>((found, step) => found.flatMap(step), one(values))
}

const numberFields = ["priority", "weight", "port"] as const

/** SPFM becomes the SPF record of the host, and an alias at the apex is asked for as a CNAME. */
const isSameType = (type: string, { data, name, type: desired }: ZoneEntry, { fqdn }: Values): boolean => {
  if (type === "SPFM") return desired === "TXT" && /^v=spf1( |$)/i.test(data)
  if (type === "APEXCNAME") return desired === "CNAME" && name === fqdn
  return type === desired
}

/** An owner may be written relative to the host or, with a final dot, in full. */
const matchName = (owner: string, name: string, place: Place, known: Values): FoundValues => {
  const pattern = toLowerCaseName(owner)
  if (pattern.endsWith(".")) return match(pattern.slice(0, -1), name, place, known)
  const { fqdn = "" } = place.given
  if (name === fqdn) return pattern === "" ? one(known) : match(pattern, "@", place, known)
  return name.endsWith(`.${fqdn}`) ? match(pattern, name.slice(0, -fqdn.length - 1), place, known) : none()
}

const matchData = (type: string, pattern: string, data: string, place: Place, known: Values): FoundValues => {
  if (type === "SPFM") return matchRules(pattern, data, place, known)
  if (type === "TXT") return matchText(pattern, data, place, known)
  if (!isTarget(type)) return match(pattern, data, place, known)
  const { fqdn = "" } = place.given
  if (pattern === "@" || pattern === "") return data === fqdn ? one(known) : none()
  return match(pattern === "." ? pattern : toLowerCaseName(pattern).replace(/\.$/, ""), data, place, known)
}

/** The names of variables keep their case. */
const toLowerCaseName = (pattern: string): string =>
  pattern.replace(/(%[^%\s]+%)|[^%]+/g, (part, name?: string) => name ?? part.toLowerCase())

/** Values are in presentation format; only a text that is one value as a whole can be several strings. */
const matchText = (pattern: string, text: string, place: Place, known: Values): FoundValues =>
  /^%[^%\s]+%$/.test(pattern)
    ? match(pattern, formatText(text), place, known)
    : match(toOneSpelling(pattern), escapeText(text), place, known)

/** The rules of SPFM in any order; a rule with a variable takes the rule that is left for it. */
const matchRules = (pattern: string, data: string, place: Place, known: Values): FoundValues => {
  const patterns = listSpfRules(pattern)
  const rules = listSpfRules(data)
  if (patterns.length !== rules.length) return none()
  return patterns
    .reduce<IteratorObject<{ readonly values: Values; readonly left: ReadonlyArray<string> }, unknown>>(
      (found, each) =>
        found.flatMap(({ left, values }) =>
          left
            .entries()
            .flatMap(([index, rule]) =>
              match(each, rule, place, values).map((extended) => ({ values: extended, left: left.toSpliced(index, 1) }))
            )
        ),
      one({ values: known, left: rules })
    )
    .map(({ values }) => values)
}

/** The provider chooses the TTL, so that only a variable takes it. */
const matchTtl = (pattern: string, ttl: number | undefined, known: Values): FoundValues => {
  const name = /^%([^%\s]+)%$/.exec(pattern)?.[1]
  if (name === undefined || ttl === undefined || Object.hasOwn(known, name)) return one(known)
  return one({ ...known, [name]: `${ttl}` })
}

/** All values for which a pattern is the text. None looks like a variable: providers differ there. */
const match = (pattern: string, text: string, place: Place, known: Values): FoundValues => {
  const { given, takeStep } = place
  if (!takeStep()) return none()
  const [whole, before = "", name = "", after = ""] = /^([^%]*)%([^%\s]+)%(.*)$/s.exec(pattern) ?? []
  if (whole === undefined) return pattern === text ? one(known) : none()
  if (!text.startsWith(before)) return none()
  const rest = text.slice(before.length)
  const value = givenVariables.has(name) ? (given[name] ?? "") : known[name]
  if (value !== undefined) return rest.startsWith(value) ? match(after, rest.slice(value.length), place, known) : none()
  if (after === "") return isValue(rest) ? one({ ...known, [name]: rest }) : none()
  const lengths = Array.from({ length: rest.length }, (_, nth) => nth + 1)
  return lengths.values().flatMap((length) => {
    const candidate = rest.slice(0, length)
    return isValue(candidate) ? match(after, rest.slice(length), place, { ...known, [name]: candidate }) : none()
  })
}

const isValue = (text: string): boolean => text !== "" && !/%[^%\s]+%/.test(text)

const one = <A>(value: A): IteratorObject<A, unknown> => [value].values()

const none = (): FoundValues => [].values()
