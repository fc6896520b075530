import { Brand, Either, Option, Schema } from "effect"
import { parse as parseSuffix } from "tldts"
import { toASCII, toUnicode } from "tr46"
import type { ValueIssue } from "../error/ErrorDetail.ts"
import { refuse, suggestionOf } from "../error/ErrorDetail.ts"
import { parsePastedName } from "./PastedName.ts"

/** A DNS name in normal form: lower-case A-labels (RFC 5890), no trailing dot, at most 253 characters. */
export const DomainName = Schema.String.pipe(Schema.brand("DomainName"))
export type DomainName = typeof DomainName.Type

/** A host relative to the domain of an intent, in normal form: `@`, `www`, `_dmarc.mail`, `*.app`. */
export const HostName = Schema.String.pipe(Schema.brand("HostName"))
export type HostName = typeof HostName.Type

export const apexHost = HostName.make("@")

/** Parses the domain of an intent: an apex or subdomain that can be registered, in any letter case or script. */
export const parseDomain = (input: string): Either.Either<DomainName, ValueIssue> =>
  Either.mapLeft(parseBareDomain(input), (issue) =>
    Option.getOrElse(
      findPastedName(input, "domain", (inside) => meantBy(parseBareDomain(inside))),
      () => issue
    )
  )

const parseBareDomain = (input: string): Either.Either<DomainName, ValueIssue> => {
  const name = withoutTrailingDot(input)
  if (isAddress(name)) return refuse("domain_is_ip_address", "an IP address is not a domain name")
  if (name.startsWith("*")) return Either.left(refusedWildcard(name))
  return Either.flatMap(Either.mapLeft(parseName(name, "domain"), withRegistrableSuggestion), refuseUnregistrable)
}

/** A name, or the one that is suggested in its place. */
const meantBy = (parsed: Either.Either<string, ValueIssue>): Option.Option<string> =>
  Either.match(parsed, { onLeft: ({ suggestion }) => Option.fromNullable(suggestion), onRight: Option.some })

const withRegistrableSuggestion = ({ suggestion, ...issue }: ValueIssue): ValueIssue =>
  suggestion !== undefined && Either.isRight(refuseUnregistrable(asDomain(suggestion)))
    ? { ...issue, suggestion }
    : issue

const refusedWildcard = (wildcard: string): ValueIssue => {
  const issue: ValueIssue = {
    code: "domain_is_wildcard",
    message: "a wildcard cannot be connected; name the domain itself, and write * as the host of a record"
  }
  return wildcard.startsWith("*.")
    ? Either.match(parseBareDomain(wildcard.slice(2)), {
        onLeft: () => issue,
        onRight: (suggestion) => ({ ...issue, suggestion })
      })
    : issue
}

/** Parses the name that a record points to; `.` (no target, RFC 7505 and RFC 2782) is not a name. */
export const parseTarget = (input: string): Either.Either<DomainName, ValueIssue> =>
  Either.mapLeft(parseResolvableTarget(input), (issue) =>
    Option.getOrElse(
      findPastedName(input, "host", (inside) => meantBy(parseResolvableTarget(inside))),
      () => issue
    )
  )

const parseResolvableTarget = (input: string): Either.Either<DomainName, ValueIssue> =>
  Either.filterOrLeft(
    parseBareTarget(input),
    (name) => !endsInNumber(name),
    (): ValueIssue => ({
      code: "target_is_ip_address",
      message: "the target must be a host name, and none ends in a number"
    })
  )

const parseBareTarget = (input: string): Either.Either<DomainName, ValueIssue> => {
  const name = withoutTrailingDot(input)
  return isAddress(name)
    ? refuse("target_is_ip_address", "the target must be a host name, not an IP address")
    : parseName(name, "host")
}

/** Normalizes the name that a record of a zone points to; an invalid name only becomes lower case. */
export const normalizeTarget = (input: string): string =>
  Either.getOrElse(parseBareTarget(input), () => normalizeName(input.toWellFormed()))

/** Normalizes a name from a server or provider: lower case, without trailing dot. */
export const normalizeName = (name: string): string => withoutTrailingDot(name.toLowerCase())

/** Parses `records[].host`, relative or absolute (ends in a dot or the domain); one outside the domain is refused. */
export const parseHost = (input: string, domain: DomainName): Either.Either<HostName, ValueIssue> =>
  /^\s*\.?$/.test(input)
    ? Either.left(emptyHost)
    : Either.mapLeft(parseBareHost(input, domain), (issue) =>
        Option.getOrElse(
          // The host of a URL is absolute.
          findPastedName(input, "host", (inside, isUrl) =>
            meantBy(parseBareHost(isUrl ? `${withoutTrailingDot(inside)}.` : inside, domain))
          ),
          () => issue
        )
      )

const parseBareHost = (input: string, domain: DomainName): Either.Either<HostName, ValueIssue> => {
  if (input === "@") return Either.right(apexHost)
  const isAbsolute = input.endsWith(".")
  const isWildcard = input.startsWith("*.") || input === "*"
  const rest = isWildcard ? input.slice(2) : input
  if (isWildcard && rest === "") return isAbsolute ? refuseOutside(domain) : Either.right(HostName.make("*"))
  const parsed = Either.mapLeft(parseName(withoutTrailingDot(rest), "host"), ({ suggestion, ...issue }) =>
    suggestion === undefined ? issue : { ...issue, suggestion: `${isWildcard ? "*." : ""}${suggestion}` }
  )
  return Either.flatMap(parsed, (name) => {
    const isInDomain = isAtOrBelow(name, domain)
    if (isAbsolute && !isInDomain) return refuseOutside(domain)
    const relative = isInDomain ? name.slice(0, -domain.length).replace(/\.$/, "") : name
    const host = [isWildcard ? "*" : "", relative].filter((part) => part !== "").join(".")
    return `${host}.${domain}`.length > maxNameLength
      ? refuse("host_too_long", `the host and the domain together are longer than ${maxNameLength} characters`)
      : Either.right(HostName.make(host === "" ? "@" : host))
  })
}

export const toFqdn = (host: string, domain: DomainName): DomainName =>
  host === "@" ? domain : asDomain(`${host}.${domain}`)

/** One label below a public suffix, such as `example.co.uk` or `shop.github.io`; the name itself if there is none. */
export const registeredDomainOf = (name: string): DomainName => asDomain(parseSuffix(name, suffixRules).domain ?? name)

/** The domain below an ICANN suffix: names below a private one, such as `duckdns.org`, share their servers. */
export const icannDomainOf = (name: string): DomainName =>
  asDomain(parseSuffix(name, { ...suffixRules, allowPrivateDomains: false }).domain ?? name)

/** Whether the top-level domain of a name is one of the public DNS, as far as the ICANN division of the list knows. */
export const isInPublicDomain = (name: string): boolean =>
  parseSuffix(name, { ...suffixRules, allowPrivateDomains: false }).isIcann === true

/** Both divisions of the Public Suffix List: below the suffixes of the private one, customers own names too. */
const suffixRules = { allowPrivateDomains: true, validateHostname: false }

/** The host of a name that is the domain or lies below it, both in normal form: the reverse of `toFqdn`. */
export const toRelativeHost = (name: string, domain: DomainName): Option.Option<string> => {
  if (name === domain) return Option.some(apexHost)
  return isAtOrBelow(name, domain) ? Option.some(name.slice(0, -domain.length - 1)) : Option.none()
}

/** A name at or below a zone, relative to the zone: `@` at the apex. */
export const toZoneHost = (name: string, zone: string): string =>
  name === zone ? apexHost : name.slice(0, -zone.length - 1)

/** Whether `name` is `ancestor` or lies below it, label by label (`notexample.com` is not within `example.com`). */
export const isAtOrBelow = (name: string, ancestor: string): boolean =>
  name === ancestor || name.endsWith(`.${ancestor}`) || ancestor === ""

/** The name and its ancestors, longest first, without the root: `a.b.c` gives `a.b.c`, `b.c`, `c`. */
export const listSelfAndAncestors = (name: DomainName): ReadonlyArray<DomainName> => {
  const labels = name.split(".")
  return labels.map((_, depth) => asDomain(labels.slice(depth).join(".")))
}

/** `DomainName.make` would run a schema for every name of a zone. */
const asDomain = Brand.nominal<DomainName>()

const maxNameLength = 253
const maxLabelLength = 63

const emptyHost: ValueIssue = {
  code: "host_is_empty",
  message: "the host is empty; write @ for the domain itself",
  suggestion: apexHost
}

const refuseOutside = (domain: DomainName) =>
  refuse("host_outside_domain", `an absolute host must be ${domain} or lie below it`)

const withoutTrailingDot = (name: string): string => (name.endsWith(".") ? name.slice(0, -1) : name)

const isAddress = (name: string): boolean => /^\[?[\da-f]*:[\da-f:.]*\]?$|^\d+(\.\d+){3}$/i.test(name)

/** Programs read such a name as an IPv4 address; no top-level domain is a number (RFC 3696 section 2). */
const endsInNumber = (name: string): boolean => /(^|\.)(\d+|0x[0-9a-f]*)$/.test(name)

const refuseUnregistrable = (name: DomainName): Either.Either<DomainName, ValueIssue> => {
  if (endsInNumber(name))
    return refuse("domain_is_ip_address", "an IP address is not a domain name, and no name ends in a number")
  const { isIcann, isPrivate, publicSuffix } = parseSuffix(name, suffixRules)
  if (publicSuffix === name && (isIcann === true || isPrivate === true)) {
    return refuse("domain_is_public_suffix", `${name} is a public suffix; name a domain registered below it`)
  }
  return name.includes(".")
    ? Either.right(name)
    : refuse("domain_is_single_label", `${name} is a single label; a domain needs at least two`)
}

const parseName = (name: string, subject: "domain" | "host"): Either.Either<DomainName, ValueIssue> => {
  if (name === "") return refuse(`${subject}_is_empty`, `the ${subject} is empty`)
  if (!isAscii(name) && dropsOrMerges(name)) {
    return refuseIdna(name, subject, "the name holds characters that IDNA processing (UTS 46) drops or merges")
  }
  const ascii = isAscii(name) && !/(^|\.)xn--/i.test(name) ? name.toLowerCase() : toAscii(name)
  if (ascii === null)
    return refuseIdna(name, subject, "the name is no valid internationalized name (IDNA 2008, UTS 46)")
  return Either.map(checkLabels(ascii, subject), asDomain)
}

const checkLabels = (name: string, subject: "domain" | "host"): Either.Either<string, ValueIssue> => {
  const labels = name.split(".")
  if (labels.some((label) => label === "")) return refuse(`${subject}_has_empty_label`, "the name has an empty label")
  if (labels.some((label) => label.length > maxLabelLength)) {
    return refuse(`${subject}_label_too_long`, `a label is longer than ${maxLabelLength} characters (RFC 1035 2.3.4)`)
  }
  if (name.length > maxNameLength) {
    return refuse(`${subject}_too_long`, `the name is longer than ${maxNameLength} characters (RFC 1035 2.3.4)`)
  }
  const allowed = subject === "domain" ? /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/ : /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/
  return labels.every((label) => allowed.test(label))
    ? Either.right(name)
    : refuse(
        `${subject}_has_bad_character`,
        "labels are made of letters, digits and hyphens, with no hyphen at either end"
      )
}

/**
 * Refuses a name that IDNA does not allow. Some registries have names with symbols, such as emoji: their A-label is
 * suggested. So is a name without its invisible characters.
 */
const refuseIdna = (name: string, subject: "domain" | "host", message: string): Either.Either<never, ValueIssue> => {
  // UTS 46 section 2.3: the full stops of other scripts separate labels, too.
  const dotted = name.replaceAll(/[\u3002\uff0e\uff61]/g, ".")
  const labels = dotted.split(".").map(toALabel)
  const ascii = labels.join(".")
  if (hasPictographOnly(dotted) && !labels.includes(null) && Either.isRight(checkLabels(ascii, subject)))
    return Either.left({
      code: `${subject}_not_idna`,
      message: `${message}; a name with symbols is sent as its A-label`,
      suggestion: ascii
    })
  const visible = name.replace(/\p{Default_Ignorable_Code_Point}/gu, "").normalize("NFC")
  return visible === name || (/[\u200c\u200d]/.test(name) && !isAscii(visible))
    ? refuse(`${subject}_not_idna`, message)
    : Either.left({ code: `${subject}_not_idna`, message, ...suggestionOf(parseName(visible, subject)) })
}

const toAscii = (name: string): string | null => {
  const labels = name.split(".").map((label) => {
    const converted = toALabel(label)
    return isAscii(label) || !hasSymbol(converted) ? converted : null
  })
  return labels.includes(null) ? null : labels.join(".")
}

/** Hosts may hold `_`, which UTS 46 with STD 3 rules refuses, so only labels beyond ASCII are converted. */
const toALabel = (label: string): string | null =>
  isAscii(label) && !/^xn--/i.test(label)
    ? label.toLowerCase()
    : toASCII(label, {
        checkBidi: true,
        checkHyphens: false,
        checkJoiners: true,
        useSTD3ASCIIRules: true,
        transitionalProcessing: false,
        verifyDNSLength: false
      })

/** Whether a name holds punctuation or symbols, which IDNA 2008 does not allow but UTS 46 does. */
const hasSymbol = (name: string | null): boolean =>
  toUnicode(name ?? "")
    .domain.split(".")
    .some((label) => symbol.test(label.replaceAll(allowedSymbols, "")))

const symbol = /[\p{P}\p{S}\p{Z}]/u

/** Whether a name holds symbols that are pictures, and no other ones, which may be left over from a text around it. */
const hasPictographOnly = (name: string): boolean =>
  pictograph.test(name) && !symbol.test(name.replaceAll(pictographs, "").replaceAll(/[._-]/g, ""))

const pictograph = /\p{So}|\p{Extended_Pictographic}|\u20e3/u
const pictographs = /\p{So}|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u20e3/gu

/** RFC 5892 section 2.6 and appendix A.3 to A.7. */
const allowedSymbols =
  /[-\u06fd\u06fe\u0f0b\u30fb]|(?<=l)\u00b7(?=l)|\u0375(?=\p{Script=Greek})|(?<=\p{Script=Hebrew})[\u05f3\u05f4]/gu

const isAscii = (name: string): boolean => /^[\u0021-\u007e]*$/.test(name)

const dropsOrMerges = (name: string): boolean =>
  /\p{Default_Ignorable_Code_Point}/u.test(name) || [...name.normalize("NFC")].length < [...name].length

/** The hosts that a record affects: the apex if an NS or DNAME above redirects the domain, else its own. */
export const findAffectedHosts = (name: string, type: string, domain: DomainName): ReadonlyArray<string> => {
  const sendsElsewhere = name !== domain && isAtOrBelow(domain, name) && (type === "NS" || type === "DNAME")
  return sendsElsewhere ? [apexHost] : Option.toArray(toRelativeHost(name, domain))
}

/** Describes a text that is not a valid name but holds something around one; `suggest` gives the valid name inside, if any. */
const findPastedName = (
  input: string,
  subject: "domain" | "host",
  suggest: (inside: string, isUrl: boolean) => Option.Option<string>
): Option.Option<ValueIssue> =>
  Option.map(parsePastedName(input), ({ inside, kind, message }) => {
    const suggestion = suggest(inside, kind === "is_url")
    const issue: ValueIssue = { code: `${subject}_${kind}`, message: `${message}; write the name alone` }
    return Option.isNone(suggestion) ? issue : { ...issue, suggestion: suggestion.value }
  })
