import { expect, test } from "bun:test"
import { FastCheck } from "effect"
import { computeAtOnce } from "../../src/runtime/LongComputation.ts"
import { splitJsonArray } from "../../src/providers/splitJsonArray.ts"

const split = (text: string, partLength = 1) => computeAtOnce(splitJsonArray(text, "rrsets", partLength))

/** The value of a split text. */
const joined = (text: string, partLength?: number): unknown => {
  const result = split(text, partLength)
  if (result === undefined) return undefined
  const rest = JSON.parse(result.rest)
  const elements = result.parts.flatMap((part) => JSON.parse(`[${part}]`))
  return elements.length === 0 ? rest : { ...rest, rrsets: elements }
}

test("the parts of any text have the elements of its array, and the rest has all else", () =>
  FastCheck.assert(
    FastCheck.property(
      FastCheck.dictionary(FastCheck.string(), FastCheck.jsonValue()),
      FastCheck.array(FastCheck.jsonValue()),
      FastCheck.nat(40),
      FastCheck.nat(2),
      (others, rrsets, partLength, indent) => {
        const zone = { ...others, rrsets, last: '"rrsets":[1]\\' }
        expect(joined(JSON.stringify(zone, null, indent), partLength)).toEqual(JSON.parse(JSON.stringify(zone)))
      }
    ),
    { numRuns: 500 }
  ))

test("a text without the array stays whole", () => {
  for (const text of [
    "[]",
    "1",
    '{"a":[1,2]}',
    '{"a":{"rrsets":[1,2]}}',
    '{"rrsets":{"a":[1]}}',
    '{"a":"rrsets","b":[1]}'
  ])
    expect(split(text)).toEqual({ rest: text, key: "", parts: [] })
})

test("an array that does not end or has an empty element is refused, or left to the parser of its parts", () => {
  const invalid = [
    '{"rrsets":[1,2',
    '{"rrsets":["a',
    '{"rrsets":[1,]}',
    '{"rrsets":[,1]}',
    '{"rrsets":[1,,2]}',
    '{"rrsets":[1 2]}',
    '{"rrsets":[1}]',
    '{"rrsets":[1]]}',
    '{"rrsets":[[1}]]}'
  ]
  for (const text of invalid) {
    let value: unknown
    try {
      value = joined(text)
    } catch {
      value = undefined
    }
    expect({ text, value }).toEqual({ text, value: undefined })
  }
})

test("a part ends at the first element that reaches its length", () => {
  const text = JSON.stringify({ rrsets: Array.from({ length: 100 }, (_, index) => ({ name: `host${index}` })) })
  const parts = split(text, 100)?.parts ?? []
  expect(parts.length).toBeGreaterThan(10)
  for (const part of parts) expect(part.length).toBeLessThan(130)
})

const itemsOf = (parts: ReadonlyArray<string> = []) => parts.flatMap((part) => JSON.parse(`[${part}]`))

test("without a member, the parts are those of the text itself, or of the first member that has several", () =>
  FastCheck.assert(
    FastCheck.property(FastCheck.array(FastCheck.jsonValue(), { minLength: 3 }), FastCheck.nat(2), (items, indent) => {
      const splitAny = (value: unknown) =>
        computeAtOnce(splitJsonArray(JSON.stringify(value, null, indent), undefined, 1))
      const list = splitAny(items)
      expect([list?.key, list?.rest]).toEqual(["", "[]"])
      expect(itemsOf(list?.parts)).toEqual(JSON.parse(JSON.stringify(items)))
      const member = splitAny({ few: [1], deep: { items }, 'a"b': items, last: items })
      expect(member?.key).toBe('a\\"b')
      expect(itemsOf(member?.parts)).toEqual(JSON.parse(JSON.stringify(items)))
      expect(JSON.parse(member?.rest ?? "")).toEqual(
        JSON.parse(JSON.stringify({ few: [1], deep: { items }, 'a"b': [], last: items }))
      )
    }),
    { numRuns: 500 }
  ))
