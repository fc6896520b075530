import { expect } from "bun:test"
import { Effect } from "effect"
import { samplePlan } from "../../persistence/connectionFixtures.ts"
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
import { createConnectionPath, issueBearer, shopOrigin } from "../support/connectionRequests.ts"
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
  "access-control-expose-headers": "etag, idempotent-replayed, preference-applied, retry-after, x-request-id",
  vary: "Origin"
}

withLayer("a page with a browser token", apiInMemory(), (live) => {
  browserCommands.forEach((command) => {
    live(`can send ${commandTitle(command)} and read the response`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createForCommand(command)
        const response = yield* fromPage(path, yield* issueBearer(key, path), command, { "idempotency-key": "once" })
        expect([response.status, corsHeadersOf(response)]).toEqual([200, readable])
        expect((yield* jsonOf(response)).connection.state).toBe(command.to)
      })
    )

    live(`can read why ${commandTitle(command)} is rejected`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createForCommand(command)
        const authorization = yield* issueBearer(key, path)
        const stale = yield* fromPage(path, authorization, command, { "if-match": '"1"' })
        expect(corsHeadersOf(stale)).toEqual(readable)
        yield* expectError(stale, { status: 412, code: "precondition_failed" })
      })
    )

    live(`gets 403 to ${commandTitle(command)} from another origin, without CORS headers`, () =>
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

    live(`gets 404 to ${commandTitle(command)} on any other connection`, () =>
      Effect.gen(function* () {
        const own = yield* createForCommand(command)
        const unrelated = yield* createForCommand(command)
        const authorization = yield* issueBearer(own.key, own.path)
        const request = fromPage(unrelated.path, authorization, command)
        yield* expectNoEffect(unrelated.path, unrelated.key, request, { status: 404, code: "not_found" })
        expect((yield* fromPage("/v1/connections/con_missing", authorization, command)).status).toBe(404)
      })
    )
  })

  live("cannot disconnect", () =>
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

  live("reads the possible commands instead, of those that it may send itself", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("active", { progress: { hasWritten: true } })
      const approval = { name: "approval", body: { digest: samplePlan.digest } }
      const refused = yield* fromPage(path, yield* issueBearer(key, path), approval)
      const message = yield* expectError(refused, { status: 409, code: "state_conflict", allowedActions: ["recheck"] })
      expect(message).toBe("this is not possible while the connection is active; possible now: recheck")
    })
  )

  live("loses its token when it cancels the connection", () =>
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

  live("shares its Idempotency-Keys with the servers of its tenant", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("active")
      const recheck = { name: "recheck" }
      const headers = { "idempotency-key": "once" }
      const byPage = yield* fromPage(path, yield* issueBearer(key, path), recheck, headers)
      const byServer = yield* sendCommand(path, key, recheck, headers)
      expect([byPage, byServer].map((answer) => answer.headers.get("idempotent-replayed"))).toEqual([null, "true"])
      const [forPage, forServer] = [yield* jsonOf(byPage), yield* jsonOf(byServer)]
      const allowedActions = forServer.connection.allowedActions.filter(
        (action: string) => !["disconnect", "update"].includes(action)
      )
      expect(forPage).toEqual({ connection: { ...forServer.connection, allowedActions } })
    })
  )

  for (const [name, field] of [
    ["records", "records"],
    ["events", "events"]
  ] as const) {
    live(`can read its ${name}, but not those of another connection`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const [ownPath, otherPath] = [yield* createConnectionPath(key), yield* createConnectionPath(key)]
        const authorization = yield* issueBearer(key, ownPath)
        const read = (path: string, origin = shopOrigin) =>
          send(`${path}/${name}`, { headers: { authorization, origin } })
        const response = yield* read(ownPath)
        expect([response.status, corsHeadersOf(response)]).toEqual([200, readable])
        expect(yield* jsonOf(response)).toEqual(yield* jsonOf(yield* get(`${ownPath}/${name}`, key)))
        expect(Object.keys(yield* jsonOf(yield* read(ownPath)))).toContain(field)
        yield* expectError(yield* read(otherPath), { status: 404, code: "not_found" })
        const foreign = yield* read(ownPath, "https://evil.example.com")
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

withLayer("a preflight request", apiInMemory(), (live) => {
  const commands = [...new Set(browserCommands.map(({ name }) => name))].map((name) => [name, "POST"] as const)
  const reads = ["records", "events", "stream"].map((name) => [name, "GET"] as const)
  for (const [name, method] of [...commands, ...reads]) {
    live(`succeeds for ${name}, which browsers may call`, () =>
      Effect.gen(function* () {
        const response = yield* preflight(name, method)
        expect([response.status, corsHeadersOf(response)]).toEqual([
          204,
          {
            ...readable,
            "access-control-allow-methods": method,
            "access-control-allow-headers":
              "authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, prefer",
            "access-control-max-age": "7200"
          }
        ])
      })
    )
  }

  for (const name of ["disconnect", "access-token"]) {
    live(`answers 405 for ${name}, which only servers may call`, () =>
      Effect.gen(function* () {
        const response = yield* preflight(name, "POST")
        expect(corsHeadersOf(response)).toEqual({})
        yield* expectError(response, { status: 405, code: "method_not_allowed" })
      })
    )
  }
})
