import { Array, Either, Option } from "effect"
import { defaultTerm, evaluatedDirectives, isInvalidSpf, isSpf, parseSpf } from "../../domain/SpfRecord.ts"
import { hasMacro, isModifier, type SpfTerm } from "../../domain/SpfTerm.ts"
import type { DnsLookup, LookupQuestion } from "../DnsLookup.ts"

/** What receivers meet when they follow a policy, as far as it is known. */
export interface SpfLookupCount {
  /** A limit of RFC 7208 section 4.6.4 is passed: receivers give up. */
  readonly exceedsLimit: boolean
  /** An `include` or `redirect` leads to no SPF record, or to one that receivers give up on. */
  readonly isBroken: boolean
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

/**
 * Follows the policy of `name` through its includes and redirects, depth by depth, and no deeper once a limit is
 * passed, so that a loop ends too. Void look-ups are those of an IPv4 sender: for `a` and `exists` only A is asked.
 */
export const countSpfLookups = (terms: ReadonlyArray<SpfTerm>, name: string, lookup: DnsLookup): SpfLookupCount => {
  const findings = follow([{ name, terms }], { lookups: 0, voids: 0 }, { lookup, parse: remembering(parseSpf) })
  return {
    exceedsLimit: findings.some(({ exceedsLimit }) => exceedsLimit),
    isBroken: findings.some(({ isBroken }) => isBroken),
    unanswered: findings.flatMap(({ unanswered }) => unanswered)
  }
}

interface Policy {
  readonly name: string
  readonly terms: ReadonlyArray<SpfTerm>
}

/** How much was looked up at the depths above. */
interface Spent {
  readonly lookups: number
  readonly voids: number
}

interface Means {
  readonly lookup: DnsLookup
  readonly parse: typeof parseSpf
}

/** What is found at each depth. */
const follow = (policies: ReadonlyArray<Policy>, above: Spent, means: Means): ReadonlyArray<SpfLookupCount> => {
  const sound = policies.filter(({ terms }) => !isInvalidSpf(terms))
  const steps = sound.flatMap(stepsOf)
  const questions = Array.take(steps.flatMap(questionOf), maxQuestions)
  const [unanswered, answers] = Array.partitionMap(questions, answeredBy(means.lookup))
  const spent = {
    lookups: above.lookups + steps.length,
    voids: above.voids + answers.filter(({ values }) => values.length === 0).length
  }
  const exceedsLimit = spent.lookups > maxLookups || spent.voids > maxVoids || answers.some(hasTooManyNames)
  const leads = answers.filter(({ type }) => type === "TXT")
  const isBroken = sound.length < policies.length || leads.some((lead) => Option.isNone(textAt(lead)))
  const below = exceedsLimit ? [] : Array.getSomes(leads.map(policyReadBy(means.parse)))
  return [{ exceedsLimit, isBroken, unanswered }, ...(below.length === 0 ? [] : follow(below, spent, means))]
}

const maxLookups = 10
const maxVoids = 2
const maxNamesPerMx = 10

/** At one depth; a policy that needs as many has long passed the limit. */
const maxQuestions = 50

/** A term that counts as a look-up, and the name that it leads to. */
interface Step {
  readonly term: string
  readonly name: string
}

const stepsOf = ({ name, terms }: Policy): ReadonlyArray<Step> => {
  const terminal = defaultTerm(terms)
  return [...evaluatedDirectives(terms), ...(terminal !== undefined && isModifier(terminal) ? [terminal] : [])]
    .filter((term) => typeAsked.has(term.name))
    .map((term) => ({ term: term.name, name: term.target || name }))
}

/** What `ptr` and a macro ask for depends on the sender. */
const questionOf = ({ name, term }: Step): ReadonlyArray<LookupQuestion> => {
  const type = typeAsked.get(term)
  return type === undefined || hasMacro(name) ? [] : [{ name, type }]
}

const typeAsked: ReadonlyMap<string, LookupQuestion["type"] | undefined> = new Map([
  ["include", "TXT"],
  ["redirect", "TXT"],
  ["a", "A"],
  ["exists", "A"],
  ["mx", "MX"],
  ["ptr", undefined]
] as const)

interface Answer extends LookupQuestion {
  readonly values: ReadonlyArray<string>
}

const answeredBy =
  (lookup: DnsLookup) =>
  (question: LookupQuestion): Either.Either<Answer, LookupQuestion> =>
    Either.map(isQueryableName(question.name) ? lookup(question) : Either.right([]), (values) => ({
      ...question,
      values
    }))

/** What the grammar allows and no query can hold counts as a name that does not exist. */
export const isQueryableName = (name: string): boolean =>
  name.length <= 253 && name.split(".").every((label) => label !== "" && label.length <= 63)

const hasTooManyNames = ({ type, values }: Answer): boolean => type === "MX" && values.length > maxNamesPerMx

/** Receivers give up where there are several (RFC 7208 section 4.5). */
const textAt = ({ values }: Answer): Option.Option<string> => {
  const texts = values.filter(isSpf)
  return texts.length === 1 ? Array.head(texts) : Option.none()
}

const policyReadBy =
  (parse: typeof parseSpf) =>
  (lead: Answer): Option.Option<Policy> =>
    Option.map(textAt(lead), (text) => ({ name: lead.name, terms: parse(text) }))

/** Reads each text once: what a loop leads to again may be long. */
const remembering = (parse: typeof parseSpf): typeof parseSpf => {
  const known = new Map<string, ReturnType<typeof parseSpf>>()
  return (text) => {
    const terms = known.get(text) ?? parse(text)
    known.set(text, terms)
    return terms
  }
}
