import { Array, Option } from "effect"
import { type Network, parseNetwork } from "./Address.ts"
import type { ValueRefused } from "./DnsRecord.ts"

/** From the least to the most restrictive: pass, neutral, softfail, fail (RFC 7208 section 4.6.2). */
export const spfQualifiers = ["+", "?", "~", "-"] as const
export type SpfQualifier = (typeof spfQualifiers)[number]

/** A mechanism and what a match of it means. */
export interface SpfDirective extends Sound {
  readonly _tag: "Directive"
  readonly qualifier: SpfQualifier
}

/** `redirect=`, `exp=`, or one that no standard knows and receivers ignore (RFC 7208 section 6). */
export interface SpfModifier extends Sound {
  readonly _tag: "Modifier"
}

/** What is no term by the grammar of RFC 7208 section 12; a single one voids the whole record. */
export interface SpfMalformed {
  readonly _tag: "Malformed"
  readonly text: string
}

interface Sound {
  /** As it is written. */
  readonly text: string
  /** In lower case. */
  readonly name: string
  /** The domain it names: lower case, no trailing dot, macros as they are written; empty where it names none. */
  readonly target: string
  /** Equal where two terms mean the same, their qualifiers aside. */
  readonly identity: string
}

export type SpfTerm = SpfDirective | SpfModifier | SpfMalformed

/** Whether receivers take the text for an SPF record (RFC 7208 section 4.5). */
export const isSpf = (text: string): boolean => /^v=spf1( |$)/i.test(text)

/** The terms of an SPF record in order. */
export const parseSpf = (text: string): ReadonlyArray<SpfTerm> => termsBetween(text, " ")

/** The terms of a broken SPF record that parse, whatever kind of white space is between them. */
export const salvageSpf = (text: string): ReadonlyArray<SpfDirective | SpfModifier> =>
  termsBetween(text, /\s+/).filter((term) => term._tag !== "Malformed")

/** The record of these terms, each as it is written. */
export const formatSpf = (terms: ReadonlyArray<SpfTerm>): string =>
  [version, ...terms.map(({ text }) => text)].join(" ")

/** Equal for records that differ in spelling and spacing only. */
export const normalSpf = (terms: ReadonlyArray<SpfTerm>): string => [version, ...terms.map(normalTerm)].join(" ")

/** Equal for terms that mean the same, qualifiers included. */
export const normalTerm = (term: SpfTerm): string => {
  if (term._tag === "Malformed") return `!${term.text}`
  return term._tag === "Directive" ? withQualifier(term.qualifier, term.identity) : term.identity
}

/** The same mechanism with another qualifier. */
export const requalified = (term: SpfDirective, qualifier: SpfQualifier): SpfDirective => ({
  ...term,
  qualifier,
  text: withQualifier(qualifier, term.text.replace(/^[-+?~]/, ""))
})

export const isDirective = (term: SpfTerm): term is SpfDirective => term._tag === "Directive"

export const isModifier = (term: SpfTerm): term is SpfModifier => term._tag === "Modifier"

/** `all` always matches: what comes after it is dead (RFC 7208 section 5.1). */
export const isAll = (term: SpfTerm): term is SpfDirective & { readonly name: "all" } =>
  isDirective(term) && term.name === "all"

/** The mechanisms that are evaluated: those before `all`. */
export const liveDirectives = (terms: ReadonlyArray<SpfTerm>): ReadonlyArray<SpfDirective> =>
  Array.takeWhile(terms, (term) => !isAll(term)).filter(isDirective)

/** What decides where no mechanism matches: `all`, else `redirect=`, else nothing, which is neutral (section 4.7). */
export const terminalOf = (terms: ReadonlyArray<SpfTerm>): SpfDirective | SpfModifier | undefined =>
  terms.find(isAll) ?? terms.filter(isModifier).find(({ name }) => name === "redirect")

/** Whether a record may hold the modifier only once (RFC 7208 section 6). */
export const isOnceOnly = ({ name }: SpfModifier): boolean => modifiers.has(name)

/** Whether receivers give up on the record (RFC 7208 sections 4.6 and 6). */
export const isBrokenSpf = (terms: ReadonlyArray<SpfTerm>): boolean =>
  Option.isSome(firstMalformed(terms)) || Option.isSome(firstRepeated(terms))

/** Whether a target is known only when a mail arrives (RFC 7208 section 7). */
export const hasMacro = (target: string): boolean => target.includes("%")

/** The absolute names that the `a` and `mx` of an SPF record at `name` resolve through, those with macros left out. */
export const spfTargets = (value: string, name: string) => {
  const directives = liveDirectives(parseSpf(value)).filter(({ target }) => !hasMacro(target))
  const targetsOf = (mechanism: string): ReadonlyArray<string> => [
    ...new Set(directives.flatMap((term) => (term.name === mechanism ? [term.target || name] : [])))
  ]
  return { a: targetsOf("a"), mx: targetsOf("mx") }
}

/** Why a wanted text that is meant as an SPF record cannot be one. */
export const spfRefusal = (value: string): Option.Option<ValueRefused> => {
  if (!isMeantAsSpf(value)) return Option.none()
  const terms = parseSpf(value)
  return Option.firstSomeOf([
    isSpf(value) ? Option.none() : Option.some(refusals.version),
    Option.map(firstMalformed(terms), refusals.malformed),
    Option.map(firstRepeated(terms), refusals.repeated),
    Option.map(
      Array.findFirst(terms.filter(isAll), ({ qualifier }) => qualifier === "+"),
      () => refusals.allowsAll
    )
  ])
}

/** Also where white space, quotes or a wrong separator keep receivers from finding it. */
const isMeantAsSpf = (value: string): boolean => /^[\s"']*v\s*=\s*spf1(?!\d)/i.test(value)

const refusals = {
  version: {
    code: "spf_version_malformed",
    message: "an SPF record begins with `v=spf1` and a space (RFC 7208 section 4.5)"
  },
  malformed: ({ text }: SpfMalformed): ValueRefused => ({
    code: "spf_term_malformed",
    message: `\`${excerpt(text)}\` is no term of an SPF record: ${grammarOf(text)}`
  }),
  repeated: ({ name }: SpfModifier): ValueRefused => ({
    code: "spf_modifier_repeated",
    message: `\`${name}=\` must not appear more than once (RFC 7208 section 6)`
  }),
  allowsAll: {
    code: "spf_allows_all",
    message: "`+all` lets everybody send mail in the name of the host; write `~all` or `-all`"
  }
}

const excerpt = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text).toWellFormed()

/** The rule that the beginning of a malformed term calls for. */
const grammarOf = (text: string): string => {
  const [, name = ""] = /^[-+?~]?([a-z0-9]+)/i.exec(text) ?? []
  return mechanisms.get(name.toLowerCase())?.rule ?? modifiers.get(name.toLowerCase())?.rule ?? generalRule
}

const generalRule = "it must be a mechanism or a modifier, with single spaces around it (RFC 7208 section 4.6.1)"

const firstMalformed = (terms: ReadonlyArray<SpfTerm>): Option.Option<SpfMalformed> =>
  Array.findFirst(terms, (term) => term._tag === "Malformed")

const firstRepeated = (terms: ReadonlyArray<SpfTerm>): Option.Option<SpfModifier> =>
  Array.findFirst([...modifiers.keys()], (name) =>
    Array.get(
      terms.filter(isModifier).filter((term) => term.name === name),
      1
    )
  )

const version = "v=spf1"

const termsBetween = (text: string, separator: string | RegExp): ReadonlyArray<SpfTerm> =>
  text
    .slice(version.length)
    .split(separator)
    .filter((term) => term !== "")
    .map(parseTerm)

const parseTerm = (text: string): SpfTerm =>
  Option.getOrElse(
    Option.orElse(parseDirective(text), () => parseModifier(text)),
    () => ({ _tag: "Malformed", text })
  )

const parseDirective = (text: string): Option.Option<SpfTerm> => {
  const [, sign = "", written = "", argument = ""] = /^([-+?~]?)([a-z0-9]+)(?![^:/])(.*)$/is.exec(text) ?? []
  const name = written.toLowerCase()
  const qualifier = spfQualifiers.find((one) => one === sign) ?? "+"
  return Option.map(
    Option.flatMap(Option.fromNullable(mechanisms.get(name)), ({ read }) => read(argument)),
    ({ canonical, target }) => ({ _tag: "Directive", text, name, qualifier, target, identity: name + canonical })
  )
}

const parseModifier = (text: string): Option.Option<SpfTerm> => {
  const [, written = "", value = ""] = /^([a-z][a-z0-9._-]*)=(.*)$/is.exec(text) ?? []
  const name = written.toLowerCase()
  const { read } = modifiers.get(name) ?? { read: macroString }
  return Option.map(written === "" ? Option.none() : read(value), ({ canonical, target }) => ({
    _tag: "Modifier",
    text,
    name,
    target,
    identity: `${name}=${canonical}`
  }))
}

const withQualifier = (qualifier: SpfQualifier, mechanism: string): string =>
  qualifier === "+" ? mechanism : qualifier + mechanism

/** What follows the name of a term, read. */
interface Argument {
  readonly target: string
  readonly canonical: string
}

interface Grammar {
  readonly read: (argument: string) => Option.Option<Argument>
  readonly rule: string
}

const nothing = (argument: string): Option.Option<Argument> =>
  argument === "" ? Option.some({ target: "", canonical: "" }) : Option.none()

/** The `domain-spec` of RFC 7208 section 7.1: it ends in a top label, which is not all digits, or in a macro. */
const domainSpec = (spec: string): Option.Option<Argument> => {
  const outline = spec.replace(macro, " ")
  const [, topLabel = ""] = /\.([^.]+)\.?$/.exec(outline) ?? []
  const isEnded = outline.endsWith(" ") || (/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i.test(topLabel) && /\D/.test(topLabel))
  const target = canonicalName(spec)
  return isEnded && isVisible(outline) ? Option.some({ target, canonical: target }) : Option.none()
}

const macroString = (value: string): Option.Option<Argument> =>
  isVisible(value.replace(macro, " ")) ? Option.some({ target: "", canonical: value }) : Option.none()

/** RFC 7208 section 7.1; `c`, `r` and `t` are for explanations only (section 7.2). */
const macro = /%(?:[%_-]|\{[slodiphv](?:0*[1-9]\d*)?r?[-.+,/_=]*\})/gi

/** Whether nothing is left, macros aside, but visible ASCII without `%`. */
const isVisible = (outline: string): boolean => /^[ !-$&-~]*$/.test(outline)

const canonicalName = (spec: string): string =>
  spec.replace(macroOrLetters, (part) => (part.startsWith("%") ? part : part.toLowerCase())).replace(/\.$/, "")

const macroOrLetters = new RegExp(`${macro.source}|[a-z]+`, "gi")

const ofDomain = (argument: string): Option.Option<Argument> =>
  argument.startsWith(":")
    ? Option.map(domainSpec(argument.slice(1)), ({ target }) => ({ target, canonical: `:${target}` }))
    : Option.none()

const ofAnyDomain = (argument: string): Option.Option<Argument> => (argument === "" ? nothing : ofDomain)(argument)

/** `dual-cidr-length`: `/` and a prefix of IPv4, `//` and a prefix of IPv6; a full one is as good as none. */
const ofHosts = (argument: string): Option.Option<Argument> => {
  const [, domain = "", digits4, digits6] = /^(.*?)(?:\/(\d{1,3}))?(?:\/\/(\d{1,3}))?$/s.exec(argument) ?? []
  return Option.map(
    Option.all([ofAnyDomain(domain), prefixLength(digits4, 32), prefixLength(digits6, 128)]),
    ([{ canonical, target }, prefix4, prefix6]) => ({
      target,
      canonical: canonical + (prefix4 === 32 ? "" : `/${prefix4}`) + (prefix6 === 128 ? "" : `//${prefix6}`)
    })
  )
}

const ofNetwork =
  (family: Network["family"]) =>
  (argument: string): Option.Option<Argument> => {
    const width = family === 4 ? 32 : 128
    const [, address = "", digits] = /^:([^/]*)(?:\/(.*))?$/s.exec(argument) ?? []
    const network = Option.flatMap(prefixLength(digits, width), (prefix) => parseNetwork(`${address}/${prefix}`))
    return Option.map(
      Option.filter(network, (read) => read.family === family),
      (read) => ({ target: "", canonical: `:${firstAddress(read)}${read.prefix === width ? "" : `/${read.prefix}`}` })
    )
  }

/** The width of an address where no prefix is written; leading zeros are not allowed. */
const prefixLength = (digits: string | undefined, width: number): Option.Option<number> => {
  const length = digits === undefined ? width : /^(0|[1-9]\d{0,2})$/.test(digits) ? Number(digits) : width + 1
  return length <= width ? Option.some(length) : Option.none()
}

/** Not for reading: an IPv6 address is its 32 hexadecimal digits. */
const firstAddress = ({ base, family }: Network): string =>
  family === 4
    ? [24, 16, 8, 0].map((shift) => (Number(base) >>> shift) & 255).join(".")
    : base.toString(16).padStart(32, "0")

const mechanisms: ReadonlyMap<string, Grammar> = new Map([
  ["all", { read: nothing, rule: "`all` stands alone (RFC 7208 section 5.1)" }],
  ["include", { read: ofDomain, rule: "`include:` takes one domain (RFC 7208 section 5.2)" }],
  ["a", { read: ofHosts, rule: "`a` takes a domain and prefix lengths or neither (RFC 7208 section 5.3)" }],
  ["mx", { read: ofHosts, rule: "`mx` takes a domain and prefix lengths or neither (RFC 7208 section 5.4)" }],
  ["ptr", { read: ofAnyDomain, rule: "`ptr` takes a domain or nothing (RFC 7208 section 5.5)" }],
  ["ip4", { read: ofNetwork(4), rule: "`ip4:` takes one IPv4 network (RFC 7208 section 5.6)" }],
  ["ip6", { read: ofNetwork(6), rule: "`ip6:` takes one IPv6 network (RFC 7208 section 5.6)" }],
  ["exists", { read: ofDomain, rule: "`exists:` takes one domain (RFC 7208 section 5.7)" }]
])

/** The modifiers that a standard knows; a record has each of them once at most. */
const modifiers: ReadonlyMap<string, Grammar> = new Map([
  ["redirect", { read: domainSpec, rule: "`redirect=` takes one domain (RFC 7208 section 6.1)" }],
  ["exp", { read: domainSpec, rule: "`exp=` takes one domain (RFC 7208 section 6.2)" }]
])
