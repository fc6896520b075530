import { expect } from "bun:test"
import { Array, DateTime, Effect, Layer } from "effect"
import { Failure } from "../../../src/domain/connection/Connection.ts"
import { LiveProcesses } from "../../../src/persistence/postgres/LiveProcesses.ts"
import { UsageStore } from "../../../src/persistence/stores/usage/UsageStore.ts"
import { Quotas } from "../../../src/limits/Quotas.ts"
import { unlimitedQuotas } from "../../../src/domain/access/Quota.ts"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, issueKey, jsonOf, patch, post, sampleIntent, tenancyOf } from "../../support/testApi.ts"
import { adjustableMonotonicClock } from "../support/adjustableMonotonicClock.ts"
import { apiWith, overrideService } from "../support/apiWith.ts"
import { createInState } from "../support/commandFixtures.ts"
import { expectErrorWithoutWrites } from "../support/expectError.ts"

const clock = adjustableMonotonicClock()
const apiWithQuotas = (quotas: NonNullable<Parameters<typeof apiInMemory>[0]>["quotas"] & object) =>
  Layer.provide(apiInMemory({ quotas }), clock.layer)

const create = (key: string, domain: string, headers: Record<string, string> = {}) =>
  post("/v1/connections", key, { intent: { ...sampleIntent, domain }, allowDuplicate: true }, headers)

const pathOf = (response: Response) => response.headers.get("location") ?? ""

const cancel = (response: Response, key: string) => post(`${pathOf(response)}/cancel`, key, "")

const retryableFailure = {
  connection: {
    failure: Failure.make({
      code: "discovery_timeout",
      retryable: true,
      resumeState: "requested",
      occurredAt: DateTime.unsafeMake("2026-01-02T03:04:05.678Z")
    })
  }
}

const quotaExceeded = (pointer: string, quota: string) =>
  ({ status: 429, code: "quota_exceeded", details: [[pointer, quota]] }) as const

withLayer("a quota of three connections", apiWithQuotas({ connections: 3 }), (live) => {
  live("refuses the fourth with its name, its limit and what to do, and takes it when one has ended", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "four"))
      const [first] = yield* Effect.forEach(["a.com", "b.com", "c.com"], (domain) => create(key, domain))
      if (first === undefined) throw new Error("none was created")
      const message = yield* expectErrorWithoutWrites(create(key, "d.com"), quotaExceeded("", "connections_per_tenant"))
      expect(message).toMatch(/3 connections.*cancel or disconnect.*CONNECTIONS_PER_TENANT/)
      expect((yield* jsonOf(yield* create(key, "d.com"))).error.details[0].message).toBe("3 of 3 are used")
      expect((yield* cancel(first, key)).status).toBe(200)
      yield* clock.move("1 second")
      expect((yield* create(key, "d.com")).status).toBe(201)
      expect((yield* create(key, "e.com")).status).toBe(429)
    })
  )

  live("allows exactly three of forty creations at once", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "parallel"))
      const burst = Array.makeBy(40, (index) => create(key, `shop${index}.com`))
      const answers = yield* Effect.all(burst, { concurrency: "unbounded" })
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(37)
    })
  )

  live("is each tenant's own", () =>
    Effect.gen(function* () {
      for (const tenancy of [tenancyOf("app", "one"), tenancyOf("app", "two"), tenancyOf("other", "one")]) {
        const { key } = yield* issueKey(tenancy)
        expect(
          (yield* Effect.forEach(["a.com", "b.com", "c.com"], (domain) => create(key, domain))).at(-1)?.status
        ).toBe(201)
      }
    })
  )

  live("does not hide the answer to a request that is repeated under its key", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "repeated"))
      const request = create(key, "a.com", { "idempotency-key": "first" })
      const first = yield* request
      yield* Effect.forEach(["b.com", "c.com"], (domain) => create(key, domain))
      expect((yield* create(key, "d.com")).status).toBe(429)
      const repeated = yield* request
      expect([repeated.status, repeated.headers.get("idempotent-replayed")]).toEqual([201, "true"])
      expect(pathOf(repeated)).toBe(pathOf(first))
      const reused = yield* create(key, "e.com", { "idempotency-key": "first" })
      expect(reused.status).toBe(422)
    })
  )

  live("counts no request that creates nothing", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "nothing"))
      const request = create(key, "a.com", { "idempotency-key": "same" })
      const repeated = yield* Effect.forEach(Array.range(1, 10), () => request)
      expect(new Set(repeated.map(({ status }) => status))).toEqual(new Set([201]))
      expect((yield* Effect.forEach(["b.com", "c.com"], (domain) => create(key, domain))).at(-1)?.status).toBe(201)
    })
  )
})

withLayer("a quota of two connections in a registered domain", apiWithQuotas({ connectionsPerDomain: 2 }), (live) => {
  live("refuses the third anywhere below the domain, and takes it when one has ended", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "domains"))
      const first = yield* create(key, "a.example.co.uk")
      yield* create(key, "example.co.uk")
      const message = yield* expectErrorWithoutWrites(
        create(key, "b.c.example.co.uk", { "idempotency-key": "third" }),
        quotaExceeded("/intent/domain", "connections_per_domain")
      )
      expect(message).toContain("CONNECTIONS_PER_DOMAIN")
      expect((yield* create(key, "other.co.uk")).status).toBe(201)
      yield* cancel(first, key)
      expect((yield* create(key, "b.c.example.co.uk", { "idempotency-key": "third" })).status).toBe(201)
    })
  )
})

withLayer("a quota of two open discoveries", apiWithQuotas({ openDiscoveries: 2 }), (live) => {
  live("refuses the third with Retry-After, and takes it when one has ended", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "discoveries"))
      const first = yield* create(key, "a.com")
      yield* create(key, "b.com")
      const refused = yield* create(key, "c.com")
      expect(refused.headers.get("retry-after")).toBe("5")
      expect((yield* jsonOf(refused)).error).toMatchObject({
        code: "too_many_open_discoveries",
        details: [{ pointer: "", code: "open_discoveries_per_tenant", message: "2 of 2 are used" }]
      })
      yield* cancel(first, key)
      yield* clock.move("1 second")
      expect((yield* create(key, "c.com")).status).toBe(201)
    })
  )
})

withLayer(
  "a quota of two open discoveries, and a connection that failed",
  apiWithQuotas({ openDiscoveries: 2 }),
  (live) => {
    live("refuses a retry that opens a third with Retry-After, and takes it when one has ended", () =>
      Effect.gen(function* () {
        const { key, path } = yield* createInState("failed", retryableFailure)
        const first = yield* create(key, "a.com")
        yield* create(key, "b.com")
        const retry = post(`${path}/retry`, key, "", { "idempotency-key": "again" })
        const refused = yield* retry
        expect(refused.headers.get("retry-after")).toBe("5")
        yield* expectErrorWithoutWrites(Effect.succeed(refused), {
          status: 429,
          code: "too_many_open_discoveries",
          details: [["", "open_discoveries_per_tenant"]]
        })
        yield* cancel(first, key)
        yield* clock.move("1 second")
        expect((yield* retry).status).toBe(200)
        expect((yield* create(key, "c.com")).status).toBe(429)
        const repeated = yield* retry
        expect([repeated.status, repeated.headers.get("idempotent-replayed")]).toEqual([200, "true"])
      })
    )
  }
)

withLayer("a quota of 2000 bytes", apiWithQuotas({ storageBytes: 2_000 }), (live) => {
  live("refuses a creation once it is used, also by connections that have ended", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "storage"))
      let answer = yield* create(key, "a.com")
      for (let made = 1; answer.status === 201 && made < 10; made += 1) {
        yield* cancel(answer, key)
        answer = yield* create(key, `a${made}.com`)
      }
      expect((yield* jsonOf(answer)).error).toMatchObject({
        code: "quota_exceeded",
        details: [{ code: "storage_per_tenant" }]
      })
    })
  )
})

withLayer("a quota of 1500 bytes that is used", apiWithQuotas({ storageBytes: 1_500 }), (live) => {
  live("refuses the commands by which a connection goes on, but not its end", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("failed", retryableFailure)
      for (const domain of ["a.com", "b.com", "c.com"]) yield* create(key, domain)
      const intent = { ...sampleIntent, records: [{ host: "other", type: "CNAME", value: "shops.example.net" }] }
      const refusal = quotaExceeded("", "storage_per_tenant")
      yield* expectErrorWithoutWrites(patch(path, key, { intent }), refusal)
      yield* expectErrorWithoutWrites(post(`${path}/retry`, key, ""), refusal)
      expect((yield* post(`${path}/cancel`, key, "")).status).toBe(200)
    })
  )
})

withLayer("a quota of 1000 bytes of kept answers", apiWithQuotas({ idempotencyBytes: 1_000 }), (live) => {
  live("refuses only what needs one more, by creation or command", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "answers"))
      let answer = yield* create(key, "a.com")
      const first = answer
      for (let made = 1; answer.status === 201 && made < 10; made += 1)
        answer = yield* create(key, `a${made}.com`, { "idempotency-key": `key-${made}` })
      const refusal = quotaExceeded("/idempotency-key", "idempotency_per_tenant")
      yield* expectErrorWithoutWrites(create(key, "b.com", { "idempotency-key": "another" }), refusal)
      yield* expectErrorWithoutWrites(
        post(`${pathOf(first)}/cancel`, key, "", { "idempotency-key": "another" }),
        refusal
      )
      expect((yield* create(key, "b.com")).status).toBe(201)
      expect((yield* cancel(first, key)).status).toBe(200)
    })
  )
})

const counted = { count: 0 }
const all = {
  connections: 100,
  openDiscoveries: 100,
  connectionsPerDomain: 100,
  storageBytes: 1e6,
  idempotencyBytes: 1e6
}

/** The API with all quotas, on a store that notes each count. */
const apiThatCounts = Layer.provide(
  apiWith(
    Layer.provideMerge(
      Quotas.layer({ ...unlimitedQuotas, ...all }),
      overrideService(UsageStore, ({ count }) => ({
        count: (...quotas) =>
          Effect.suspend(() => {
            counted.count += 1
            return count(...quotas)
          })
      }))
    )
  ),
  clock.layer
)

withLayer("far from its limits", apiThatCounts, (live) => {
  live("a tenant is counted once for many creations, and again in the background after 30 seconds", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "far"))
      yield* Effect.forEach(Array.range(1, 50), (index) => create(key, `a${index}.com`), { concurrency: 8 })
      expect(counted.count).toBe(1)
      yield* clock.move("30 seconds")
      yield* Effect.forEach(Array.range(51, 60), (index) => create(key, `a${index}.com`))
      expect(counted.count).toBe(2)
    })
  )

  live("a flood of refusals costs one count a second", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "flood"))
      yield* Effect.forEach(Array.range(1, 100), (index) => create(key, `a${index}.com`), { concurrency: 8 })
      const before = counted.count
      const flood = yield* Effect.forEach(Array.range(1, 50), () => create(key, "z.com"), { concurrency: 8 })
      expect(new Set(flood.map(({ status }) => status))).toEqual(new Set([429]))
      expect(counted.count - before).toBe(1)
    })
  )
})

withLayer(
  "one of two processes",
  Layer.provide(apiThatCounts, Layer.succeed(LiveProcesses, { id: "one", count: () => 2, allLook: () => true })),
  (live) => {
    live("takes half of what was left before it counts again", () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey(tenancyOf("app", "half"))
        const before = counted.count
        yield* Effect.forEach(Array.range(1, 50), (index) => create(key, `a${index}.com`))
        expect(counted.count - before).toBe(1)
        yield* create(key, "b.com")
        expect(counted.count - before).toBe(2)
      })
    )
  }
)
