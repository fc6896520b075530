import { expect } from "bun:test"
import { DateTime, Effect } from "effect"
import { ConnectionState, Failure, finalStates } from "../../../src/domain/connection/Connection.ts"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, issueKey, jsonOf, send, tenancyOf, textOf } from "../../support/testApi.ts"
import {
  type CommandCase,
  commandCases,
  commandTitle,
  connectionAndTimeline,
  createForCommand,
  createInState,
  expectNoEffect,
  otherIntent,
  sendCommand
} from "../support/commandFixtures.ts"
import { createConnectionPath, shopOrigin } from "../support/connectionRequests.ts"
import { expectError, expectErrorWithoutWrites } from "../support/expectError.ts"
import { sendRaw } from "../support/sendRaw.ts"

const invalid = (pointer: string) =>
  ({ status: 400, code: "invalid_request", details: [[pointer, "invalid"]] }) as const

const missing = "/v1/connections/con_missing"

withLayer("the command", apiInMemory(), (live) => {
  commandCases.forEach((command) => {
    live(`${commandTitle(command)} answers 200 with the next version of the connection`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createForCommand(command)
        const response = yield* sendCommand(path, key, command)
        const text = yield* textOf(response)
        expect([response.status, response.headers.get("etag"), response.headers.get("content-type")]).toEqual([
          200,
          '"3"',
          "application/json"
        ])
        const { connection, timeline } = yield* connectionAndTimeline(path, key)
        expect(connection.state).toBe(command.to)
        expect(JSON.parse(text)).toEqual({ connection })
        expect(text).not.toContain("null")
        const moved = command.from === command.to ? [] : [`${command.from}→${command.to}`]
        expect(timeline).toEqual(["→requested", `requested→${command.from}`, ...moved])
      })
    )

    live(`${commandTitle(command)} answers 401 without a key, and 403 to a read-only key`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createForCommand(command)
        const { key: reader } = yield* issueKey(undefined, ["connections:read", "tokens:issue"])
        yield* expectNoEffect(path, key, sendCommand(path, "", command), { status: 401, code: "unauthenticated" })
        yield* expectNoEffect(path, key, sendCommand(path, reader, command), {
          status: 403,
          code: "insufficient_scope"
        })
      })
    )

    live(`${commandTitle(command)} answers 403 to an API key sent from a browser`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createForCommand(command)
        const request = sendCommand(path, key, command, { origin: shopOrigin })
        yield* expectNoEffect(path, key, request, { status: 403, code: "api_key_in_browser" })
      })
    )

    live(`${commandTitle(command)} answers 400 to an invalid id, Idempotency-Key and If-Match`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createForCommand(command)
        const tooLong = `/v1/connections/${"a".repeat(201)}`
        yield* expectErrorWithoutWrites(sendCommand(tooLong, key, command), invalid("/connectionId"))
        const spaced = sendCommand(path, key, command, { "idempotency-key": "a b" })
        yield* expectNoEffect(path, key, spaced, invalid("/idempotency-key"))
        const longETag = sendCommand(path, key, command, { "if-match": `"${"1".repeat(1_000)}"` })
        yield* expectNoEffect(path, key, longETag, invalid("/if-match"))
      })
    )

    live(
      `${commandTitle(command)} answers 404 to another tenant and application, exactly as for a missing connection`,
      () =>
        Effect.gen(function* () {
          const { key, path } = yield* createForCommand(command)
          const before = yield* connectionAndTimeline(path, key)
          for (const tenancy of [tenancyOf("app", "other"), tenancyOf("other", "tenant")]) {
            const { key: foreignKey } = yield* issueKey(tenancy)
            const headers = { "x-request-id": "the-same-request", "idempotency-key": "the-same" }
            const foreignResponse = yield* sendCommand(path, foreignKey, command, headers)
            const missingResponse = yield* sendCommand(missing, foreignKey, command, headers)
            expect(foreignResponse.status).toBe(404)
            expect(yield* textOf(foreignResponse)).toBe(yield* textOf(missingResponse))
            expect({ ...Object.fromEntries(foreignResponse.headers), date: "" }).toEqual({
              ...Object.fromEntries(missingResponse.headers),
              date: ""
            })
          }
          expect(yield* connectionAndTimeline(path, key)).toEqual(before)
        })
    )
  })
})

withLayer("in each state, the command", apiInMemory(), (live) => {
  const allStates = ConnectionState.literals
  const allowedStates: ReadonlyArray<readonly [Pick<CommandCase, "name" | "body">, ReadonlyArray<ConnectionState>]> = [
    [
      { name: "authorization", body: { method: "manual" } },
      ["awaiting_authorization", "authorizing", "awaiting_manual"]
    ],
    [
      { name: "authorization", body: { method: "direct_credential", credential: { apiToken: "a-token" } } },
      ["awaiting_authorization", "authorizing", "awaiting_manual"]
    ],
    [{ name: "approval", body: commandCases.find(({ name }) => name === "approval")?.body }, ["planned"]],
    [{ name: "recheck" }, ["awaiting_manual", "verifying", "active", "degraded", "disconnecting"]],
    [{ name: "retry" }, ["degraded", "failed"]],
    [
      { name: "cancel" },
      ["requested", "awaiting_authorization", "authorizing", "planned", "awaiting_manual", "failed", "canceled"]
    ],
    [
      { name: "update", body: { intent: otherIntent, allowDuplicate: true } },
      [
        "requested",
        "awaiting_authorization",
        "authorizing",
        "planned",
        "awaiting_manual",
        "verifying",
        "active",
        "degraded",
        "failed"
      ]
    ],
    [{ name: "disconnect" }, ["verifying", "active", "degraded", "disconnecting", "disconnected"]]
  ]
  allowedStates.forEach(([command, states]) => {
    live(`${commandTitle(command)} is allowed in ${states.join(", ")}, and answers 409 in all others`, () =>
      Effect.gen(function* () {
        const answers = yield* Effect.forEach(allStates, (state) =>
          Effect.gen(function* () {
            const { key, path } = yield* createInState(state)
            const before = yield* connectionAndTimeline(path, key)
            const response = yield* sendCommand(path, key, command)
            if (response.status !== 200) {
              const code = finalStates.includes(state) ? "connection_ended" : "state_conflict"
              yield* expectError(response, { status: 409, code })
              expect(yield* connectionAndTimeline(path, key)).toEqual(before)
            }
            return response.status === 200 ? [state] : []
          })
        )
        expect(answers.flat().toSorted()).toEqual(states.toSorted())
      })
    )
  })
})

withLayer("the error code", apiInMemory(), (live) => {
  live("of retry after a permanent failure is failure_not_retryable", () =>
    Effect.gen(function* () {
      const failure = { code: "record_type_unsupported", retryable: false } as const
      const { connection } = yield* createInState("failed")
      const { key, path } = yield* createInState("failed", {
        connection: { failure: Failure.make({ ...failure, occurredAt: connection.createdAt }) }
      })
      yield* expectNoEffect(path, key, sendCommand(path, key, { name: "retry" }), {
        status: 409,
        code: "failure_not_retryable"
      })
    })
  )

  const written: ReadonlyArray<ConnectionState> = ["awaiting_authorization", "planned", "failed", "active", "verifying"]
  written.forEach((state) =>
    live(`of cancel in ${state} after a write is records_written`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createInState(state, { progress: { hasWritten: true } })
        yield* expectNoEffect(path, key, sendCommand(path, key, { name: "cancel" }), {
          status: 409,
          code: "records_written"
        })
      })
    )
  )

  const ended: ReadonlyArray<ConnectionState> = ["expired", "disconnected"]
  ended.forEach((state) =>
    live(`of cancel in the final state ${state} is connection_ended`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createInState(state, { progress: { hasWritten: true } })
        yield* expectNoEffect(path, key, sendCommand(path, key, { name: "cancel" }), {
          status: 409,
          code: "connection_ended"
        })
      })
    )
  )
})

withLayer("a state conflict", apiInMemory(), (live) => {
  const expected = { status: 409, code: "state_conflict" }

  live("names the commands that are possible instead, whatever its document says of them", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("degraded", {
        connection: { allowedActions: [] },
        progress: { hasWritten: true }
      })
      const refused = yield* sendCommand(path, key, { name: "authorization", body: { method: "manual" } })
      const allowedActions = ["recheck", "retry", "disconnect", "update"]
      const message = yield* expectError(refused, { ...expected, allowedActions })
      expect(message).toEndWith("; possible now: recheck, retry, disconnect, update")
    })
  )

  live("names the next check until its time has come", () =>
    Effect.gen(function* () {
      const ahead = DateTime.unsafeMake("2999-01-01T00:00:00.000Z")
      const past = DateTime.unsafeMake("2001-01-01T00:00:00.000Z")
      yield* expectError(yield* conflictAt(ahead), { ...expected, nextCheckAt: "2999-01-01T00:00:00.000Z" })
      yield* expectError(yield* conflictAt(past), expected)
    })
  )

  live("says what to do where the connection has ended", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("expired")
      const refused = yield* sendCommand(path, key, { name: "cancel" })
      expect(yield* expectError(refused, { status: 409, code: "connection_ended" })).toBe(
        "the connection is expired, which is final: create a new connection of the domain, and use that one"
      )
    })
  )

  live("of any request that a connection cannot take, wherever it ended", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("canceled")
      for (const { body, name } of [
        { name: "provider", body: { provider: "nobody" } },
        { name: "authorization", body: { method: "domain_connect", returnUrl: "https://shop.example/" } },
        { name: "authorization", body: { method: "direct_credential", credential: { apiToken: "" } } },
        { name: "approval", body: { digest: `sha-256:${"0".repeat(64)}` } }
      ])
        yield* expectError(yield* sendCommand(path, key, { name, body }), { status: 409, code: "connection_ended" })
    })
  )

  live("names them before the provider is known", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      const refused = yield* sendCommand(path, key, {
        name: "authorization",
        body: { method: "direct_credential", credential: { apiToken: "a-token" } }
      })
      yield* expectError(refused, { ...expected, allowedActions: ["cancel", "update"] })
    })
  )
})

/** Sends a command that is not possible while the next check is at this time. */
const conflictAt = (nextCheckAt: DateTime.Utc) =>
  Effect.gen(function* () {
    const { key, path } = yield* createInState("active", { connection: { nextCheckAt } })
    return yield* sendCommand(path, key, { name: "authorization", body: { method: "manual" } })
  })

const form = "content-type: application/x-www-form-urlencoded"

/** Ways in which HTTP clients send an empty body. */
const bodiless: ReadonlyArray<readonly [string, ReadonlyArray<string>, string]> = [
  ["neither length nor type, as `curl -X POST` sends it", [], ""],
  ["an empty form, as `curl -d ''` sends it", ["content-length: 0", form], ""],
  ["an empty chunked body", ["transfer-encoding: chunked", "content-type: application/json"], "0\r\n\r\n"]
]

withLayer("a command without parameters", apiInMemory(), (live) => {
  const plain = commandCases.filter(({ body }) => body === undefined)
  plain.forEach((command) =>
    live(`needs no body or media type, and accepts an empty object: ${command.name}`, () =>
      Effect.gen(function* () {
        for (const init of [{}, { body: "{}", headers: { "content-type": "application/json" } }]) {
          const { key, path } = yield* createForCommand(command)
          const headers = { ...init.headers, "x-api-key": key }
          const response = yield* send(`${path}/${command.name}`, { ...init, method: "POST", headers })
          expect([response.status, (yield* jsonOf(response)).connection.state]).toEqual([200, command.to])
        }
      })
    )
  )
  plain.forEach((command) =>
    live(`rejects other bodies: ${command.name}`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createForCommand(command)
        const sendBody = (body: string) =>
          send(`${path}/${command.name}`, {
            method: "POST",
            body,
            headers: { "x-api-key": key, "content-type": "application/json" }
          })
        yield* expectNoEffect(path, key, sendBody('{"zz":1}'), {
          status: 400,
          code: "invalid_request",
          details: [["/zz", "unknown_field"]]
        })
        yield* expectNoEffect(path, key, sendBody("[]"), invalid(""))
        yield* expectNoEffect(path, key, sendBody("not json"), { status: 400, code: "malformed_json" })
      })
    )
  )
  bodiless.forEach(([framing, headers, body]) =>
    live(`accepts ${framing}`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createInState("awaiting_authorization")
        const request = { line: `POST ${path}/cancel HTTP/1.1`, headers: [`x-api-key: ${key}`, ...headers] }
        const response = yield* sendRaw({ ...request, body: [body] })
        expect([response.status, (yield* jsonOf(response)).connection?.state]).toEqual([200, "canceled"])
      })
    )
  )
})
