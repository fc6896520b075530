import { Either, Option, Schema } from "effect"
import { parseCaaValue } from "./CaaProperty.ts"
import { isDmarc, isDmarcHost } from "./DmarcRecord.ts"
import { parseTarget } from "./DomainName.ts"
import { withoutValidation } from "./boundedSchemas.ts"
import { isDetailCode } from "./detailMeanings.ts"
import { aliasType, refuse, suggestionOf, typeNotInCapitals, type ValueIssue } from "./ErrorDetail.ts"
import { canonicalizeAddressOfFamily } from "./IpAddress.ts"
import { findPastedAddress } from "./PastedName.ts"
import { repairPolicyText, repairSpaces, unquoteText } from "./unquoteText.ts"
import { isSpf } from "./SpfRecord.ts"

/** The record types that an intent may contain. */
export const RecordType = Schema.Literal("A", "AAAA", "CNAME", "MX", "TXT", "NS", "SRV", "CAA").annotations({
  identifier: "RecordType",
  message: ({ actual }) => ({ message: describeBadType(actual), override: true })
})
export type RecordType = typeof RecordType.Type

const describeBadType = (actual: unknown): string => {
  const type = typeof actual === "string" ? actual.trim().toUpperCase() : ""
  if (type === "ALIAS" || type === "ANAME") return aliasType.message
  return isRecordType(type) ? typeNotInCapitals(type).message : "must be one of A, AAAA, CNAME, MX, TXT, NS, SRV, CAA"
}

/** A whole number from 0 to `maximum`, with one message for every kind of fault. */
const wholeNumber = (field: { readonly identifier: string; readonly maximum: number; readonly description: string }) =>
  Schema.Number.pipe(Schema.int(), Schema.between(0, field.maximum)).annotations({
    identifier: field.identifier,
    jsonSchema: { type: "integer", minimum: 0, maximum: field.maximum, description: field.description },
    message: () => ({ message: `must be a whole number from 0 to ${field.maximum}`, override: true })
  })

/** Seconds, 0 to 2^31 - 1 (RFC 2181 section 8). */
export const Ttl = wholeNumber({
  identifier: "Ttl",
  maximum: 2 ** 31 - 1,
  description: "Time to live in seconds (RFC 2181 section 8)."
})

/** Preference of an MX (RFC 5321) or priority of an SRV (RFC 2782); the lowest is tried first. */
export const Priority = wholeNumber({
  identifier: "Priority",
  maximum: 65_535,
  description: "Preference of an MX record or priority of an SRV record."
})

/**
 * One desired or planned record in normal form. `host` is relative to the domain of the intent; `value` is the logical
 * value: TXT unquoted and unsplit, names without trailing dot, SRV `weight port target`, CAA `flags tag "value"`. Only a
 * record that the zone has already is `proxied`.
 */
export class DnsRecord extends Schema.Class<DnsRecord>("Record")({
  host: Schema.String,
  type: RecordType,
  value: Schema.String,
  ttl: Ttl,
  priority: Schema.optionalWith(Priority, { exact: true }),
  optional: Schema.Boolean,
  proxied: Schema.optionalWith(
    Schema.Boolean.annotations({
      description:
        "Present, and true, where the provider answers with addresses of its own and forwards the traffic (a proxy)."
    }),
    { exact: true }
  )
}) {}

/** Replaces data of a record by other data in normal form, without checking the record a second time. */
export const withData = (
  record: DnsRecord,
  data: Partial<Pick<DnsRecord, "value" | "ttl" | "optional" | "proxied">>
): DnsRecord => DnsRecord.make({ ...record, ...data }, withoutValidation)

/**
 * A record as a zone holds it: any type (`SOA`, `HTTPS`, `TYPE65280` …), `value` in the same logical form as
 * `DnsRecord` where the type is a `RecordType`, else in presentation format; `ttl` in seconds.
 */
export interface ZoneRecord {
  readonly host: string
  readonly type: string
  readonly value: string
  readonly ttl: number
  readonly priority?: number
  /** The provider itself answers for the host: a redirect, forward or parking page. */
  readonly web?: boolean
  /** The provider answers with its own addresses and forwards the traffic (a proxy). */
  readonly proxied?: boolean
  /** The provider answers with the addresses of the target in place of the CNAME, by a setting of the record. */
  readonly flattened?: boolean
  /** The provider itself chooses the TTL, of which `ttl` is the present value; not for proxied records, which never have another. */
  readonly automaticTtl?: boolean
  /**
   * The provider itself keeps the record. `fixed`: nobody can change or remove it. `overridable`: it gives way to the
   * records that a customer adds at its host, and nobody has to remove it.
   */
  readonly locked?: "fixed" | "overridable"
}

/** Parses a desired value strictly and returns its normal form. */
export const parseValue = (type: RecordType, value: string): Either.Either<string, ValueIssue> => parsers[type](value)

/** Normalizes a value from a live zone; an invalid value stays as it is and is never refused. */
export const normalizeValue = (type: string, value: string): string =>
  isRecordType(type) ? Either.getOrElse(parseValue(type, value), () => value) : value

/** Whether an intent may contain the type. */
export const isRecordType = (type: string): type is RecordType => recordTypes.has(type)

const recordTypes: ReadonlySet<string> = new Set(RecordType.literals)

/** Whether records of the type have a priority: MX and SRV. */
export const hasPriority = (type: string): boolean => type === "MX" || type === "SRV"

/** The most bytes that one string of a TXT record holds (RFC 1035 section 3.3). */
export const maxTxtStringLength = 255

/** The target that means "no target": null MX (RFC 7505), SRV (RFC 2782). */
export const nullTarget = "."

const parseAddress =
  (family: 4 | 6) =>
  (value: string): Either.Either<string, ValueIssue> =>
    Either.fromOption(canonicalizeAddressOfFamily(family, value), () => notAnAddress(family, value.trim()))

/** Suggests the type for a value that is no address of the family, and the value without spaces around it. */
const notAnAddress = (family: 4 | 6, value: string): ValueIssue => {
  const other = family === 4 ? ({ family: 6, type: "AAAA" } as const) : ({ family: 4, type: "A" } as const)
  const hint = Option.isSome(canonicalizeAddressOfFamily(other.family, value))
    ? `; one of IPv${other.family} belongs in a record of the type ${other.type}`
    : /[a-z]/i.test(value) && Either.isRight(parseTarget(value))
      ? "; a name belongs in a CNAME record"
      : ""
  return {
    code: `value_is_no_ipv${family}_address`,
    message: `the value must be one IPv${family} address${hint}`,
    ...Option.match(canonicalizeAddressOfFamily(family, findPastedAddress(value)), {
      onNone: () => ({}),
      onSome: (suggestion) => ({ suggestion })
    })
  }
}

const parseName = (value: string): Either.Either<string, ValueIssue> =>
  Either.mapLeft(parseTarget(value), asTargetIssue)

const parseNameOrNullTarget = (value: string): Either.Either<string, ValueIssue> =>
  value === nullTarget ? Either.right(nullTarget) : parseName(value)

const asTargetIssue = ({ code, message, ...issue }: ValueIssue): ValueIssue => {
  const targetCode = code.replace(/^host_/, "target_")
  return {
    ...issue,
    code: isDetailCode(targetCode) ? targetCode : code,
    message: message.replace("the host", "the target")
  }
}

const parseMxTarget = (value: string): Either.Either<string, ValueIssue> => {
  if (/^\s*\d+\s*$/.test(value))
    return refuse("value_has_priority", "the value must be a host; a number alone belongs in `priority`")
  const { priority, target = "" } = (priorityFirst.exec(value) ?? priorityLast.exec(value))?.groups ?? {}
  if (priority === undefined) return parseNameOrNullTarget(value)
  const hint = isUint16(priority) ? `: ${Number(priority)}` : ", where it may be 0 to 65535"
  const message = `the value is the host alone; the number belongs in \`priority\`${hint}`
  return Either.left({ code: "value_has_priority", message, ...suggestionOf(parseNameOrNullTarget(target)) })
}

const priorityFirst = /^\s*(?<priority>\d{1,5})\s+(?<target>\S+)\s*$/
const priorityLast = /^\s*(?<target>\S+)\s+(?<priority>\d{1,5})\s*$/

const parseText = (value: string): Either.Either<string, ValueIssue> => {
  if (value === "") return refuse("value_is_empty", "a TXT record needs at least one character")
  const unquoted = unquoteText(value)
  if (unquoted !== undefined) {
    const message = "a value is written without the quotes of a zone file, and in one piece"
    return Either.left({ code: "value_has_quotes", message, ...suggestionOf(parseText(unquoted)) })
  }
  const repaired = repairPolicyText(value)
  if (repaired !== undefined) {
    const message =
      "the value has quotes or backslashes that are left over from a zone file, and would not be understood"
    return Either.left({ code: "value_has_quotes", message, ...suggestionOf(parseText(repaired)) })
  }
  const spaced = repairSpaces(value)
  if (spaced !== undefined) {
    const message = "the value begins with a space, or has characters that only look like spaces or are invisible"
    return Either.left({ code: "value_has_space", message, ...suggestionOf(parseText(spaced)) })
  }
  if (/[\n\r]/.test(value)) return refuse("value_has_bad_character", "the value has a line break; write it on one line")
  if (/\p{Cc}/u.test(value))
    return refuse(
      "value_has_bad_character",
      "the value has a tab or another control character, which no TXT record holds"
    )
  return value.isWellFormed()
    ? Either.right(value)
    : refuse("value_has_bad_character", "the value has half of a character: a surrogate without its other half")
}

const parseSrv = (value: string): Either.Either<string, ValueIssue> => {
  const fields = value.trim().split(/\s+/)
  const [weight = "", port = "", target = "", ...rest] = fields
  if (isUint16(weight) && isUint16(port) && target !== "" && rest.length === 0) {
    const withTarget = (name: string) => `${Number(weight)} ${Number(port)} ${name}`
    return Either.mapBoth(parseNameOrNullTarget(target), {
      onLeft: ({ suggestion, ...issue }) =>
        suggestion === undefined ? issue : { ...issue, suggestion: withTarget(suggestion) },
      onRight: withTarget
    })
  }
  const hasPriorityFirst = fields.length === 4 && isUint16(weight)
  return Either.left({
    code: "value_is_no_srv",
    message: "the value must be `weight port target` (RFC 2782); the priority has its own field, `priority`",
    ...(hasPriorityFirst ? suggestionOf(parseSrv(fields.slice(1).join(" "))) : {})
  })
}

const isUint16 = (digits: string): boolean => /^\d{1,5}$/.test(digits) && Number(digits) <= 65_535

const parsers: { readonly [Type in RecordType]: (value: string) => Either.Either<string, ValueIssue> } = {
  A: parseAddress(4),
  AAAA: parseAddress(6),
  CNAME: parseName,
  MX: parseMxTarget,
  TXT: parseText,
  NS: parseName,
  SRV: parseSrv,
  CAA: parseCaaValue
}

/** The record types of ordinary hosts that can be queried, in the order in which they are queried. */
export const queryableTypes = [
  "A",
  "AAAA",
  "CNAME",
  "MX",
  "TXT",
  "NS",
  "SRV",
  "CAA",
  "HTTPS",
  "SVCB",
  "DNAME",
  "DS",
  "LOC",
  "NAPTR",
  "PTR",
  "SSHFP",
  "TLSA",
  "URI",
  "HINFO",
  "RP",
  "AFSDB",
  "KX",
  "CERT",
  "IPSECKEY",
  "DHCID",
  "SMIMEA",
  "OPENPGPKEY",
  "SPF",
  "EUI48",
  "EUI64"
] as const

/** Whether a type is one that every server knows (RFC 1035); old servers and load balancers fail for others. */
export const isBasicType = (type: string): boolean => basicTypes.has(type)

const basicTypes: ReadonlySet<string> = new Set(["A", "CNAME", "MX", "NS", "SOA", "TXT"])

/** A kind of TXT record of which a host may have only one. */
type SingletonTxtKind = "SPF" | "DMARC" | "DKIM" | "MTA-STS" | "TLS-RPT" | "BIMI"

/** The kind of a TXT record of which a host may have only one, by its host and version tag; none for other records. */
export const findSingletonTxtKind = (record: {
  readonly host: string
  readonly type: string
  readonly value: string
}): SingletonTxtKind | undefined => {
  if (record.type !== "TXT") return undefined
  if (isSpf(record.value)) return "SPF"
  if (isDmarcHost(record.host) && isDmarc(record.value)) return "DMARC"
  return singletonTxtKinds.find(({ host, text }) => host.test(record.host) && text.test(record.value))?.kind
}

/** By their standards these kinds exist at certain hosts only; other texts at these hosts are none of them. */
const singletonTxtKinds: ReadonlyArray<{
  readonly kind: SingletonTxtKind
  readonly host: RegExp
  readonly text: RegExp
}> = [
  // RFC 6376 section 3.6.1: the version may be missing, the key may not.
  { kind: "DKIM", host: /(^|\.)_domainkey(\.|$)/, text: /^\s*v\s*=\s*DKIM1\s*(;|$)|(^|;)\s*p\s*=/i },
  { kind: "MTA-STS", host: /^_mta-sts(\.|$)/, text: /^\s*v\s*=\s*STSv1\s*(;|$)/i },
  { kind: "TLS-RPT", host: /^_smtp\._tls(\.|$)/, text: /^\s*v\s*=\s*TLSRPTv1\s*(;|$)/i },
  { kind: "BIMI", host: /(^|\.)_bimi(\.|$)/, text: /^\s*v\s*=\s*BIMI1\s*(;|$)/i }
]
