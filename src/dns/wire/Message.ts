import { isAtOrBelow } from "../../domain/names/DomainName.ts"
import { type RecordTypeName, typeCodeOf } from "../../domain/records/dnsTypes.ts"
import { encodeName, encodeUint16 } from "../../domain/records/encodeName.ts"
import type { RecordData } from "../../domain/records/RecordFormat.ts"
import { classIn } from "./classes.ts"

/** The question of a query; `name` in normal form, as `DomainName` or as a response contains it. */
export interface Question {
  readonly name: string
  readonly type: RecordTypeName
}

/** A record of class IN. `name` is lower-case without trailing dot, the root `.`; `ttl` in seconds. */
export interface ResourceRecord extends RecordData {
  readonly name: string
  readonly type: string
  readonly ttl: number
}

/** A response: its code (RFC 1035, extended by RFC 6891), the flags AA, TC, RA and its three sections of records. */
export interface Message {
  readonly rcode: number
  readonly aa: boolean
  readonly tc: boolean
  readonly ra: boolean
  readonly answers: ReadonlyArray<ResourceRecord>
  readonly authorities: ReadonlyArray<ResourceRecord>
  readonly additionals: ReadonlyArray<ResourceRecord>
}

/** Encodes a query in class IN; with EDNS it allows responses of 1,232 bytes over UDP (RFC 6891). */
export const encodeQuery = (query: {
  readonly id: number
  readonly question: Question
  readonly recursionDesired: boolean
  readonly hasEdns: boolean
}): Uint8Array =>
  Uint8Array.from([
    ...encodeUint16(query.id),
    ...encodeUint16(query.recursionDesired ? 0x100 : 0),
    ...[1, 0, 0, query.hasEdns ? 1 : 0].flatMap(encodeUint16),
    ...encodeName(query.question.name),
    ...encodeUint16(typeCodeOf(query.question.type)),
    ...encodeUint16(classIn),
    ...(query.hasEdns ? options : [])
  ])

/** An OPT record: the root, its type, the UDP size in place of the class, a TTL of 0, no data. */
const options = [0, ...encodeUint16(typeCodeOf("OPT")), ...encodeUint16(1_232), 0, 0, 0, 0, 0, 0]

/** Finds an NS record by which a server of `zone` refers to the name servers of a zone below it; undefined without one. */
export const findReferral = (message: Message, question: Question, zone: string): ResourceRecord | undefined => {
  if (message.answers.length > 0) return undefined
  const delegation = message.authorities.find(
    ({ name, type }) => type === "NS" && isAtOrBelow(name, zone) && name !== zone
  )
  return delegation !== undefined && isAtOrBelow(question.name, delegation.name) ? delegation : undefined
}

/** The SOA by which a server denies records (RFC 2308 section 2): of the zone, or of a zone below on that server. */
export const findZoneSoa = ({ authorities }: Message, queryName: string, zone: string): ResourceRecord | undefined =>
  authorities.find(({ name, type }) => type === "SOA" && isAtOrBelow(name, zone) && isAtOrBelow(queryName, name))

/**
 * Whether a server of `zone` answers from the zone. Some servers never set AA. A server that resolves nothing does not
 * answer from a cache either, if its response has records of the name or the SOA of the zone.
 */
export const hasAuthority = (message: Message, question: Question, zone: string): boolean =>
  message.aa ||
  isNotImplemented(message) ||
  (!message.ra &&
    (message.answers.some(({ name }) => name === question.name) ||
      findZoneSoa(message, question.name, zone) !== undefined))

/** Whether a server does not know the type of the question, so that it has no records of it (RFC 1035 section 4.1.1). */
export const isNotImplemented = ({ rcode }: Message): boolean => rcode === notImplemented

/** The response codes that decide what a response means (RFC 1035 section 4.1.1); `nameError` is NXDOMAIN. */
export const noError = 0
export const formatError = 1
export const nameError = 3
export const notImplemented = 4
export const refused = 5
