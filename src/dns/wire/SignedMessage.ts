import { Either } from "effect"
import { encodeName } from "./encodeName.ts"
import { classIn, typeNameOf } from "./recordTypes.ts"
import { type WireFault, WireReader } from "./WireReader.ts"

/** A record by its number of type, with its data as bytes without compression, names in them in lower case. */
export interface RawRecord {
  readonly name: string
  readonly code: number
  readonly ttl: number
  readonly data: Uint8Array
}

/** A TSIG record (RFC 8945 section 4.2); `time` in seconds since 1970, `fudge` in seconds. */
export interface TsigRecord {
  readonly keyName: string
  readonly algorithm: string
  readonly time: number
  readonly fudge: number
  readonly mac: Uint8Array
  readonly error: number
  readonly otherData: Uint8Array
}

/** An answer to a signed request: its head, the records of its answer section, and what was signed of it. */
export interface SignedMessage {
  readonly id: number
  readonly rcode: number
  readonly isResponse: boolean
  readonly authoritative: boolean
  readonly answers: ReadonlyArray<RawRecord>
  readonly signature?: TsigRecord
  /** The message without its TSIG record, as it was when it was signed (RFC 8945 section 4.3.2). */
  readonly signedBytes: Uint8Array
}

/** Reads an answer strictly; records of another class than IN refuse it. */
export const decodeSignedMessage = (bytes: Uint8Array): Either.Either<SignedMessage, WireFault | "class_not_in"> => {
  const reader = new WireReader(bytes, maxSteps)
  const [id = 0, flags = 0, questions = 0, answerCount = 0, authorities = 0, additionals = 0] = Array.from(
    { length: 6 },
    () => reader.uint16()
  )
  for (let left = questions; left > 0 && reader.remaining > 0; left -= 1) skipQuestion(reader)
  const answers = records(reader, answerCount)
  records(reader, authorities)
  const others = records(reader, Math.max(additionals - 1, 0))
  const end = bytes.length - reader.remaining
  const [last] = records(reader, Math.min(additionals, 1))
  if (reader.fault !== undefined) return Either.left(reader.fault)
  if (reader.remaining > 0 || others.some(({ code }) => code === tsigTypeCode)) return Either.left("data_length_wrong")
  if (answers.some(({ classCode }) => classCode !== classIn)) return Either.left("class_not_in")
  const head = {
    id,
    rcode: flags & 0xf,
    isResponse: (flags & 0x8000) !== 0,
    authoritative: (flags & 0x400) !== 0,
    answers
  }
  if (last?.code !== tsigTypeCode) return Either.right({ ...head, signedBytes: bytes })
  const { originalId, ...signature } = signatureIn(last)
  const signed = Uint8Array.from(bytes.subarray(0, end))
  new DataView(signed.buffer).setUint16(0, originalId)
  new DataView(signed.buffer).setUint16(additionalCountOffset, additionals - 1)
  return Either.right({ ...head, signature, signedBytes: signed })
}

/** A message of a transfer may have 3,000 names of many labels. */
const maxSteps = 131_072

/** The number of the type TSIG. */
export const tsigTypeCode = 250

/** Where in a message the number of its additional records stands. */
export const additionalCountOffset = 10

const skipQuestion = (reader: WireReader): void => {
  reader.name()
  reader.uint32()
}

const records = (reader: WireReader, count: number) => {
  const read: Array<RawRecord & { readonly classCode: number }> = []
  while (read.length < count && reader.fault === undefined) {
    const name = reader.name()
    const code = reader.uint16()
    const classCode = reader.uint16()
    const ttl = reader.uint32()
    const length = reader.uint16()
    read.push({ name, code, classCode, ttl, data: reader.readExactly(length, () => plainData(reader, code, length)) })
  }
  return read
}

/** What stands before the names in the data of the types that may be compressed, and how many names (RFC 3597 section 4). */
const layouts: ReadonlyMap<string, readonly [before: number, names: number]> = new Map([
  ["NS", [0, 1]],
  ["CNAME", [0, 1]],
  ["DNAME", [0, 1]],
  ["PTR", [0, 1]],
  ["SOA", [0, 2]],
  ["RP", [0, 2]],
  ["MX", [2, 1]],
  ["AFSDB", [2, 1]],
  ["KX", [2, 1]],
  ["SRV", [6, 1]]
])

const plainData = (reader: WireReader, code: number, length: number): Uint8Array => {
  const [before, names] = layouts.get(typeNameOf(code)) ?? [length, 0]
  const head = reader.bytes(before)
  const targets = Array.from({ length: names }, () => encodeName(reader.name()))
  return Uint8Array.from([...head, ...targets.flat(), ...reader.bytes(reader.remaining)])
}

/** The TSIG record's data, read anew from its bytes. */
const signatureIn = ({ data, name }: RawRecord): TsigRecord & { readonly originalId: number } => {
  const reader = new WireReader(data)
  const algorithm = reader.name()
  const time = reader.uint16() * 2 ** 32 + reader.uint32()
  const fudge = reader.uint16()
  const mac = reader.bytes(reader.uint16())
  const originalId = reader.uint16()
  const error = reader.uint16()
  return { keyName: name, algorithm, time, fudge, mac, originalId, error, otherData: reader.bytes(reader.uint16()) }
}
