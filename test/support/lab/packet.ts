import { readData, typeName, typeNumber, writeData } from "./rdata.ts"
import { Reader, Writer } from "./wireFormat.ts"

export interface LabQuestion {
  readonly name: string
  readonly type: string
  readonly class: number
}

/** A record as dig prints it: names with a final dot, `ttl` in seconds, data as text. */
export interface LabRecord {
  readonly name: string
  readonly type: string
  readonly ttl: number
  readonly data: string
}

const rcodes = ["NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP", "REFUSED"] as const
export type Rcode = (typeof rcodes)[number]

/** A DNS message; `udpSize` is that of EDNS in bytes, absent without an OPT record. */
export interface LabMessage {
  readonly id: number
  readonly opcode: number
  readonly rcode: Rcode
  readonly response: boolean
  readonly authoritative: boolean
  readonly truncated: boolean
  readonly recursionDesired: boolean
  readonly recursionAvailable: boolean
  readonly questions: ReadonlyArray<LabQuestion>
  readonly answers: ReadonlyArray<LabRecord>
  readonly authority: ReadonlyArray<LabRecord>
  readonly additional: ReadonlyArray<LabRecord>
  readonly udpSize?: number
}

export const emptyMessage: LabMessage = {
  id: 0,
  opcode: 0,
  rcode: "NOERROR",
  response: false,
  authoritative: false,
  truncated: false,
  recursionDesired: false,
  recursionAvailable: false,
  questions: [],
  answers: [],
  authority: [],
  additional: []
}

/** Encodes a query, by default without recursion, as a resolver sends it. */
export const queryFor = (name: string, type: string, options: Partial<LabMessage> = {}): Uint8Array =>
  encode({ ...emptyMessage, id: 4711, questions: [{ name, type, class: 1 }], ...options })

export const encode = (message: LabMessage): Uint8Array => {
  const to = new Writer()
  const { questions, answers, authority, additional, udpSize } = message
  to.u16(message.id)
  to.u16(flagsOf(message))
  to.u16(questions.length)
  to.u16(answers.length)
  to.u16(authority.length)
  to.u16(additional.length + (udpSize === undefined ? 0 : 1))
  for (const question of questions) {
    to.name(question.name)
    to.u16(typeNumber(question.type))
    to.u16(question.class)
  }
  for (const record of [...answers, ...authority, ...additional]) {
    to.name(record.name)
    to.u16(typeNumber(record.type))
    to.u16(1)
    to.u32(record.ttl)
    to.sized(() => writeData(to, record.type, record.data))
  }
  if (udpSize !== undefined) to.raw([0, 0, 41, udpSize >>> 8, udpSize & 0xff, 0, 0, 0, 0, 0, 0])
  return to.finish()
}

/** Decodes a well-formed packet; throws `RangeError` on any other. */
export const decode = (bytes: Uint8Array): LabMessage => {
  const from = new Reader(bytes)
  const id = from.u16()
  const flags = from.u16()
  const [questions = 0, answers = 0, authority = 0, additional = 0] = times(4, () => from.u16())
  const message = {
    id,
    opcode: (flags >>> 11) & 0xf,
    rcode: rcodes[flags & 0xf] ?? "SERVFAIL",
    response: (flags & 0x8000) > 0,
    authoritative: (flags & 0x0400) > 0,
    truncated: (flags & 0x0200) > 0,
    recursionDesired: (flags & 0x0100) > 0,
    recursionAvailable: (flags & 0x0080) > 0,
    questions: times(questions, () => ({ name: from.name(), type: typeName(from.u16()), class: from.u16() })),
    answers: times(answers, () => readRecord(from).record),
    authority: times(authority, () => readRecord(from).record)
  }
  const others = times(additional, () => readRecord(from))
  if (from.offset !== bytes.length) throw new RangeError(`${bytes.length - from.offset} bytes after the message`)
  const opt = others.find(({ record }) => record.type === "OPT")
  return {
    ...message,
    additional: others.map(({ record }) => record).filter(({ type }) => type !== "OPT"),
    ...(opt === undefined ? {} : { udpSize: opt.class })
  }
}

export const decodeIfValid = (bytes: Uint8Array): LabMessage | undefined => {
  try {
    return decode(bytes)
  } catch {
    return undefined
  }
}

const flagsOf = (message: LabMessage): number =>
  (message.response ? 0x8000 : 0) |
  (message.opcode << 11) |
  (message.authoritative ? 0x0400 : 0) |
  (message.truncated ? 0x0200 : 0) |
  (message.recursionDesired ? 0x0100 : 0) |
  (message.recursionAvailable ? 0x0080 : 0) |
  rcodes.indexOf(message.rcode)

const readRecord = (from: Reader) => {
  const name = from.name()
  const type = typeName(from.u16())
  const recordClass = from.u16()
  const ttl = from.u32()
  const length = from.u16()
  return { class: recordClass, record: { name, type, ttl, data: readData(from, type, from.offset + length) } }
}

const times = <A>(count: number, read: () => A): ReadonlyArray<A> => Array.from({ length: count }, read)
