import { expect } from "bun:test"
import { DateTime, Effect, Layer, Option, Redacted, Ref } from "effect"
import type { Connection } from "../../../src/domain/Connection.ts"
import type { OAuthToken } from "../../../src/domain/Credential.ts"
import { secretOwnerOf } from "../../../src/domain/SealedSecret.ts"
import { Leases } from "../../../src/lifecycle/apply/Leases.ts"
import { CredentialProvider } from "../../../src/lifecycle/authorize/CredentialProvider.ts"
import { CredentialStore } from "../../../src/persistence/stores/CredentialStore.ts"
import { Providers } from "../../../src/providers/Providers.ts"
import { OAuthFailure } from "../../../src/providers/oauth/OAuthClient.ts"
import { Credentials } from "../../../src/security/Credentials.ts"
import { createConnection, sampleProvider } from "../../persistence/connectionFixtures.ts"
import { apiToken, storeSealed, withoutKeys } from "../../security/credentialsInMemory.ts"
import { live } from "../../support/effectTest.ts"
import { masterKey, sealingLayer } from "../../support/masterKeys.ts"

/** A server that renews tokens, each refresh token once, and takes its time. */
const renewing = Effect.gen(function* () {
  const calls = yield* Ref.make(0)
  const good = yield* Ref.make("refresh-0")
  const refresh = ({ refreshToken }: OAuthToken) =>
    Effect.gen(function* () {
      const nth = yield* Ref.updateAndGet(calls, (count) => count + 1)
      yield* Effect.sleep("30 millis")
      if (refreshToken === undefined || Redacted.value(refreshToken) !== (yield* Ref.get(good))) {
        return yield* new OAuthFailure({ code: "authorization_revoked", detail: "the server says invalid_grant" })
      }
      yield* Ref.set(good, `refresh-${nth}`)
      return tokenOf(`access-${nth}`, `refresh-${nth}`, DateTime.add(yield* DateTime.now, { hours: 1 }))
    })
  return { calls: Ref.get(calls), forget: Ref.set(good, ""), refresh }
})

const tokenOf = (access: string, refresh: string, expiresAt: DateTime.Utc): OAuthToken => ({
  _tag: "oauth_token",
  accessToken: Redacted.make(access),
  refreshToken: Redacted.make(refresh),
  expiresAt
})

const withServer = <A, E>(
  body: (
    server: Effect.Effect.Success<typeof renewing>
  ) => Effect.Effect<A, E, CredentialProvider | Effect.Effect.Context<ReturnType<typeof createConnection>> | Keeping>
) =>
  Effect.flatMap(renewing, (server) => {
    const oauth = {
      refreshToken: server.refresh,
      revokeToken: () => Effect.void,
      exchangeCode: Effect.die,
      buildAuthorizeUrl: Effect.die
    }
    const providers = Effect.map(Providers, (all) => ({ ...all, oauthClientFor: () => Option.some(oauth) }))
    return Effect.provide(
      body(server),
      CredentialProvider.layer.pipe(
        Layer.provide(Leases.layer()),
        Layer.provide(Layer.effect(Providers, providers).pipe(Layer.provide(Providers.layer([])))),
        Layer.provideMerge(sealingLayer(masterKey(1))),
        Layer.provideMerge(withoutKeys)
      )
    )
  })

type Keeping = Effect.Effect.Context<ReturnType<typeof storeSealed>> | CredentialStore

/** A connection that holds a token with so many minutes left. */
const holding = (minutes: number, token: Partial<OAuthToken> = {}) =>
  Effect.gen(function* () {
    const connection = yield* createConnection(undefined, { provider: sampleProvider })
    const expiresAt = DateTime.add(yield* DateTime.now, { minutes })
    yield* storeSealed(secretOwnerOf(connection), { ...tokenOf("access-0", "refresh-0", expiresAt), ...token })
    return connection
  })

const access = (connection: Connection) =>
  Effect.map(
    Effect.flatMap(CredentialProvider, (held) => held.get(connection)),
    (held) => (held._tag === "oauth_token" ? Redacted.value(held.accessToken) : held._tag)
  )

const kept = (connection: Connection) =>
  Effect.map(
    Effect.flatMap(Credentials, ({ load: live }) => live(secretOwnerOf(connection))),
    Option.map((held) => (held._tag === "oauth_token" ? Redacted.value(held.accessToken) : held._tag))
  )

live("a token that lasts is used as it is, and so is any other credential", () =>
  withServer(({ calls }) =>
    Effect.gen(function* () {
      expect(yield* access(yield* holding(10))).toBe("access-0")
      const other = yield* createConnection(undefined, { provider: sampleProvider })
      yield* storeSealed(secretOwnerOf(other), apiToken("secret"))
      expect(yield* access(other)).toBe("api_token")
      expect(yield* calls).toBe(0)
    })
  )
)

live("of many who need a token that expires, one renews it, and all get the new one", () =>
  withServer(({ calls }) =>
    Effect.gen(function* () {
      const connection = yield* holding(1)
      const got = yield* Effect.all(
        Array.from({ length: 10 }, () => access(connection)),
        { concurrency: "unbounded" }
      )
      expect(new Set(got)).toEqual(new Set(["access-1"]))
      expect(yield* calls).toBe(1)
      expect(yield* kept(connection)).toEqual(Option.some("access-1"))
    })
  )
)

live("what the provider has refused is renewed once, however many were refused", () =>
  withServer(({ calls }) =>
    Effect.gen(function* () {
      const connection = yield* holding(10)
      const { replaceRefused: inPlaceOf, get: of } = yield* CredentialProvider
      const refused = yield* of(connection)
      yield* Effect.all([inPlaceOf(refused, connection), inPlaceOf(refused, connection)], { concurrency: 2 })
      expect(yield* calls).toBe(1)
      const key = yield* Effect.flip(inPlaceOf(apiToken("secret"), connection))
      expect(key).toMatchObject({ code: "credential_invalid" })
    })
  )
)

live("a renewed token is not lost to whoever seals the old one again meanwhile", () =>
  withServer(() =>
    Effect.gen(function* () {
      const connection = yield* holding(1)
      const owner = secretOwnerOf(connection)
      const { load: current, seal } = yield* Credentials
      const store = yield* CredentialStore
      const renewal = yield* Effect.fork(access(connection))
      yield* Effect.sleep("10 millis")
      const old = yield* Effect.flatten(current(owner))
      const read = yield* Effect.flatten(store.find(owner, owner.connectionId))
      expect(yield* store.replace({ owner, sealed: read }, yield* seal(owner, old))).toBe(true)
      yield* renewal
      expect(yield* kept(connection)).toEqual(Option.some("access-1"))
    })
  )
)

live("what the provider has revoked is told, and what cannot be renewed is not used", () =>
  withServer(({ forget }) =>
    Effect.gen(function* () {
      yield* forget
      expect(yield* Effect.flip(access(yield* holding(1)))).toMatchObject({ code: "authorization_revoked" })
      expect(yield* Effect.flip(access(yield* createConnection()))).toMatchObject({ code: "authorization_expired" })
      const { refreshToken: _, ...lasting } = tokenOf("access", "", DateTime.unsafeMake(0))
      const connection = yield* createConnection(undefined, { provider: sampleProvider })
      yield* storeSealed(secretOwnerOf(connection), lasting)
      expect(yield* Effect.flip(access(connection))).toMatchObject({ code: "authorization_expired" })
    })
  )
)
