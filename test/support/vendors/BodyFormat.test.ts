import { expect, test } from "bun:test"
import { xmlFormat } from "./BodyFormat.ts"

const { decode, encode } = xmlFormat("urn:notes", "Note")

test("a body of XML has lists by the plural of their elements, and comes back as it was", () => {
  const notes = [{ Text: 'say "hi" & <go>', Colour: "red" }, { Text: "" }]
  const text = encode({ Answer: { Notes: notes, None: undefined, Total: 2 } })
  expect(text).toBe(
    '<?xml version="1.0"?>\n<Answer xmlns="urn:notes"><Notes>' +
      "<Note><Text>say &quot;hi&quot; &amp; &lt;go&gt;</Text><Colour>red</Colour></Note><Note><Text></Text></Note>" +
      "</Notes><Total>2</Total></Answer>"
  )
  expect(decode(text)).toEqual({ Answer: { Notes: notes, Total: "2" } })
  expect(decode("<Answer>\n  <Notes />\n</Answer>")).toEqual({ Answer: { Notes: [] } })
})

test("a body of XML that is not well-formed, or has what no object has, cannot be read", () => {
  for (const text of [
    "<Answer><Total>2</Answer>",
    "<Answer/><Answer/>",
    "<Answer>&nothing;</Answer>",
    "<Answer>two<Total>2</Total></Answer>",
    "<Answer><Total>2</Total><Total>2</Total></Answer>",
    "<Answer><Notes><Total>2</Total></Notes></Answer>"
  ])
    expect(() => decode(text)).toThrow()
})
