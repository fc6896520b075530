import { expect } from "bun:test"
import { Cause, Effect, Exit } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory } from "../../support/testApi.ts"

import { sendRaw } from "../support/sendRaw.ts"

const connectionsPath = "/v1/connections"

/** docs/versioning.md promises these answers, which come before the service reads the request. */
withLayer("before any endpoint,", apiInMemory(), (live) => {
  const oversized = {
    "a request line": { line: `GET ${connectionsPath}?${"x".repeat(20_000)}=1 HTTP/1.1` },
    "a header": { line: `GET ${connectionsPath} HTTP/1.1`, headers: [`x-long: ${"x".repeat(60_000)}`] }
  }
  Object.entries(oversized).forEach(([what, request]) =>
    live(`${what} that is too large answers 431 without a body`, () =>
      Effect.gen(function* () {
        const response = yield* sendRaw(request)
        expect(response.status).toBe(431)
        expect(yield* Effect.promise(() => response.text())).toBe("")
      })
    )
  )

  live("a request line and headers of less than 16 KiB reach the service", () =>
    Effect.gen(function* () {
      const response = yield* sendRaw({ line: "GET /health HTTP/1.1", headers: [`x-long: ${"x".repeat(15_000)}`] })
      expect(response.status).not.toBe(431)
    })
  )

  live("a method that HTTP does not define ends the connection without an answer", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(sendRaw({ line: "FOO /health HTTP/1.1" }))
      expect(Exit.isFailure(exit) && Cause.pretty(exit.cause)).toContain("no answer but")
    })
  )
})
