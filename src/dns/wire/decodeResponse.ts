import { Either } from "effect"
import { decodeRecordData, typeCodeOf, typeNameOf } from "../../domain/records/dnsTypes.ts"
import type { RecordData } from "../../domain/records/RecordFormat.ts"
import { formatError, type Message, type Question, type ResourceRecord } from "./Message.ts"
import { type WireFault, WireReader } from "./WireReader.ts"
import { classIn } from "./classes.ts"

/** Why bytes are not the response to a query. */
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

/** Decodes a response strictly: one fault fails it. A truncated one has no records (RFC 2181 section 9). */
export const decodeResponse = (
  bytes: Uint8Array,
  expected: { readonly id: number; readonly question: Question }
): Either.Either<Message, DecodeFailure> => {
  const reader = new WireReader(bytes)
  const id = reader.readUint16()
  const flags = reader.readUint16()
  const [questions = 0, ...counts] = Array.from({ length: 4 }, () => reader.readUint16())
  if (reader.fault !== undefined) return failDecoding(reader.fault)
  if (id !== expected.id) return failDecoding("wrong_id")
  if ((flags & kindMask) !== responseToQuery) return failDecoding("not_an_answer")
  const head = { rcode: flags & 0xf, aa: (flags & 0x400) !== 0, tc: (flags & 0x200) !== 0, ra: (flags & 0x80) !== 0 }
  // Servers that do not understand EDNS answer with the bare header (RFC 6891 section 7).
  if (questions === 0 && head.rcode === formatError) return Either.right({ ...head, ...noRecords })
  if (questions !== 1 || !hasQuestion(reader, expected.question)) return failDecoding(reader.fault ?? "wrong_question")
  if (head.tc) return Either.right({ ...head, ...noRecords })
  return Either.filterOrLeft(decodeSections(reader, head, counts), isAnswerTo(expected.question), () => wrongOwner)
}

/** The bits QR and OPCODE. */
const responseToQuery = 0x8000
const kindMask = 0xf800

/** 100 name servers with two addresses each are 300 records. */
const maxRecords = 400

const failDecoding = (reason: DecodeFailure["reason"]) => Either.left({ reason })

const noRecords = { answers: [], authorities: [], additionals: [] }

const hasQuestion = (reader: WireReader, { name, type }: Question): boolean => {
  const isSameName = reader.readName() === name
  return reader.readUint16() === typeCodeOf(type) && reader.readUint16() === classIn && isSameName
}

/** An answer section is empty or has a record at the name; records at other names follow from an alias there. */
const isAnswerTo =
  ({ name }: Question) =>
  ({ answers }: Message): boolean =>
    answers.length === 0 || answers.some((record) => record.name === name)

const wrongOwner: DecodeFailure = { reason: "wrong_owner" }

const decodeSections = (
  reader: WireReader,
  head: Pick<Message, "rcode" | "aa" | "tc" | "ra">,
  counts: ReadonlyArray<number>
): Either.Either<Message, DecodeFailure> => {
  if (counts.reduce((sum, count) => sum + count, 0) > maxRecords) return failDecoding("too_many_records")
  const [answers = [], authorities = [], additionals = []] = counts.map((count) =>
    Array.from({ length: count }, () => readRecord(reader))
  )
  if (reader.fault !== undefined) return failDecoding(reader.fault)
  if (reader.remaining > 0) return failDecoding("trailing_bytes")
  const records = additionals.filter((record) => !isOptions(record))
  if (![...answers, ...authorities, ...records].every((record) => record.class === classIn))
    return failDecoding("class_not_in")
  return Either.right({
    ...head,
    rcode: head.rcode | extendedCodeOf(additionals.find(isOptions)),
    answers: answers.map(toResourceRecord),
    authorities: authorities.map(toResourceRecord),
    additionals: records.map(toResourceRecord)
  })
}

interface SectionRecord {
  readonly name: string
  readonly type: string
  readonly class: number
  readonly ttl: number
  readonly data: RecordData
}

const readRecord = (reader: WireReader): SectionRecord => {
  const name = reader.readName()
  const type = typeNameOf(reader.readUint16())
  const head = { name, type, class: reader.readUint16(), ttl: reader.readUint32() }
  return { ...head, data: decodeRecordData(reader, type, reader.readUint16()) }
}

/** A TTL with its highest bit set counts as 0 (RFC 2181 section 8). */
const toResourceRecord = ({ data, name, ttl, type }: SectionRecord): ResourceRecord => ({
  name,
  type,
  ttl: ttl < 2 ** 31 ? ttl : 0,
  ...data
})

const isOptions = (record: SectionRecord): boolean => record.type === "OPT"

/** The TTL of the OPT record holds the upper eight bits of the response code (RFC 6891 section 6.1.3). */
const extendedCodeOf = (options: SectionRecord | undefined): number => ((options?.ttl ?? 0) >>> 24) << 4
