import { Array, Either, Option } from "effect"
import {
  findDefaultTerm,
  isInvalidSpf,
  isSpf,
  parseSpf,
  selectEvaluatedDirectives
} from "../../domain/records/SpfRecord.ts"
import { hasMacro, isModifier, type SpfTerm } from "../../domain/records/SpfTerm.ts"
import type { DnsLookup, LookupQuestion } from "../DnsLookup.ts"

/** The result of evaluating a policy as receivers do, as far as it is known. */
interface SpfLookupCount {
  /** Whether a limit of RFC 7208 section 4.6.4 is exceeded, so that receivers give up. */
  readonly isLimitExceeded: boolean
  /** Where an `include` or `redirect` leads to no SPF record, or to one that receivers give up on. */
  readonly broken: ReadonlyArray<SpfPath>
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/** The names that includes and redirects lead through, from the first to the last; none for the policy itself. */
export type SpfPath = ReadonlyArray<string>

/**
 * Counts lookups through includes and redirects by depth, and stops at a limit, so that a loop ends too. Void lookups
 * are those of an IPv4 sender: for `a` and `exists` only A is queried.
 */
export const countSpfLookups = (terms: ReadonlyArray<SpfTerm>, name: string, lookup: DnsLookup): SpfLookupCount => {
  const counts = countByDepth(
    [{ name, terms, path: [] }],
    { lookups: 0, voids: 0 },
    { lookup, parse: memoize(parseSpf) }
  )
  return {
    isLimitExceeded: counts.some(({ isLimitExceeded }) => isLimitExceeded),
    broken: counts.flatMap(({ broken }) => broken),
    unanswered: counts.flatMap(({ unanswered }) => unanswered)
  }
}

export interface SpfPolicy {
  readonly name: string
  readonly terms: ReadonlyArray<SpfTerm>
}

interface ReachedPolicy extends SpfPolicy {
  readonly path: SpfPath
}

/** The lookups at the depths above. */
interface LookupTotals {
  readonly lookups: number
  readonly voids: number
}

interface Evaluation {
  readonly lookup: DnsLookup
  readonly parse: typeof parseSpf
}

/** Counts each depth by itself; limits apply to the total. */
const countByDepth = (
  policies: ReadonlyArray<ReachedPolicy>,
  totalsAbove: LookupTotals,
  evaluation: Evaluation
): ReadonlyArray<SpfLookupCount> => {
  const [invalidPolicies, validPolicies] = Array.partition(policies, ({ terms }) => !isInvalidSpf(terms))
  const steps = validPolicies.flatMap(lookupStepsOf)
  const questions = Array.take(steps.flatMap(questionOf), maxQuestions)
  const [unanswered, answers] = Array.partitionMap(questions, answerWith(evaluation.lookup))
  const totals = {
    lookups: totalsAbove.lookups + steps.length,
    voids: totalsAbove.voids + answers.filter(({ values }) => values.length === 0).length
  }
  const isLimitExceeded = totals.lookups > maxLookups || totals.voids > maxVoids || answers.some(hasTooManyNames)
  const references = answers.filter(({ type }) => type === "TXT")
  const broken = [...invalidPolicies, ...references.filter((reference) => Option.isNone(spfTextOf(reference)))]
  const below = isLimitExceeded ? [] : Array.getSomes(references.map(parsePolicyWith(evaluation.parse)))
  return [
    { isLimitExceeded, broken: broken.map(({ path }) => path), unanswered },
    ...(below.length === 0 ? [] : countByDepth(below, totals, evaluation))
  ]
}

const maxLookups = 10
const maxVoids = 2
const maxNamesPerMx = 10

/** Per depth; a policy that needs as many exceeds the limit by far. */
const maxQuestions = 50

/** A term that counts as a lookup, and the name that it leads to. */
interface LookupStep {
  readonly term: string
  readonly name: string
  readonly path: SpfPath
}

const lookupStepsOf = ({ name, path, terms }: ReachedPolicy): ReadonlyArray<LookupStep> => {
  const terminal = findDefaultTerm(terms)
  return [...selectEvaluatedDirectives(terms), ...(terminal !== undefined && isModifier(terminal) ? [terminal] : [])]
    .filter((term) => queryTypes.has(term.name))
    .map((term) => ({ term: term.name, name: term.target || name, path: [...path, term.target] }))
}

/** The question for a step; those of `ptr` and of macros depend on the sender. */
const questionOf = ({ name, path, term }: LookupStep): ReadonlyArray<SpfQuestion> => {
  const type = queryTypes.get(term)
  return type === undefined || hasMacro(name) ? [] : [{ name, type, path }]
}

const queryTypes: ReadonlyMap<string, LookupQuestion["type"] | undefined> = new Map([
  ["include", "TXT"],
  ["redirect", "TXT"],
  ["a", "A"],
  ["exists", "A"],
  ["mx", "MX"],
  ["ptr", undefined]
] as const)

interface SpfQuestion extends LookupQuestion {
  readonly path: SpfPath
}

interface SpfAnswer extends SpfQuestion {
  readonly values: ReadonlyArray<string>
}

const answerWith =
  (lookup: DnsLookup) =>
  ({ path, ...question }: SpfQuestion): Either.Either<SpfAnswer, LookupQuestion> =>
    Either.map(isQueryableName(question.name) ? lookup(question) : Either.right([]), (values) => ({
      ...question,
      path,
      values
    }))

/** Whether a query can hold the name; one that only the SPF grammar allows counts as nonexistent. */
export const isQueryableName = (name: string): boolean =>
  name.length <= 253 && name.split(".").every((label) => label !== "" && label.length <= 63)

const hasTooManyNames = ({ type, values }: SpfAnswer): boolean => type === "MX" && values.length > maxNamesPerMx

/** The SPF text of an answer; receivers give up if there are several (RFC 7208 section 4.5). */
const spfTextOf = ({ values }: SpfAnswer): Option.Option<string> => {
  const texts = values.filter(isSpf)
  return texts.length === 1 ? Array.head(texts) : Option.none()
}

const parsePolicyWith =
  (parse: typeof parseSpf) =>
  (reference: SpfAnswer): Option.Option<ReachedPolicy> =>
    Option.map(spfTextOf(reference), (text) => ({
      name: reference.name,
      path: reference.path,
      terms: parse(text, reference.name)
    }))

/** Parses the text of each name once: a loop may lead to a long one again and again. */
const memoize = (parse: typeof parseSpf): typeof parseSpf => {
  const known = new Map<string, ReturnType<typeof parseSpf>>()
  return (text, name) => {
    const key = `${name} ${text}`
    const terms = known.get(key) ?? parse(text, name)
    known.set(key, terms)
    return terms
  }
}
