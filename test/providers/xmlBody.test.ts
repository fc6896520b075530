import { expect, test } from "bun:test"
import { Effect, Schema } from "effect"
import { decodeXmlBody } from "../../src/providers/xmlBody.ts"

const lists = { Sets: "Set", Values: "Value" }

const AnySets = Schema.Struct({
  Sets: Schema.Array(Schema.Struct({ Name: Schema.String, Values: Schema.Array(Schema.String) })),
  More: Schema.String
})

const decode = <A, I>(text: string, schema: Schema.Schema<A, I>) =>
  decodeXmlBody({ text, excerpt: text.slice(0, 100) }, schema, lists)

const setOf = (nth: number, values: number) =>
  `<Set><Name>host-${nth}</Name><Values>${"<Value>192.0.2.1 &lt;&#47;Set></Value>".repeat(values)}</Values></Set>\n`

const documentOf = (sets: string) =>
  `<?xml version="1.0"?>\n<Answer xmlns="urn:x"><Sets>${sets}</Sets><More>no</More></Answer>`

test("the elements of a long list are parsed in parts, between which the event loop runs", async () => {
  const sets = Array.from({ length: 300 }, (_, nth) => setOf(nth, 400))
  let turns = 0
  const timer = setInterval(() => (turns += 1), 0)
  const content = await Effect.runPromise(decode(documentOf(sets.join("")), Schema.Unknown))
  clearInterval(timer)
  expect(turns).toBeGreaterThan(20)
  const { More, Sets } = Schema.decodeUnknownSync(AnySets)(content)
  expect([More, Sets.length, Sets[299]?.Name]).toEqual(["no", 300, "host-299"])
  expect(new Set(Sets.flatMap(({ Values }) => Values))).toEqual(new Set(["192.0.2.1 </Set>"]))
  expect(Sets.every(({ Values }) => Values.length === 400)).toBe(true)
})

test("a long document is refused if it is cut off, not well-formed, or not long by the elements of a list", async () => {
  const sets = Array.from({ length: 40 }, (_, nth) => setOf(nth, 400)).join("")
  const whole = documentOf(sets)
  for (const text of [
    whole.slice(0, -20),
    whole.slice(0, 300_000),
    documentOf(sets.replace("</Name>", "</Nome>")),
    documentOf(sets.slice(0, -8)),
    documentOf(setOf(0, 40_000)),
    `<Answer><Sets></Sets><More>${"a".repeat(1_100_000)}</More></Answer>`
  ])
    expect(await Effect.runPromise(Effect.flip(decode(text, AnySets)))).toMatchObject({ kind: "malformed" })
})
