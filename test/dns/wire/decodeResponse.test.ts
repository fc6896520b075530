import { describe, expect, test } from "bun:test"
import { Either, FastCheck } from "effect"
import type { RecordTypeName } from "../../../src/domain/records/dnsTypes.ts"
import { encodeQuery, type Message } from "../../../src/dns/wire/Message.ts"
import { decodeResponse } from "../../../src/dns/wire/decodeResponse.ts"
import { malformedResponses } from "../../support/lab/malformedResponses.ts"
import { emptyMessage, encode, type LabMessage } from "../../support/lab/packet.ts"
import { questionTypeOf } from "../questionTypeOf.ts"

const id = 4711
const host = "host.example.com"
const query = (type: RecordTypeName) =>
  encodeQuery({ id, question: { name: host, type }, recursionDesired: false, hasEdns: true })

/** The response of a correct server, with data as in a zone file. */
const encodeResponse = (
  type: RecordTypeName,
  data: ReadonlyArray<string>,
  more: Partial<LabMessage> = {}
): Uint8Array =>
  encode({
    ...emptyMessage,
    id,
    response: true,
    authoritative: true,
    questions: [{ name: `${host}.`, type, class: 1 }],
    answers: data.map((text) => ({ name: `${host}.`, type, ttl: 300, data: text })),
    udpSize: 1232,
    ...more
  })

const decode = (bytes: Uint8Array, type: RecordTypeName): Either.Either<Message, string> =>
  Either.mapLeft(decodeResponse(bytes, { id, question: { name: host, type } }), ({ reason }) => reason)

const message = (answers: Message["answers"]): Message => ({
  rcode: 0,
  aa: true,
  tc: false,
  ra: false,
  answers,
  authorities: [],
  additionals: []
})

/** Data in the generic form of RFC 3597. */
const generic = (...parts: ReadonlyArray<string>): string => {
  const hex = parts.join("")
  return `\\# ${hex.length / 2} ${hex}`
}

describe("the decoder of records", () => {
  const forms: ReadonlyArray<readonly [what: string, type: RecordTypeName, data: string, expected: object]> = [
    ["an A", "A", "192.0.2.1", { value: "192.0.2.1" }],
    ["an AAAA in canonical form", "AAAA", "2001:db8:0:0:0:0:0:1", { value: "2001:db8::1" }],
    ["a CNAME in lower case without a final dot", "CNAME", "WWW.Example.ORG.", { value: "www.example.org" }],
    ["an NS", "NS", "ns1.example.net.", { value: "ns1.example.net" }],
    ["a DNAME", "DNAME", "example.org.", { value: "example.org" }],
    ["an MX with a separate priority", "MX", "10 mail.example.com.", { priority: 10, value: "mail.example.com" }],
    ["a null MX", "MX", "0 .", { priority: 0, value: "." }],
    [
      "an SRV with a separate priority",
      "SRV",
      "1 2 443 sip.example.com.",
      { priority: 1, value: "2 443 sip.example.com" }
    ],
    [
      "a TXT of several strings, concatenated",
      "TXT",
      '"v=DKIM1; k=rsa; " "p=MIIB"',
      { value: "v=DKIM1; k=rsa; p=MIIB" }
    ],
    ["a TXT with unchanged quotes and backslashes", "TXT", '"a\\"b\\\\c"', { value: 'a"b\\c' }],
    ["a TXT in UTF-8", "TXT", '"gr\\195\\188n"', { value: "grün" }],
    ["a TXT that is not UTF-8, with the invalid bytes escaped", "TXT", '"a\\255\\092b"', { value: "a\\255\\092b" }],
    ["a TXT with an escaped NUL", "TXT", '"a\\000b"', { value: "a\\000b" }],
    ["a CAA", "CAA", '0 issue "letsencrypt.org"', { value: '0 issue "letsencrypt.org"' }],
    ["a CAA with an escaped quote", "CAA", generic(`0005${hexOf('issuea"b')}`), { value: '0 issue "a\\034b"' }],
    ["a CAA with an invalid tag in the generic form", "CAA", generic("0001203132"), { value: generic("0001203132") }],
    ["an SOA", "SOA", "ns1.a. host.a. 7 1 2 3 4", { value: "ns1.a host.a 7 1 2 3 4" }],
    ["an RP as two names", "RP", generic("0161c00c", "0162c00c"), { value: `a.${host} b.${host}` }],
    ["an AFSDB with its host", "AFSDB", generic("0001", "0161c00c"), { value: `1 a.${host}` }],
    ["a KX with its host", "KX", generic("000a", "0161c00c"), { value: `10 a.${host}` }],
    ["a DS", "DS", generic("ec45080200ff"), { value: "60485 8 2 00ff" }],
    ["a type without a form in the generic form", "DNSKEY", generic("030101ab"), { value: generic("030101ab") }],
    ["a CERT in the generic form", "CERT", generic("0001000000ab"), { value: generic("0001000000ab") }],
    [
      "an HTTPS in presentation format",
      "HTTPS",
      generic("000100", "00010006026832026833", "0003000201bb", "00040004c0000201", "ffde000161"),
      { value: '1 . alpn=h2,h3 port=443 ipv4hint=192.0.2.1 key65502="a"' }
    ],
    [
      "an HTTPS with all other parameters",
      "HTTPS",
      generic("0001016100", "0000000400010004", "00020000", "00050002feed", "0006001020010db8", "0".repeat(23), "1"),
      { value: "1 a mandatory=alpn,ipv4hint no-default-alpn ech=/u0= ipv6hint=2001:db8::1" }
    ]
  ]
  test.each(forms)("reads %s", (_, type, data, expected) => {
    expect(decode(encodeResponse(type, [data]), type)).toEqual(
      Either.right(message([{ name: host, type, ttl: 300, ...expected } as Message["answers"][number]]))
    )
  })

  test("keeps the order of several records", () => {
    const values = ["192.0.2.2", "192.0.2.1", "192.0.2.3"]
    expect(
      Either.map(decode(encodeResponse("A", values), "A"), ({ answers }) => answers.map(({ value }) => value))
    ).toEqual(Either.right(values))
  })
})

describe("a response", () => {
  const soa = { name: "example.com.", type: "SOA", ttl: 300, data: "ns1.a. host.a. 7 1 2 3 4" }
  const ns = { name: "example.com.", type: "NS", ttl: 60, data: "ns1.a." }
  const glue = { name: "ns1.a.", type: "A", ttl: 60, data: "192.0.2.53" }

  test("distinguishes a missing name from a missing type", () => {
    const absent = encodeResponse("A", [], { rcode: "NXDOMAIN", authority: [soa] })
    const empty = encodeResponse("A", [], { authority: [soa] })
    expect([absent, empty].map((bytes) => Either.map(decode(bytes, "A"), ({ rcode }) => rcode))).toEqual([
      Either.right(3),
      Either.right(0)
    ])
  })

  test("keeps its sections separate, without the OPT record", () => {
    const referral = encodeResponse("A", [], { authoritative: false, authority: [ns], additional: [glue] })
    expect(decode(referral, "A")).toEqual(
      Either.right({
        ...message([]),
        aa: false,
        authorities: [{ name: "example.com", type: "NS", ttl: 60, value: "ns1.a" }],
        additionals: [{ name: "ns1.a", type: "A", ttl: 60, value: "192.0.2.53" }]
      })
    )
  })

  test("takes the upper bits of its response code from the OPT record", () => {
    const bytes = encodeResponse("A", [])
    bytes[bytes.length - 6] = 1
    expect(Either.map(decode(bytes, "A"), ({ rcode }) => rcode)).toEqual(Either.right(16))
  })

  test("has no records if it is truncated", () => {
    expect(decode(encodeResponse("A", ["192.0.2.1"], { truncated: true }).slice(0, -3), "A")).toEqual(
      Either.right({ ...message([]), tc: true })
    )
  })

  test("may be a bare header if it reports a format error", () => {
    const bytes = encodeResponse("A", [], { rcode: "FORMERR", questions: [], authoritative: false }).slice(0, 12)
    expect(Either.map(decode(bytes, "A"), ({ rcode }) => rcode)).toEqual(Either.right(1))
  })

  test("may echo the question in any letter case", () => {
    const bytes = encodeResponse("A", ["192.0.2.1"], {
      questions: [{ name: "HOST.Example.com.", type: "A", class: 1 }]
    })
    expect(Either.isRight(decode(bytes, "A"))).toBe(true)
  })
})

describe("a hostile response", () => {
  const reasons: Readonly<Record<string, string>> = {
    "a name that points to itself": "pointer_not_backwards",
    "two names that point to each other": "pointer_not_backwards",
    "a pointer behind the end": "pointer_not_backwards",
    "a chain of pointers in 64 KB": "too_many_records",
    "counts of 65535": "too_many_records",
    "65535 questions": "wrong_question",
    "a label of 64 bytes": "label_type_unknown",
    "a name of over 255 bytes": "name_too_long",
    "bytes behind the message": "trailing_bytes",
    "no question": "wrong_question",
    "another question": "wrong_question",
    "a question of another type": "wrong_question",
    "a question of class CH": "wrong_question",
    "a record of class CH": "class_not_in",
    "a record of another owner": "wrong_owner",
    "another id": "wrong_id",
    "a query instead of an answer": "not_an_answer",
    "an answer to an update": "not_an_answer"
  }
  const misdirected = malformedResponses.misdirected.filter(({ fromAnotherPort }) => fromAnotherPort === undefined)

  test.each([...malformedResponses.malformed, ...misdirected].map((answer) => [answer.name, answer] as const))(
    "with %s is rejected",
    (name, answer) => {
      const type = questionTypeOf(answer)
      expect(decode(answer.bytes(query(type)), type)).toEqual(Either.left(reasons[name] ?? "too_short"))
    }
  )

  test.each([
    ["a label that holds a dot", "a\\046b.host.example.com"],
    ["a label that holds a NUL", "a\\000b.host.example.com"],
    ["a label that holds a CR", "a\\013b.host.example.com"]
  ])("with %s is read as one label", (name, value) => {
    expect(decode(oddAnswer(name), "CNAME")).toEqual(
      Either.right(message([{ name: host, type: "CNAME", ttl: 300, value }]))
    )
  })

  test("with a TTL of 2^32 - 1 has a TTL of 0", () => {
    expect(decode(oddAnswer("a TTL of 2^32 - 1"), "A")).toEqual(
      Either.right(message([{ name: host, type: "A", ttl: 0, value: "8.8.8.8" }]))
    )
  })

  test("with 400 names of 126 labels each is rejected", () => {
    const labels = [...Array.from({ length: 126 }, () => [1, 0xff]).flat(), 0]
    const first = [...labels, 0, 2, 0, 1, 0, 0, 0, 1, 0, 2, 0xc0, 12]
    const start = encodeResponse("NS", []).length - 11
    const others = Array.from({ length: 399 }, () => [0xc0, start, 0, 2, 0, 1, 0, 0, 0, 1, 0, 2, 0xc0, start]).flat()
    const bytes = Uint8Array.from([...encodeResponse("NS", []).slice(0, start), ...first, ...others])
    bytes.set([0, 0, 1, 0x90, 0, 0, 0, 0], 4)
    bytes.set([0, 1], 4)
    expect(decode(bytes, "NS")).toEqual(Either.left("too_many_labels"))
  })
})

describe("for any bytes", () => {
  test("the response is decoded or rejected", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.uint8Array({ maxLength: 600 }), (tail) =>
        isSound(Uint8Array.from([...encodeResponse("A", []).slice(0, 6), ...tail]), "A")
      )
    )
  })

  test("no record of a damaged response has a partial value", () => {
    const samples: ReadonlyArray<readonly [RecordTypeName, Uint8Array]> = [
      ["A", encodeResponse("A", ["192.0.2.1", "192.0.2.2"])],
      ["MX", encodeResponse("MX", ["10 a.b.c.", "20 d.e.f."])],
      ["TXT", encodeResponse("TXT", ['"one" "two"', '"three"'])],
      ["CAA", encodeResponse("CAA", ['0 issue "a.example"', '128 iodef "mailto:a@b.example"'])],
      ["SRV", encodeResponse("SRV", ["1 2 3 a.b."])],
      ["SOA", encodeResponse("SOA", ["a.b. c.d. 1 2 3 4 5"])],
      ["HTTPS", encodeResponse("HTTPS", [generic("000100", "00010006026832026833", "0003000201bb")])]
    ]
    const damage = FastCheck.array(FastCheck.tuple(FastCheck.nat(), FastCheck.nat({ max: 255 })), { maxLength: 4 })
    FastCheck.assert(
      FastCheck.property(
        FastCheck.constantFrom(...samples),
        damage,
        FastCheck.nat({ max: 5 }),
        ([type, encodeResponse], at, cut) => {
          const bytes = encodeResponse.slice(0, encodeResponse.length - cut)
          for (const [position, byte] of at) bytes[12 + (position % (bytes.length - 12))] = byte
          return isSound(bytes, type)
        }
      ),
      { numRuns: 2_000 }
    )
  })
})

const isSound = (bytes: Uint8Array, type: RecordTypeName): boolean =>
  Either.match(decode(bytes, type), {
    onLeft: (reason) => /^[a-z_]+$/.test(reason),
    onRight: ({ additionals, answers, authorities }) =>
      [...answers, ...authorities, ...additionals].every(
        (record) =>
          Number.isInteger(record.ttl) &&
          Number.isInteger(record.priority ?? 0) &&
          !/undefined|NaN/.test(`${record.name} ${record.type} ${record.value}`) &&
          !record.value.includes("\0")
      )
  })

const hexOf = (text: string): string => Buffer.from(text).toString("hex")

const oddAnswer = (name: string): Uint8Array => {
  const answer = malformedResponses.odd.find((odd) => odd.name === name)
  return answer?.bytes(query(questionTypeOf(answer))) ?? new Uint8Array()
}
