import { Array, Option, Order } from "effect"
import { suggestName, type ValueIssue } from "../error/ErrorDetail.ts"
import { parsePastedName } from "../names/PastedName.ts"

/** The property of one CAA record (RFC 8659 section 4.1); an invalid record has an empty tag. */
export interface CaaProperty {
  /** A CA that does not know the tag must not issue. */
  readonly isCritical: boolean
  /** In lower case. */
  readonly tag: string
  /** The CA that an `issue` or `issuewild` allows, in lower case; empty if it allows none, and on all other tags. */
  readonly issuer: string
  /** The conditions on which the issuer is allowed (RFC 8657), as `tag=value`, sorted. */
  readonly parameters: ReadonlyArray<string>
}

/** Parses a CAA value in normal form, `flags tag "value"`, or any other text from a zone. */
export const parseCaa = (value: string): CaaProperty => {
  const [, flags = "", tag = "", quoted = ""] = normalForm.exec(value) ?? []
  const issuance = isIssuanceTag(tag) ? Option.getOrElse(parseIssuance(quoted), () => noIssuer) : noIssuer
  return { isCritical: (tag === "" ? genericFlags(value) : Number(flags)) >= criticalFlag, tag, ...issuance }
}

/** The tags that allow an issuer: for plain names, or for wildcards (RFC 8659 sections 4.2 and 4.3). */
export type CaaIssuanceTag = "issue" | "issuewild"

/** Whether the tag names an issuer for certificates. */
export const isIssuanceTag = (tag: string): tag is CaaIssuanceTag => tag === "issue" || tag === "issuewild"

/** Whether no CA may issue for the name: the property is critical and CAs do not know its tag. */
export const isUnknownCritical = ({ isCritical, tag }: CaaProperty): boolean => isCritical && !knownTags.has(tag)

/** Checks the CAA value of an intent, in normal form: a misspelt tag or issuer would allow no CA at all. */
export const checkCaaValue = (value: string): Option.Option<ValueIssue> => {
  const [, flags = "", tag = "", quoted = ""] = normalForm.exec(value) ?? []
  const meant = knownTags.has(tag) ? undefined : (otherTags.get(tag) ?? suggestName(tag, [...knownTags]))
  if (meant !== undefined)
    return Option.some({
      code: "caa_tag_unknown",
      message: `no CA knows the tag ${tag}; ${meant} may be meant`,
      suggestion: `${flags} ${meant} "${quoted}"`
    })
  const check = tag === "iodef" ? checkContact : isIssuerTag(tag) ? checkIssuer : undefined
  return Option.map(check?.(quoted) ?? Option.none(), ({ suggestion, ...issue }) =>
    suggestion === undefined ? issue : { ...issue, suggestion: `${flags} ${tag} "${suggestion}"` }
  )
}

/** Words that people write in place of a tag. */
const otherTags: ReadonlyMap<string, string> = new Map([
  ["wild", "issuewild"],
  ["wildcard", "issuewild"],
  ["allow", "issue"],
  ["mail", "issuemail"]
])

const isIssuerTag = (tag: string): boolean => isIssuanceTag(tag) || tag === "issuemail" || tag === "issuevmc"

const checkIssuer = (quoted: string): Option.Option<ValueIssue> => {
  const { issuer } = Option.getOrElse(parseIssuance(quoted), () => ({ issuer: undefined }))
  if (issuer === "" || (issuer !== undefined && hasSuffix.test(issuer))) return Option.none()
  return Option.some(
    Option.match(respellIssuer(quoted), {
      onNone: () => notAnIssuer,
      onSome: (suggestion) => ({ ...notAnIssuer, suggestion })
    })
  )
}

/** No CA has a name of one label, or one that is an address. */
const hasSuffix = /\.(?=[^.]*[a-z])[^.]+$/i

/** The issuer in a text with more around it, such as a URL or other quotes, and the parameters that follow it. */
const respellIssuer = (quoted: string): Option.Option<string> => {
  const text = new TextDecoder().decode(bytesOf(unescape(quoted))).trim()
  const [, first = "", rest = ""] = /^([^\s;]+)[\s;]*(.*)$/s.exec(text) ?? []
  const name = Option.match(parsePastedName(first), { onNone: () => first, onSome: ({ inside }) => inside })
  const suggestion = [name.replace(/^\*\./, "").replace(/\.$/, ""), ...(rest === "" ? [] : [rest])].join("; ")
  return Option.liftPredicate(
    suggestion,
    (respelled) => respelled !== quoted && /^[ !#-[\]-~]*$/.test(respelled) && Option.isNone(checkIssuer(respelled))
  )
}

/** RFC 8659 section 4.4. */
const checkContact = (quoted: string): Option.Option<ValueIssue> =>
  /^(mailto:|https?:)/i.test(quoted)
    ? Option.none()
    : Option.some({
        code: "caa_contact_malformed",
        message: "the value of `iodef` must be a URL such as mailto:security@example.com (RFC 8659 section 4.4)",
        ...(/^[^\s@:/]+@[^\s@:/]+$/.test(quoted) ? { suggestion: `mailto:${quoted}` } : {})
      })

const normalForm = /^(\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5]) ([a-z\d]+) "((?:[ !#-[\]-~]|\\\d{3})*)"$/

const notAnIssuer: ValueIssue = {
  code: "caa_issuer_malformed",
  message: "the value of this tag must be `issuer; tag=value; …` (RFC 8659 section 4.2)"
}

/** RFC 8659 section 4, RFC 9495 (`issuemail`) and the requirements for mark certificates (`issuevmc`). */
const knownTags: ReadonlySet<string> = new Set(["issue", "issuewild", "iodef", "issuemail", "issuevmc"])

const criticalFlag = 128

/** The flags of a record with an invalid tag, which servers show in the generic form of RFC 3597. */
const genericFlags = (value: string): number => Number.parseInt(/^\\# \d+ ([\da-f]{2})/i.exec(value)?.[1] ?? "0", 16)

type Issuance = Pick<CaaProperty, "issuer" | "parameters">

/** Allows no CA, as a value does that breaks the grammar (RFC 8659 section 4.2). */
const noIssuer: Issuance = { issuer: "", parameters: [] }

/** The `issue-value` of RFC 8659 section 4.2. */
const parseIssuance = (quoted: string): Option.Option<Issuance> => {
  const [issuer = "", ...rest] = unescape(quoted).split(";").map(trimWhitespace)
  const parameters = Option.all((rest.length === 1 && rest[0] === "" ? [] : rest).map(parseParameter))
  return issuer === "" || domain.test(issuer)
    ? Option.map(parameters, (unsorted) => ({
        issuer: issuer.toLowerCase(),
        parameters: Array.sort(unsorted, Order.string)
      }))
    : Option.none()
}

const domain = /^[a-z\d]+(?:(?:\.|-+)[a-z\d]+)*$/i

const parseParameter = (text: string): Option.Option<string> => {
  const [, tag, value] = /^([a-z\d]+(?:-+[a-z\d]+)*)[ \t]*=[ \t]*([!-:<-~]*)$/i.exec(text) ?? []
  return tag === undefined ? Option.none() : Option.some(`${tag.toLowerCase()}=${value}`)
}

/** `\DDD` encodes one byte (RFC 1035 section 5.1). */
const unescape = (text: string): string =>
  text.replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number(code)))

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0))

/** Trims only the white space of the grammar; the look-behind keeps it linear. */
const trimWhitespace = (text: string): string => text.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, "")
