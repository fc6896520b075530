import { expect } from "bun:test"
import { DateTime, Effect, Option } from "effect"
import { AdminKeyId, type AdminScope, allAdminScopes } from "../../../src/domain/access/AdminKey.ts"
import { AdminKeyStore } from "../../../src/persistence/stores/access/AdminKeyStore.ts"
import type { StoreTest } from "./storeContract.ts"

const keyOf = (id: string, name = Option.none<string>()) => ({
  id: AdminKeyId.make(id),
  hash: Buffer.from(`hash of ${id}`),
  prefix: "dcka_abcdefg",
  name,
  scopes: allAdminScopes,
  expiresAt: Option.none<DateTime.Utc>()
})

const foundAs = (id: string, scopes = allAdminScopes) => Option.some({ id: AdminKeyId.make(id), scopes })

/** The contract of every `AdminKeyStore`. */
export const adminKeyContract = (test: StoreTest): void => {
  test("finds an admin key by its hash, and records that it was used", () =>
    Effect.gen(function* () {
      const store = yield* AdminKeyStore
      yield* Effect.forEach([keyOf("adk_1", Option.some("the console")), keyOf("adk_2")], store.insert)
      expect(yield* store.find(keyOf("adk_1").hash)).toEqual(foundAs("adk_1"))
      expect(yield* store.find(keyOf("adk_3").hash)).toEqual(Option.none())
      const listed = {
        prefix: "dcka_abcdefg",
        scopes: allAdminScopes,
        expiresAt: null,
        createdAt: expect.any(Date),
        revokedAt: null
      }
      expect<unknown>(yield* store.list).toEqual([
        { id: "adk_1", name: "the console", ...listed, lastUsedAt: expect.any(Date) },
        { id: "adk_2", name: null, ...listed, lastUsedAt: null }
      ])
    }))

  test("an admin key has its scopes, and is no longer found after its end", () =>
    Effect.gen(function* () {
      const store = yield* AdminKeyStore
      const scopes: ReadonlyArray<AdminScope> = ["audit:read"]
      const now = yield* DateTime.now
      const endsIn = (hours: number) => Option.some(DateTime.add(now, { hours }))
      yield* store.insert({ ...keyOf("adk_1"), scopes, expiresAt: endsIn(1) })
      yield* store.insert({ ...keyOf("adk_2"), scopes, expiresAt: endsIn(-1) })
      expect(yield* store.find(keyOf("adk_1").hash)).toEqual(foundAs("adk_1", scopes))
      expect(yield* store.find(keyOf("adk_2").hash)).toEqual(Option.none())
    }))

  test("a revoked admin key is no longer found, and keeps the time of its first revocation", () =>
    Effect.gen(function* () {
      const store = yield* AdminKeyStore
      yield* Effect.forEach(["adk_1", "adk_2"], (id) => store.insert(keyOf(id)))
      expect(yield* store.revoke(AdminKeyId.make("adk_1"))).toBe(true)
      const before = yield* store.list
      expect(before.map(({ revokedAt }) => revokedAt !== null)).toEqual([true, false])
      expect(yield* store.revoke(AdminKeyId.make("adk_1"))).toBe(true)
      expect(yield* store.list).toEqual(before)
      expect(yield* store.find(keyOf("adk_1").hash)).toEqual(Option.none())
      expect(yield* store.find(keyOf("adk_2").hash)).toEqual(foundAs("adk_2"))
      expect(yield* store.revoke(AdminKeyId.make("adk_missing"))).toBe(false)
    }))
}
