import { Array, Option } from "effect"
import { suggestName, type ValueIssue } from "../error/ErrorDetail.ts"
import { findMalformedTerm, findRepeatedModifier, isSpf, parseSpf } from "./SpfRecord.ts"
import {
  hasMacro,
  isAll,
  isDirective,
  isModifier,
  listTermNames,
  singletonModifiers,
  type SpfDirective,
  type SpfMalformed,
  type SpfModifier,
  type SpfTerm,
  syntaxRuleFor
} from "./SpfTerm.ts"
import { respellSpf } from "./respellSpf.ts"

/** Checks a desired text that is meant as an SPF record. */
export const checkSpfValue = (value: string): Option.Option<ValueIssue> =>
  Option.map(findFault(value), (issue) => {
    const suggestion = respellSpf(value)
    return suggestion === value || Option.isSome(findFault(suggestion)) ? issue : { ...issue, suggestion }
  })

const findFault = (value: string): Option.Option<ValueIssue> => {
  if (!isMeantAsSpf(value)) return Option.none()
  const terms = parseSpf(value, anyName)
  return Option.firstSomeOf([
    isSpf(value) ? Option.none() : Option.some(issues.version),
    Option.map(findMalformedTerm(terms), issues.malformed),
    Option.map(findRepeatedModifier(terms), issues.repeated),
    Array.findFirst(terms.filter(isModifier), describeUnknownModifier),
    Option.map(Array.findFirst(terms.filter(namesDomain), hasUnusableDomain), issues.unusableDomain),
    Option.map(
      Array.findFirst(terms.filter(isAll), ({ qualifier }) => qualifier === "+"),
      () => issues.allowsAll
    ),
    Option.map(findIgnoredTerm(terms), issues.ignored)
  ])
}

/** Stands for the name of the record, which its terms are not compared by here. */
const anyName = ""

/** Also if white space, quotes, a wrong separator or a misspelled version would hide it from receivers. */
const isMeantAsSpf = (value: string): boolean =>
  /^[\s"']*v\s*=\s*spf1(?!\d)/i.test(value) || (misspelledVersion.test(value) && hasMechanism.test(value))

const misspelledVersion = /^[\s"']*(?:v\s*[=:]\s*)?spf\d?(?:\s|[;:,]\s*)/i
const hasMechanism = /(?:^|[\s;:,])(?:[-+?~]all\b|[-+?~]?(?:include|exists|ip4|ip6|a|mx|redirect)[:=])/i

/** An unknown modifier is ignored: one with nearly the name of a mechanism is meant as that. */
const describeUnknownModifier = ({ name, text }: SpfModifier): Option.Option<ValueIssue> => {
  if (singletonModifiers.includes(name)) return Option.none()
  if (name === "v") return Option.some(issues.secondRecord)
  const meant = /^ip(v?[46])?$/.test(name) ? name.replace("v", "") : suggestName(name, listTermNames())
  return Option.map(Option.fromNullable(meant), (known) => issues.unknownModifier(text, known))
}

type TermWithDomain = SpfDirective | SpfModifier

const namesDomain = (term: SpfTerm): term is TermWithDomain => term._tag !== "Malformed" && term.target !== ""

/** Whether a domain is none that resolvers look up, although its characters may be in a record. */
const hasUnusableDomain = ({ target }: TermWithDomain): boolean =>
  !hasMacro(target) && !/^(?=.*\.)[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(target)

/** A mechanism behind `all`, and `redirect=` beside it, have no effect (RFC 7208 sections 5.1 and 6.1). */
const findIgnoredTerm = (terms: ReadonlyArray<SpfTerm>): Option.Option<TermWithDomain> => {
  const end = terms.findIndex(isAll)
  return end === -1
    ? Option.none()
    : Array.findFirst(terms, (term, index): term is TermWithDomain =>
        isDirective(term) ? index > end : isModifier(term) && term.name === "redirect"
      )
}

const issues = {
  version: {
    code: "spf_version_malformed",
    message: "an SPF record begins with `v=spf1` and a space (RFC 7208 section 4.5)"
  },
  malformed: ({ text }: SpfMalformed): ValueIssue => ({
    code: "spf_term_malformed",
    message: `\`${shorten(text)}\` is no term of an SPF record: ${syntaxRuleFor(text)}`
  }),
  repeated: ({ name }: SpfModifier): ValueIssue => ({
    code: "spf_modifier_repeated",
    message: `\`${name}=\` must not appear more than once (RFC 7208 section 6)`
  }),
  unknownModifier: (text: string, known: string): ValueIssue => ({
    code: "spf_term_malformed",
    message: `\`${shorten(text)}\` is a modifier that receivers do not know and ignore (RFC 7208 section 6): ${syntaxRuleFor(known)}`
  }),
  secondRecord: {
    code: "spf_term_malformed",
    message:
      "a second `v=spf1` is within the record: a host has one SPF record, with all senders (RFC 7208 section 3.2)"
  },
  unusableDomain: ({ text }: TermWithDomain): ValueIssue => ({
    code: "spf_term_malformed",
    message: `\`${shorten(text)}\` permits nobody: it must name a domain that receivers can look up, such as _spf.example.com`
  }),
  allowsAll: {
    code: "spf_allows_all",
    message: "`+all` lets everybody send mail in the name of the host; write `~all` or `-all`"
  },
  ignored: ({ text }: TermWithDomain): ValueIssue => ({
    code: "spf_term_ignored",
    message: `receivers ignore \`${shorten(text)}\`: nothing behind \`all\` and no \`redirect=\` beside it has an effect (RFC 7208 sections 5.1 and 6.1)`
  })
} as const

const shorten = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text).toWellFormed()
