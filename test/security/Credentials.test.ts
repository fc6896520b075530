import { describe, expect, test } from "bun:test"
import { Arbitrary, Effect, FastCheck as fc, Layer, Logger, Option, Redacted, TestClock } from "effect"
import { ConnectionId } from "../../src/domain/connection/Connection.ts"
import { Credential } from "../../src/domain/provider/Credential.ts"
import { type SealedSecret, type SecretOwner, secretOwnerOf } from "../../src/domain/access/SealedSecret.ts"
import { CredentialStore } from "../../src/persistence/stores/access/CredentialStore.ts"
import { MasterKeyMissing } from "../../src/persistence/StoreUnavailable.ts"
import { Credentials } from "../../src/security/Credentials.ts"
import { MasterKeys } from "../../src/security/MasterKeys.ts"
import { StoreFixture } from "../persistence/StoreFixture.ts"
import { createConnection, failureDetails, foreignTenancies, ownTenancy } from "../persistence/connectionFixtures.ts"
import { effect } from "../support/effectTest.ts"
import { masterKey, sealingLayer } from "../support/masterKeys.ts"
import { hex, Tables } from "../support/memory/Tables.ts"
import { tenancyOf } from "../support/testApi.ts"
import { apiToken, storeSealed, withoutKeys } from "./credentialsInMemory.ts"

describe("a sealed credential", () => {
  test("of any kind can be unsealed completely by its owner, and not by another owner", async () => {
    const testedKinds = new Set<string>()
    const property = fc.asyncProperty(Arbitrary.make(Credential), fc.nat(), (credential, bit) =>
      Effect.gen(function* () {
        const { seal, unseal } = yield* Credentials
        const sealed = yield* seal(owner, credential)
        expect(revealed(yield* unseal(owner, sealed))).toEqual(revealed(credential))
        for (const other of otherOwners) expect(yield* isOpen(other, sealed)).toBe(false)
        for (const changed of [...flipped(sealed, bit), { ...sealed, keyVersion: 1 }]) {
          expect(yield* isOpen(owner, changed)).toBe(false)
        }
        testedKinds.add(credential._tag)
      }).pipe(inMemory(masterKey(2, 1)), Effect.runPromise)
    )
    await fc.assert(property, { numRuns: 200 })
    expect(testedKinds.size).toBe(Credential.members.length)
  })

  effect("keeps every character of a secret", () =>
    Effect.gen(function* () {
      const { seal, unseal } = yield* Credentials
      const secret = `"\\\0\n${String.fromCharCode(0xd800)}😀ü${"x".repeat(100_000)}`
      const opened = yield* unseal(owner, yield* seal(owner, apiToken(secret)))
      expect(revealed(opened)).toEqual(revealed(apiToken(secret)))
    }).pipe(inMemory())
  )

  effect("has the newest key version, a nonce of 96 bits and a tag of 128 bits", () =>
    Effect.gen(function* () {
      const { seal } = yield* Credentials
      const sealed = yield* seal(owner, apiToken("a token"))
      const { length } = JSON.stringify({ _tag: "api_token", apiToken: "a token" })
      expect([sealed.keyVersion, sealed.nonce.length, sealed.ciphertext.length]).toEqual([2, 12, length + 16])
    }).pipe(inMemory(masterKey(2, 1)))
  )

  effect("cannot be unsealed under another key version, even with the same key", () =>
    Effect.gen(function* () {
      const { seal } = yield* Credentials
      const sealed = yield* seal(owner, apiToken("a token"))
      expect([yield* isOpen(owner, sealed), yield* isOpen(owner, { ...sealed, keyVersion: 1 })]).toEqual([true, false])
    }).pipe(inMemory(`2:${masterKey(1).slice(2)},${masterKey(1)}`))
  )

  effect("is different each time", () =>
    Effect.gen(function* () {
      const { seal } = yield* Credentials
      const all = yield* Effect.replicateEffect(seal(owner, apiToken("a token")), 500)
      expect(new Set(all.map(({ nonce }) => hex(nonce))).size).toBe(500)
      expect(new Set(all.map(({ ciphertext }) => hex(ciphertext))).size).toBe(500)
    }).pipe(inMemory())
  )

  effect("reports why it cannot be unsealed, without its content", () =>
    Effect.gen(function* () {
      const { seal, unseal } = yield* Credentials
      const sealed = yield* seal(owner, apiToken("a token"))
      const reasons = yield* Effect.forEach(
        [
          { ...sealed, ciphertext: sealed.ciphertext.slice(1) },
          { ...sealed, ciphertext: new Uint8Array() },
          { ...sealed, nonce: new Uint8Array() },
          yield* sealText(`{"_tag":"api_token"}`),
          yield* sealText("a token")
        ],
        (changed) => failureDetails(unseal(owner, changed))
      )
      const expected = [
        ...Array.from({ length: 3 }, () => "2 cannot be read: not_authentic"),
        ...Array.from({ length: 2 }, () => "2 cannot be read: not_a_credential")
      ]
      expect(reasons).toEqual(
        expected.map((reason) => `CredentialUnsealError: the credential of con_1 under key version ${reason}`)
      )
    }).pipe(inMemory(masterKey(2, 1)))
  )
})

describe("the live credential of a connection", () => {
  effect("is the stored one until it expires", () =>
    Effect.gen(function* () {
      const { load } = yield* Credentials
      const owner = secretOwnerOf(yield* createConnection())
      expect(yield* load(owner)).toEqual(Option.none())
      yield* storeSealed(owner, apiToken("a token"))
      expect(Option.map(yield* load(owner), revealed)).toEqual(Option.some(revealed(apiToken("a token"))))
      for (const tenancy of foreignTenancies) expect(yield* load({ ...owner, ...tenancy })).toEqual(Option.none())
      yield* TestClock.adjust("1 hour")
      expect(yield* load(owner)).toEqual(Option.none())
    }).pipe(inMemory())
  )

  effect("is none if it cannot be unsealed, which is logged", () => {
    const logged: Array<unknown> = []
    const log = Logger.make(({ annotations, message }) => logged.push(message, Object.fromEntries(annotations)))
    return Effect.gen(function* () {
      const [owner, otherOwner] = [secretOwnerOf(yield* createConnection()), secretOwnerOf(yield* createConnection())]
      const sealed = yield* storeSealed(owner, apiToken("a token"))
      yield* Effect.flatMap(StoreFixture, ({ insertCredential }) => insertCredential(otherOwner, sealed, 3_600))
      expect(yield* Effect.flatMap(Credentials, ({ load }) => load(otherOwner))).toEqual(Option.none())
      expect(logged).toEqual([
        ["Credential unreadable"],
        { connectionId: otherOwner.connectionId, keyVersion: 1, reason: "not_authentic" }
      ])
    }).pipe(inMemory(), Effect.provide(Logger.replace(Logger.defaultLogger, log)))
  })
})

describe("a rotation of the master key", () => {
  effect("keeps all credentials readable: with both keys at first, with the new key alone after resealing", () =>
    Effect.gen(function* () {
      const owners = yield* Effect.replicateEffect(Effect.map(createConnection(), secretOwnerOf), 250)
      const read = Effect.forEach(owners, (owner) =>
        Effect.flatMap(Credentials, ({ load }) => Effect.map(load(owner), Option.map(revealed)))
      )
      const all = owners.map(({ connectionId }) => Option.some(revealed(apiToken(connectionId))))
      yield* storeOwnId(owners.slice(0, 240)).pipe(under(1))
      yield* storeOwnId(owners.slice(240)).pipe(under(2, 1))
      expect(yield* read.pipe(under(2, 1))).toEqual(all)
      expect(yield* reseal.pipe(under(2, 1))).toEqual({ resealed: 240, keyVersion: 2 })
      expect(yield* reseal.pipe(under(2, 1))).toEqual({ resealed: 0, keyVersion: 2 })
      expect(yield* read.pipe(under(2))).toEqual(all)
    }).pipe(Effect.provide(withoutKeys))
  )

  effect("leaves what a key needs that this process does not have to another process, which has it", () =>
    Effect.gen(function* () {
      const owner = secretOwnerOf(yield* createConnection())
      const sealed = yield* storeSealed(owner, apiToken("a token")).pipe(under(2, 1))
      const { isStored, load, renew, unseal } = yield* Effect.provide(Credentials, sealingLayer(masterKey(1)))
      const renewal = renew(owner, () => Effect.dieMessage("nothing is renewed"))
      const refusals = [
        yield* Effect.flip(load(owner)),
        yield* Effect.flip(renewal),
        yield* Effect.flip(unseal(owner, sealed))
      ]
      expect(refusals).toEqual(refusals.map(() => MasterKeyMissing.error))
      expect(yield* isStored(owner)).toBe(true)
      expect(yield* liveSecret(owner).pipe(under(1, 2))).toEqual(Option.some("a token"))
    }).pipe(Effect.provide(Layer.merge(withoutKeys, Logger.remove(Logger.defaultLogger))))
  )

  effect("seals with the key that is named first, whatever its version", () =>
    Effect.gen(function* () {
      const owner = secretOwnerOf(yield* createConnection())
      expect((yield* storeSealed(owner, apiToken("a token")).pipe(under(1, 2))).keyVersion).toBe(1)
      expect(yield* reseal.pipe(under(2, 1))).toEqual({ resealed: 1, keyVersion: 2 })
      expect(yield* reseal.pipe(under(1, 2))).toEqual({ resealed: 1, keyVersion: 1 })
    }).pipe(Effect.provide(withoutKeys))
  )

  effect("skips unreadable credentials and reseals all others", () =>
    Effect.gen(function* () {
      for (const version of [1, 3, 1]) {
        yield* storeSealed(secretOwnerOf(yield* createConnection()), apiToken("a token")).pipe(under(version))
      }
      const done = yield* reseal.pipe(under(4, 1))
      expect(done).toEqual({ resealed: 2, keyVersion: 4 })
    }).pipe(Effect.provide(Layer.merge(withoutKeys, Logger.remove(Logger.defaultLogger))))
  )

  effect("does not overwrite a credential that is replaced meanwhile, and does not extend its lifetime", () =>
    Effect.gen(function* () {
      const owner = secretOwnerOf(yield* createConnection())
      yield* storeSealed(owner, apiToken("old")).pipe(under(1))
      const { credentials } = yield* Tables
      const store = yield* CredentialStore
      const { insertCredential } = yield* StoreFixture
      const sealed = yield* Effect.flatMap(Credentials, ({ seal }) => seal(owner, apiToken("new"))).pipe(under(1))
      const done = yield* reseal.pipe(
        under(2, 1),
        Effect.provideService(CredentialStore, {
          ...store,
          findUnderOtherKeys: (...page) =>
            Effect.tap(store.findUnderOtherKeys(...page), Effect.orDie(insertCredential(owner, sealed, 3_600)))
        })
      )
      expect(done).toEqual({ resealed: 0, keyVersion: 2 })
      expect(credentials.get(owner.connectionId)?.sealed.keyVersion).toBe(1)
      yield* TestClock.adjust("30 minutes")
      expect((yield* reseal.pipe(under(2, 1))).resealed).toBe(1)
      expect(yield* liveSecret(owner)).toEqual(Option.some("new"))
      yield* TestClock.adjust("30 minutes")
      expect(yield* liveSecret(owner)).toEqual(Option.none())
    }).pipe(Effect.provide(withoutKeys))
  )
})

const owner: SecretOwner = { ...ownTenancy, connectionId: ConnectionId.make("con_1") }

/** Owners that share a part with `owner`, or whose parts concatenate to the same text. */
const otherOwners: ReadonlyArray<SecretOwner> = [
  ...foreignTenancies.map((tenancy) => ({ ...owner, ...tenancy })),
  { ...owner, connectionId: ConnectionId.make("con_2") },
  { ...owner, ...tenancyOf("appt", "enant") },
  { ...owner, ...tenancyOf("app", "tenantcon"), connectionId: ConnectionId.make("_1") }
]

const inMemory = (masterKeys = masterKey(1)) =>
  Effect.provide(Layer.provideMerge(sealingLayer(masterKeys), withoutKeys))

const under = (...versions: ReadonlyArray<number>) => Effect.provide(sealingLayer(masterKey(...versions)))

/** Stores a credential for each owner, with its connection's id as the secret. */
const storeOwnId = (owners: ReadonlyArray<SecretOwner>) =>
  Effect.forEach(owners, (owner) => storeSealed(owner, apiToken(owner.connectionId)))

const isOpen = (owner: SecretOwner, sealed: SealedSecret) =>
  Effect.flatMap(Credentials, ({ unseal }) => Effect.isSuccess(unseal(owner, sealed)))

const reseal = Effect.flatMap(Credentials, (credentials) => credentials.reseal)

const liveSecret = (owner: SecretOwner) =>
  Effect.flatMap(Credentials, ({ load }) => load(owner)).pipe(
    Effect.map(Option.map((credential) => revealed(credential)["apiToken"])),
    under(2)
  )

/** A credential with readable secrets. */
const revealed = (credential: Credential) =>
  Object.fromEntries(
    Object.entries(credential).map(([name, value]) => [
      name,
      Redacted.isRedacted(value) ? Redacted.value(value) : value
    ])
  )

/** Two copies with one bit flipped: in the nonce, and in the ciphertext. */
const flipped = (sealed: SealedSecret, bit: number) => [
  { ...sealed, nonce: flip(sealed.nonce, bit) },
  { ...sealed, ciphertext: flip(sealed.ciphertext, bit) }
]

const flip = (bytes: Uint8Array, bit: number) =>
  bytes.map((byte, index) => (index === (bit >> 3) % bytes.length ? byte ^ (1 << (bit & 7)) : byte))

/** Seals any text for `owner` with the real key. */
const sealText = (text: string) =>
  Effect.flatMap(MasterKeys, ({ sealing: { key, version } }) =>
    Effect.promise(async () => {
      const nonce = new Uint8Array(12)
      const additionalData = Buffer.from(
        JSON.stringify([owner.applicationId, owner.tenantId, owner.connectionId, version])
      )
      const algorithm = { name: "AES-GCM", iv: nonce, additionalData }
      const ciphertext = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, Buffer.from(text)))
      return { keyVersion: version, nonce, ciphertext }
    })
  )
