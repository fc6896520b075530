import { describe, expect, test } from "bun:test"
import { createHmac } from "node:crypto"
import { Array, Either, Redacted } from "effect"
import { decodeSignedMessage, type SignedMessage } from "../../../src/dns/wire/SignedMessage.ts"
import { type TsigChain, startTsigChain, signMessage, type TsigKey, verifyTsig } from "../../../src/dns/wire/Tsig.ts"

const secret = Buffer.from("known to everyone who reads this")
const key: TsigKey = { name: "upd", algorithm: "hmac-sha256", secret: Redacted.make(secret) }
const time = 0x1_0203_0405

const timers = Buffer.from("000102030405012c", "hex")
const variables = Buffer.concat([
  Buffer.from("\u0003upd\0"),
  Buffer.from("00ff00000000", "hex"),
  Buffer.from("\u000bhmac-sha256\0"),
  timers,
  Buffer.alloc(4)
])

const hmac = (...parts: ReadonlyArray<Uint8Array>): Uint8Array =>
  parts.reduce((mac, part) => mac.update(part), createHmac("sha256", secret)).digest()

const sized = (mac: Uint8Array): Uint8Array => Buffer.concat([Buffer.of(0, mac.length), mac])

const unsigned = (text: string): SignedMessage => ({
  id: 0,
  rcode: 0,
  isResponse: true,
  isAuthoritative: true,
  answers: [],
  signedBytes: Buffer.from(text)
})

const withMac = (text: string, mac: Uint8Array): SignedMessage => ({
  ...unsigned(text),
  signature: {
    keyName: "upd",
    algorithm: "hmac-sha256",
    time,
    fudge: 300,
    mac,
    error: 0,
    otherData: new Uint8Array()
  }
})

const request = Buffer.from("the MAC of the request")
const first = withMac("first", hmac(sized(request), Buffer.from("first"), variables))
const firstMac = first.signature?.mac ?? new Uint8Array()
const third = withMac("third", hmac(sized(firstMac), Buffer.from("second"), Buffer.from("third"), timers))

const check = (messages: ReadonlyArray<SignedMessage>, at = time): Either.Either<TsigChain, string> =>
  messages.reduce<Either.Either<TsigChain, string>>(
    (chain, message) => Either.flatMap(chain, (chain) => verifyTsig(chain, message, { key, time: at })),
    Either.right(startTsigChain(request))
  )

describe("a request", () => {
  test("carries its signature as the last record and is otherwise unchanged", () => {
    const message = Buffer.from("123428000001000000000000036e65740000060001", "hex")
    const { bytes, mac } = signMessage(message, key, time)
    const read = Either.getOrThrow(decodeSignedMessage(bytes))
    expect(mac).toEqual(hmac(message, variables))
    expect(read.signature).toMatchObject({ keyName: "upd", algorithm: "hmac-sha256", time, fudge: 300, error: 0 })
    expect(Buffer.compare(read.signature?.mac ?? Buffer.of(), mac)).toBe(0)
    expect(Buffer.compare(read.signedBytes, message)).toBe(0)
  })
})

describe("responses", () => {
  test("are bound to the request and to each other, even between two signatures", () =>
    expect(check([first, unsigned("second"), third])).toMatchObject({ right: { isFirst: false, unsigned: [] } }))

  for (const [about, messages, reason] of [
    ["the first is not signed", [unsigned("first")], "not_signed"],
    ["the first is altered", [{ ...first, signedBytes: Buffer.from("First") }], "wrong_signature"],
    ["one between two signatures is altered", [first, unsigned("Second"), third], "wrong_signature"],
    ["one between two signatures is missing", [first, third], "wrong_signature"],
    ["the first comes twice", [first, first], "wrong_signature"],
    ["the MAC is cut", [withMac("first", firstMac.subarray(0, 16))], "wrong_signature"],
    ["there is no MAC", [withMac("first", new Uint8Array())], "wrong_signature"],
    ["a hundred are not signed", [first, ...Array.replicate(unsigned("x"), 100)], "not_signed"]
  ] as const)
    test(`are rejected if ${about}`, () => expect(check(messages)).toEqual(Either.left(reason)))

  test("are rejected with another key, and if they are too old", () => {
    const otherKey = { ...key, name: "other" }
    expect(verifyTsig(startTsigChain(request), first, { key: otherKey, time })).toEqual(Either.left("wrong_key"))
    expect(check([first], time + 300)._tag).toBe("Right")
    expect(check([first], time + 301)).toEqual(Either.left("wrong_time"))
    expect(check([first], time - 301)).toEqual(Either.left("wrong_time"))
  })
})
