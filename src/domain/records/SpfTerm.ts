import { Option } from "effect"
import { type Network, parseNetwork } from "../names/IpAddress.ts"

/** From the least to the most restrictive: pass, neutral, softfail, fail (RFC 7208 section 4.6.2). */
export const spfQualifiers = ["+", "?", "~", "-"] as const
type SpfQualifier = (typeof spfQualifiers)[number]

/** A mechanism and the result of a match. */
export interface SpfDirective extends ValidTerm {
  readonly _tag: "Directive"
  readonly qualifier: SpfQualifier
}

/** `redirect=`, `exp=`, or an unknown modifier, which receivers ignore (RFC 7208 section 6). */
export interface SpfModifier extends ValidTerm {
  readonly _tag: "Modifier"
}

/** Text that is no term by the grammar of RFC 7208 section 12; a single one makes the whole record invalid. */
export interface SpfMalformed {
  readonly _tag: "Malformed"
  readonly text: string
}

interface ValidTerm {
  /** The term as it was written. */
  readonly text: string
  /** In lower case. */
  readonly name: string
  /** The domain that it names: lower case, no trailing dot, macros as written; empty if it names none. */
  readonly target: string
  /** Equal for two terms that mean the same, apart from their qualifiers: `a` is `a:` with the name of its record. */
  readonly identity: string
}

export type SpfTerm = SpfDirective | SpfModifier | SpfMalformed

/** Parses one term of the record at `name` by the grammar of RFC 7208 section 12. */
export const parseTerm = (text: string, name: string): SpfTerm =>
  Option.getOrElse(
    Option.orElse(parseDirective(text, name), () => parseModifier(text, name)),
    () => ({ _tag: "Malformed", text })
  )

/** A canonical form, equal for terms that mean the same, including their qualifiers. */
export const normalizeTerm = (term: SpfTerm): string => {
  if (term._tag === "Malformed") return `!${term.text}`
  return term._tag === "Directive" ? withQualifier(term.qualifier, term.identity) : term.identity
}

export const replaceQualifier = (term: SpfDirective, qualifier: SpfQualifier): SpfDirective => ({
  ...term,
  qualifier,
  text: withQualifier(qualifier, term.text.replace(/^[-+?~]/, ""))
})

export const isDirective = (term: SpfTerm): term is SpfDirective => term._tag === "Directive"

export const isModifier = (term: SpfTerm): term is SpfModifier => term._tag === "Modifier"

/** Whether the term is `all`, which always matches: later terms have no effect (RFC 7208 section 5.1). */
export const isAll = (term: SpfTerm): term is SpfDirective & { readonly name: "all" } =>
  isDirective(term) && term.name === "all"

export const isMechanismName = (name: string): boolean => mechanisms.has(name)

/** The names of the standard's mechanisms and modifiers. */
export const listTermNames = (): ReadonlyArray<string> => [...mechanisms.keys(), ...modifiers.keys()]

/** Whether a record may hold the modifier only once (RFC 7208 section 6). */
export const isSingletonModifier = ({ name }: SpfModifier): boolean => modifiers.has(name)

/** Whether a target depends on the mail that arrives (RFC 7208 section 7). */
export const hasMacro = (target: string): boolean => target.includes("%")

/** The syntax rule that a malformed term breaks, by its beginning. */
export const syntaxRuleFor = (text: string): string => {
  const [, name = ""] = /^[-+?~]?([a-z0-9]+)/i.exec(text) ?? []
  return mechanisms.get(name.toLowerCase())?.rule ?? modifiers.get(name.toLowerCase())?.rule ?? generalRule
}

const generalRule = "it must be a mechanism or a modifier, with single spaces around it (RFC 7208 section 4.6.1)"

const parseDirective = (text: string, recordName: string): Option.Option<SpfTerm> => {
  const [, sign = "", written = "", argument = ""] = /^([-+?~]?)([a-z0-9]+)(?![^:/])(.*)$/is.exec(text) ?? []
  const name = written.toLowerCase()
  const qualifier = spfQualifiers.find((qualifier) => qualifier === sign) ?? "+"
  return Option.map(
    Option.flatMap(Option.fromNullable(mechanisms.get(name)), ({ parse }) => parse(argument)),
    ({ rest, target }) => {
      const named = expandOwnName(target, recordName)
      const meant = ownNameMechanisms.has(name) && named === "" ? recordName : named
      return {
        _tag: "Directive",
        text,
        name,
        qualifier,
        target,
        identity: name + (meant === "" ? "" : `:${meant}`) + rest
      }
    }
  )
}

/** The mechanisms that mean the name of their record if they name none (RFC 7208 sections 5.3 to 5.5). */
const ownNameMechanisms: ReadonlySet<string> = new Set(["a", "mx", "ptr"])

/** Replaces the macros that stand for the name of the record, or for some of its labels (RFC 7208 section 7.3). */
const expandOwnName = (target: string, recordName: string): string =>
  recordName === ""
    ? target
    : target.replace(ownNameMacro, (_, count = "", reversal = "", delimiters = "") => {
        const parts = recordName.split(delimiters === "" ? "." : new RegExp(`[${delimiters.replaceAll("-", "\\-")}]`))
        return (reversal === "" ? parts : parts.toReversed()).slice(-Number(count)).join(".")
      })

const ownNameMacro = /%\{d(0*[1-9]\d*)?(r)?([-.+,/_=]*)\}/gi

const parseModifier = (text: string, recordName: string): Option.Option<SpfTerm> => {
  const [, written = "", value = ""] = /^([a-z][a-z0-9._-]*)=(.*)$/is.exec(text) ?? []
  const name = written.toLowerCase()
  const { parse } = modifiers.get(name) ?? { parse: parseMacroString }
  return Option.map(written === "" ? Option.none() : parse(value), ({ rest, target }) => ({
    _tag: "Modifier",
    text,
    name,
    target,
    identity: `${name}=${expandOwnName(target, recordName)}${rest}`
  }))
}

const withQualifier = (qualifier: SpfQualifier, mechanism: string): string =>
  qualifier === "+" ? mechanism : qualifier + mechanism

/** The parsed text after the name of a term. */
interface Argument {
  readonly target: string
  /** The rest after the target, in canonical form. */
  readonly rest: string
}

interface Grammar {
  readonly parse: (argument: string) => Option.Option<Argument>
  readonly rule: string
}

const parseNoArgument = (argument: string): Option.Option<Argument> =>
  argument === "" ? Option.some({ target: "", rest: "" }) : Option.none()

/** `domain-spec` (RFC 7208 section 7.1): ends in a top label or macro. One label counts too: receivers look it up. */
const parseDomainSpec = (spec: string): Option.Option<Argument> => {
  const outline = spec.replace(macro, " ")
  const [, topLabel = ""] = /(?:^|\.)([^.]+)\.?$/.exec(outline) ?? []
  const isEnded = outline.endsWith(" ") || (/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i.test(topLabel) && /\D/.test(topLabel))
  const target = canonicalName(spec)
  return isEnded && isVisible(outline) ? Option.some({ target, rest: "" }) : Option.none()
}

const parseMacroString = (value: string): Option.Option<Argument> =>
  isVisible(value.replace(macro, " ")) ? Option.some({ target: "", rest: value }) : Option.none()

/** RFC 7208 section 7.1; `c`, `r` and `t` are for explanations only (section 7.2). */
const macro = /%(?:[%_-]|\{[slodiphv](?:0*[1-9]\d*)?r?[-.+,/_=]*\})/gi

/** Whether the text without its macros is visible ASCII without `%`. */
const isVisible = (outline: string): boolean => /^[ !-$&-~]*$/.test(outline)

const canonicalName = (spec: string): string =>
  spec.replace(macroOrLetters, (part) => (part.startsWith("%") ? part : part.toLowerCase())).replace(/\.$/, "")

const macroOrLetters = new RegExp(`${macro.source}|[a-z]+`, "gi")

const parseRequiredDomain = (argument: string): Option.Option<Argument> =>
  argument.startsWith(":") ? parseDomainSpec(argument.slice(1)) : Option.none()

const parseOptionalDomain = (argument: string): Option.Option<Argument> =>
  (argument === "" ? parseNoArgument : parseRequiredDomain)(argument)

/** `dual-cidr-length`: `/` and an IPv4 prefix, `//` and an IPv6 prefix; a full prefix means the same as none. */
const parseDomainAndPrefixes = (argument: string): Option.Option<Argument> => {
  const [, domain = "", digits4, digits6] = /^(.*?)(?:\/(\d{1,3}))?(?:\/\/(\d{1,3}))?$/s.exec(argument) ?? []
  return Option.map(
    Option.all([parseOptionalDomain(domain), parsePrefixLength(digits4, 32), parsePrefixLength(digits6, 128)]),
    ([{ target }, prefix4, prefix6]) => ({
      target,
      rest: (prefix4 === 32 ? "" : `/${prefix4}`) + (prefix6 === 128 ? "" : `//${prefix6}`)
    })
  )
}

const parseNetworkArgument =
  (family: Network["family"]) =>
  (argument: string): Option.Option<Argument> => {
    const width = family === 4 ? 32 : 128
    const [, address = "", digits] = /^:([^/]*)(?:\/(.*))?$/s.exec(argument) ?? []
    const network = Option.flatMap(parsePrefixLength(digits, width), (prefix) => parseNetwork(`${address}/${prefix}`))
    return Option.map(
      Option.filter(network, (parsed) => parsed.family === family),
      (parsed) => ({
        target: "",
        rest: `:${firstAddress(parsed)}${parsed.prefix === width ? "" : `/${parsed.prefix}`}`
      })
    )
  }

/** The width of an address if no prefix is written; leading zeros are not allowed. */
const parsePrefixLength = (digits: string | undefined, width: number): Option.Option<number> => {
  const length = digits === undefined ? width : /^(0|[1-9]\d{0,2})$/.test(digits) ? Number(digits) : width + 1
  return length <= width ? Option.some(length) : Option.none()
}

/** Expands an IPv6 address to its 32 hexadecimal digits, for comparison only. */
const firstAddress = ({ base, family }: Network): string =>
  family === 4
    ? [24, 16, 8, 0].map((shift) => (Number(base) >>> shift) & 255).join(".")
    : base.toString(16).padStart(32, "0")

const mechanisms: ReadonlyMap<string, Grammar> = new Map([
  ["all", { parse: parseNoArgument, rule: "`all` stands alone (RFC 7208 section 5.1)" }],
  ["include", { parse: parseRequiredDomain, rule: "`include:` takes one domain (RFC 7208 section 5.2)" }],
  [
    "a",
    { parse: parseDomainAndPrefixes, rule: "`a` takes a domain and prefix lengths or neither (RFC 7208 section 5.3)" }
  ],
  [
    "mx",
    { parse: parseDomainAndPrefixes, rule: "`mx` takes a domain and prefix lengths or neither (RFC 7208 section 5.4)" }
  ],
  ["ptr", { parse: parseOptionalDomain, rule: "`ptr` takes a domain or nothing (RFC 7208 section 5.5)" }],
  ["ip4", { parse: parseNetworkArgument(4), rule: "`ip4:` takes one IPv4 network (RFC 7208 section 5.6)" }],
  ["ip6", { parse: parseNetworkArgument(6), rule: "`ip6:` takes one IPv6 network (RFC 7208 section 5.6)" }],
  ["exists", { parse: parseRequiredDomain, rule: "`exists:` takes one domain (RFC 7208 section 5.7)" }]
])

/** The standard modifiers; a record has each of them at most once. */
const modifiers: ReadonlyMap<string, Grammar> = new Map([
  ["redirect", { parse: parseDomainSpec, rule: "`redirect=` takes one domain (RFC 7208 section 6.1)" }],
  ["exp", { parse: parseDomainSpec, rule: "`exp=` takes one domain (RFC 7208 section 6.2)" }]
])

/** The modifiers that a record may hold only once each (RFC 7208 section 6). */
export const singletonModifiers: ReadonlyArray<string> = [...modifiers.keys()]
