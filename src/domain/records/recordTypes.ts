import { Either, Record, Schema } from "effect"
import { aliasType, describeMeant, suggestName, typeNotInCapitals, type ValueIssue } from "../error/ErrorDetail.ts"
import { type DomainName, toFqdn } from "../names/DomainName.ts"
import { valueFieldsOf } from "./RecordFormat.ts"
import type { RecordTypeDefinition } from "./RecordTypeDefinition.ts"
import { a } from "./a.ts"
import { aaaa } from "./aaaa.ts"
import { caa } from "./caa.ts"
import { cname } from "./cname.ts"
import { ds } from "./ds.ts"
import { https } from "./https.ts"
import { mx } from "./mx.ts"
import { naptr } from "./naptr.ts"
import { ns } from "./ns.ts"
import { srv } from "./srv.ts"
import { sshfp } from "./sshfp.ts"
import { svcb } from "./svcb.ts"
import { tlsa } from "./tlsa.ts"
import { txt } from "./txt.ts"

/** The record types that an intent may contain, each with all that the service knows about it. */
export const recordTypes = {
  A: a,
  AAAA: aaaa,
  CNAME: cname,
  MX: mx,
  TXT: txt,
  NS: ns,
  SRV: srv,
  CAA: caa,
  HTTPS: https,
  SVCB: svcb,
  DS: ds,
  NAPTR: naptr,
  SSHFP: sshfp,
  TLSA: tlsa
} as const satisfies Readonly<Record<string, RecordTypeDefinition>>

export const recordTypeNames = Record.keys(recordTypes)

/** The record types that an intent may contain. */
export const RecordType = Schema.Literal(...recordTypeNames).annotations({
  identifier: "RecordType",
  message: ({ actual }) => ({ message: describeBadType(actual), override: true })
})
export type RecordType = keyof typeof recordTypes

const describeBadType = (actual: unknown): string => {
  const type = typeof actual === "string" ? actual.trim().toUpperCase() : ""
  if (type === "ALIAS" || type === "ANAME") return aliasType.message
  return isRecordType(type)
    ? typeNotInCapitals(type).message
    : `must be one of ${recordTypeNames.join(", ")}${describeMeant(suggestName(type, recordTypeNames))}`
}

export const isRecordType = (type: string): type is RecordType => Object.hasOwn(recordTypes, type)

export const findRecordType = (type: string): RecordTypeDefinition | undefined =>
  isRecordType(type) ? recordTypes[type] : undefined

/** Parses a desired value strictly and returns its normal form. */
export const parseValue = (type: RecordType, value: string): Either.Either<string, ValueIssue> =>
  recordTypes[type].parse(value)

/** Normalizes a value from a live zone; an invalid value stays as it is and is never refused. */
export const normalizeValue = (type: string, value: string): string =>
  isRecordType(type) ? Either.getOrElse(parseValue(type, value), () => value) : value

/** The value of a record of the domain, the same for all spellings of one meaning. */
export const spellAlike = (
  { host, type, value }: { readonly host: string; readonly type: RecordType; readonly value: string },
  domain: DomainName
): string => {
  const definition: RecordTypeDefinition = recordTypes[type]
  return definition.spellAlike?.(value, toFqdn(host, domain)) ?? value
}

/** The place of the name among the words of a value, for each type that has one. */
export const listNamePlaces = (): Readonly<Record<string, number>> =>
  Object.fromEntries(
    recordTypeNames
      .map((type) => [type, valueFieldsOf(recordTypes[type]).findIndex(({ form }) => form === "name")] as const)
      .filter(([, place]) => place !== -1)
  )

export const hasPriority = (type: string): boolean => findRecordType(type)?.priority !== undefined

export const prioritizedTypes: ReadonlyArray<string> = recordTypeNames.filter(hasPriority)
