import { describe, expect } from "bun:test"
import { Duration, Effect, Layer, Option, Redacted, TestClock } from "effect"
import { allKeyScopes, ApiKeyId } from "../../src/domain/access/Tenancy.ts"
import { StoreUnavailable } from "../../src/persistence/StoreUnavailable.ts"
import { ApiKeyStore } from "../../src/persistence/stores/access/ApiKeyStore.ts"
import { BrowserTokenStore } from "../../src/persistence/stores/access/BrowserTokenStore.ts"
import { ApiKeys } from "../../src/security/ApiKeys.ts"
import { createConnection, failureDetails, ownTenancy } from "../persistence/connectionFixtures.ts"
import { effect } from "../support/effectTest.ts"
import { storesInMemory } from "../support/testApi.ts"
import { issueOwnKey, security, securityInMemory, unauthenticated } from "./securityInMemory.ts"

describe("an API key", () => {
  effect("consists of its environment, 43 random characters, and a checksum over both", () =>
    Effect.gen(function* () {
      const { key } = yield* issueOwnKey("test")
      const [, body = "", checksum] = /^(dck_test_[0-9A-Za-z]{43})([0-9A-Za-z]{6})$/.exec(Redacted.value(key)) ?? []
      expect(checksum).toBe(base62(Bun.hash.crc32(body)).padStart(6, "0"))
    }).pipe(Effect.provide(securityInMemory))
  )

  effect("is unique, with evenly distributed digits", () =>
    Effect.gen(function* () {
      const issued = yield* Effect.replicateEffect(issueOwnKey(), 1_000)
      const secrets = issued.map(({ key }) => Redacted.value(key).slice("dck_live_".length, -6))
      expect(new Set(secrets).size).toBe(1_000)
      const digits = Object.values(Object.groupBy(secrets.join(""), (digit) => digit)).map((some) => some?.length ?? 0)
      expect(digits).toHaveLength(62)
      const mean = 43_000 / 62
      expect(digits.filter((count) => Math.abs(count - mean) > mean / 4)).toEqual([])
    }).pipe(Effect.provide(securityInMemory))
  )

  effect("authenticates the caller with its scopes, and returns the requested connection", () =>
    Effect.gen(function* () {
      const { authenticate } = yield* ApiKeys
      const { id, key } = yield* issueOwnKey()
      const connection = yield* createConnection()
      const caller = { id, tenancy: ownTenancy, scopes: allKeyScopes }
      expect(yield* authenticate(key, Option.none())).toEqual({ ...caller, connection: Option.none() })
      const { connection: found, ...rest } = yield* authenticate(key, Option.some(connection.id))
      expect(rest).toEqual(caller)
      expect(Option.map(found, (stored) => stored.id)).toEqual(Option.some(connection.id))
    }).pipe(Effect.provide(securityInMemory))
  )

  effect("is stored only as a hash, with a prefix of twelve characters", () =>
    Effect.gen(function* () {
      const { id, key } = yield* issueOwnKey()
      const stored = yield* Effect.flatMap(ApiKeys, (keys) => keys.list)
      expect(stored).toEqual([expect.objectContaining({ id, prefix: Redacted.value(key).slice(0, 12), ...ownTenancy })])
      expect(JSON.stringify(stored)).not.toContain(Redacted.value(key).slice(12, 20))
    }).pipe(Effect.provide(securityInMemory))
  )

  effect("is rejected immediately after its revocation", () =>
    Effect.gen(function* () {
      const { authenticate, revoke } = yield* ApiKeys
      const [revoked, other] = [yield* issueOwnKey(), yield* issueOwnKey()]
      yield* authenticate(revoked.key, Option.none())
      yield* revoke(revoked.id)
      expect(yield* failureDetails(authenticate(revoked.key, Option.none()))).toBe(unauthenticated)
      yield* authenticate(other.key, Option.none())
    }).pipe(Effect.provide(securityInMemory))
  )

  effect("cannot be revoked or rotated if its id does not exist", () =>
    Effect.gen(function* () {
      const { revoke, rotate } = yield* ApiKeys
      const id = ApiKeyId.make("key_missing")
      const refusal = "ApiKeyNotFound: there is no valid API key with the id key_missing"
      expect(yield* failureDetails(revoke(id))).toBe(refusal)
      expect(yield* failureDetails(rotate(id, Duration.hours(1), "live"))).toBe(refusal)
    }).pipe(Effect.provide(securityInMemory))
  )
})

describe("a rotation", () => {
  effect("keeps both keys valid during the overlap, and then only the successor", () =>
    Effect.gen(function* () {
      const predecessor = yield* issueOwnKey()
      const { rotate } = yield* ApiKeys
      const successor = yield* rotate(predecessor.id, Duration.minutes(1), "test")
      expect(Redacted.value(successor.key)).toStartWith("dck_test_")
      yield* TestClock.adjust("59 seconds")
      expect([yield* isValid(predecessor.key), yield* isValid(successor.key)]).toEqual([true, true])
      yield* TestClock.adjust("1 second")
      expect([yield* isValid(predecessor.key), yield* isValid(successor.key)]).toEqual([false, true])
    }).pipe(Effect.provide(securityInMemory))
  )

  effect("without overlap ends the old key at once", () =>
    Effect.gen(function* () {
      const predecessor = yield* issueOwnKey()
      yield* Effect.flatMap(ApiKeys, ({ rotate }) => rotate(predecessor.id, Duration.zero, "live"))
      expect(yield* isValid(predecessor.key)).toBe(false)
    }).pipe(Effect.provide(securityInMemory))
  )

  effect("has a maximum overlap of seven days", () =>
    Effect.gen(function* () {
      const predecessor = yield* issueOwnKey()
      yield* Effect.flatMap(ApiKeys, ({ rotate }) => rotate(predecessor.id, Duration.days(30), "live"))
      const stored = yield* Effect.flatMap(ApiKeys, ({ list }) => list)
      expect(stored.find(({ id }) => id === predecessor.id)?.expiresAt).toEqual(new Date(Duration.toMillis("7 days")))
    }).pipe(Effect.provide(securityInMemory))
  )
})

describe("without reading the store", () => {
  /** Stores whose every method dies. */
  const noStores = Layer.provide(security, Layer.merge(Layer.mock(ApiKeyStore, {}), Layer.mock(BrowserTokenStore, {})))

  const expectRejected = (make: (key: string) => ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const { key } = yield* Effect.provide(issueOwnKey("test"), securityInMemory)
      const { authenticate } = yield* ApiKeys
      for (const text of make(Redacted.value(key))) {
        expect(yield* failureDetails(authenticate(Redacted.make(text), Option.none()))).toBe(unauthenticated)
      }
    }).pipe(Effect.provide(noStores))

  effect("a key with one mistyped character is rejected", () =>
    expectRejected((key) =>
      [...key].flatMap((character, at) =>
        [...alphabet]
          .filter((other) => other !== character)
          .map((other) => key.slice(0, at) + other + key.slice(at + 1))
      )
    )
  )

  effect("a key with two swapped neighboring characters is rejected", () =>
    expectRejected((key) =>
      [...key].slice(1).flatMap((character, at) => {
        const swapped = key.slice(0, at) + character + key.charAt(at) + key.slice(at + 2)
        return swapped === key ? [] : [swapped]
      })
    )
  )

  effect("a key that is truncated, padded, doubled or otherwise malformed is rejected", () =>
    expectRejected((key) => [
      "",
      " ",
      key.slice(0, -1),
      key.slice(1),
      `${key}0`,
      `${key} `,
      ` ${key}`,
      `${key}\n`,
      `${key}${key}`,
      `${key}, ${key}`,
      `Bearer ${key}`,
      key.toUpperCase(),
      key.replace("dck_test_", "dct_"),
      key.replace("test", "toolongaword"),
      key.repeat(200)
    ])
  )
})

describe("the last use of a key", () => {
  effect("is recorded for all keys together every ten seconds, if any was used", () =>
    Effect.gen(function* () {
      const batches: Array<ReadonlyArray<ApiKeyId>> = []
      yield* Effect.gen(function* () {
        const [first, second] = [yield* issueOwnKey(), yield* issueOwnKey()]
        for (const { key } of [first, second, first]) expect(yield* isValid(key)).toBe(true)
        yield* TestClock.adjust("9 seconds")
        expect([batches, yield* lastUses]).toEqual([[], [null, null]])
        yield* TestClock.adjust("1 second")
        expect([batches, yield* lastUses]).toEqual([[[first.id, second.id]], [new Date(10_000), new Date(10_000)]])
        yield* TestClock.adjust("20 seconds")
        expect(batches).toHaveLength(1)
      }).pipe(Effect.provide(withRecording((ids) => Effect.sync(() => batches.push(ids)))))
    })
  )

  effect("is recorded when the service stops", () =>
    Effect.gen(function* () {
      const batches: Array<ReadonlyArray<ApiKeyId>> = []
      const id = yield* Effect.gen(function* () {
        const { id, key } = yield* issueOwnKey()
        yield* isValid(key)
        return id
      }).pipe(Effect.provide(withRecording((ids) => Effect.sync(() => batches.push(ids)))))
      expect(batches).toEqual([[id]])
    })
  )

  effect("may be lost while the database is unavailable, and is recorded again afterwards", () => {
    const outcomes = [new StoreUnavailable({ code: "unavailable", message: "away" })]
    return Effect.gen(function* () {
      const { key } = yield* issueOwnKey()
      yield* isValid(key)
      yield* TestClock.adjust("10 seconds")
      expect(yield* lastUses).toEqual([null])
      yield* isValid(key)
      yield* TestClock.adjust("10 seconds")
      expect(yield* lastUses).toEqual([new Date(20_000)])
    }).pipe(Effect.provide(withRecording(() => outcomes.shift() ?? Effect.void)))
  })
})

effect("a key is not reported as invalid if the store is unavailable", () =>
  Effect.gen(function* () {
    const away = new StoreUnavailable({ code: "unavailable", message: "away" })
    const { key } = yield* Effect.provide(issueOwnKey(), securityInMemory)
    const stores = Layer.merge(Layer.mock(ApiKeyStore, { find: () => away }), Layer.mock(BrowserTokenStore, {}))
    const authenticating = Effect.flatMap(ApiKeys, ({ authenticate }) => authenticate(key, Option.none()))
    expect(yield* failureDetails(Effect.provide(authenticating, Layer.provide(security, stores)))).toBe(
      "StoreUnavailable: away"
    )
  })
)

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const base62 = (value: number): string =>
  value < 62 ? alphabet.charAt(value) : base62(Math.floor(value / 62)) + alphabet.charAt(value % 62)

const isValid = (key: Redacted.Redacted) =>
  Effect.flatMap(ApiKeys, ({ authenticate }) => Effect.isSuccess(authenticate(key, Option.none())))

const lastUses = Effect.flatMap(ApiKeys, ({ list }) =>
  Effect.map(list, (keys) => keys.map(({ lastUsedAt }) => lastUsedAt))
)

/** Keys over in-memory stores, with an effect before each recording of uses. */
const withRecording = (before: (ids: ReadonlyArray<ApiKeyId>) => Effect.Effect<unknown, StoreUnavailable>) =>
  security.pipe(
    Layer.provideMerge(
      Layer.effect(
        ApiKeyStore,
        Effect.map(ApiKeyStore, (store) => ({
          ...store,
          recordUse: (ids) => Effect.zipRight(before(ids), store.recordUse(ids))
        }))
      )
    ),
    Layer.provideMerge(storesInMemory)
  )
