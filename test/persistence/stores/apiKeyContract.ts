import { expect } from "bun:test"
import { Effect, Option } from "effect"
import { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { ApiKeyId, type KeyScope } from "../../../src/domain/access/Tenancy.ts"
import { ApiKeyStore, type NewApiKey } from "../../../src/persistence/stores/access/ApiKeyStore.ts"
import { encodeConnection } from "../../../src/persistence/stores/connections/StoredConnection.ts"
import { tenancyOf } from "../../support/testApi.ts"
import { StoreFixture } from "../StoreFixture.ts"
import { createConnection, foreignTenancies, ownTenancy } from "../connectionFixtures.ts"
import type { StoreTest } from "./storeContract.ts"

/** A key to insert; its hash is derived from its id. */
export const keyOf = (
  id: string,
  scopes: ReadonlyArray<KeyScope> = ["connections:read"],
  tenancy = ownTenancy
): NewApiKey => ({
  id: ApiKeyId.make(id),
  hash: Buffer.from(`hash of ${id}`),
  prefix: "dck_test_abc",
  tenancy,
  scopes
})

/** The contract of every `ApiKeyStore`. */
export const apiKeyContract = (test: StoreTest): void => {
  finding(test)
  rotation(test)
  ending(test)
}

const finding = (test: StoreTest) => {
  test("finds a key by its hash, with its tenancy and scopes", () =>
    Effect.gen(function* () {
      const { insert } = yield* ApiKeyStore
      const key = keyOf("key_1", ["connections:read", "tokens:issue"])
      yield* insert(key)
      expect(yield* find("key_1")).toEqual(
        Option.some({ id: key.id, tenancy: ownTenancy, scopes: key.scopes, connection: Option.none() })
      )
      expect(yield* find("key_2")).toEqual(Option.none())
    }))

  test("finds a connection together with a key only in the key's tenancy", () =>
    Effect.gen(function* () {
      const store = yield* ApiKeyStore
      const connection = yield* createConnection()
      const stored = { id: connection.id, state: "requested" as const, doc: encodeConnection(connection), version: 1 }
      yield* store.insert(keyOf("key_1"))
      for (const tenancy of foreignTenancies)
        yield* store.insert(keyOf(`key_${foreignTenancies.indexOf(tenancy) + 2}`, [], tenancy))
      const own = yield* Effect.flatten(find("key_1", connection.id))
      expect(own).toEqual({
        id: ApiKeyId.make("key_1"),
        tenancy: ownTenancy,
        scopes: ["connections:read"],
        connection: Option.some(stored)
      })
      const missing = yield* Effect.flatten(find("key_1", ConnectionId.make("con_missing")))
      expect(missing).toEqual({ ...own, connection: Option.none() })
      for (const [index, tenancy] of foreignTenancies.entries()) {
        const { connection: found, tenancy: whose } = yield* Effect.flatten(find(`key_${index + 2}`, connection.id))
        expect([whose, found]).toEqual([tenancy, Option.none()])
      }
    }))

  test("lists the keys in the order of their creation, without their hashes", () =>
    Effect.gen(function* () {
      const store = yield* ApiKeyStore
      yield* Effect.forEach(["key_2", "key_1"], (id) => store.insert(keyOf(id)))
      expect(yield* store.list).toEqual(
        ["key_1", "key_2"].map((id) => ({
          id: ApiKeyId.make(id),
          prefix: "dck_test_abc",
          name: null,
          ...ownTenancy,
          scopes: ["connections:read"],
          createdAt: expect.any(Date),
          expiresAt: null,
          revokedAt: null,
          lastUsedAt: null
        }))
      )
    }))

  test("lists the keys of an application in pages, and those of one tenant, and finds each by its id", () =>
    Effect.gen(function* () {
      const store = yield* ApiKeyStore
      const { applicationId, tenantId } = ownTenancy
      const neighbour = tenancyOf(applicationId, "neighbour")
      yield* Effect.forEach(["key_3", "key_1"], (id) => store.insert(keyOf(id)))
      yield* store.insert(keyOf("key_2", [], neighbour))
      yield* store.insert(keyOf("key_0", [], tenancyOf("other", tenantId)))
      const idsOf = (page: Parameters<typeof store.listOf>[1]) =>
        Effect.map(store.listOf(applicationId, page), (keys) => keys.map(({ id }) => `${id}`))
      expect(yield* idsOf({ limit: 2 })).toEqual(["key_1", "key_2"])
      expect(yield* idsOf({ limit: 2, after: "key_2" })).toEqual(["key_3"])
      expect(yield* idsOf({ limit: 9, tenantId: neighbour.tenantId })).toEqual(["key_2"])
      const found = yield* Effect.flatten(store.findOf(applicationId, ApiKeyId.make("key_2")))
      expect(found).toMatchObject({ id: "key_2", ...neighbour })
      expect(yield* store.findOf(applicationId, ApiKeyId.make("key_0"))).toEqual(Option.none())
    }))

  test("records the last use of the given keys only", () =>
    Effect.gen(function* () {
      const store = yield* ApiKeyStore
      yield* Effect.forEach(["key_1", "key_2", "key_3"], (id) => store.insert(keyOf(id)))
      yield* store.recordUse([])
      yield* store.recordUse([ApiKeyId.make("key_1"), ApiKeyId.make("key_3"), ApiKeyId.make("key_missing")])
      const used = Object.fromEntries((yield* store.list).map(({ id, lastUsedAt }) => [id, lastUsedAt !== null]))
      expect(used).toEqual({ key_1: true, key_2: false, key_3: true })
    }))
}

const rotation = (test: StoreTest) => {
  test("a successor has the tenancy, scopes and name of the old key, which stays valid during the overlap", () =>
    Effect.gen(function* () {
      const store = yield* ApiKeyStore
      const { advanceTime } = yield* StoreFixture
      yield* store.insert({ ...keyOf("key_1", ["tokens:issue"]), name: "billing" })
      const successor = yield* Effect.flatten(replace("key_1", "key_2", 3_600))
      expect((yield* store.list)[1]).toEqual(successor)
      expect(successor).toMatchObject({
        id: "key_2",
        ...ownTenancy,
        scopes: ["tokens:issue"],
        name: "billing",
        expiresAt: null,
        revokedAt: null
      })
      yield* advanceTime("59 minutes")
      expect(yield* goodOf("key_1", "key_2")).toEqual(["key_1", "key_2"])
      yield* advanceTime("1 minute")
      expect(yield* goodOf("key_1", "key_2")).toEqual(["key_2"])
    }))

  test("without an overlap the old key is invalid at once", () =>
    Effect.gen(function* () {
      const store = yield* ApiKeyStore
      yield* store.insert(keyOf("key_1"))
      yield* replace("key_1", "key_2", 0)
      expect(yield* goodOf("key_1", "key_2")).toEqual(["key_2"])
    }))

  test("a second rotation does not extend the overlap", () =>
    Effect.gen(function* () {
      const store = yield* ApiKeyStore
      const { advanceTime } = yield* StoreFixture
      yield* store.insert(keyOf("key_1"))
      yield* replace("key_1", "key_2", 3_600)
      yield* replace("key_1", "key_3", 7_200)
      yield* advanceTime("1 hour")
      expect(yield* goodOf("key_1", "key_2", "key_3")).toEqual(["key_2", "key_3"])
    }))

  test("a key that is unknown, expired or revoked has no successor", () =>
    Effect.gen(function* () {
      const store = yield* ApiKeyStore
      yield* Effect.forEach(["key_1", "key_2"], (id) => store.insert(keyOf(id)))
      yield* store.revoke(keyOf("key_1").id)
      yield* replace("key_2", "key_3", 0)
      for (const id of ["key_1", "key_2", "key_missing"]) {
        expect(yield* replace(id, "key_4", 60)).toEqual(Option.none())
      }
      expect((yield* store.list).map(({ id }) => `${id}`)).toEqual(["key_1", "key_2", "key_3"])
    }))
}

const ending = (test: StoreTest) => {
  test("a revoked key is no longer found, with or without a connection, and other keys still are", () =>
    Effect.gen(function* () {
      const store = yield* ApiKeyStore
      const { id } = yield* createConnection()
      yield* Effect.forEach(["key_1", "key_2"], (key) => store.insert(keyOf(key)))
      expect(yield* store.revoke(ApiKeyId.make("key_1"))).toBe(true)
      expect([yield* find("key_1"), yield* find("key_1", id)]).toEqual([Option.none(), Option.none()])
      expect(yield* goodOf("key_1", "key_2")).toEqual(["key_2"])
    }))

  test("every valid key of one tenant is revoked together", () =>
    Effect.gen(function* () {
      const store = yield* ApiKeyStore
      yield* Effect.forEach(["key_1", "key_2", "key_3"], (id) => store.insert(keyOf(id)))
      yield* store.insert(keyOf("key_4", [], tenancyOf(ownTenancy.applicationId, "neighbour")))
      yield* store.revoke(ApiKeyId.make("key_1"))
      expect(yield* store.revokeAll(ownTenancy)).toBe(2)
      expect(yield* goodOf("key_1", "key_2", "key_3", "key_4")).toEqual(["key_4"])
      expect(yield* store.revokeAll(ownTenancy)).toBe(0)
    }))

  test("a second revocation keeps the time of the first, and an unknown key cannot be revoked", () =>
    Effect.gen(function* () {
      const store = yield* ApiKeyStore
      yield* store.insert(keyOf("key_1"))
      yield* store.revoke(ApiKeyId.make("key_1"))
      const before = yield* store.list
      expect(before[0]?.revokedAt).toBeInstanceOf(Date)
      expect(yield* store.revoke(ApiKeyId.make("key_1"))).toBe(true)
      expect(yield* store.list).toEqual(before)
      expect(yield* store.revoke(ApiKeyId.make("key_missing"))).toBe(false)
    }))
}

const find = (id: string, connectionId?: ConnectionId) =>
  Effect.flatMap(ApiKeyStore, (store) => store.find(keyOf(id).hash, Option.fromNullable(connectionId)))

const goodOf = (...ids: ReadonlyArray<string>) => Effect.filter(ids, (id) => Effect.map(find(id), Option.isSome))

const replace = (id: string, successor: string, overlapSeconds: number) =>
  Effect.flatMap(ApiKeyStore, (store) => store.rotate(ApiKeyId.make(id), keyOf(successor), overlapSeconds))
