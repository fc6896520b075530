import { expect } from "bun:test"
import { Effect } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, issueKey } from "../../support/testApi.ts"
import { createConnectionPath } from "../support/connectionRequests.ts"
import { expectError } from "../support/expectError.ts"
import { sendRaw } from "../support/sendRaw.ts"

const routeNotFound = { status: 404, code: "route_not_found" }

const dots = [".", "%2e", "%2E"]
const doubleDots = dots.flatMap((first) => dots.map((second) => first + second))

withLayer("a path, as it was sent,", apiInMemory(), (live) => {
  const disguised = [
    ...doubleDots.map((segment) => `/v1/${segment}/metrics`),
    ...dots.map((segment) => `/${segment}/metrics`),
    "/%6Detrics",
    "/%68ealthz",
    "/v1/%63onnections",
    "/metrics;x",
    "/metrics;x=y?z",
    "/v1/connections/../../metrics",
    "/connect/../metrics",
    "/metrics/../metrics",
    "/a/b/c/d/e/f/g/h/i/j/../../../../../../../../../../metrics",
    "/v1\\..\\metrics",
    "/v1/..\\metrics",
    "/x\\..\\metrics",
    "/v1/connections/..\\..\\metrics",
    "/.\\metrics",
    "http://service/v1/../metrics",
    "/v1/connections/../providers",
    "/v1/x/../connections",
    "/v1\\connections",
    "/v1/connections\\con_any",
    "/v1/connections/con_any\\records",
    "/v1/connections/x\\..\\con_any"
  ]
  disguised.forEach((path) =>
    live(`reaches no other route: ${path} answers 404`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        yield* expectError(
          yield* sendRaw({ line: `GET ${path} HTTP/1.1`, headers: [`x-api-key: ${key}`] }),
          routeNotFound
        )
      })
    )
  )

  const encoded = [
    "con_any%2frecords",
    "con_any%2Frecords",
    "..%2f..%2fmetrics",
    "con_any%5c..%5ccon_any",
    "%2f",
    "%5C"
  ]
  encoded.forEach((segment) =>
    live(`has no encoded slash or backslash: ${segment} as an id answers 404`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const line = `GET /v1/connections/${segment} HTTP/1.1`
        yield* expectError(yield* sendRaw({ line, headers: [`x-api-key: ${key}`] }), routeNotFound)
      })
    )
  )

  live("may have dots inside a segment, and anything in its query", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      const statusOf = (target: string) =>
        Effect.map(sendRaw({ line: `GET ${target} HTTP/1.1`, headers: [`x-api-key: ${key}`] }), ({ status }) => status)
      const targets = [path, `/openapi.json?domain=/../b\\c%2fd`, `http://service${path}`, "/metrics", "/openapi.json"]
      expect(yield* Effect.forEach(targets, statusOf)).toEqual(targets.map(() => 200))
      const withDots = yield* sendRaw({ line: "GET /v1/connections/con..any HTTP/1.1", headers: [`x-api-key: ${key}`] })
      yield* expectError(withDots, { status: 404, code: "not_found" })
    })
  )
})

withLayer("the Host header", apiInMemory(), (live) => {
  const refused: ReadonlyArray<ReadonlyArray<string>> = [
    ["service", "service"],
    ["service", "other.example"],
    ["service", ""],
    ["", "service"],
    ["service, other.example"],
    ["service,other.example"],
    [""],
    ["a b"],
    ["someone@service"],
    ["service/metrics"],
    ["service?x"],
    ["service#x"],
    ["service\\x"],
    ["service:port"],
    ["service:123456"],
    ["[::1"],
    ["::1"]
  ]
  refused.forEach((hosts) =>
    live(`is refused unless it is one host: ${JSON.stringify(hosts)} answers 400`, () =>
      Effect.gen(function* () {
        for (const path of ["/metrics", "/v1/connections", "/v1/nothing"]) {
          yield* expectError(yield* sendRaw({ line: `GET ${path} HTTP/1.1`, hosts }), {
            status: 400,
            code: "invalid_request",
            details: [["/host", "invalid"]]
          })
        }
      })
    )
  )

  const accepted = [
    "service",
    "service:8080",
    "connect.example.com",
    "127.0.0.1:1",
    "[::1]",
    "[2001:db8::1]:443",
    "my_service-1",
    "example.com."
  ]
  live("may be a name or an address, with or without a port", () =>
    Effect.gen(function* () {
      const statuses = yield* Effect.forEach(accepted, (host) =>
        Effect.map(sendRaw({ line: "GET /healthz HTTP/1.1", hosts: [host] }), ({ status }) => status)
      )
      expect(statuses).toEqual(accepted.map(() => 200))
    })
  )
})
