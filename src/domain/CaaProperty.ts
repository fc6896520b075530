import { Array, Option, Order } from "effect"
import type { ValueIssue } from "./ErrorDetail.ts"

/** What one CAA record says (RFC 8659 section 4.1). A record that makes no sense says nothing: its tag is empty. */
export interface CaaProperty {
  /** A CA that does not know the tag must not issue. */
  readonly critical: boolean
  /** In lower case. */
  readonly tag: string
  /** Whom an `issue` or `issuewild` allows, in lower case; empty where that is nobody, and on all other tags. */
  readonly issuer: string
  /** The conditions on which the issuer is allowed (RFC 8657), as `tag=value`, sorted. */
  readonly parameters: ReadonlyArray<string>
}

/** Reads a CAA value in normal form, `flags tag "value"`, or whatever else a zone holds. */
export const parseCaa = (value: string): CaaProperty => {
  const [, flags = "", tag = "", quoted = ""] = normalForm.exec(value) ?? []
  const issuance = isIssuanceTag(tag) ? Option.getOrElse(issuanceIn(quoted), () => nobody) : nobody
  return { critical: (tag === "" ? genericFlags(value) : Number(flags)) >= criticalFlag, tag, ...issuance }
}

/** What an issuer is allowed for: plain names, or wildcards (RFC 8659 sections 4.2 and 4.3). */
export type CaaIssuanceTag = "issue" | "issuewild"

/** Whether the tag is one that names an issuer for certificates. */
export const isIssuanceTag = (tag: string): tag is CaaIssuanceTag => tag === "issue" || tag === "issuewild"

/** Whether every CA must leave the name alone: the property is critical and its tag is none that CAs know. */
export const isUnknownCritical = ({ critical, tag }: CaaProperty): boolean => critical && !knownTags.has(tag)

/** Why no intent may ask for the CAA, given in normal form: an issuer with a slip in it would allow nobody at all. */
export const checkCaaValue = (value: string): Option.Option<ValueIssue> => {
  const [, , tag = "", quoted = ""] = normalForm.exec(value) ?? []
  return isIssuanceTag(tag) && Option.isNone(issuanceIn(quoted)) ? Option.some(notAnIssuer) : Option.none()
}

const normalForm = /^(\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5]) ([a-z\d]+) "((?:[ !#-[\]-~]|\\\d{3})*)"$/

const notAnIssuer: ValueIssue = {
  code: "caa_issuer_malformed",
  message: "the value of `issue` and `issuewild` must be `issuer; tag=value; …` (RFC 8659 section 4.2)"
}

/** RFC 8659 section 4, RFC 9495 (`issuemail`) and the requirements for mark certificates (`issuevmc`). */
const knownTags: ReadonlySet<string> = new Set(["issue", "issuewild", "iodef", "issuemail", "issuevmc"])

const criticalFlag = 128

/** The flags of a record whose tag is no word, which is shown in the generic form of RFC 3597. */
const genericFlags = (value: string): number => Number.parseInt(/^\\# \d+ ([\da-f]{2})/i.exec(value)?.[1] ?? "0", 16)

type Issuance = Pick<CaaProperty, "issuer" | "parameters">

/** Also the meaning of a value that does not follow the grammar (RFC 8659 section 4.2). */
const nobody: Issuance = { issuer: "", parameters: [] }

/** The `issue-value` of RFC 8659 section 4.2. */
const issuanceIn = (quoted: string): Option.Option<Issuance> => {
  const [issuer = "", ...rest] = unescaped(quoted).split(";").map(trimmed)
  const parameters = Option.all((rest.length === 1 && rest[0] === "" ? [] : rest).map(parameterIn))
  return issuer === "" || domain.test(issuer)
    ? Option.map(parameters, (_) => ({ issuer: issuer.toLowerCase(), parameters: Array.sort(_, Order.string) }))
    : Option.none()
}

const domain = /^[a-z\d]+(?:(?:\.|-+)[a-z\d]+)*$/i

const parameterIn = (text: string): Option.Option<string> => {
  const [, tag, value] = /^([a-z\d]+(?:-+[a-z\d]+)*)[ \t]*=[ \t]*([!-:<-~]*)$/i.exec(text) ?? []
  return tag === undefined ? Option.none() : Option.some(`${tag.toLowerCase()}=${value}`)
}

/** `\DDD` stands for one byte (RFC 1035 section 5.1). */
const unescaped = (text: string): string =>
  text.replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number(code)))

/** Takes only what the grammar takes for white space; the look-behind keeps it linear. */
const trimmed = (text: string): string => text.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, "")
