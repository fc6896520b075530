import { expect } from "bun:test"
import { DateTime, Effect, Option, Schema } from "effect"
import { DnsRecord } from "../../../src/domain/records/DnsRecord.ts"
import { Observations, RecordObservation } from "../../../src/domain/plan/RecordObservation.ts"
import { StoreUnavailable } from "../../../src/persistence/StoreUnavailable.ts"
import { ApiKeyStore } from "../../../src/persistence/stores/access/ApiKeyStore.ts"
import { ConnectionViews } from "../../../src/persistence/stores/connections/ConnectionViews.ts"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, get, issueKey, jsonOf, send, tenancyOf, textOf } from "../../support/testApi.ts"
import { apiWith, overrideService } from "../support/apiWith.ts"
import { createInState, moveTo, sendCommand } from "../support/commandFixtures.ts"
import { createConnectionPath, shopOrigin } from "../support/connectionRequests.ts"
import { expectError, expectErrorWithoutWrites } from "../support/expectError.ts"

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const desiredRecord = { host: "shop", type: "CNAME", value: "shops.example.net", ttl: 3_600, optional: false } as const

const checkedAt = DateTime.unsafeMake("2026-01-02T03:04:05.678Z")

/** An observation with a different result from each server. */
const observation = RecordObservation.make({
  expected: DnsRecord.make(desiredRecord),
  observed: [
    {
      server: "ns1.example.net",
      kind: "authoritative",
      status: "present",
      seen: [{ type: "CNAME", value: "shops.example.net", ttl: 300 }]
    },
    { server: "ns2.example.net", kind: "authoritative", status: "unknown", silence: "timed_out", seen: [] },
    {
      server: "192.0.2.53",
      kind: "public",
      status: "different",
      seen: [{ type: "MX", value: "a.example", ttl: 0, priority: 0 }]
    }
  ],
  status: "different",
  checkedAt
})

const doc = Schema.encodeSync(Schema.parseJson(Observations))({ records: [observation] })

withLayer("GET …/records", apiInMemory(), (live) => {
  live("lists each desired record as unknown before the first check, without a next check", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const response = yield* get(`${yield* createConnectionPath(key)}/records`, key)
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"])
      expect(yield* jsonOf(response)).toEqual({
        records: [{ expected: { ...desiredRecord, name: "shop.example.com" }, observed: [], status: "unknown" }]
      })
    })
  )

  live("returns the last answer of every server and the time of the next check", () =>
    Effect.gen(function* () {
      const next = Option.some({ phase: "verify" as const, inSeconds: 3_600 })
      const before = Date.now()
      const { key, path } = yield* createInState("active", { transition: { observations: Option.some(doc), next } })
      const response = yield* get(`${path}/records`, key)
      const text = yield* textOf(response)
      const { nextCheckAt, records } = JSON.parse(text)
      expect(text).not.toContain("null")
      expect(records).toEqual(
        JSON.parse(doc).records.map(({ expected, ...rest }: any) => ({
          ...rest,
          expected: { ...expected, name: "shop.example.com" }
        }))
      )
      expect(nextCheckAt).toEqual(timestamp)
      expect(Date.parse(nextCheckAt)).toBeGreaterThanOrEqual(before + 3_600_000)
    })
  )

  live("omits the next check if none is scheduled", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("canceled", { transition: { observations: Option.some(doc) } })
      expect(Object.keys(yield* jsonOf(yield* get(`${path}/records`, key)))).toEqual(["records"])
    })
  )
})

withLayer("GET …/events", apiInMemory(), (live) => {
  live("lists every state of the connection, newest last, with its failure and without null", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("failed")
      yield* sendCommand(path, key, { name: "retry" })
      const response = yield* get(`${path}/events`, key)
      const text = yield* textOf(response)
      const id = expect.stringMatching(/^evt_[0-9a-hjkmnp-tv-z]{26}$/)
      expect(JSON.parse(text)).toEqual({
        events: [
          { id, to: "requested", occurredAt: timestamp },
          { id, from: "requested", to: "failed", failure: "discovery_timeout", occurredAt: timestamp },
          { id, from: "failed", to: "requested", occurredAt: timestamp }
        ]
      })
      expect(text).not.toContain("null")
    })
  )

  live("continues at nextCursor until the last page, with each entry once", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("awaiting_manual")
      yield* moveTo(path, "verifying")
      const all = yield* jsonOf(yield* get(`${path}/events`, key))
      const first = yield* jsonOf(yield* get(`${path}/events?limit=2`, key))
      expect(first).toEqual({ events: all.events.slice(0, 2), nextCursor: all.events[1].id })
      const second = yield* jsonOf(yield* get(`${path}/events?limit=2&cursor=${first.nextCursor}`, key))
      expect(second).toEqual({ events: all.events.slice(2) })
      yield* moveTo(path, "active")
      const newer = yield* jsonOf(yield* get(`${path}/events?cursor=${all.events[2].id}`, key))
      expect(newer.events.map(({ to }: { readonly to: string }) => to)).toEqual(["active"])
    })
  )

  for (const [name, value] of [
    ["limit", "0"],
    ["limit", "101"],
    ["cursor", "EVT_1"]
  ] as const) {
    live(`answers 400 to ${name}=${value}`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createInState("active")
        yield* expectErrorWithoutWrites(get(`${path}/events?${name}=${value}`, key), {
          status: 400,
          code: "invalid_request",
          details: [[`/${name}`, "invalid"]]
        })
      })
    )
  }
})

for (const name of ["records", "events"]) {
  withLayer(`GET …/${name} without access`, apiInMemory(), (live) => {
    live("answers 401 without a key, 403 without the scope, 400 to an id that is too long", () =>
      Effect.gen(function* () {
        const { key, path } = yield* createInState("active")
        const { key: writer } = yield* issueKey(undefined, ["connections:write", "tokens:issue"])
        yield* expectErrorWithoutWrites(send(`${path}/${name}`), { status: 401, code: "unauthenticated" })
        yield* expectErrorWithoutWrites(get(`${path}/${name}`, writer), { status: 403, code: "insufficient_scope" })
        const inBrowser = get(`${path}/${name}`, key, { origin: shopOrigin })
        yield* expectErrorWithoutWrites(inBrowser, { status: 403, code: "api_key_in_browser" })
        yield* expectErrorWithoutWrites(get(`/v1/connections/${"a".repeat(201)}/${name}`, key), {
          status: 400,
          code: "invalid_request",
          details: [["/connectionId", "invalid"]]
        })
      })
    )

    live("answers 404 to another tenant and application, exactly as for a missing connection", () =>
      Effect.gen(function* () {
        const { path } = yield* createInState("active")
        for (const tenancy of [tenancyOf("app", "other"), tenancyOf("other", "tenant")]) {
          const { key } = yield* issueKey(tenancy)
          const headers = { "x-request-id": "the-same-request" }
          const foreignResponse = yield* get(`${path}/${name}`, key, headers)
          expect(foreignResponse.status).toBe(404)
          const missingResponse = yield* get(`/v1/connections/con_missing/${name}`, key, headers)
          expect(yield* textOf(foreignResponse)).toBe(yield* textOf(missingResponse))
        }
      })
    )
  })

  withLayer(`GET …/${name} with a quota of one request`, apiInMemory({ rates: { server: 1 } }), (live) => {
    live("answers 429 to the second request", () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const path = yield* createConnectionPath(key)
        yield* expectError(yield* get(`${path}/${name}`, key), { status: 429, code: "rate_limited" })
      })
    )
  })
}

const unavailable = new StoreUnavailable({ code: "unavailable", message: "the database cannot be reached" })

withLayer(
  "GET …/records and …/events without a database",
  apiWith(
    overrideService(ConnectionViews, () => ({ findObservations: () => unavailable, listTimeline: () => unavailable }))
  ),
  (live) => {
    live("answer 503", () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const path = yield* createConnectionPath(key)
        for (const name of ["records", "events"]) {
          const response = yield* get(`${path}/${name}`, key)
          expect(response.headers.get("retry-after")).toBe("1")
          yield* expectError(response, { status: 503, code: "unavailable" })
        }
      })
    )
  }
)

withLayer(
  "GET …/records and …/events while no API key can be read",
  apiWith(overrideService(ApiKeyStore, () => ({ find: () => unavailable }))),
  (live) => {
    live("answer 503", () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        for (const name of ["records", "events"]) {
          const response = yield* get(`/v1/connections/con_any/${name}`, key)
          yield* expectError(response, { status: 503, code: "unavailable" })
        }
      })
    )
  }
)
