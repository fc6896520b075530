import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { apiInMemory, get, issueKey, jsonOf, post, sampleIntent, tenancyOf, textOf } from "../../support/testApi.ts"
import { adjustableClock } from "../support/adjustableClock.ts"
import { issueBearer } from "../support/connectionRequests.ts"
import { expectErrorWithoutWrites, rowCounts, withoutWrites } from "../support/expectError.ts"

const create = (key: string, idempotencyKey: string, body: unknown = { intent: sampleIntent, allowDuplicate: true }) =>
  post("/v1/connections", key, body, { "idempotency-key": idempotencyKey })

const reused = { status: 422, code: "idempotency_key_reused" }

const clock = adjustableClock()

withLayer("a request with an Idempotency-Key", Layer.provide(apiInMemory(), clock.layer), (live) => {
  live("is replayed with the first response and a header that says so", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const first = yield* create(key, "order-1")
      const replay = yield* withoutWrites(create(key, "order-1"))
      expect([first.status, replay.status]).toEqual([201, 201])
      expect(first.headers.has("idempotent-replayed")).toBe(false)
      expect(replay.headers.get("idempotent-replayed")).toBe("true")
      expect(replay.headers.get("location")).toBe(first.headers.get("location"))
      expect(replay.headers.get("etag")).toBe(first.headers.get("etag"))
      expect(yield* textOf(replay)).toBe(yield* textOf(first))
    })
  )

  live("creates one connection even when sent fifty times at once", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const before = yield* rowCounts
      const answers = yield* Effect.all(
        Array.from({ length: 50 }, () => create(key, "fifty")),
        { concurrency: "unbounded" }
      )
      const bodies = yield* Effect.forEach(answers, textOf)
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
      expect(answers.filter(({ headers }) => !headers.has("idempotent-replayed"))).toHaveLength(1)
      expect(new Set(bodies).size).toBe(1)
      expect(yield* rowCounts).toEqual({
        ...before,
        connections: before.connections + 1,
        idempotency: before.idempotency + 1
      })
    })
  )

  live("is the same request in any order and spacing of its JSON", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const overrideTags = { p: "reject", sp: "none" }
      const record = { host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none", advancedDmarcOptions: { overrideTags } }
      const first = yield* create(key, "spaced", {
        intent: { domain: "example.com", records: [record] },
        allowDuplicate: true
      })
      const { p, sp } = overrideTags
      const { host, type, value } = record
      const shuffled = { advancedDmarcOptions: { overrideTags: { sp, p } }, value, type, host }
      const spaced = JSON.stringify(
        { allowDuplicate: true, intent: { records: [shuffled], domain: "example.com" } },
        undefined,
        2
      )
      const replay = yield* create(key, "spaced", spaced)
      expect(first.status).toBe(201)
      expect(yield* textOf(replay)).toBe(yield* textOf(first))
    })
  )

  live("is replayed with the connection as first committed, even after a state change", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const first = yield* textOf(yield* create(key, "moved"))
      const { connections } = yield* Tables
      connections.forEach((row) => Object.assign(row, { state: "failed", version: 2, doc: '{"state":"failed"}' }))
      expect(yield* textOf(yield* create(key, "moved"))).toBe(first)
    })
  )

  const otherBodies: ReadonlyArray<readonly [name: string, body: unknown]> = [
    ["another domain", { intent: { ...sampleIntent, domain: "example.org" }, allowDuplicate: true }],
    [
      "a default spelled out",
      { intent: { ...sampleIntent, existingRecordPolicy: { validateCAA: true } }, allowDuplicate: true }
    ],
    ["an intent that makes no sense", { intent: { ...sampleIntent, domain: "a..b" }, allowDuplicate: true }]
  ]
  otherBodies.forEach(([name, body]) =>
    live(`is rejected with 422 if the key is reused with ${name}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const idempotencyKey = name.replaceAll(" ", "-")
        yield* create(key, idempotencyKey)
        yield* expectErrorWithoutWrites(create(key, idempotencyKey, body), reused)
      })
    )
  )

  live("answers 400 to an invalid body even if the key was used before", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      yield* create(key, "misfit")
      yield* expectErrorWithoutWrites(create(key, "misfit", {}), {
        status: 400,
        code: "invalid_request",
        details: [["/intent", "missing"]]
      })
    })
  )

  live("does not use up its key when rejected", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const invalid = { intent: { ...sampleIntent, domain: "a..b" }, allowDuplicate: true }
      yield* expectErrorWithoutWrites(create(key, "corrected", invalid), {
        status: 422,
        code: "unprocessable",
        details: [["/intent/domain", "domain_has_empty_label"]]
      })
      const corrected = yield* create(key, "corrected")
      expect(corrected.status).toBe(201)
      expect(corrected.headers.has("idempotent-replayed")).toBe(false)
    })
  )

  live("is independent of the same key in another tenant or application", () =>
    Effect.gen(function* () {
      const tenancies = [tenancyOf("app", "one"), tenancyOf("app", "two"), tenancyOf("other", "one")]
      const answers = yield* Effect.forEach(tenancies, (tenancy) =>
        Effect.flatMap(issueKey(tenancy), ({ key }) => create(key, "shared"))
      )
      const bodies = yield* Effect.forEach(answers, jsonOf)
      expect(answers.map(({ headers }) => headers.has("idempotent-replayed"))).toEqual([false, false, false])
      expect(new Set(bodies.map(({ connection }) => connection.id)).size).toBe(3)
    })
  )

  live("is shared by all API keys of a tenant", () =>
    Effect.gen(function* () {
      const [{ key: firstKey }, { key: secondKey }] = yield* Effect.all([issueKey(), issueKey()])
      const first = yield* create(firstKey, "two-servers")
      expect(yield* textOf(yield* create(secondKey, "two-servers"))).toBe(yield* textOf(first))
    })
  )

  live("is replayed for 24 hours and no longer", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const first = yield* textOf(yield* create(key, "yesterday"))
      yield* clock.move("23 hours")
      expect(yield* textOf(yield* create(key, "yesterday"))).toBe(first)
      yield* clock.move("1 hour")
      const next = yield* create(key, "yesterday", {
        intent: { ...sampleIntent, domain: "example.org" },
        allowDuplicate: true
      })
      expect(next.status).toBe(201)
      expect(next.headers.has("idempotent-replayed")).toBe(false)
    })
  )

  live("may have a key of 1 to 255 visible ASCII characters", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const accepted = yield* Effect.forEach(["!", "~".repeat(255), '"a,b;c"'], (name) => create(key, name))
      expect(accepted.map(({ status }) => status)).toEqual([201, 201, 201])
      for (const name of ["", "a b", "a".repeat(256), "ä"]) {
        yield* expectErrorWithoutWrites(create(key, name), {
          status: 400,
          code: "invalid_request",
          details: [["/idempotency-key", "invalid"]]
        })
      }
    })
  )

  live("has no effect on a read", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const { connection } = yield* jsonOf(yield* create(key, "read"))
      const path = `/v1/connections/${connection.id}`
      const headers = { "idempotency-key": "read" }
      const read = yield* withoutWrites(get(path, key, headers))
      expect(read.status).toBe(200)
      expect(read.headers.has("idempotent-replayed")).toBe(false)
      expect(yield* issueBearer(key, path)).toStartWith("Bearer dct_")
    })
  )
})

withLayer("requests without an Idempotency-Key", apiInMemory(), (live) => {
  live("create one connection each", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      yield* Effect.all(
        Array.from({ length: 3 }, () => post("/v1/connections", key, { intent: sampleIntent, allowDuplicate: true }))
      )
      expect(yield* rowCounts).toEqual({ connections: 3, idempotency: 0, tokens: 0 })
    })
  )
})
