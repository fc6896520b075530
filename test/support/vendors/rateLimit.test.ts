import { expect, test } from "bun:test"
import { makeRateLimit } from "./rateLimit.ts"
import type { VendorCall } from "./VendorCall.ts"

const callAt = (now: number, isWrite = false): VendorCall => ({
  number: 1,
  method: isWrite ? "POST" : "GET",
  path: "/",
  operation: "GET /",
  isWrite,
  pathParameters: {},
  query: new URLSearchParams(),
  body: undefined,
  now
})

test("a call beyond a rate waits until the oldest that counts is forgotten, and calls of another kind do not count", () => {
  const limit = makeRateLimit({
    countAs: ({ isWrite }) => ({ kind: isWrite ? "write" : "read", rates: { 2: 1_000, 3: 10_000 } }),
    refuse: (waitMillis) => ({ status: 429, body: waitMillis })
  })
  const waitAt = (now: number, isWrite = false) => limit(callAt(now, isWrite))?.body
  expect([0, 400, 900].map((now) => waitAt(now))).toEqual([undefined, undefined, 100])
  expect(waitAt(900, true)).toBeUndefined()
  expect([1_000, 1_400, 9_999, 10_000].map((now) => waitAt(now))).toEqual([undefined, 8_600, 1, undefined])
})
