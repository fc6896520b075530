import { describe, expect, test } from "bun:test"
import { Arbitrary, FastCheck, Schema } from "effect"
import { Connection } from "../../src/domain/Connection.ts"
import { Progress } from "../../src/domain/ConnectionRecord.ts"
import { compileEncoder } from "../../src/runtime/compileEncoder.ts"
import { propertyRuns } from "../support/propertyRuns.ts"

describe("a compiled encoder", () => {
  test("encodes every connection as its schema does", () => encodesAsDeclared(Connection))

  test("encodes all progress as its schema does", () => encodesAsDeclared(Progress))

  test("leaves out what the schema does not declare", () => {
    const encode = compileEncoder(Schema.Struct({ nested: Schema.Array(Schema.Struct({ kept: Schema.String })) }))
    const nested = [{ kept: "a", extra: 1 }]
    expect(encode({ nested })).toEqual({ nested: [{ kept: "a" }] })
  })

  test("leaves out an absent optional field, and keeps the one that is undefined", () => {
    const fields = { exact: Schema.optionalWith(Schema.String, { exact: true }), loose: Schema.optional(Schema.String) }
    const encode = compileEncoder(Schema.Struct(fields))
    expect([encode({}), encode({ loose: undefined })]).toStrictEqual([{}, { loose: undefined }])
  })
})

const encodesAsDeclared = <A, I>(schema: Schema.Schema<A, I>) => {
  const encode = compileEncoder(schema)
  const encodeAndCheck = Schema.encodeSync(schema)
  FastCheck.assert(
    FastCheck.property(Arbitrary.make(Schema.typeSchema(schema)), (value) => {
      expect(JSON.stringify(encode(value))).toBe(JSON.stringify(encodeAndCheck(value)))
    }),
    { numRuns: propertyRuns(200) }
  )
}
