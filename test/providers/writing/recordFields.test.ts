import { expect, test } from "bun:test"
import { parseContent } from "../../../src/providers/writing/recordContent.ts"
import { formatRecordFields, parseCaaFields, toRecordFields } from "../../../src/providers/writing/recordFields.ts"

/** The data of a record in normal form, the fields of an API, and the presentation format. */
const examples = [
  ["A", { value: "192.0.2.1" }, { value: "192.0.2.1" }, "192.0.2.1"],
  ["MX", { priority: 10, value: "mx.example.net" }, { priority: 10, value: "mx.example.net" }, "10 mx.example.net"],
  [
    "SRV",
    { priority: 10, value: "20 5060 sip.example.net" },
    { priority: 10, weight: 20, port: 5060, value: "sip.example.net" },
    "10 20 5060 sip.example.net"
  ],
  [
    "CAA",
    { value: String.raw`0 issue "ca.example; note=\034\195\188"` },
    { flags: 0, tag: "issue", value: 'ca.example; note="ü' },
    String.raw`0 issue "ca.example; note=\"\195\188"`
  ]
] as const

for (const [type, data, fields, content] of examples)
  test(`the data of ${type} become fields, and the fields the same data`, () => {
    expect(toRecordFields({ host: "www", type, ttl: 300, optional: false, ...data })).toEqual(fields)
    expect(formatRecordFields(type, fields)).toBe(content)
    expect(parseContent(type, content)).toEqual({ type, ...data })
  })

test("numbers that a provider does not show are 0", () => {
  expect(formatRecordFields("SRV", { priority: null, value: "." })).toBe("0 0 0 .")
})

test("the value of a CAA may have bytes that are no text", () => {
  expect([...parseCaaFields(String.raw`128 iodef "\255"`).bytes]).toEqual([255])
})
