import { expect } from "bun:test"
import { Effect, Option } from "effect"
import { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import {
  type SealedSecret,
  type SecretOwner,
  secretOwnerOf,
  type StoredSecret
} from "../../../src/domain/access/SealedSecret.ts"
import type { Tenancy } from "../../../src/domain/access/Tenancy.ts"
import { CredentialStore } from "../../../src/persistence/stores/access/CredentialStore.ts"
import { hex } from "../../support/memory/Tables.ts"
import { StoreFixture } from "../StoreFixture.ts"
import { createConnection, foreignTenancies, ownTenancy } from "../connectionFixtures.ts"
import type { StoreTest } from "./storeContract.ts"

/** The contract of every `CredentialStore`. */
export const credentialContract = (test: StoreTest): void => {
  finding(test)
  replacing(test)
}

const finding = (test: StoreTest) => {
  test("a credential is found unchanged until it expires", () =>
    Effect.gen(function* () {
      const { advanceTime } = yield* StoreFixture
      const owner = yield* keep(sealed("one", 7), 3_600)
      expect(yield* find(owner)).toEqual(Option.some(inBrief(sealed("one", 7))))
      yield* advanceTime("59 minutes")
      expect(Option.isSome(yield* find(owner))).toBe(true)
      yield* advanceTime("1 minute")
      expect(yield* find(owner)).toEqual(Option.none())
    }))

  test("nothing is found for another tenant, another application or another connection", () =>
    Effect.gen(function* () {
      const owner = yield* keep(sealed("one"))
      for (const tenancy of foreignTenancies) expect(yield* find({ ...owner, ...tenancy })).toEqual(Option.none())
      expect(yield* find(secretOwnerOf(yield* createConnection()))).toEqual(Option.none())
    }))

  test("a connection has one credential: the latest, with its own lifetime", () =>
    Effect.gen(function* () {
      const { insertCredential, advanceTime } = yield* StoreFixture
      const owner = yield* keep(sealed("one", 2), 60)
      yield* insertCredential(owner, sealed("other", 1), 3_600)
      yield* advanceTime("59 minutes")
      expect(yield* find(owner)).toEqual(Option.some(inBrief(sealed("other", 1))))
    }))

  test("the cleanup deletes expired credentials and no others", () =>
    Effect.gen(function* () {
      const { advanceTime } = yield* StoreFixture
      const { deleteExpired: wipeExpired } = yield* CredentialStore
      yield* keep(sealed("one"), 60)
      yield* keep(sealed("two"), 60)
      const lasting = yield* keep(sealed("three"), 61)
      expect(yield* wipeExpired).toBe(0)
      yield* advanceTime("1 minute")
      expect([yield* wipeExpired, yield* wipeExpired]).toEqual([2, 0])
      expect(yield* find(lasting)).toEqual(Option.some(inBrief(sealed("three"))))
    }))
}

const replacing = (test: StoreTest) => {
  test("unexpired credentials under other keys are listed in pages across all owners", () =>
    Effect.gen(function* () {
      const { advanceTime } = yield* StoreFixture
      yield* keep(sealed("expired", 1), 60)
      const one = yield* keep(sealed("one", 1))
      const two = yield* keep(sealed("two", 2), 3_600, foreignTenancies[0])
      const three = yield* keep(sealed("three", 1))
      yield* keep(sealed("new", 3))
      const newer = yield* keep(sealed("newer", 4))
      yield* advanceTime("1 minute")
      expect(yield* underOtherKeys(3, 2)).toEqual([
        { owner: one, sealed: inBrief(sealed("one", 1)) },
        { owner: two, sealed: inBrief(sealed("two", 2)) }
      ])
      expect(yield* underOtherKeys(3, 2, two.connectionId)).toEqual([
        { owner: three, sealed: inBrief(sealed("three", 1)) },
        { owner: newer, sealed: inBrief(sealed("newer", 4)) }
      ])
      expect(yield* underOtherKeys(3, 2, newer.connectionId)).toEqual([])
    }))

  test("a replacement of the credential that was read keeps the remaining lifetime", () =>
    Effect.gen(function* () {
      const { advanceTime } = yield* StoreFixture
      const { replace } = yield* CredentialStore
      const owner = yield* keep(sealed("one"), 60)
      const otherOwner = yield* keep(sealed("other"), 61)
      expect(yield* replace({ owner, sealed: sealed("one") }, sealed("again", 2))).toBe(true)
      expect(yield* find(owner)).toEqual(Option.some(inBrief(sealed("again", 2))))
      expect(yield* find(otherOwner)).toEqual(Option.some(inBrief(sealed("other"))))
      yield* advanceTime("1 minute")
      expect(yield* find(owner)).toEqual(Option.none())
    }))

  test("a credential that has changed, is missing or belongs to another owner is not replaced", () =>
    Effect.gen(function* () {
      const { replace } = yield* CredentialStore
      const owner = yield* keep(sealed("one"))
      const reads: ReadonlyArray<StoredSecret> = [
        { owner, sealed: sealed("two") },
        { owner, sealed: sealed("one", 2) },
        { owner: { ...owner, connectionId: ConnectionId.make("con_missing") }, sealed: sealed("one") },
        ...foreignTenancies.map((tenancy) => ({ owner: { ...owner, ...tenancy }, sealed: sealed("one") }))
      ]
      for (const read of reads) expect(yield* replace(read, sealed("again", 3))).toBe(false)
      expect(yield* find(owner)).toEqual(Option.some(inBrief(sealed("one"))))
    }))

  test("only one of two concurrent replacements of the same credential succeeds", () =>
    Effect.gen(function* () {
      const { replace } = yield* CredentialStore
      const owner = yield* keep(sealed("one"))
      const read = { owner, sealed: sealed("one") }
      const done = yield* Effect.forEach(["two", "three"], (text) => replace(read, sealed(text, 2)), { concurrency: 2 })
      expect(done.toSorted()).toEqual([false, true])
    }))
}

const sealed = (text: string, keyVersion = 1): SealedSecret => ({
  keyVersion,
  nonce: Buffer.from(`nonce of ${text}`),
  ciphertext: Buffer.from(`${text}\0\xff`, "latin1")
})

/** Stores a credential for a new connection. */
const keep = (credential: SealedSecret, lifetimeSeconds = 3_600, tenancy: Tenancy = ownTenancy) =>
  Effect.gen(function* () {
    const fixture = yield* StoreFixture
    const owner = secretOwnerOf(yield* createConnection(tenancy))
    yield* fixture.insertCredential(owner, credential, lifetimeSeconds)
    return owner
  })

const find = (owner: SecretOwner) =>
  Effect.flatMap(CredentialStore, (store) => store.find(owner, owner.connectionId)).pipe(
    Effect.map(Option.map(inBrief))
  )

const underOtherKeys = (keyVersion: number, limit: number, after?: ConnectionId) =>
  Effect.flatMap(CredentialStore, (store) =>
    store.findUnderOtherKeys(keyVersion, limit, Option.fromNullable(after))
  ).pipe(Effect.map((found) => found.map(({ owner, sealed }) => ({ owner, sealed: inBrief(sealed) }))))

/** Comparable whether the bytes are a `Buffer` or a `Uint8Array`. */
const inBrief = ({ ciphertext, keyVersion, nonce }: SealedSecret) => ({
  keyVersion,
  nonce: hex(nonce),
  ciphertext: hex(ciphertext)
})
