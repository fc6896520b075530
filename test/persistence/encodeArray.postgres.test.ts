import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect, FastCheck as fc } from "effect"
import { encodeArray } from "../../src/persistence/batchStatement.ts"
import { withLayer } from "../support/effectTest.ts"
import { propertyRuns } from "../support/propertyRuns.ts"
import { freshPool } from "./freshDatabase.ts"

withLayer("an encoded array", freshPool, (live) => {
  live("is read by PostgreSQL as the values that were given", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const texts = fc.array(fc.option(fc.oneof(arbitraryText, fc.constantFrom("", "NULL", "{}", '\\"', "\n\u001f"))))
      for (const values of fc.sample(texts, propertyRuns(200))) {
        const [row] = yield* sql`select ${encodeArray(values)}::text[] as "values"`
        expect(row?.["values"]).toEqual(values)
      }
    })
  )

  live("has numbers, booleans, bytes and values that are missing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql`
        select ${encodeArray([1.5, -2, null])}::float8[] as numbers, ${encodeArray([true, false])}::bool[] as booleans,
          ${encodeArray([Uint8Array.of(0, 92, 255), undefined])}::bytea[] as bytes`
      expect(row).toEqual({ numbers: [1.5, -2, null], booleans: [true, false], bytes: [Buffer.of(0, 92, 255), null] })
    })
  )
})

/** PostgreSQL stores no NUL. */
const arbitraryText = fc.string({ unit: "binary" }).map((text) => text.replaceAll("\0", ""))
