import { expect, test } from "bun:test"
import { Schema } from "effect"
import { declareTypes } from "../../tools/declareTypes.ts"

const Colour = Schema.Literal("red", "blue")

const Shop = Schema.Struct({
  name: Schema.String.annotations({ description: "As customers know it." }),
  isOpen: Schema.optionalWith(Schema.Boolean, { exact: true }),
  colours: Schema.Array(Colour),
  since: Schema.DateTimeUtc
})

test("types are declared as they are encoded, with their descriptions, and by name where one is part of another", () =>
  expect(declareTypes({ Colour, Shop })).toBe(`export type Colour =
  | "red"
  | "blue"

export type Shop = {
  /** As customers know it. */
  readonly name: string
  readonly isOpen?: boolean
  readonly colours: ReadonlyArray<Colour>
  readonly since: string
}
`))

test("a schema of a kind that is not known is an error", () =>
  expect(() => declareTypes({ Count: Schema.Number })).toThrow("NumberKeyword"))
