import type { Fault } from "./dnsFaults.ts"
import { decode, type LabQuestion } from "./packet.ts"
import { typeNumber } from "./rdata.ts"
import { Writer } from "./wireFormat.ts"

/** A response that no decoder may trust; `type` is the question type it is built for. */
export interface MalformedResponse {
  readonly name: string
  readonly type: string
  readonly bytes: (query: Uint8Array) => Uint8Array
  readonly fromAnotherPort?: true
}

/** Makes a scripted server send the malformed response. */
export const malformedResponse =
  ({ bytes, fromAnotherPort }: MalformedResponse): Fault =>
  (query) => {
    const packets = [bytes(query.bytes)]
    return fromAnotherPort ? { fromAnotherPort: packets } : packets
  }

/** A record in bytes; `length` is the claimed length of `data`. */
interface MalformedRecord {
  readonly owner?: ReadonlyArray<number>
  readonly type: string
  readonly class?: number
  readonly ttl?: number
  readonly length?: number
  readonly data: ReadonlyArray<number>
}

interface Answer {
  readonly id?: number
  readonly flags?: number
  readonly counts?: readonly [number, number, number, number]
  readonly question?: LabQuestion
  readonly questionClass?: number
  readonly answers?: ReadonlyArray<MalformedRecord>
  readonly authority?: ReadonlyArray<MalformedRecord>
  readonly additional?: ReadonlyArray<MalformedRecord>
  readonly tail?: ReadonlyArray<number>
}

/** A pointer to the name of the question, which follows the header. */
const questionName = [0xc0, 12]
const a: MalformedRecord = { type: "A", data: [8, 8, 8, 8] }

const packet = (query: Uint8Array, answer: Answer): Uint8Array => {
  const { id, questions } = decode(query)
  const { answers = [], authority = [], additional = [], tail = [] } = answer
  const [question = { name: ".", type: "A", class: 1 }] = answer.question ? [answer.question] : questions
  const to = new Writer()
  to.u16(answer.id ?? id)
  to.u16(answer.flags ?? 0x8400)
  for (const count of answer.counts ?? [1, answers.length, authority.length, additional.length]) to.u16(count)
  if (answer.counts?.[0] !== 0) {
    to.name(question.name)
    to.u16(typeNumber(question.type))
    to.u16(answer.questionClass ?? question.class)
  }
  for (const record of [...answers, ...authority, ...additional]) {
    to.raw(record.owner ?? questionName)
    to.u16(typeNumber(record.type))
    to.u16(record.class ?? 1)
    to.u32(record.ttl ?? 300)
    to.u16(record.length ?? record.data.length)
    to.raw(record.data)
  }
  to.raw(tail)
  return to.finish()
}

const response = (name: string, type: string, answer: Answer | ((query: Uint8Array) => Answer)): MalformedResponse => ({
  name,
  type,
  bytes: (query) => packet(query, typeof answer === "function" ? answer(query) : answer)
})

/** The offset of the first answer's owner name: after the header and the question. */
const offsetAfterQuestion = (query: Uint8Array): number => 12 + nameBytes(nameInQuestion(query)).length + 4

const nameInQuestion = (query: Uint8Array): string => decode(query).questions[0]?.name ?? "."

const pointer = (offset: number): ReadonlyArray<number> => [0xc0 | (offset >>> 8), offset & 0xff]

const nameBytes = (name: string): ReadonlyArray<number> => {
  const to = new Writer()
  to.name(name, false)
  return [...to.finish()]
}

const ascii = (text: string): ReadonlyArray<number> => [...new TextEncoder().encode(text)]

const label = (...bytes: ReadonlyArray<number>): ReadonlyArray<number> => [bytes.length, ...bytes]

const cname = (owner: ReadonlyArray<number>, target: ReadonlyArray<number>): MalformedRecord => ({
  owner,
  type: "CNAME",
  data: target
})

const hop = (index: number): ReadonlyArray<number> => [...label(0x63, 0x61 + index), ...questionName]

/** A referral of the question's name to hosts with these addresses. */
const referral = (hosts: ReadonlyArray<readonly [host: string, ipv4: ReadonlyArray<number> | undefined]>): Answer => ({
  flags: 0x8000,
  authority: hosts.map(([host]) => ({ type: "NS", data: nameBytes(host) })),
  additional: hosts.flatMap(([host, data]) => (data ? [{ owner: nameBytes(host), type: "A", data }] : []))
})

/** 8,000 pointers, each to the one before it, then 2,900 owner names that point to the last. */
const pointerChain = (query: Uint8Array): Answer => {
  const start = offsetAfterQuestion(query) + 12
  const links = Array.from({ length: 8000 }, (_, index) => pointer(index === 0 ? 12 : start + 2 * (index - 1))).flat()
  const last = pointer(start + links.length - 2)
  const owners = Array.from({ length: 2900 }, () => ({ ...a, owner: last }))
  return { answers: [{ type: "TYPE65280", data: links }, ...owners] }
}

const malformed: ReadonlyArray<MalformedResponse> = [
  response("a name that points to itself", "A", (query) => ({
    answers: [{ ...a, owner: pointer(offsetAfterQuestion(query)) }]
  })),
  response("two names that point to each other", "A", (query) => {
    const first = offsetAfterQuestion(query)
    const second = first + 2 + 10 + 4
    return {
      answers: [
        { ...a, owner: pointer(second) },
        { ...a, owner: pointer(first) }
      ]
    }
  }),
  response("a pointer behind the end", "A", { answers: [{ ...a, owner: pointer(0x3fff) }] }),
  response("a chain of pointers in 64 KB", "A", pointerChain),
  response("an A without data", "A", { answers: [{ ...a, data: [] }] }),
  response("an A of three bytes", "A", { answers: [{ ...a, data: [1, 2, 3] }] }),
  response("a record that claims 65535 bytes", "A", { answers: [{ ...a, length: 65535 }] }),
  response("counts of 65535", "A", { answers: [a], counts: [1, 65535, 65535, 65535] }),
  response("65535 questions", "A", { answers: [a], counts: [65535, 1, 0, 0] }),
  response("a text that runs past its record", "TXT", {
    answers: [{ type: "TXT", data: [200, ...ascii("text")] }]
  }),
  response("a CAA tag that runs past its record", "CAA", {
    answers: [
      { type: "CAA", data: [0, 200, ...ascii("issue")] },
      { type: "CAA", data: [0, 5, ...ascii("issueca.test")] }
    ]
  }),
  response("an MX without a host", "MX", { answers: [{ type: "MX", data: [0, 10] }] }),
  response("an SOA cut short", "SOA", { answers: [{ type: "SOA", data: [0, 0, 0, 0] }] }),
  response("a name that runs past its record", "NS", {
    answers: [{ type: "NS", length: 2, data: nameBytes("ns1.evil.test") }]
  }),
  response("a label of 64 bytes", "NS", { answers: [{ type: "NS", data: [64, ...Array<number>(64).fill(0x61), 0] }] }),
  response("a name of over 255 bytes", "NS", {
    answers: [
      { type: "NS", data: [...Array.from({ length: 5 }, () => label(...Array<number>(63).fill(0x61))).flat(), 0] }
    ]
  }),
  response("bytes behind the message", "A", { answers: [a], tail: [1, 2, 3, 4] }),
  { name: "an empty packet", type: "A", bytes: () => new Uint8Array() },
  { name: "a header only", type: "A", bytes: (query) => packet(query, { answers: [a] }).slice(0, 12) },
  { name: "half a record", type: "A", bytes: (query) => packet(query, { answers: [a] }).slice(0, -3) }
]

const misdirected: ReadonlyArray<MalformedResponse> = [
  response("no question", "A", (query) => ({
    counts: [0, 1, 0, 0],
    answers: [{ ...a, owner: nameBytes(nameInQuestion(query)) }]
  })),
  response("another question", "A", { answers: [a], question: { name: "evil.test", type: "A", class: 1 } }),
  response("a question of another type", "A", (query) => ({
    answers: [a],
    question: { name: nameInQuestion(query), type: "AAAA", class: 1 }
  })),
  response("a question of class CH", "A", { answers: [a], questionClass: 3 }),
  response("a record of class CH", "A", { answers: [{ ...a, class: 3 }] }),
  response("a record of another owner", "A", { answers: [{ ...a, owner: nameBytes("evil.test") }] }),
  response("another id", "A", (query) => ({ answers: [a], id: decode(query).id ^ 1 })),
  response("a query instead of an answer", "A", { answers: [a], flags: 0x0400 }),
  response("an answer to an update", "A", { answers: [a], flags: 0xac00 }),
  { ...response("another port", "A", { answers: [a] }), fromAnotherPort: true }
]

const odd: ReadonlyArray<MalformedResponse> = [
  response("a label that holds a dot", "CNAME", {
    answers: [cname(questionName, [...label(...ascii("a.b")), ...questionName])]
  }),
  response("a label that holds a NUL", "CNAME", {
    answers: [cname(questionName, [...label(0x61, 0, 0x62), ...questionName])]
  }),
  response("a label that holds a CR", "CNAME", {
    answers: [cname(questionName, [...label(0x61, 13, 0x62), ...questionName])]
  }),
  response("a TTL of 2^32 - 1", "A", { answers: [{ ...a, ttl: 0xffffffff }] }),
  response("a CNAME that points to itself", "A", { answers: [cname(questionName, questionName)] }),
  response("a loop of two CNAMEs", "A", { answers: [cname(questionName, hop(0)), cname(hop(0), questionName)] }),
  response("a chain of 12 CNAMEs", "A", {
    answers: [
      cname(questionName, hop(0)),
      ...Array.from({ length: 11 }, (_, index) => cname(hop(index), hop(index + 1))),
      { ...a, owner: hop(11) }
    ]
  })
]

const referrals: ReadonlyArray<MalformedResponse> = [
  response("a name server below the name it serves, without an address", "A", (query) =>
    referral([[`ns1.${nameInQuestion(query)}`, undefined]])
  ),
  response("100 name servers", "A", () =>
    referral(Array.from({ length: 100 }, (_, index) => [`ns${index}.many.test`, [11, 9, 0, index]] as const))
  ),
  response("a name server at the metadata address", "A", referral([["ns1.evil.test", [169, 254, 169, 254]]])),
  response("a name server on loopback", "A", referral([["ns1.evil.test", [127, 0, 0, 1]]]))
]

/** By the defect: the bytes, the question or sender, the contents, the referral. */
export const malformedResponses = { malformed, misdirected, odd, referrals } as const
