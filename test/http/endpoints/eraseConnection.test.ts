import { expect } from "bun:test"
import { Effect } from "effect"
import { ConnectionState, finalStates } from "../../../src/domain/connection/Connection.ts"
import { withLayer } from "../../support/effectTest.ts"
import { Tables } from "../../support/memory/Tables.ts"
import {
  apiInMemory,
  get,
  issueKey,
  jsonOf,
  post,
  sampleIntent,
  send,
  tenancyOf,
  textOf
} from "../../support/testApi.ts"
import { createInState, idIn, moveTo } from "../support/commandFixtures.ts"
import { createConnectionPath, issueBearer, shopOrigin } from "../support/connectionRequests.ts"
import { expectError, expectErrorWithoutWrites, withoutWrites } from "../support/expectError.ts"

const erase = (path: string, headers: Record<string, string>) => send(path, { method: "DELETE", headers })

const statusOf = (response: Response) => response.status

withLayer("DELETE /v1/connections/{connectionId}", apiInMemory(), (live) => {
  finalStates.forEach((state) =>
    live(
      `answers 204 to a connection that is ${state}, which is then missing everywhere, and 404 to a repetition`,
      () =>
        Effect.gen(function* () {
          const { id, key, path } = yield* createInState(state)
          const response = yield* erase(path, { "x-api-key": key })
          expect([response.status, yield* textOf(response)]).toEqual([204, ""])
          for (const read of [path, `${path}/events`, `${path}/records`, `${path}/platform`])
            yield* expectError(yield* get(read, key), { status: 404, code: "not_found" })
          const { connections } = yield* jsonOf(yield* get("/v1/connections?limit=100", key))
          expect(connections.some((connection: { readonly id: string }) => connection.id === id)).toBe(false)
          yield* expectError(yield* erase(path, { "x-api-key": key }), { status: 404, code: "not_found" })
        })
    )
  )

  const others = ConnectionState.literals.filter((state) => !finalStates.includes(state))
  others.forEach((state) =>
    live(`answers 409 to a connection that is ${state}, and names what ends it`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createInState(state)
        const { error } = yield* jsonOf(yield* withoutWrites(erase(path, { "x-api-key": key })))
        expect([error.status, error.code]).toEqual([409, "state_conflict"])
        const ends = error.allowedActions.filter((action: string) => ["cancel", "disconnect"].includes(action))
        expect(error.message).toBe(
          `only a connection that has ended can be erased, and this one is ${state}: ${
            ends.length === 0 ? "wait until it can be ended" : `${ends.join(" or ")} it first`
          }`
        )
      })
    )
  )

  live("sends the event connection.erased with the id alone, in place of all events that were not delivered yet", () =>
    Effect.gen(function* () {
      const { webhookDeliveries, webhookEvents } = yield* Tables
      const { key } = yield* issueKey(tenancyOf("notified", "tenant"))
      yield* post("/v1/webhook-endpoints", key, { url: "https://hooks.example.com/" })
      const path = yield* createConnectionPath(key)
      yield* moveTo(path, "canceled", {}, tenancyOf("notified", "tenant"))
      const id = idIn(path)
      const eventsOf = () => [...webhookEvents.values()].filter(({ connectionId }) => connectionId === id)
      expect(eventsOf().map(({ type }) => type)).toEqual(["connection.created"])
      yield* erase(path, { "x-api-key": key })
      const [event, ...more] = eventsOf()
      expect([event?.type, more]).toEqual(["connection.erased", []])
      expect(JSON.parse(event?.data ?? "")).toEqual({ connection: { id }, version: 3 })
      const sent = [...webhookDeliveries.values()].filter(({ event }) => event.connectionId === id)
      expect(sent.map(({ event }) => event.type)).toEqual(["connection.erased"])
    })
  )

  live("is audited with the key that did it, and leaves the earlier entries as they are", () =>
    Effect.gen(function* () {
      const { id: keyId, key } = yield* issueKey(tenancyOf("audited", "tenant"))
      const path = yield* createConnectionPath(key)
      const list = Effect.flatMap(get(`/v1/audit?connectionId=${idIn(path)}`, key), jsonOf)
      const { entries: before } = yield* list
      yield* moveTo(path, "canceled", {}, tenancyOf("audited", "tenant"))
      yield* erase(path, { "x-api-key": key })
      const { entries } = yield* list
      expect(entries[0]).toMatchObject({ action: "connection.erased", actor: { type: "api_key", id: keyId } })
      expect(JSON.stringify(entries)).not.toContain(sampleIntent.domain)
      expect(entries.slice(1)).toEqual(before)
    })
  )

  live("frees its storage, its idempotency key and its browser tokens", () =>
    Effect.gen(function* () {
      const tenancy = tenancyOf("freed", "tenant")
      const { key } = yield* issueKey(tenancy)
      const usage = Effect.map(Effect.flatMap(get("/v1/usage", key), jsonOf), ({ quotas }) => quotas)
      const create = post("/v1/connections", key, { intent: sampleIntent }, { "idempotency-key": "once" })
      const first = (yield* jsonOf(yield* create)).connection.id
      const path = `/v1/connections/${first}`
      const bearer = yield* issueBearer(key, path)
      yield* moveTo(path, "canceled", {}, tenancy)
      expect((yield* jsonOf(yield* create)).connection.id).toBe(first)
      yield* erase(path, { "x-api-key": key })
      const read = send(path, { headers: { authorization: bearer, origin: shopOrigin } })
      yield* expectError(yield* read, { status: 401, code: "unauthenticated" })
      expect((yield* jsonOf(yield* create)).connection.id).not.toBe(first)
      expect((yield* usage).connections.used).toBe(1)
    })
  )

  live("answers 404 to another tenant and application, exactly as for a missing connection, and erases nothing", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("canceled")
      for (const tenancy of [tenancyOf("app", "other"), tenancyOf("other", "tenant")]) {
        const headers = { "x-api-key": (yield* issueKey(tenancy)).key, "x-request-id": "the-same-request" }
        const foreign = yield* erase(path, headers)
        expect(foreign.status).toBe(404)
        expect(yield* textOf(foreign)).toBe(yield* textOf(yield* erase("/v1/connections/con_missing", headers)))
      }
      expect(statusOf(yield* get(path, key))).toBe(200)
    })
  )

  live("answers 412 to a version that If-Match names and that is no longer current, and 204 to the current one", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      yield* moveTo(path, "canceled")
      const etag = (yield* get(path, key)).headers.get("etag") ?? ""
      const stale = erase(path, { "x-api-key": key, "if-match": '"0"' })
      yield* expectErrorWithoutWrites(stale, { status: 412, code: "precondition_failed" })
      expect(statusOf(yield* erase(path, { "x-api-key": key, "if-match": etag }))).toBe(204)
    })
  )

  live("answers 401 without a key and to a browser token, 403 from a browser and without the scope", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      const authorization = yield* issueBearer(key, path)
      yield* moveTo(path, "canceled")
      const { key: reader } = yield* issueKey(undefined, ["connections:read", "tokens:issue"])
      const refusals: ReadonlyArray<readonly [Record<string, string>, number, string]> = [
        [{}, 401, "unauthenticated"],
        [{ authorization, origin: shopOrigin }, 401, "unauthenticated"],
        [{ "x-api-key": key, origin: shopOrigin }, 403, "api_key_in_browser"],
        [{ "x-api-key": reader }, 403, "insufficient_scope"]
      ]
      for (const [headers, status, code] of refusals)
        yield* expectErrorWithoutWrites(erase(path, headers), { status, code })
      expect(statusOf(yield* get(path, key))).toBe(200)
    })
  )
})
