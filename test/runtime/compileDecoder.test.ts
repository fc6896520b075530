import { describe, expect, test } from "bun:test"
import { Arbitrary, DateTime, Either, FastCheck, Schema } from "effect"
import { Connection } from "../../src/domain/connection/Connection.ts"
import { Progress } from "../../src/domain/connection/ConnectionRecord.ts"
import { IntentRequest } from "../../src/domain/connection/Intent.ts"
import { Metadata } from "../../src/domain/connection/PlatformFields.ts"
import { strictParsing } from "../../src/http/contract/requestSchemas.ts"
import { compileDecoder } from "../../src/runtime/compileDecoder.ts"
import { propertyRuns } from "../support/propertyRuns.ts"

/** Rows of several forms, with all that a schema can have. */
const Row = Schema.Union(
  Schema.Struct({ id: Schema.String, found: Schema.Null }),
  Schema.Struct({
    id: Schema.NonEmptyString.pipe(Schema.brand("RowId")),
    found: Schema.Literal("yes", 2),
    at: Schema.DateTimeUtc,
    nested: Schema.parseJson(Schema.Struct({ parts: Schema.Array(Schema.Int) })),
    exact: Schema.optionalWith(Schema.String, { exact: true }),
    loose: Schema.optional(Schema.Boolean),
    defaulted: Schema.optionalWith(Schema.NumberFromString, { default: () => 7 }),
    pair: Schema.Tuple(Schema.String, Schema.Number),
    named: Schema.Record({ key: Schema.String, value: Schema.NullOr(Schema.Number) })
  }),
  Schema.Struct({ id: Schema.Unknown })
)

describe("a compiled decoder", () => {
  test("decodes rows of several forms, and what is none, as their schema does", () => decodesAsDeclared(Row))

  test("decodes every connection, and what is none, as its schema does", () => decodesAsDeclared(Connection))

  test("decodes all progress, and what is none, as its schema does", () => decodesAsDeclared(Progress))

  test("decodes every intent of a request, and what is none, as its schema does", () =>
    decodesAsDeclared(IntentRequest))

  test("decodes every request that lists all its faults and refuses what it does not declare as its schema does", () => {
    const Request = Schema.Struct({
      intent: IntentRequest,
      metadata: Schema.optionalWith(Metadata, { exact: true }),
      defaulted: Schema.optionalWith(Schema.Struct({ kept: Schema.String }), { default: () => ({ kept: "a" }) }),
      form: Schema.Union(Schema.Struct({ a: Schema.String }), Schema.Struct({ b: Schema.optional(Schema.Number) }))
    }).annotations(strictParsing)
    decodesAsDeclared(Request)
  })

  test("leaves out what the schema does not declare, unless the schema refuses it", () => {
    const fields = { kept: Schema.String }
    expect(compileDecoder(Schema.Struct(fields))({ kept: "a", extra: 1 })).toEqual(Either.right({ kept: "a" }))
    const strict = Schema.Struct(fields).annotations({ parseOptions: { onExcessProperty: "error" } })
    const nested = compileDecoder(Schema.Array(strict))
    expect(Either.isLeft(nested([{ kept: "a", extra: 1 }]))).toBe(true)
  })

  test("refuses an undefined field that may only be absent", () => {
    const decode = compileDecoder(Schema.Struct({ exact: Schema.optionalWith(Schema.String, { exact: true }) }))
    expect([decode({}), Either.isLeft(decode({ exact: undefined }))]).toEqual([Either.right({}), true])
  })

  test("makes instances of classes", () => {
    class Point extends Schema.Class<Point>("Point")({ at: Schema.DateTimeUtc }) {}
    const decoded = Either.getOrThrow(compileDecoder(Schema.Array(Point))([{ at: "2026-01-01T00:00:00.000Z" }]))
    expect(decoded[0]).toBeInstanceOf(Point)
    expect(decoded[0]?.at).toEqual(DateTime.unsafeMake("2026-01-01T00:00:00.000Z"))
  })
})

/** Valid values, and the same with one field, at any depth, replaced, added or taken away. */
const decodesAsDeclared = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = compileDecoder(schema)
  const decodeAsUsual = Schema.decodeUnknownEither(schema)
  const encode = Schema.encodeSync(schema)
  const replacement = FastCheck.constantFrom<unknown>(null, undefined, "", "x", 1, -0.5, true, [], {}, [null])
  const mutation = FastCheck.record({
    depth: FastCheck.nat(3),
    nth: FastCheck.nat(30),
    replacement,
    isRemoval: FastCheck.boolean(),
    isAddition: FastCheck.boolean()
  })
  FastCheck.assert(
    FastCheck.property(Arbitrary.make(Schema.typeSchema(schema)), mutation, (value, change) => {
      const valid: unknown = encode(value)
      for (const input of [valid, mutate(valid, change)]) {
        const [compiled, usual] = [decode(input), decodeAsUsual(input)]
        expect(Either.mapLeft(compiled, String)).toEqual(Either.mapLeft(usual, String))
      }
    }),
    { numRuns: propertyRuns(200) }
  )
}

interface Mutation {
  readonly depth: number
  readonly nth: number
  readonly replacement: unknown
  readonly isRemoval: boolean
  readonly isAddition: boolean
}

const mutate = (input: unknown, mutation: Mutation): unknown => {
  const { depth, isAddition, isRemoval, nth, replacement } = mutation
  if (typeof input !== "object" || input === null) return replacement
  const keys = Object.keys(input)
  const key = keys[nth % keys.length]
  if (key === undefined) return replacement
  const copy: Record<string, unknown> = { ...input }
  if (depth > 0) copy[key] = mutate(copy[key], { ...mutation, depth: depth - 1 })
  else if (isAddition) copy["undeclared"] = replacement
  else if (isRemoval) delete copy[key]
  else copy[key] = replacement
  return Array.isArray(input) ? Object.values(copy) : copy
}
