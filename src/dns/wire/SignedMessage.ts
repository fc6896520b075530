import { Either } from "effect"
import { decodeRecordData, encodeRecordData, hasCompressibleNames, typeNameOf } from "../../domain/records/dnsTypes.ts"
import { type WireFault, WireReader } from "./WireReader.ts"
import { classIn } from "./classes.ts"

/** A record with the code of its type; its data are bytes without compression, the names in them in lower case. */
export interface RawRecord {
  readonly name: string
  readonly code: number
  readonly ttl: number
  readonly data: Uint8Array
}

/** A TSIG record (RFC 8945 section 4.2); `time` is in seconds since 1970, `fudge` in seconds. */
export interface TsigRecord {
  readonly keyName: string
  readonly algorithm: string
  readonly time: number
  readonly fudge: number
  readonly mac: Uint8Array
  readonly error: number
  readonly otherData: Uint8Array
}

/** A response to a signed request: its header, the records of its answer section, and the bytes that were signed. */
export interface SignedMessage {
  readonly id: number
  readonly rcode: number
  readonly isResponse: boolean
  readonly isAuthoritative: boolean
  readonly answers: ReadonlyArray<RawRecord>
  readonly signature?: TsigRecord
  /** The message as it was when it was signed, without its TSIG record (RFC 8945 section 4.3.2). */
  readonly signedBytes: Uint8Array
}

/** Decodes a response strictly; a record of another class than IN in its answer section fails it. */
export const decodeSignedMessage = (bytes: Uint8Array): Either.Either<SignedMessage, WireFault | "class_not_in"> => {
  const reader = new WireReader(bytes, maxSteps)
  const [id = 0, flags = 0, questions = 0, answerCount = 0, authorities = 0, additionals = 0] = Array.from(
    { length: 6 },
    () => reader.readUint16()
  )
  for (let left = questions; left > 0 && reader.remaining > 0; left -= 1) skipQuestion(reader)
  const answers = readRecords(reader, answerCount)
  readRecords(reader, authorities)
  const others = readRecords(reader, Math.max(additionals - 1, 0))
  const end = bytes.length - reader.remaining
  const [last] = readRecords(reader, Math.min(additionals, 1))
  if (reader.fault !== undefined) return Either.left(reader.fault)
  if (reader.remaining > 0 || others.some(({ code }) => code === tsigTypeCode)) return Either.left("data_length_wrong")
  if (answers.some(({ classCode }) => classCode !== classIn)) return Either.left("class_not_in")
  const header = {
    id,
    rcode: flags & 0xf,
    isResponse: (flags & 0x8000) !== 0,
    isAuthoritative: (flags & 0x400) !== 0,
    answers
  }
  if (last?.code !== tsigTypeCode) return Either.right({ ...header, signedBytes: bytes })
  const { originalId, ...signature } = decodeTsig(last)
  const signedBytes = Uint8Array.from(bytes.subarray(0, end))
  new DataView(signedBytes.buffer).setUint16(0, originalId)
  new DataView(signedBytes.buffer).setUint16(additionalCountOffset, additionals - 1)
  return Either.right({ ...header, signature, signedBytes })
}

/** A message of a zone transfer may have 3,000 names of many labels. */
const maxSteps = 131_072

export const tsigTypeCode = 250

/** The offset in a message of the number of its additional records. */
export const additionalCountOffset = 10

const skipQuestion = (reader: WireReader): void => {
  reader.readName()
  reader.readUint32()
}

const readRecords = (reader: WireReader, count: number) => {
  const records: Array<RawRecord & { readonly classCode: number }> = []
  while (records.length < count && reader.fault === undefined) {
    const name = reader.readName()
    const code = reader.readUint16()
    const classCode = reader.readUint16()
    const ttl = reader.readUint32()
    const length = reader.readUint16()
    records.push({
      name,
      code,
      classCode,
      ttl,
      data: reader.readExactly(length, () => readUncompressed(reader, code, length))
    })
  }
  return records
}

/** Only types with names and numbers alone have names that may be compressed (RFC 3597 section 4). */
const readUncompressed = (reader: WireReader, code: number, length: number): Uint8Array => {
  const type = typeNameOf(code)
  return hasCompressibleNames(type)
    ? encodeRecordData({ type, ...decodeRecordData(reader, type, length) })
    : reader.readBytes(length)
}

const decodeTsig = ({ data, name }: RawRecord): TsigRecord & { readonly originalId: number } => {
  const reader = new WireReader(data)
  const algorithm = reader.readName()
  const time = reader.readUint16() * 2 ** 32 + reader.readUint32()
  const fudge = reader.readUint16()
  const mac = reader.readBytes(reader.readUint16())
  const originalId = reader.readUint16()
  const error = reader.readUint16()
  return {
    keyName: name,
    algorithm,
    time,
    fudge,
    mac,
    originalId,
    error,
    otherData: reader.readBytes(reader.readUint16())
  }
}
