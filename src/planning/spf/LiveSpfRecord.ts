import { Array, Order } from "effect"
import {
  findDefaultTerm,
  isInvalidSpf,
  normalizeSpf,
  parseSpf,
  parseValidTerms
} from "../../domain/records/SpfRecord.ts"
import { isAll, isDirective, isModifier, isSingletonModifier, type SpfTerm } from "../../domain/records/SpfTerm.ts"
import type { DnsLookup } from "../DnsLookup.ts"
import { limitToNeutral } from "./limitSpfDefault.ts"
import { dedupeByIdentity, mergeSpf, selectPermittedDirectives } from "./mergeSpf.ts"

/** A served SPF record and the part of it that can be kept. */
export interface LiveSpfRecord {
  readonly value: string
  readonly isBroken: boolean
  /** The result that it states for mail that no mechanism matches, even if receivers give up on the record. */
  readonly defaultResult: string
  /** Its terms; for a broken record those that parse, ending in neither `-all` nor `+all`. */
  readonly terms: ReadonlyArray<SpfTerm>
  readonly normal: string
}

/** Parses the SPF records that a name has, each once, in byte order of their normal form. */
export const readLiveSpf = (
  values: ReadonlyArray<string>,
  name: string,
  lookup: DnsLookup
): ReadonlyArray<LiveSpfRecord> => Array.sort([...new Set(values)].map(parseLiveSpf(name, lookup)), byNormalForm)

/**
 * Joins records, which receivers reject: each mechanism once, ending in neither `-all` nor `+all`. Mechanisms without
 * effect stay only if an `all` before them keeps them without effect.
 */
export const joinSpf = (
  records: Array.NonEmptyReadonlyArray<ReadonlyArray<SpfTerm>>,
  lookup: DnsLookup
): ReadonlyArray<SpfTerm> => {
  if (records.length === 1) return records[0]
  const terminal = Array.min(Array.map(records, findDefaultTerm), byLooseness)
  const [others, explanations] = Array.partition(
    records.flatMap((terms) => terms.filter(isModifier)).filter(({ name }) => name !== "redirect"),
    ({ name }) => name === "exp"
  )
  const joined = [
    ...mergeSpf(
      [],
      records.flatMap((terms) => selectPermittedDirectives(terms, terminal))
    ),
    ...dedupeByIdentity(others),
    ...(terminal === undefined ? [] : [terminal]),
    ...(terminal !== undefined && isAll(terminal) ? dedupeByIdentity(records.flatMap(directivesAfterAll)) : []),
    ...explanations.slice(0, 1)
  ]
  return limitToNeutral(joined, lookup)
}

/** The result for mail that no mechanism matches: a qualifier or a redirect; equal for records that treat it alike. */
export const defaultResultOf = (terms: ReadonlyArray<SpfTerm>): string => {
  const terminal = findDefaultTerm(terms)
  if (terminal === undefined) return "?"
  return isModifier(terminal) ? terminal.identity : terminal.qualifier
}

const parseLiveSpf =
  (name: string, lookup: DnsLookup) =>
  (value: string): LiveSpfRecord => {
    const allTerms = parseSpf(value, name)
    const isBroken = isInvalidSpf(allTerms)
    const parsed = isBroken ? parseValidTerms(value, name) : allTerms
    const terms = isBroken ? limitToNeutral(withoutRepeatedModifiers(parsed), lookup) : parsed
    return { value, isBroken, defaultResult: defaultResultOf(parsed), terms, normal: normalizeSpf(terms) }
  }

const withoutRepeatedModifiers = (terms: ReadonlyArray<SpfTerm>): ReadonlyArray<SpfTerm> => {
  const modifiers = Map.groupBy(terms.filter(isModifier), ({ name }) => name)
  return terms.filter(
    (term) => !isModifier(term) || !isSingletonModifier(term) || modifiers.get(term.name)?.[0] === term
  )
}

const byNormalForm: Order.Order<LiveSpfRecord> = Order.combine(
  Order.mapInput(Order.string, ({ normal }) => normal),
  Order.mapInput(Order.string, ({ value }) => value)
)

/** No terminal is as neutral as `?all`; a redirect is at most as strict as `-all` and may be stricter than `~all`. */
const byLooseness: Order.Order<ReturnType<typeof findDefaultTerm>> = Order.mapInput(Order.number, (terminal) =>
  ["+", "?", undefined, "~", "redirect", "-"].indexOf(
    terminal && (isModifier(terminal) ? terminal.name : terminal.qualifier)
  )
)

/** The directives that never decide, because they follow an `all`. */
const directivesAfterAll = (terms: ReadonlyArray<SpfTerm>) =>
  Array.dropWhile(terms, (term) => !isAll(term))
    .slice(1)
    .filter(isDirective)
