import { Array, Order } from "effect"
import { defaultTerm, isInvalidSpf, normalizeSpf, parseSpf, parseValidTerms } from "../../domain/SpfRecord.ts"
import {
  isAll,
  isDirective,
  isModifier,
  isSingletonModifier,
  replaceQualifier,
  type SpfTerm
} from "../../domain/SpfTerm.ts"
import { dedupeByIdentity, mergeSpf, permittedDirectives } from "./mergeSpf.ts"

type Terms = ReadonlyArray<SpfTerm>

/** An SPF record that is served, and what of it can be kept. */
export interface LiveSpfRecord {
  readonly value: string
  readonly isBroken: boolean
  /** The policy that it states, even if receivers give up on it. */
  readonly defaultResult: string
  /** Its terms; of a broken one those that parse, no stricter than `~all`. */
  readonly terms: Terms
  readonly normal: string
}

/** Reads the records that are served at a host, each once, in byte order of their normal form. */
export const readLiveSpf = (values: ReadonlyArray<string>): ReadonlyArray<LiveSpfRecord> =>
  Array.sort([...new Set(values)].map(read), byNormalForm)

/** Several records as one: each mechanism once, in order; what is dead stays only where an `all` keeps it dead. */
export const joinSpf = (records: Array.NonEmptyReadonlyArray<Terms>): Terms => {
  if (records.length === 1) return records[0]
  const terminal = Array.min(Array.map(records, defaultTerm), byLooseness)
  const [others, explanations] = Array.partition(
    records.flatMap((terms) => terms.filter(isModifier)).filter(({ name }) => name !== "redirect"),
    ({ name }) => name === "exp"
  )
  return [
    ...mergeSpf(
      [],
      records.flatMap((terms) => permittedDirectives(terms, terminal))
    ),
    ...dedupeByIdentity(others),
    ...(terminal === undefined ? [] : [terminal]),
    ...(terminal !== undefined && isAll(terminal) ? dedupeByIdentity(records.flatMap(deadDirectives)) : []),
    ...explanations.slice(0, 1)
  ]
}

/** What becomes of mail that no mechanism matches: equal for records that treat it alike. */
export const defaultResultOf = (terms: Terms): string => {
  const terminal = defaultTerm(terms)
  if (terminal === undefined) return "?"
  return isModifier(terminal) ? terminal.identity : terminal.qualifier
}

/** The same record, but `~all` where it ends in `-all`. */
export const softenFail = (terms: Terms): Terms => {
  const terminal = defaultTerm(terms)
  return terms.map((term) =>
    term === terminal && isDirective(term) && term.qualifier === "-" ? replaceQualifier(term, "~") : term
  )
}

const read = (value: string): LiveSpfRecord => {
  const written = parseSpf(value)
  const isBroken = isInvalidSpf(written)
  const parsed = isBroken ? parseValidTerms(value) : written
  const terms = isBroken ? softenFail(withoutRepetition(parsed)) : parsed
  return { value, isBroken, defaultResult: defaultResultOf(parsed), terms, normal: normalizeSpf(terms) }
}

const withoutRepetition = (terms: Terms): Terms => {
  const modifiers = Map.groupBy(terms.filter(isModifier), ({ name }) => name)
  return terms.filter(
    (term) => !isModifier(term) || !isSingletonModifier(term) || modifiers.get(term.name)?.[0] === term
  )
}

const byNormalForm: Order.Order<LiveSpfRecord> = Order.combine(
  Order.mapInput(Order.string, ({ normal }) => normal),
  Order.mapInput(Order.string, ({ value }) => value)
)

/** No terminal is as neutral as `?all`; a redirect is no stricter than `-all` and may be stricter than `~all`. */
const byLooseness: Order.Order<ReturnType<typeof defaultTerm>> = Order.mapInput(Order.number, (terminal) =>
  ["+", "?", undefined, "~", "redirect", "-"].indexOf(
    terminal && (isModifier(terminal) ? terminal.name : terminal.qualifier)
  )
)

const deadDirectives = (terms: Terms) =>
  Array.dropWhile(terms, (term) => !isAll(term))
    .slice(1)
    .filter(isDirective)
