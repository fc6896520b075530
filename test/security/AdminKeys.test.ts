import { expect, test } from "bun:test"
import { Effect, Layer, Option, Redacted } from "effect"
import { AdminKeyId } from "../../src/domain/access/AdminKey.ts"
import { Identifiers } from "../../src/domain/values/Identifiers.ts"
import { AdminKeyStore } from "../../src/persistence/stores/access/AdminKeyStore.ts"
import { AdminKeys, environmentOfAdminKey, isAdminKey } from "../../src/security/AdminKeys.ts"
import { withLayer } from "../support/effectTest.ts"
import { storesInMemory } from "../support/testApi.ts"

withLayer(
  "admin keys",
  AdminKeys.layer.pipe(Layer.provide(Identifiers.layer), Layer.provideMerge(storesInMemory)),
  (live) => {
    live("are valid until they are revoked, and then refused at once", () =>
      Effect.gen(function* () {
        const keys = yield* AdminKeys
        const [first, second] = yield* Effect.all([
          keys.issue({ name: Option.none(), environment: "live" }),
          keys.issue({ name: Option.none(), environment: "live" })
        ])
        expect((yield* keys.authenticate(first.key)).id).toBe(first.id)
        yield* keys.revoke(first.id)
        expect((yield* Effect.flip(keys.authenticate(first.key)))._tag).toBe("Unauthenticated")
        expect((yield* keys.authenticate(second.key)).id).toBe(second.id)
      })
    )

    live("are stored as a hash, with a prefix that may be shown", () =>
      Effect.gen(function* () {
        const { id, key } = yield* (yield* AdminKeys).issue({ name: Option.some("the console"), environment: "live" })
        expect(Redacted.value(key)).toMatch(/^dcka_[0-9A-Za-z]{49}$/)
        expect(`${key}`).toBe("<redacted>")
        const listed = (yield* (yield* AdminKeyStore).list).find((stored) => stored.id === id)
        expect(listed).toMatchObject({ name: "the console", prefix: Redacted.value(key).slice(0, 12) })
        expect(JSON.stringify(listed)).not.toContain(Redacted.value(key))
      })
    )

    live("say whether they are of test mode", () =>
      Effect.gen(function* () {
        const keys = yield* AdminKeys
        const { id, key } = yield* keys.issue({ name: Option.none(), environment: "test" })
        expect(Redacted.value(key)).toMatch(/^dcka_test_[0-9A-Za-z]{49}$/)
        expect([(yield* keys.authenticate(key)).id, environmentOfAdminKey(key)]).toEqual([id, "test"])
      })
    )

    live("of an unknown id cannot be revoked", () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip((yield* AdminKeys).revoke(AdminKeyId.make("adk_missing")))
        expect(error.message).toBe("there is no admin key with the id adk_missing")
      })
    )
  }
)

test("the form of an admin key refuses API keys, mistyped keys and anything else", () => {
  const others = ["", "dcka_", `dcka_${"a".repeat(49)}`, `dck_live_${"a".repeat(49)}`, `dct_${"a".repeat(43)}`]
  expect(others.filter((text) => isAdminKey(Redacted.make(text)))).toEqual([])
})
