import { Array, Either, Option } from "effect"
import {
  divideSpf,
  extendValues,
  findMatch,
  listSources,
  type Match,
  type TemplateSource,
  toDesired
} from "./matchRecord.ts"
import { type FoundValues, listNames, toValues, type Values } from "./Pattern.ts"
import { givenValues, ownerPatternOf, type ZoneEntry } from "./resolveTemplate.ts"
import { groupsOf, type Template, type TemplateRecord } from "./Template.ts"

/** The values with which a template gives exactly the desired records, and the groups that have to be applied. */
export interface TemplateSolution {
  readonly variables: Values
  readonly groups: ReadonlyArray<string>
}

export type NoSolution =
  | { readonly code: "host_required" }
  | { readonly code: "too_many_records" }
  /** No record of the template can become the desired one; of SPF, `data` is the rule that SPFM does not have. */
  | { readonly code: "record_not_in_template"; readonly record: ZoneEntry }
  /** A record is not desired, which the template writes always, or beside one that is desired. */
  | { readonly code: "template_writes_more"; readonly record: Pick<TemplateRecord, "host" | "type"> }
  /** Each record has a counterpart, but no values and groups fit all of them. */
  | { readonly code: "no_common_values" }

/**
 * Finds values for which a template's records are the desired ones, whatever their TTLs; SPF by its rules. It begins with
 * what can be in one way only, and gives up after some milliseconds: few templates need more than one attempt.
 */
export const solveTemplate = (
  template: Template,
  desired: ReadonlyArray<ZoneEntry>,
  { domain, host }: { readonly domain: string; readonly host: string }
): Either.Either<TemplateSolution, NoSolution> => {
  if (template.hostRequired === true && host === "") return Either.left({ code: "host_required" })
  if (desired.length > maxRecords || template.records.length > maxTemplateRecords)
    return Either.left({ code: "too_many_records" })
  const given = givenValues({ domain, host, variables: {} })
  const sources = listSources(template, given)
  const attempt = { template, sources, fqdn: given.fqdn, takeStep: makeStepCounter() }
  // SPF can also be a text of the template, which replaces what is there.
  return sources.some(({ type }) => type === "SPFM")
    ? Either.orElse(solve(divideSpf(desired), attempt), (error) => Either.mapLeft(solve(desired, attempt), () => error))
    : solve(desired, attempt)
}

/** More than an intent can have. */
const maxRecords = 100

const maxTemplateRecords = 200

/** Some milliseconds: a value with several variables in a row can be split in millions of ways. */
const maxSteps = 5_000

const makeStepCounter = (): (() => boolean) => {
  let steps = 0
  return () => ++steps <= maxSteps
}

interface SolveContext {
  readonly template: Template
  readonly sources: ReadonlyArray<TemplateSource>
  readonly fqdn: string
  /** Counts a step; false if the search has to end. */
  readonly takeStep: () => boolean
}

const solve = (
  desired: ReadonlyArray<ZoneEntry>,
  attempt: SolveContext
): Either.Either<TemplateSolution, NoSolution> => {
  const { fqdn, sources } = attempt
  const matches = desired.map((record) => {
    const compared = toDesired(record, fqdn)
    return Array.filterMap(sources, (source) => Option.fromNullable(findMatch(source, compared)))
  })
  const alone = desired[matches.findIndex(({ length }) => length === 0)]
  if (alone !== undefined) return Either.left({ code: "record_not_in_template", record: alone })
  const matched = new Set(matches.flat().map(({ source }) => source))
  const unwanted = sources.filter((source) => !matched.has(source))
  const always = unwanted.find(({ group }) => group === "")
  if (always !== undefined) return Either.left(writesMore(always))
  const possible = matches.map((all) =>
    all.filter(({ source: { group } }) => group === "" || !unwanted.some((other) => other.group === group))
  )
  const blocked = matches[possible.findIndex(({ length }) => length === 0)]
  const besides = unwanted.find(({ group }) => blocked?.some(({ source }) => source.group === group))
  if (besides !== undefined) return Either.left(writesMore(besides))
  const open = possible.toSorted((one, other) => one.length - other.length).map(toOpenRecord)
  const context = { ...attempt, matches: Map.groupBy(possible.flat(), ({ source }) => source) }
  return Either.fromNullable(search(open, new Set(), undefined, context), () => ({ code: "no_common_values" }))
}

const writesMore = ({ record }: TemplateSource): NoSolution => ({
  code: "template_writes_more",
  record: { type: record.type, host: ownerPatternOf(record) }
})

interface SearchContext extends SolveContext {
  readonly matches: ReadonlyMap<TemplateSource, ReadonlyArray<Match>>
}

interface OpenRecord {
  readonly matches: ReadonlyArray<Match>
  readonly names: ReadonlySet<string>
}

const toOpenRecord = (matches: ReadonlyArray<Match>): OpenRecord => ({
  matches,
  names: new Set(
    matches.flatMap(({ pairs, source: { ttl } }) => [
      ...pairs.flatMap(([{ names }]) => names),
      ...(ttl === undefined ? [] : [ttl])
    ])
  )
})

/** Decides what the open records come from, one after the other. */
const search = (
  open: ReadonlyArray<OpenRecord>,
  used: ReadonlySet<TemplateSource>,
  values: FoundValues | undefined,
  context: SearchContext
): TemplateSolution | undefined => {
  const [next, ...others] = open
  if (next === undefined) return complete(used, values, context)
  return visitWays(next.matches, used, values, context, (source, found) => {
    const usedNow = new Set(used).add(source)
    return search(withAffectedFirst(others, usedNow, [found, values], context), usedNow, found, context)
  })
}

/** Records with a value that was found just now come first, and before them one that now is possible in one way at most. */
const withAffectedFirst = (
  open: ReadonlyArray<OpenRecord>,
  used: ReadonlySet<TemplateSource>,
  [found, before]: readonly [FoundValues | undefined, FoundValues | undefined],
  context: SearchContext
): ReadonlyArray<OpenRecord> => {
  const names = listNames(found, before)
  const [others, affected] = Array.partition(open, (record) => names.some((name) => record.names.has(name)))
  const narrow = affected.find(({ matches }) => !hasTwoWays(matches, used, found, context))
  return narrow === undefined
    ? [...affected, ...others]
    : [narrow, ...affected.filter((record) => record !== narrow), ...others]
}

const hasTwoWays = (
  matches: ReadonlyArray<Match>,
  used: ReadonlySet<TemplateSource>,
  values: FoundValues | undefined,
  context: SearchContext
): boolean => {
  let ways = 0
  return visitWays(matches, used, values, context, () => (++ways === 2 ? true : undefined)) === true
}

const visitWays = <A>(
  matches: ReadonlyArray<Match>,
  used: ReadonlySet<TemplateSource>,
  values: FoundValues | undefined,
  { takeStep }: SearchContext,
  visit: (source: TemplateSource, found: FoundValues | undefined) => A | undefined
): A | undefined => {
  for (const match of matches) {
    if (used.has(match.source)) continue
    if (!takeStep()) return undefined
    const result = extendValues(match, values, { takeStep, visit: (found) => visit(match.source, found) })
    if (result !== undefined) return result
  }
  return undefined
}

/** All records without a group are applied, and of each group all or none; one that is not used repeats one that is. */
const complete = (
  used: ReadonlySet<TemplateSource>,
  values: FoundValues | undefined,
  { matches, sources, takeStep, template }: SearchContext
): TemplateSolution | undefined => {
  const applied = new Set([...used].map(({ group }) => group))
  const groups = groupsOf(template).filter((group) => applied.has(group))
  const isRepetition = (source: TemplateSource) =>
    (matches.get(source) ?? []).some(
      (match) =>
        takeStep() &&
        extendValues(match, values, { takeStep, visit: (found) => found === values || undefined }) === true
    )
  const isWhole = sources.every(
    (source) => used.has(source) || (source.group !== "" && !applied.has(source.group)) || isRepetition(source)
  )
  // Without the parameter for groups, a provider applies all of them.
  const canName = groups.length > 0 || groupsOf(template).length === 0
  return isWhole && canName ? { variables: toValues(values), groups } : undefined
}
