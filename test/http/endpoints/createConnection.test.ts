import { expect } from "bun:test"
import { Effect, Option } from "effect"
import { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { CommitResult, ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { withLayer } from "../../support/effectTest.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { apiInMemory, issueKey, jsonOf, post, sampleIntent, tenancyOf } from "../../support/testApi.ts"
import { apiWith, overrideService } from "../support/apiWith.ts"
import { expectError, expectErrorWithoutWrites, withoutWrites } from "../support/expectError.ts"

const create = (key: string, intent: unknown, headers: Record<string, string> = {}) =>
  post("/v1/connections", key, { intent, allowDuplicate: true }, headers)

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

/** Adds the names that a record of `bücher.example` has. */
const withNames = (record: { readonly host: string }) => ({
  ...record,
  name: record.host === "@" ? "xn--bcher-kva.example" : `${record.host}.xn--bcher-kva.example`,
  unicodeName: record.host === "@" ? "bücher.example" : `${record.host}.bücher.example`
})

withLayer("POST /v1/connections", apiInMemory(), (live) => {
  live("answers 201 with a requested connection, with defaults and without null", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("shop", "tenant-7"))
      const response = yield* create(key, sampleIntent)
      const record = { host: "shop", type: "CNAME", value: "shops.example.net", ttl: 3_600, optional: false }
      const body = yield* jsonOf(response)
      expect(response.status).toBe(201)
      expect(body).toEqual({
        connection: {
          id: expect.stringMatching(/^con_[0-9a-hjkmnp-tv-z]{26}$/),
          applicationId: "shop",
          tenantId: "tenant-7",
          intent: {
            domain: "example.com",
            records: [record],
            existingRecordPolicy: { validateDmarc: true, validateCAA: true }
          },
          effectiveIntent: { domain: "example.com", records: [{ ...record, name: "shop.example.com" }] },
          state: "requested",
          optionalFailures: [],
          optionalFailureDetails: [],
          allowedActions: ["cancel", "update"],
          createdAt: timestamp,
          updatedAt: body.connection.createdAt
        }
      })
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-type": "application/json",
        etag: '"1"',
        location: `/v1/connections/${body.connection.id}`
      })
      expect(response.headers.has("preference-applied")).toBe(false)
    })
  )

  live("stores the connection, its first event and its due discovery", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const { connection } = yield* jsonOf(yield* create(key, sampleIntent))
      const row = (yield* Tables).connections.get(ConnectionId.make(connection.id))
      expect(row).toMatchObject({ tenancy: tenancyOf("app", "tenant"), state: "requested", version: 1 })
      expect(JSON.parse(row?.doc ?? "")).toEqual(connection)
      expect(row?.events).toEqual([
        { id: expect.stringMatching(/^evt_/), to: "requested", occurredAt: expect.any(Number) }
      ])
      expect(row?.phase).toEqual(Option.some("discover"))
      expect(Option.isSome(row?.dueAt ?? Option.none())).toBe(true)
    })
  )

  live("returns the intent as sent and the effective intent in normal form", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const sent = {
        domain: "BÜCHER.example.",
        records: [
          { host: "@", type: "MX", value: "Mail.Example.NET." },
          { host: "www.bücher.example", type: "A", value: "192.0.2.1", ttl: 0, optional: true },
          { host: "_sip._tcp", type: "SRV", value: "05 5060 sip.example.net", priority: 0, ttl: 2 ** 31 - 1 },
          { host: "*.app", type: "AAAA", value: "2001:DB8:0:0::1" },
          {
            host: "_dmarc",
            type: "TXT",
            value: "v=DMARC1; p=none",
            advancedDmarcOptions: {
              inheritRootDmarc: true,
              overrideTags: { p: "reject" },
              removeTags: ["sp"],
              addTagsIfNotExist: { rua: "mailto:a@example.net" }
            }
          }
        ],
        existingRecordPolicy: { validateCAA: false }
      }
      const { connection } = yield* jsonOf(yield* create(key, sent))
      const defaults = { ttl: 3_600, optional: false }
      expect(connection.intent).toEqual({
        domain: sent.domain,
        records: [
          { ...defaults, priority: 10, ...sent.records[0] },
          { ...defaults, ...sent.records[1] },
          { ...defaults, ...sent.records[2] },
          { ...defaults, ...sent.records[3] },
          { ...defaults, ...sent.records[4] }
        ],
        existingRecordPolicy: { validateDmarc: true, validateCAA: false }
      })
      expect(connection.effectiveIntent).toEqual({
        domain: "xn--bcher-kva.example",
        records: [
          { host: "@", type: "MX", value: "mail.example.net", ttl: 3_600, priority: 10, optional: false },
          { host: "www", type: "A", value: "192.0.2.1", ttl: 0, optional: true },
          {
            host: "_sip._tcp",
            type: "SRV",
            value: "5 5060 sip.example.net",
            ttl: 2 ** 31 - 1,
            priority: 0,
            optional: false
          },
          { host: "*.app", type: "AAAA", value: "2001:db8::1", ttl: 3_600, optional: false },
          { host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none", ttl: 3_600, optional: false }
        ].map(withNames)
      })
    })
  )

  live("accepts the same domain more than once", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const [first, second] = yield* Effect.all([create(key, sampleIntent), create(key, sampleIntent)])
      expect([first.status, second.status]).toEqual([201, 201])
      expect((yield* jsonOf(first)).connection.id).not.toBe((yield* jsonOf(second)).connection.id)
    })
  )

  live("answers 400 with a pointer to each field that violates the schema", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      yield* expectErrorWithoutWrites(
        create(key, { records: [{ type: "A", value: 1, ttl: "60", colour: "red" }], extra: true }),
        {
          status: 400,
          code: "invalid_request",
          details: [
            ["/intent/domain", "missing"],
            ["/intent/records/0/host", "missing"],
            ["/intent/records/0/value", "invalid"],
            ["/intent/records/0/ttl", "invalid"],
            ["/intent/extra", "unknown_field"],
            ["/intent/records/0/colour", "unknown_field"]
          ]
        }
      )
    })
  )

  live("answers 401 without a key", () =>
    expectErrorWithoutWrites(create("", sampleIntent), { status: 401, code: "unauthenticated" })
  )

  live("answers 403 to a key without the scope connections:write", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(undefined, ["connections:read", "tokens:issue"])
      yield* expectErrorWithoutWrites(create(key, sampleIntent), { status: 403, code: "insufficient_scope" })
    })
  )

  live("answers 422 with a pointer to each invalid value", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const records = [
        { host: "a..b", type: "A", value: "192.0.2.256" },
        { host: "www", type: "TXT", value: "fine" }
      ]
      yield* expectErrorWithoutWrites(create(key, { domain: "example.com", records }), {
        status: 422,
        code: "unprocessable",
        details: [
          ["/intent/records/0/host", "host_has_empty_label"],
          ["/intent/records/0/value", "value_is_no_ipv4_address"]
        ]
      })
    })
  )
})

withLayer("POST /v1/connections with a quota of one request", apiInMemory({ rates: { server: 1 } }), (live) => {
  live("answers 429 to the second request and writes nothing", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      expect((yield* create(key, sampleIntent)).status).toBe(201)
      yield* expectErrorWithoutWrites(create(key, sampleIntent), { status: 429, code: "rate_limited" })
    })
  )
})

withLayer(
  "POST /v1/connections while the first request of an Idempotency-Key runs",
  apiWith(overrideService(ConnectionStore, () => ({ create: () => Effect.succeed(CommitResult.InProgress()) }))),
  (live) => {
    live("answers 409", () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const request = create(key, sampleIntent, { "idempotency-key": "one" })
        yield* expectError(yield* withoutWrites(request), { status: 409, code: "idempotency_in_progress" })
      })
    )
  }
)
