import { Either } from "effect"
import { type WireFault, WireReader } from "./WireReader.ts"
import { decodeRecordData, type RecordData } from "./decodeRecordData.ts"
import { classIn, type RecordTypeName, typeCodeOf, typeNameOf } from "./recordTypes.ts"

/** What is asked: `name` in normal form, as `DomainName` or as an answer gave it. */
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

/** An answer: the response code (RFC 1035, extended by RFC 6891), the flags AA, TC, RA and the three sections. */
export interface Message {
  readonly rcode: number
  readonly aa: boolean
  readonly tc: boolean
  readonly ra: boolean
  readonly answers: ReadonlyArray<ResourceRecord>
  readonly authorities: ReadonlyArray<ResourceRecord>
  readonly additionals: ReadonlyArray<ResourceRecord>
}

/** Why bytes are not the answer to a question. */
export interface DecodeFailure {
  readonly reason:
    | WireFault
    | "wrong_id"
    | "not_an_answer"
    | "wrong_question"
    | "wrong_owner"
    | "class_not_in"
    | "too_many_records"
    | "trailing_bytes"
}

/**
 * Reads the answer to one question, strictly: whatever does not fit refuses the whole message, in bounded time. A
 * truncated answer has no records, for what is left of it must not be believed (RFC 2181 section 9).
 */
export const decodeResponse = (
  bytes: Uint8Array,
  expected: { readonly id: number; readonly question: Question }
): Either.Either<Message, DecodeFailure> => {
  const reader = new WireReader(bytes)
  const id = reader.uint16()
  const flags = reader.uint16()
  const [questions = 0, ...counts] = Array.from({ length: 4 }, () => reader.uint16())
  if (reader.fault !== undefined) return malformed(reader.fault)
  if (id !== expected.id) return malformed("wrong_id")
  if ((flags & kindMask) !== answerToQuery) return malformed("not_an_answer")
  const head = { rcode: flags & 0xf, aa: (flags & 0x400) !== 0, tc: (flags & 0x200) !== 0, ra: (flags & 0x80) !== 0 }
  // Servers that choke on EDNS answer with the bare header (RFC 6891 section 7).
  if (questions === 0 && head.rcode === formatError) return Either.right({ ...head, ...noRecords })
  if (questions !== 1 || !echoes(reader, expected.question)) return malformed(reader.fault ?? "wrong_question")
  if (head.tc) return Either.right({ ...head, ...noRecords })
  return Either.filterOrLeft(decodeSections(reader, head, counts), concerns(expected.question), () => wrongOwner)
}

const answerToQuery = 0x8000
const kindMask = 0xf800
const formatError = 1

/** A set of 100 name servers with two addresses each has 300. */
const maxRecords = 400

const malformed = (reason: DecodeFailure["reason"]) => Either.left({ reason })

const noRecords = { answers: [], authorities: [], additionals: [] }

const echoes = (reader: WireReader, { name, type }: Question): boolean => {
  const sameName = reader.name() === name
  return reader.uint16() === typeCodeOf(type) && reader.uint16() === classIn && sameName
}

/** An answer says something of the name, or nothing; records of other names follow from an alias at this one. */
const concerns =
  ({ name }: Question) =>
  ({ answers }: Message): boolean =>
    answers.length === 0 || answers.some((record) => record.name === name)

const wrongOwner: DecodeFailure = { reason: "wrong_owner" }

const decodeSections = (
  reader: WireReader,
  head: Pick<Message, "rcode" | "aa" | "tc" | "ra">,
  counts: ReadonlyArray<number>
): Either.Either<Message, DecodeFailure> => {
  if (counts.reduce((sum, count) => sum + count, 0) > maxRecords) return malformed("too_many_records")
  const [answers = [], authorities = [], additionals = []] = counts.map((count) =>
    Array.from({ length: count }, () => rawRecord(reader))
  )
  if (reader.fault !== undefined) return malformed(reader.fault)
  if (reader.remaining > 0) return malformed("trailing_bytes")
  const records = additionals.filter((raw) => !isOptions(raw))
  if (![...answers, ...authorities, ...records].every((raw) => raw.class === classIn)) return malformed("class_not_in")
  return Either.right({
    ...head,
    rcode: head.rcode | extendedCode(additionals.find(isOptions)),
    answers: answers.map(resourceRecord),
    authorities: authorities.map(resourceRecord),
    additionals: records.map(resourceRecord)
  })
}

interface RawRecord {
  readonly name: string
  readonly type: string
  readonly class: number
  readonly ttl: number
  readonly data: RecordData
}

const rawRecord = (reader: WireReader): RawRecord => {
  const name = reader.name()
  const type = typeNameOf(reader.uint16())
  const head = { name, type, class: reader.uint16(), ttl: reader.uint32() }
  return { ...head, data: decodeRecordData(reader, type, reader.uint16()) }
}

/** A time to live with its highest bit set counts as 0 (RFC 2181 section 8). */
const resourceRecord = ({ data, name, ttl, type }: RawRecord): ResourceRecord => ({
  name,
  type,
  ttl: ttl < 2 ** 31 ? ttl : 0,
  ...data
})

const isOptions = (raw: RawRecord): boolean => raw.type === "OPT"

/** The upper eight bits of the response code stand where other records have their time to live (RFC 6891 6.1.3). */
const extendedCode = (options: RawRecord | undefined): number => ((options?.ttl ?? 0) >>> 24) << 4
