import { expect } from "bun:test"
import { Effect } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, get, issueKey, jsonOf, send, textOf } from "../../support/testApi.ts"
import { createConnectionPath } from "../support/connectionRequests.ts"
import { expectError } from "../support/expectError.ts"
import { sendRaw } from "../support/sendRaw.ts"

const contentType = ({ headers }: Response) => headers.get("content-type")

withLayer("the method", apiInMemory(), (live) => {
  live("HEAD answers like GET without a body", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      const headers = { "x-api-key": key, "x-request-id": "the-same-request" }
      for (const to of [path, "/v1/connections/con_missing", "/healthz", "/openapi.json", "/v1/nothing"]) {
        const whole = yield* send(to, { headers })
        const head = yield* send(to, { method: "HEAD", headers })
        expect(head.status).toBe(whole.status)
        expect(yield* textOf(head)).toBe("")
        expect({ ...Object.fromEntries(head.headers), date: "" }).toEqual({
          ...Object.fromEntries(whole.headers),
          date: ""
        })
      }
    })
  )

  const rejected: ReadonlyArray<readonly [methods: ReadonlyArray<string>, path: string, allow: string]> = [
    [["PUT", "PATCH", "DELETE", "OPTIONS"], "/v1/connections", "GET, HEAD, POST"],
    [["POST", "PUT"], "/v1/connections/con_any", "DELETE, GET, HEAD, OPTIONS, PATCH"],
    [["GET", "HEAD", "PUT", "PATCH", "OPTIONS"], "/v1/connections/con_any/access-token", "DELETE, POST"],
    [["GET", "HEAD", "PUT", "DELETE"], "/v1/connections/con_any/approval", "OPTIONS, POST"],
    [["GET", "HEAD", "PUT", "DELETE", "OPTIONS"], "/v1/connections/con_any/disconnect", "POST"],
    [["POST", "PUT", "DELETE"], "/v1/connections/con_any/events", "GET, HEAD, OPTIONS"],
    [["POST", "PUT", "DELETE", "OPTIONS"], "/v1/providers", "GET, HEAD"],
    [["GET", "HEAD", "PUT", "DELETE", "OPTIONS"], "/v1/domains/check", "POST"],
    [["POST", "PUT", "DELETE", "OPTIONS"], "/healthz", "GET, HEAD"],
    [["POST", "OPTIONS"], "/readyz", "GET, HEAD"],
    [["POST", "OPTIONS"], "/openapi.json", "GET, HEAD"],
    [["POST", "OPTIONS"], "/docs", "GET, HEAD"]
  ]
  rejected.forEach(([methods, path, allow]) =>
    live(`that ${path} does not support answers 405 with Allow: ${allow}`, () =>
      Effect.gen(function* () {
        const answers = yield* Effect.forEach(methods, (method) => send(path, { method }))
        expect(answers.map(({ headers, status }) => [status, headers.get("allow")])).toEqual(
          methods.map(() => [405, allow])
        )
        const [last] = answers.toReversed()
        if (last !== undefined) yield* expectError(last, { status: 405, code: "method_not_allowed" })
      })
    )
  )

  const unusualMethods = ["TRACE", "CONNECT", "PROPFIND", "PURGE"]
  unusualMethods.forEach((method) =>
    live(`${method} answers 405`, () =>
      Effect.gen(function* () {
        const response = yield* sendRaw({ line: `${method} /v1/connections/con_any HTTP/1.1` })
        expect(response.headers.get("allow")).toBe("DELETE, GET, HEAD, OPTIONS, PATCH")
        yield* expectError(response, { status: 405, code: "method_not_allowed" })
      })
    )
  )
})

withLayer("a path", apiInMemory(), (live) => {
  const unknown = [
    "/",
    "/v1",
    "/v1/",
    "/v2/connections",
    "/V1/connections",
    "/v1/Connections",
    "/v1/connections/",
    "//v1/connections",
    "/v1//connections",
    "/v1/connections;a=b",
    "/v1/connections/con_any/",
    "/v1/connections/con_any/records/x",
    "/v1/connections/con_any/Records",
    "/v1/connections/con_any/recheck/",
    "/v1/connections//events",
    "/v1/providers/",
    "/v1/domains",
    "/v1/domains/Check",
    "/v1/connections/con_any/access-token/",
    "/v1/connections/con_any/Access-Token",
    "/v1%2fconnections",
    "/healthz/",
    "/HEALTHZ",
    "/openapi.json/",
    "/.env"
  ]
  unknown.forEach((path) =>
    live(`must match exactly: ${path} answers 404`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        yield* expectError(yield* sendRaw({ line: `GET ${path} HTTP/1.1`, headers: [`x-api-key: ${key}`] }), {
          status: 404,
          code: "route_not_found"
        })
      })
    )
  )

  live("is suggested where nearly the same one has an endpoint", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const id = (yield* createConnectionPath(key)).split("/").at(-1)
      const meant = {
        "/v1/usage/": "/v1/usage may be meant",
        "/v1/connection": "/v1/connections may be meant",
        "/connections": "/v1/connections may be meant",
        "/api/v2/connections": "/v1/connections may be meant",
        [`/v1/connections/${id}/authorise`]: `/v1/connections/${id}/authorization may be meant`,
        [`/connection/${id}/approve`]: `/v1/connections/${id}/approval may be meant`,
        "/v1/nothing": "/docs lists the paths"
      }
      for (const [path, hint] of Object.entries(meant)) {
        const { error } = yield* Effect.flatMap(get(path, key), jsonOf)
        expect([path, error.code, error.message]).toEqual([
          path,
          "route_not_found",
          `there is nothing at this path; ${hint}`
        ])
      }
    })
  )

  live("may have an empty query", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      expect((yield* get(`${path}?`, key)).status).toBe(200)
    })
  )

  live("outside /v1 has its own media type", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.forEach(["/healthz", "/readyz", "/openapi.json", "/docs"], (path) => send(path))
      expect(
        answers.map((answer) => [answer.status, contentType(answer), answer.headers.has("cache-control")])
      ).toEqual([
        [200, "application/json", false],
        [200, "application/json", false],
        [200, "application/json", true],
        [200, "text/html; charset=utf-8", true]
      ])
      expect(yield* jsonOf(yield* send("/healthz"))).toEqual({ status: "ok" })
      expect(yield* jsonOf(yield* send("/readyz"))).toEqual({ status: "ready" })
    })
  )
})
