import { expect } from "bun:test"
import { Effect } from "effect"
import { AdminRequestClaim, AdminRequestStore } from "../../../src/persistence/stores/access/AdminRequestStore.ts"
import { StoreFixture } from "../StoreFixture.ts"
import type { StoreTest } from "./storeContract.ts"

const requestOf = (fingerprint: `${string}:${string}`, key = "key") => ({
  route: "POST /v1/admin/applications",
  key,
  fingerprints: [fingerprint] as const
})

const first = requestOf("1:a")

const response = { keyVersion: 1, nonce: new Uint8Array(12).fill(1), ciphertext: new Uint8Array(20).fill(2) }

/** The contract of every `AdminRequestStore`. */
export const adminRequestContract = (test: StoreTest): void => {
  test("an idempotency key of an administrator is claimed once, until its request is answered", () =>
    Effect.gen(function* () {
      const store = yield* AdminRequestStore
      expect(yield* store.claim(first)).toEqual(AdminRequestClaim.Claimed())
      expect(yield* store.claim(first)).toEqual(AdminRequestClaim.InProgress())
      expect(yield* store.claim(requestOf("1:b"))).toEqual(AdminRequestClaim.KeyReused())
      expect(yield* store.claim(requestOf("1:a", "another"))).toEqual(AdminRequestClaim.Claimed())
      yield* store.complete(first, response)
      const answered = yield* store.claim(first)
      expect(answered._tag).toBe("Answered")
      if (answered._tag !== "Answered") return
      expect([answered.response.keyVersion, ...answered.response.nonce, ...answered.response.ciphertext]).toEqual([
        1,
        ...response.nonce,
        ...response.ciphertext
      ])
    }))

  test("a claim that is released, or neither completed nor released for a minute, can be claimed again", () =>
    Effect.gen(function* () {
      const store = yield* AdminRequestStore
      const { advanceTime } = yield* StoreFixture
      yield* store.claim(first)
      yield* store.release(first)
      expect(yield* store.claim(first)).toEqual(AdminRequestClaim.Claimed())
      yield* advanceTime("1 minute")
      expect(yield* store.claim(requestOf("1:b"))).toEqual(AdminRequestClaim.Claimed())
    }))

  test("an answered request keeps its answer when it is released, and for a day", () =>
    Effect.gen(function* () {
      const store = yield* AdminRequestStore
      const { advanceTime } = yield* StoreFixture
      yield* store.claim(first)
      yield* store.complete(first, response)
      yield* store.release(first)
      yield* advanceTime("23 hours")
      expect((yield* store.claim(first))._tag).toBe("Answered")
      yield* advanceTime("1 hour")
      expect(yield* store.claim(first)).toEqual(AdminRequestClaim.Claimed())
    }))
}
