import { expect } from "bun:test"
import { Effect } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, get, issueKey, jsonOf, send } from "../../support/testApi.ts"
import {
  browserCommands,
  type CommandCase,
  commandCases,
  commandTitle,
  createForCommand,
  createInState,
  expectNoEffect,
  sendCommand
} from "../support/commandFixtures.ts"
import { createConnectionPath, issueBearer, shopOrigin } from "../support/connectionFixtures.ts"
import { expectError } from "../support/expectError.ts"

const json = { "content-type": "application/json" }

/** A command as a page sends it. */
const fromPage = (
  path: string,
  authorization: string,
  { body = {}, name }: Pick<CommandCase, "name" | "body">,
  headers: Record<string, string> = {}
) =>
  send(`${path}/${name}`, {
    method: "POST",
    headers: { ...json, authorization, origin: shopOrigin, ...headers },
    body: JSON.stringify(body)
  })

const corsHeadersOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-") || name === "vary"))

const readable = {
  "access-control-allow-origin": shopOrigin,
  "access-control-expose-headers": "etag, retry-after, x-request-id",
  vary: "Origin"
}

withLayer("a page with the token of a connection", apiInMemory(), (live) => {
  browserCommands.forEach((command) => {
    live(`sends ${commandTitle(command)}, and may read the answer`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createForCommand(command)
        const response = yield* fromPage(path, yield* issueBearer(key, path), command, { "idempotency-key": "once" })
        expect([response.status, corsHeadersOf(response)]).toEqual([200, readable])
        expect((yield* jsonOf(response)).connection.state).toBe(command.to)
      })
    )

    live(`is told why ${commandTitle(command)} is not possible`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createForCommand(command)
        const authorization = yield* issueBearer(key, path)
        const stale = yield* fromPage(path, authorization, command, { "if-match": '"1"' })
        expect(corsHeadersOf(stale)).toEqual(readable)
        yield* expectError(stale, { status: 412, code: "precondition_failed" })
      })
    )

    live(`is answered 403 to ${commandTitle(command)} from another origin, without CORS headers`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createForCommand(command)
        const authorization = yield* issueBearer(key, path)
        for (const origin of ["https://evil.example.com", "null", `${shopOrigin}:8443`]) {
          const request = Effect.tap(fromPage(path, authorization, command, { origin }), (response) =>
            Effect.sync(() => expect(corsHeadersOf(response)).toEqual({ vary: "Origin" }))
          )
          yield* expectNoEffect(path, key, request, { status: 403, code: "origin_not_allowed" })
        }
      })
    )

    live(`is answered 404 to ${commandTitle(command)} on any other connection`, () =>
      Effect.gen(function* () {
        const own = yield* createForCommand(command)
        const other = yield* createForCommand(command)
        const authorization = yield* issueBearer(own.key, own.path)
        const request = fromPage(other.path, authorization, command)
        yield* expectNoEffect(other.path, other.key, request, { status: 404, code: "not_found" })
        expect((yield* fromPage("/v1/connections/con_missing", authorization, command)).status).toBe(404)
      })
    )
  })

  live("may not disconnect", () =>
    Effect.gen(function* () {
      const disconnect = commandCases.find(({ name }) => name === "disconnect") ?? {
        name: "",
        from: "active",
        to: "active"
      }
      const { key, path } = yield* createForCommand(disconnect)
      const authorization = yield* issueBearer(key, path)
      const byToken = fromPage(path, authorization, disconnect)
      yield* expectNoEffect(path, key, byToken, { status: 401, code: "unauthenticated" })
      const byKey = fromPage(path, authorization, disconnect, { "x-api-key": key })
      yield* expectNoEffect(path, key, byKey, { status: 403, code: "api_key_in_browser" })
      expect(corsHeadersOf(yield* byToken)).toEqual({})
      expect(corsHeadersOf(yield* byKey)).toEqual({})
    })
  )

  live("ends its own token with the connection", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      const authorization = yield* issueBearer(key, path)
      const cancel = { name: "cancel" }
      expect((yield* fromPage(path, authorization, cancel, { "idempotency-key": "once" })).status).toBe(200)
      yield* expectError(yield* fromPage(path, authorization, cancel, { "idempotency-key": "once" }), {
        status: 401,
        code: "unauthenticated"
      })
    })
  )

  live("shares the use of an Idempotency-Key with the servers of its tenant", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("active")
      const recheck = { name: "recheck" }
      const headers = { "idempotency-key": "once" }
      const byPage = yield* fromPage(path, yield* issueBearer(key, path), recheck, headers)
      const byServer = yield* sendCommand(path, key, recheck, headers)
      expect([byPage, byServer].map((answer) => answer.headers.get("idempotent-replayed"))).toEqual([null, "true"])
      expect(yield* jsonOf(byServer)).toEqual(yield* jsonOf(byPage))
    })
  )

  for (const [name, told] of [
    ["records", "records"],
    ["events", "events"]
  ] as const) {
    live(`reads its ${name}, and no other's`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const [own, other] = [yield* createConnectionPath(key), yield* createConnectionPath(key)]
        const authorization = yield* issueBearer(key, own)
        const read = (path: string, origin = shopOrigin) =>
          send(`${path}/${name}`, { headers: { authorization, origin } })
        const response = yield* read(own)
        expect([response.status, corsHeadersOf(response)]).toEqual([200, readable])
        expect(yield* jsonOf(response)).toEqual(yield* jsonOf(yield* get(`${own}/${name}`, key)))
        expect(Object.keys(yield* jsonOf(yield* read(own)))).toContain(told)
        yield* expectError(yield* read(other), { status: 404, code: "not_found" })
        const foreign = yield* read(own, "https://evil.example.com")
        expect(corsHeadersOf(foreign)).toEqual({ vary: "Origin" })
        yield* expectError(foreign, { status: 403, code: "origin_not_allowed" })
      })
    )
  }
})

const preflight = (path: string, method: string) =>
  send(`/v1/connections/con_any/${path}`, {
    method: "OPTIONS",
    headers: {
      origin: shopOrigin,
      "access-control-request-method": method,
      "access-control-request-headers": "authorization,content-type,if-match,idempotency-key"
    }
  })

withLayer("a preflight of the lifecycle", apiInMemory(), (live) => {
  const open = [...new Set(browserCommands.map(({ name }) => name))].map((name) => [name, "POST"] as const)
  const read = ["records", "events", "stream"].map((name) => [name, "GET"] as const)
  for (const [name, method] of [...open, ...read]) {
    live(`is answered for ${name}, which browsers may call`, () =>
      Effect.gen(function* () {
        const response = yield* preflight(name, method)
        expect([response.status, corsHeadersOf(response)]).toEqual([
          204,
          {
            ...readable,
            "access-control-allow-methods": method,
            "access-control-allow-headers":
              "authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id",
            "access-control-max-age": "7200"
          }
        ])
      })
    )
  }

  for (const name of ["disconnect", "access-token"]) {
    live(`is a 405 for ${name}, which is for servers only`, () =>
      Effect.gen(function* () {
        const response = yield* preflight(name, "POST")
        expect(corsHeadersOf(response)).toEqual({})
        yield* expectError(response, { status: 405, code: "method_not_allowed" })
      })
    )
  }
})
