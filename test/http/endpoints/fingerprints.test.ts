import { expect } from "bun:test"
import canonicalize from "canonicalize"
import { Effect, Layer, Option } from "effect"
import { live } from "../../support/effectTest.ts"
import { masterKey } from "../../support/masterKeys.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { offlineDns, apiServicesLayerWith, httpOnFreePort, storesInMemory, textOf } from "../../support/testApi.ts"
import { createInState, expectNoEffect, sendCommand } from "../support/commandFixtures.ts"

const withToken = (apiToken: string) => ({ method: "direct_credential", credential: { apiToken } })
const body = withToken("hunter2")
const reused = { status: 422, code: "idempotency_key_reused" }

/** Authorizes a new connection with a credential, by a request that can be repeated. */
const authorizeConnection = Effect.gen(function* () {
  const { key, path } = yield* createInState("awaiting_authorization")
  const send = (body: unknown) => sendCommand(path, key, { name: "authorization", body }, { "idempotency-key": "once" })
  const first = yield* send(body)
  expect([first.status, first.headers.has("idempotent-replayed")]).toEqual([200, false])
  return { key, path, send, document: yield* textOf(first) }
})

/** The stored fingerprint of the authorization request at this path. */
const fingerprintAt = (path: string) =>
  Effect.gen(function* () {
    const { idempotency } = yield* Tables
    const entry = [...idempotency].find(([key]) => key.includes(`POST ${path}/authorization`))
    return yield* Effect.map(Option.fromNullable(entry), ([, { fingerprint }]) => fingerprint)
  })

/** Provides the service with these master keys, over the stores of the test. */
const withMasterKeys = (masterKeys: string) =>
  Effect.provide(httpOnFreePort().pipe(Layer.provideMerge(apiServicesLayerWith(masterKeys)), Layer.provide(offlineDns)))

const hashes = (text: string) =>
  ["sha256", "sha512", "sha1", "md5"].map((name) => new Bun.CryptoHasher(name as "sha256").update(text).digest("hex"))

live("the stored fingerprint of a request contains no plain hash of its credential", () =>
  Effect.gen(function* () {
    const { path } = yield* withMasterKeys(masterKey(1))(authorizeConnection)
    const stored = yield* fingerprintAt(path)
    expect(stored).toMatch(/^[0-9a-f]{16}:[0-9a-f]{64}$/)
    const known = [body, body.credential, "hunter2"].map((part) => canonicalize(part) ?? "")
    for (const hash of known.flatMap(hashes)) expect(stored).not.toContain(hash)
    const renewed = yield* fingerprintAt((yield* withMasterKeys(masterKey(2))(authorizeConnection)).path)
    expect(renewed.split(":")[0]).not.toBe(stored.split(":")[0])
  }).pipe(Effect.provide(storesInMemory))
)

live("equal requests to two connections of one tenant have different fingerprints", () =>
  Effect.gen(function* () {
    const paths = yield* withMasterKeys(masterKey(1))(Effect.replicateEffect(authorizeConnection, 2))
    const stored = yield* Effect.forEach(paths, ({ path }) => fingerprintAt(path))
    expect(new Set(stored.map((fingerprint) => fingerprint.split(":")[0])).size).toBe(1)
    expect(new Set(stored).size).toBe(2)
  }).pipe(Effect.provide(storesInMemory))
)

const masterKeyChanges = [
  ["after a new master key was added for reading", masterKey(1), masterKey(1, 2)],
  ["after the new master key seals", masterKey(1, 2), masterKey(2, 1)]
] as const
for (const [when, before, after] of masterKeyChanges) {
  live(`a request is replayed ${when}`, () =>
    Effect.gen(function* () {
      const { document, send } = yield* withMasterKeys(before)(authorizeConnection)
      const replay = yield* withMasterKeys(after)(send(body))
      expect([replay.status, replay.headers.get("idempotent-replayed")]).toEqual([200, "true"])
      expect(yield* textOf(replay)).toBe(document)
    }).pipe(Effect.provide(storesInMemory))
  )
}

live("a repeated request is left to another process by one that has not its master key, whatever its body", () =>
  Effect.gen(function* () {
    const { document, send } = yield* withMasterKeys(masterKey(2, 1))(authorizeConnection)
    for (const sent of [body, withToken("hunter3")]) {
      const answer = yield* withMasterKeys(masterKey(1))(send(sent))
      expect([answer.status, answer.headers.get("retry-after"), yield* textOf(answer)]).toEqual([
        503,
        expect.stringMatching(/^\d+$/),
        expect.stringContaining("another process of the service has to answer this; try again shortly")
      ])
    }
    const replay = yield* withMasterKeys(masterKey(2, 1))(send(body))
    expect(yield* textOf(replay)).toBe(document)
  }).pipe(Effect.provide(storesInMemory))
)

live("an Idempotency-Key reused with another credential is rejected while its master key exists", () =>
  Effect.gen(function* () {
    const { key, path, send } = yield* withMasterKeys(masterKey(1))(authorizeConnection)
    for (const keys of [masterKey(1), masterKey(2, 1)]) {
      yield* withMasterKeys(keys)(expectNoEffect(path, key, send(withToken("hunter3")), reused))
    }
  }).pipe(Effect.provide(storesInMemory))
)
