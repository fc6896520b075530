import { describe, expect, test } from "bun:test"
import { Schema } from "effect"
import { OptionalFailure } from "../../../src/domain/connection/Connection.ts"

describe("an optional failure", () => {
  const failure = { type: "TXT", host: "_dmarc", code: "discovery_timeout" } as const

  test("is encoded as text", () => {
    expect(Schema.encodeSync(OptionalFailure)(failure)).toBe("TXT _dmarc discovery_timeout")
  })

  test.each([
    ["TXT _dmarc discovery_timeout", failure],
    ["CAA @ record_type_unsupported", { type: "CAA", host: "@", code: "record_type_unsupported" }],
    ["TXT with a space discovery_timeout", { type: "TXT", host: "with a space", code: "discovery_timeout" }]
  ])("is read from %j", (text, expected) => {
    expect(Schema.decodeSync(OptionalFailure)(text)).toEqual(expected as typeof failure)
    expect(Schema.encodeSync(OptionalFailure)(expected as typeof failure)).toBe(text)
  })

  test.each(["", "discovery_timeout", "TXT discovery_timeout", "TXT _dmarc no_such_code"])(
    "is not read from %j",
    (text) => {
      expect(() => Schema.decodeSync(OptionalFailure)(text)).toThrow()
    }
  )
})
