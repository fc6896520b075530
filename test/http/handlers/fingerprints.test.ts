import { expect } from "bun:test"
import canonicalize from "canonicalize"
import { Effect, Layer, Option } from "effect"
import { httpLayer } from "../../../src/http/layer.ts"
import { live } from "../../support/effectTest.ts"
import { masterKey } from "../../support/masterKeys.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { offlineDns, securityLayerWith, storesInMemory } from "../../support/testApi.ts"
import { createInState, expectNoEffect, sendCommand } from "../support/commandFixtures.ts"

const withToken = (apiToken: string) => ({ method: "direct_credential", credential: { apiToken } })
const body = withToken("hunter2")
const reused = { status: 422, code: "idempotency_key_reused" }

/** A connection whose customer has just let the service in, by a request that may come again. */
const letIn = Effect.gen(function* () {
  const { key, path } = yield* createInState("awaiting_authorization")
  const send = (body: unknown) => sendCommand(path, key, { name: "authorization", body }, { "idempotency-key": "once" })
  const first = yield* send(body)
  expect([first.status, first.headers.has("idempotent-replayed")]).toEqual([200, false])
  return { key, path, send, document: yield* textOf(first) }
})

const textOf = (response: Response) => Effect.promise(() => response.text())

/** The fingerprint that is kept of the request that let the service in at this path. */
const keptAt = (path: string) =>
  Effect.gen(function* () {
    const { idempotency } = yield* Tables
    const entry = [...idempotency].find(([key]) => key.includes(`POST ${path}/authorization`))
    return yield* Effect.map(Option.fromNullable(entry), ([, { fingerprint }]) => fingerprint)
  })

/** The service with these master keys, over what others of the test have stored. */
const under = (masterKeys: string) =>
  Effect.provide(
    httpLayer({ host: "127.0.0.1", port: 0, publicUrl: Option.none(), rateLimitPerMinute: 0 }).pipe(
      Layer.provideMerge(securityLayerWith(masterKeys)),
      Layer.provide(offlineDns)
    )
  )

const hashes = (text: string) =>
  ["sha256", "sha512", "sha1", "md5"].map((name) => new Bun.CryptoHasher(name as "sha256").update(text).digest("hex"))

live("what is kept of a request with a credential is no hash by which that could be guessed", () =>
  Effect.gen(function* () {
    const { path } = yield* under(masterKey(1))(letIn)
    const kept = yield* keptAt(path)
    expect(kept).toMatch(/^[0-9a-f]{16}:[0-9a-f]{64}$/)
    const known = [body, body.credential, "hunter2"].map((part) => canonicalize(part) ?? "")
    for (const hash of known.flatMap(hashes)) expect(kept).not.toContain(hash)
    const other = yield* keptAt((yield* under(masterKey(2))(letIn)).path)
    expect(other.split(":")[0]).not.toBe(kept.split(":")[0])
  }).pipe(Effect.provide(storesInMemory))
)

live("two connections of one tenant that are sent the same keep nothing that says so", () =>
  Effect.gen(function* () {
    const paths = yield* under(masterKey(1))(Effect.replicateEffect(letIn, 2))
    const kept = yield* Effect.forEach(paths, ({ path }) => keptAt(path))
    expect(new Set(kept.map((fingerprint) => fingerprint.split(":")[0])).size).toBe(1)
    expect(new Set(kept).size).toBe(2)
  }).pipe(Effect.provide(storesInMemory))
)

const renewals = [
  ["after a newer master key was put before its own", masterKey(1), masterKey(2, 1)],
  ["by a machine that does not have the newer master key yet", masterKey(2, 1), masterKey(1)],
  ["after its master key was taken out", masterKey(1), masterKey(2)],
  ["after its master key was lost, and replaced under the same version", masterKey(1), `1:${masterKey(2).slice(2)}`]
] as const
for (const [when, before, now] of renewals) {
  live(`a request is answered as the first time ${when}`, () =>
    Effect.gen(function* () {
      const { document, send } = yield* under(before)(letIn)
      const again = yield* under(now)(send(body))
      expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"])
      expect(yield* textOf(again)).toBe(document)
    }).pipe(Effect.provide(storesInMemory))
  )
}

live("a key that comes back with another credential is refused as long as its master key is there", () =>
  Effect.gen(function* () {
    const { key, path, send } = yield* under(masterKey(1))(letIn)
    for (const keys of [masterKey(1), masterKey(2, 1)]) {
      yield* under(keys)(expectNoEffect(path, key, send(withToken("hunter3")), reused))
    }
  }).pipe(Effect.provide(storesInMemory))
)
