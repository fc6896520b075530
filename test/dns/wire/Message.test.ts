import { describe, expect, test } from "bun:test"
import { Either, FastCheck } from "effect"
import { formatLabel } from "../../../src/domain/records/presentation.ts"
import { encodeQuery } from "../../../src/dns/wire/Message.ts"
import { decodeResponse } from "../../../src/dns/wire/decodeResponse.ts"
import { decode, emptyMessage } from "../../support/lab/packet.ts"

describe("a query", () => {
  test("contains one question, with EDNS for 1,232 bytes", () => {
    const question = { name: "_dmarc.example.com", type: "TXT" } as const
    expect(decode(encodeQuery({ id: 65_535, question, recursionDesired: false, hasEdns: true }))).toEqual({
      ...emptyMessage,
      id: 65_535,
      questions: [{ name: "_dmarc.example.com.", type: "TXT", class: 1 }],
      udpSize: 1232
    })
  })

  test("to a resolver requests recursion, and can omit EDNS", () => {
    const question = { name: ".", type: "NS" } as const
    expect(decode(encodeQuery({ id: 0, question, recursionDesired: true, hasEdns: false }))).toEqual({
      ...emptyMessage,
      recursionDesired: true,
      questions: [{ name: ".", type: "NS", class: 1 }]
    })
  })

  test("can contain any name of a response", () => {
    const label = FastCheck.uint8Array({ minLength: 1, maxLength: 40 })
    FastCheck.assert(
      FastCheck.property(FastCheck.array(label, { minLength: 1, maxLength: 5 }), (labels) => {
        const question = { name: labels.map(formatLabel).join("."), type: "A" } as const
        const answer = encodeQuery({ id: 1, question, recursionDesired: false, hasEdns: false })
        answer[2] = 0x80
        return Either.isRight(decodeResponse(answer, { id: 1, question }))
      })
    )
  })
})
