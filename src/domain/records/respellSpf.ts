import { Array, Either, Option } from "effect"
import { suggestName } from "../error/ErrorDetail.ts"
import { parseTarget } from "../names/DomainName.ts"
import { addressFamilyOf } from "../names/IpAddress.ts"
import { isAll, isDirective, isModifier, listTermNames, parseTerm } from "./SpfTerm.ts"

/** The SPF record that is meant by a misspelled one, as far as that can be told: the result may be wrong still. */
export const respellSpf = (value: string): string => {
  const texts = value
    .replace(version, "")
    .replace(dashes, "-")
    .replace(/([-+?~])\s+(?=all\b)/gi, "$1")
    .replace(/:\s+/g, ":")
    .split(/[\s;,]+/)
    .filter((text) => text !== "" && !/^v=spf1$/i.test(text))
    .map(respellTerm)
  return ["v=spf1", ...orderTerms(texts)].join(" ")
}

const version = /^[\s"']*(?:v\s*[=:]\s*)?spf\d?\s*[;:,]?/i
const dashes = /[\u2010-\u2015\u2212]/g

/** Moves `all` to the end, once; a redirect has an effect only without it. */
const orderTerms = (texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const terms = texts.map((text) => parseTerm(text, ""))
  const isRedirected = terms.some((term) => isModifier(term) && term.name === "redirect")
  const [others, ends] = Array.partition(texts, (text) => isAll(parseTerm(text, "")))
  const [end] = ends
  const isOrdered =
    ends.length === 1 && terms.findIndex(isAll) > terms.findLastIndex((term) => isDirective(term) && !isAll(term))
  if (end === undefined || (isOrdered && !isRedirected)) return texts.map(restrictAll)
  return isRedirected ? others : [...others, restrictAll(end)]
}

/** Nobody means to permit everybody. */
const restrictAll = (text: string): string => text.replace(/^\+?all$/i, "~all")

const respellTerm = (text: string): string => {
  const [, sign = "", written = "", separator = "", argument = ""] =
    /^([-+?~]?)([a-z][a-z0-9]*)(?:([:=/])(.*))?$/is.exec(text) ?? []
  if (written === "") return text
  if (separator === "/") return sign + written + respellPrefixes(`/${argument}`)
  const name = nameOf(written.toLowerCase())
  if (name === undefined || separator === "") return text
  if (name === "redirect" || name === "exp") return `${name}=${respellDomain(argument)}`
  if (name === "exists") return `${sign}${name}:${argument}`
  return sign + respellArgument(name, argument)
}

const nameOf = (written: string): string | undefined =>
  /^ip(v?[46])?$/.test(written) ? "ip4" : suggestName(written, listTermNames())

/** The mechanism that an argument belongs to, with it: an address is one of `ip4:` or `ip6:`. */
const respellArgument = (name: string, argument: string): string => {
  const [, address = "", length = ""] = /^\[?([\da-f.:]+?)\]?(\/.*)?$/i.exec(argument.replace(port, "$1")) ?? []
  return Option.match(addressFamilyOf(address), {
    onSome: (family) => `ip${family}:${address}${respellNetmask(length)}`,
    onNone: () => {
      const [, domain = "", prefixes = ""] = /^(.*?)(\/\d.*)?$/s.exec(argument) ?? []
      return `${name}:${respellDomain(domain)}${respellPrefixes(prefixes)}`
    }
  })
}

const port = /^(\d+(?:\.\d+){3}):\d+$/

/** `/24/64` without the second slash before the prefix of IPv6. */
const respellPrefixes = (prefixes: string): string => prefixes.replace(/^(\/\d+)\/(?=\d)/, "$1//")

/** A prefix length instead of the netmask of an IPv4 network. */
const respellNetmask = (length: string): string => {
  const octets = length.slice(1).split(".").map(Number)
  const bits = octets.map((octet) => octet.toString(2).padStart(8, "0")).join("")
  return octets.length === 4 && /^1*0*$/.test(bits) && bits.length === 32 ? `/${bits.lastIndexOf("1") + 1}` : length
}

/** The name in a URL or e-mail address, in A-labels; macros stay. */
const respellDomain = (domain: string): string =>
  domain.includes("%")
    ? domain
    : Either.match(parseTarget(domain), {
        onRight: (name) => name,
        onLeft: ({ suggestion }) => suggestion ?? domain
      })
