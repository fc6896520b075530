import { expect } from "bun:test"
import { Effect, Option } from "effect"
import { finalStates } from "../../../src/domain/connection/Connection.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { encodeConnection } from "../../../src/persistence/stores/connections/StoredConnection.ts"
import { UsageStore } from "../../../src/persistence/stores/usage/UsageStore.ts"
import { StoreFixture } from "../StoreFixture.ts"
import {
  createConnection,
  failureDetails,
  firstTransition,
  foreignTenancies,
  moveToState,
  ownTenancy
} from "../connectionFixtures.ts"
import type { StoreTest } from "./storeContract.ts"

/** The contract of every `UsageStore`, and of the limit for a domain. */
export const usageContract = (test: StoreTest): void => {
  counts(test)
  domainLimits(test)
}

const usage = Effect.flatMap(UsageStore, ({ count }) =>
  count(ownTenancy, ["connections", "openDiscoveries", "storageBytes", "idempotencyBytes"])
)

const counts = (test: StoreTest) => {
  test("a tenant without connections uses nothing", () =>
    Effect.gen(function* () {
      for (const tenancy of foreignTenancies) yield* createConnection(tenancy)
      expect(yield* usage).toEqual({ connections: 0, openDiscoveries: 0, storageBytes: 0, idempotencyBytes: 0 })
    }))

  test("only the named quotas are counted", () =>
    Effect.gen(function* () {
      const { count } = yield* UsageStore
      yield* createConnection()
      expect(yield* count(ownTenancy, ["connections"])).toEqual({ connections: 1 })
    }))

  test("a connection counts until it ends, its discovery until that ends, and its document for ever", () =>
    Effect.gen(function* () {
      const first = sizeOf(yield* createConnection())
      expect(yield* usage).toMatchObject({ connections: 1, openDiscoveries: 1, storageBytes: first })
      const failed = sizeOf(yield* moveToState("failed"))
      expect(yield* usage).toMatchObject({ connections: 1, openDiscoveries: 0, storageBytes: failed })
      let ended = 0
      for (const state of finalStates) {
        yield* createConnection()
        ended += sizeOf(yield* moveToState(state))
        expect(yield* usage).toMatchObject({ connections: 1, openDiscoveries: 0, storageBytes: failed + ended })
      }
    }))

  test("the answers under idempotency keys count with their bytes", () =>
    Effect.gen(function* () {
      const store = yield* ConnectionStore
      const first = yield* firstTransition()
      const key = { route: "POST /v1/connections", key: "a", fingerprints: ["1:a"] } as const
      yield* Effect.orDie(store.create(ownTenancy, first, Option.some(key)))
      expect(yield* usage).toMatchObject({ idempotencyBytes: sizeOf(first.after.connection) })
    }))
}

const sizeOf = (connection: Parameters<typeof encodeConnection>[0]) => Buffer.byteLength(encodeConnection(connection))

const domainLimits = (test: StoreTest) => {
  const rules = { domainLimit: Option.some(2) }

  const create = (domain: string, key: Option.Option<string> = Option.none(), tenancy = ownTenancy) =>
    Effect.gen(function* () {
      const store = yield* ConnectionStore
      const first = yield* firstTransition(tenancy)
      const { connection } = first.after
      const named = { ...connection, effectiveIntent: { ...connection.effectiveIntent, domain } }
      const transition = { ...first, after: { ...first.after, connection: named } }
      const idempotency = Option.map(key, (key) => ({
        route: "POST /v1/connections",
        key,
        fingerprints: [`1:${key}`] as const
      }))
      return yield* store.create(tenancy, transition, idempotency, rules)
    })

  const refusal = (request: ReturnType<typeof create>) =>
    Effect.map(failureDetails(request), (details) => details.split(":")[0])

  test("a domain that is full refuses another connection in it, and no other domain or tenant does", () =>
    Effect.gen(function* () {
      yield* create("shop.example.com")
      yield* create("example.com")
      expect(yield* refusal(create("www.shop.example.com"))).toBe("DomainLimitReached")
      expect(yield* refusal(create("example.com", Option.some("new")))).toBe("DomainLimitReached")
      expect((yield* usage).connections).toBe(2)
      expect((yield* usage).idempotencyBytes).toBe(0)
      for (const tenancy of foreignTenancies)
        expect((yield* create("example.com", Option.none(), tenancy))._tag).toBe("Done")
    }))

  test("names that only look as if they were in the domain do not count", () =>
    Effect.gen(function* () {
      for (const domain of ["x-example.com", "badexample.com", "example.com.de", "example.co"]) yield* create(domain)
      expect((yield* create("example.com"))._tag).toBe("Done")
    }))

  test("the end of a connection makes room", () =>
    Effect.gen(function* () {
      const { advanceTime } = yield* StoreFixture
      yield* create("a.example.com")
      yield* advanceTime("1 second")
      yield* create("b.example.com")
      yield* moveToState("canceled")
      expect((yield* create("c.example.com"))._tag).toBe("Done")
      expect(yield* refusal(create("d.example.com"))).toBe("DomainLimitReached")
    }))

  test("a request that is repeated under its key gets its first answer from a full domain", () =>
    Effect.gen(function* () {
      yield* create("a.example.com", Option.some("first"))
      yield* create("b.example.com")
      expect((yield* create("a.example.com", Option.some("first")))._tag).toBe("Replayed")
    }))
}
