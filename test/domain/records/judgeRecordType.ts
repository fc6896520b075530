import { expect, test } from "bun:test"
import { Either, Encoding } from "effect"
import fc from "fast-check"
import { decodeRecordData, encodeRecordData, typeCodeOf } from "../../../src/domain/records/dnsTypes.ts"
import { parseValue, type RecordType } from "../../../src/domain/records/recordTypes.ts"
import { WireReader } from "../../../src/dns/wire/WireReader.ts"
import { formatContent, parseContent } from "../../../src/providers/writing/recordContent.ts"
import { testIfPossible } from "../../support/describeIfPossible.ts"
import { programPath } from "../../support/lab/labAvailability.ts"
import { expectOutcomes, expectSuggestions, type Outcomes } from "../outcomes.ts"

/** What is tested of a type whose value is written as in a zone file. */
interface Expectations {
  readonly outcomes: Outcomes
  readonly suggestions: Parameters<typeof expectSuggestions>[1]
  /** Valid values in many spellings. */
  readonly spellings: fc.Arbitrary<string>
}

/** Tests how the values of a type are parsed, and their data against BIND's. */
export const judgeRecordType = (type: RecordType, { outcomes, spellings, suggestions }: Expectations): void => {
  const parse = (value: string) => parseValue(type, value)

  test(`the value of ${type} is brought into normal form, or refused`, () => expectOutcomes(parse, outcomes))

  test(`the value of ${type} is suggested where it is not far`, () => expectSuggestions(parse, suggestions))

  test(`the data of ${type} are the same after a message and after a zone file`, () =>
    fc.assert(
      fc.property(spellings, (spelling) => {
        const value = Either.getOrThrow(parse(spelling))
        const bytes = encodeRecordData({ type, value })
        const reader = new WireReader(bytes)
        expect([decodeRecordData(reader, type, bytes.length).value, reader.fault]).toEqual([value, undefined])
        expect(parseContent(type, formatContent({ host: "@", ttl: 1, type, value, optional: false }))).toEqual({
          type,
          value
        })
        expect(parse(value)).toEqual(Either.right(value))
      })
    ))

  testIfPossible(`the data of ${type} have the bytes that BIND gives them`, noJudge, () =>
    fc.assert(
      fc.property(spellings, (spelling) => {
        const value = Either.getOrThrow(parse(spelling))
        const content = formatContent({ host: "@", ttl: 1, type, value, optional: false })
        const bytes = Encoding.encodeHex(encodeRecordData({ type, value })).toUpperCase()
        expect(checkByBind(`IN ${type} ${content}`)).toBe(
          `CLASS1 TYPE${typeCodeOf(type)} \\# ${bytes.length / 2} ${bytes}`
        )
      }),
      { numRuns: 50 }
    )
  )
}

const checker = programPath("named-rrchecker")

const noJudge = checker === "named-rrchecker" ? "named-rrchecker of BIND is not installed" : undefined

/** The generic form that BIND has for a record, or what it says against it. */
const checkByBind = (record: string): string => {
  const { stderr, stdout } = Bun.spawnSync([checker, "-u"], { stdin: Buffer.from(`${record}\n`) })
  return `${stdout}${stderr}`.trim().replaceAll("\t", " ")
}

/** Digits in hexadecimal, of some bytes, in either letter case. */
export const hexOf = (bytes: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.uint8Array({ minLength: bytes, maxLength: bytes }), fc.boolean())
    .map(([value, isUpper]) => (isUpper ? Encoding.encodeHex(value).toUpperCase() : Encoding.encodeHex(value)))

export const uint8Text: fc.Arbitrary<string> = fc.integer({ min: 0, max: 255 }).map(String)

export const uint16Text: fc.Arbitrary<string> = fc.integer({ min: 0, max: 65_535 }).map(String)

/** Fields with blanks between them. */
export const words = (...fields: ReadonlyArray<fc.Arbitrary<string>>): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(" ", "  ", "\t"), ...fields).map(([blank, ...texts]) => texts.join(blank))
