import { expect } from "bun:test"
import { Effect } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, issueKey, jsonOf, post } from "../../support/testApi.ts"
import { createConnectionPath } from "../support/connectionRequests.ts"
import { expectErrorWithoutWrites } from "../support/expectError.ts"

withLayer("a link to the hosted page", apiInMemory(), (live) => {
  live("is made of a request without a body, or with an empty object", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      for (const body of ["", {}]) {
        const response = yield* post(`${path}/share-link`, key, body)
        expect([response.status, (yield* jsonOf(response)).path]).toEqual([201, expect.stringContaining("/connect#")])
      }
    })
  )

  live("is refused to a body with fields, which would have no effect, and to one that is no JSON", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = `${yield* createConnectionPath(key)}/share-link`
      yield* expectErrorWithoutWrites(post(path, key, { validForHours: 48 }), {
        status: 400,
        code: "invalid_request",
        details: [["/validForHours", "unknown_field"]]
      })
      yield* expectErrorWithoutWrites(post(path, key, "{"), { status: 400, code: "malformed_json" })
    })
  )
})
