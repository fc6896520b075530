import { expect } from "bun:test"
import { DateTime, Effect, Option, Schema } from "effect"
import { DnsRecord } from "../../../src/domain/DnsRecord.ts"
import { ObservationsBody, RecordObservation } from "../../../src/domain/RecordObservation.ts"
import { StoreUnavailable } from "../../../src/persistence/StoreUnavailable.ts"
import { ApiKeyStore } from "../../../src/persistence/stores/ApiKeyStore.ts"
import { ConnectionViews } from "../../../src/persistence/stores/ConnectionViews.ts"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, get, issueKey, jsonOf, send, tenancyOf } from "../../support/testApi.ts"
import { apiWith, overrideService } from "../support/apiWith.ts"
import { createInState, moveTo, sendCommand } from "../support/commandFixtures.ts"
import { createConnectionPath, shopOrigin } from "../support/connectionFixtures.ts"
import { expectError, expectErrorWithoutWrites } from "../support/expectError.ts"

const textOf = (response: Response) => Effect.promise(() => response.text())

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const wanted = { host: "shop", type: "CNAME", value: "shops.example.net", ttl: 3_600, optional: false } as const

const checkedAt = DateTime.unsafeMake("2026-01-02T03:04:05.678Z")

/** What two servers and a resolver showed, each in its own way. */
const seen = RecordObservation.make({
  expected: DnsRecord.make(wanted),
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

const doc = Schema.encodeSync(Schema.parseJson(ObservationsBody))({ records: [seen] })

withLayer("GET …/records", apiInMemory(), (live) => {
  live("shows each wanted record as unknown as long as nobody has looked, and no moment of a look", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const response = yield* get(`${yield* createConnectionPath(key)}/records`, key)
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"])
      expect(yield* jsonOf(response)).toEqual({ records: [{ expected: wanted, observed: [], status: "unknown" }] })
    })
  )

  live("shows what every server answered last, and when they are asked again", () =>
    Effect.gen(function* () {
      const next = Option.some({ phase: "verify" as const, inSeconds: 3_600 })
      const before = Date.now()
      const { key, path } = yield* createInState("active", { beside: { observations: Option.some(doc), next } })
      const response = yield* get(`${path}/records`, key)
      const text = yield* textOf(response)
      const { nextCheckAt, records } = JSON.parse(text)
      expect(text).not.toContain("null")
      expect(records).toEqual(JSON.parse(doc).records)
      expect(nextCheckAt).toEqual(timestamp)
      expect(Date.parse(nextCheckAt)).toBeGreaterThanOrEqual(before + 3_600_000)
    })
  )

  live("names no next look where none is planned", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("canceled", { beside: { observations: Option.some(doc) } })
      expect(Object.keys(yield* jsonOf(yield* get(`${path}/records`, key)))).toEqual(["records"])
    })
  )
})

withLayer("GET …/events", apiInMemory(), (live) => {
  live("tells every state that the connection entered, newest last, with its failure and without a null", () =>
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

  live("goes on at nextCursor until there is none, with each entry once", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("awaiting_manual")
      yield* moveTo(path, "verifying")
      const all = yield* jsonOf(yield* get(`${path}/events`, key))
      const first = yield* jsonOf(yield* get(`${path}/events?limit=2`, key))
      expect(first).toEqual({ events: all.events.slice(0, 2), nextCursor: all.events[1].id })
      const second = yield* jsonOf(yield* get(`${path}/events?limit=2&cursor=${first.nextCursor}`, key))
      expect(second).toEqual({ events: all.events.slice(2) })
      yield* moveTo(path, "active")
      const news = yield* jsonOf(yield* get(`${path}/events?cursor=${all.events[2].id}`, key))
      expect(news.events.map(({ to }: { readonly to: string }) => to)).toEqual(["active"])
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
  withLayer(`GET …/${name} of what may not be seen`, apiInMemory(), (live) => {
    live("is answered 401 without a key, 403 without the scope, 400 for an id that is too long", () =>
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

    live("is answered 404 to another tenant and application, byte for byte like a missing one", () =>
      Effect.gen(function* () {
        const { path } = yield* createInState("active")
        for (const tenancy of [tenancyOf("app", "other"), tenancyOf("other", "tenant")]) {
          const { key } = yield* issueKey(tenancy)
          const headers = { "x-request-id": "the-same-request" }
          const theirs = yield* get(`${path}/${name}`, key, headers)
          expect(theirs.status).toBe(404)
          const none = yield* get(`/v1/connections/con_missing/${name}`, key, headers)
          expect(yield* textOf(theirs)).toBe(yield* textOf(none))
        }
      })
    )
  })

  withLayer(`GET …/${name} with a quota of one request`, apiInMemory({ rateLimitPerMinute: 1 }), (live) => {
    live("is answered 429 the second time", () =>
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
    live("are answered 503", () =>
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
  "GET …/records and …/events while nobody can be known",
  apiWith(overrideService(ApiKeyStore, () => ({ find: () => unavailable }))),
  (live) => {
    live("are answered 503", () =>
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
