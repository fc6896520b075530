import { expect } from "bun:test"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import type { Connection } from "../../../src/domain/connection/Connection.ts"
import type { Credential, OAuthToken } from "../../../src/domain/provider/Credential.ts"
import { secretOwnerOf } from "../../../src/domain/access/SealedSecret.ts"
import { CredentialProvider } from "../../../src/lifecycle/authorize/CredentialProvider.ts"
import { CredentialStore } from "../../../src/persistence/stores/access/CredentialStore.ts"
import { Credentials } from "../../../src/security/Credentials.ts"
import { createConnection, sampleProvider } from "../../persistence/connectionFixtures.ts"
import { apiToken, storeSealed, withoutKeys } from "../../security/credentialsInMemory.ts"
import { live } from "../../support/effectTest.ts"
import { masterKey, sealingLayer } from "../../support/masterKeys.ts"
import { steadyLeases } from "../../support/steadyLeases.ts"
import { providersAt, type RefreshServer, refreshServer, tokenOf } from "./refreshServer.ts"

const withServer = <A, E>(
  body: (
    server: RefreshServer
  ) => Effect.Effect<
    A,
    E,
    CredentialProvider | Effect.Effect.Context<ReturnType<typeof createConnection>> | StoringServices
  >
) =>
  Effect.flatMap(refreshServer, (server) =>
    Effect.provide(
      body(server),
      CredentialProvider.layer.pipe(
        Layer.provide(steadyLeases),
        Layer.provide(providersAt(server)),
        Layer.provideMerge(sealingLayer(masterKey(1))),
        Layer.provideMerge(withoutKeys)
      )
    )
  )

type StoringServices = Effect.Effect.Context<ReturnType<typeof storeSealed>> | CredentialStore

/** A connection whose stored token expires in so many minutes. */
const createConnectionWithToken = (minutes: number, token: Partial<OAuthToken> = {}) =>
  Effect.gen(function* () {
    const connection = yield* createConnection(undefined, { provider: sampleProvider })
    const expiresAt = DateTime.add(yield* DateTime.now, { minutes })
    yield* storeSealed(secretOwnerOf(connection), { ...tokenOf("access-0", "refresh-0", expiresAt), ...token })
    return connection
  })

const usedToken = (connection: Connection) =>
  Effect.map(
    Effect.flatMap(CredentialProvider, ({ get }) => get(connection)),
    tokenOrKind
  )

const storedToken = (connection: Connection) =>
  Effect.map(
    Effect.flatMap(Credentials, ({ load }) => load(secretOwnerOf(connection))),
    Option.map(tokenOrKind)
  )

const tokenOrKind = (credential: Credential) =>
  credential._tag === "oauth_token" ? Redacted.value(credential.accessToken) : credential._tag

live("a token that does not expire soon is used unchanged, and so is any other credential", () =>
  withServer(({ calls }) =>
    Effect.gen(function* () {
      expect(yield* usedToken(yield* createConnectionWithToken(10))).toBe("access-0")
      const withApiToken = yield* createConnection(undefined, { provider: sampleProvider })
      yield* storeSealed(secretOwnerOf(withApiToken), apiToken("secret"))
      expect(yield* usedToken(withApiToken)).toBe("api_token")
      expect(yield* calls).toBe(0)
    })
  )
)

live("an expiring token is refreshed once for many concurrent callers", () =>
  withServer(({ calls }) =>
    Effect.gen(function* () {
      const connection = yield* createConnectionWithToken(1)
      const tokens = yield* Effect.all(
        Array.from({ length: 10 }, () => usedToken(connection)),
        { concurrency: "unbounded" }
      )
      expect(new Set(tokens)).toEqual(new Set(["access-1"]))
      expect(yield* calls).toBe(1)
      expect(yield* storedToken(connection)).toEqual(Option.some("access-1"))
    })
  )
)

live("a token that the provider has refused is refreshed once, however often it was refused", () =>
  withServer(({ calls }) =>
    Effect.gen(function* () {
      const connection = yield* createConnectionWithToken(10)
      const { get, replaceRefused } = yield* CredentialProvider
      const refused = yield* get(connection)
      yield* Effect.all([replaceRefused(refused, connection), replaceRefused(refused, connection)], { concurrency: 2 })
      expect(yield* calls).toBe(1)
      const unavailable = yield* Effect.flip(replaceRefused(apiToken("secret"), connection))
      expect(unavailable).toMatchObject({ code: "credential_invalid", details: [] })
    })
  )
)

live("a refreshed token is not overwritten by a concurrent resealing of the old one", () =>
  withServer(({ answering, calls }) =>
    Effect.gen(function* () {
      const connection = yield* createConnectionWithToken(1)
      const owner = secretOwnerOf(connection)
      const { load, seal } = yield* Credentials
      const store = yield* CredentialStore
      yield* answering.close
      const refreshing = yield* Effect.fork(usedToken(connection))
      yield* Effect.repeat(Effect.delay(calls, "1 millis"), { until: (count) => count === 1 })
      const oldToken = yield* Effect.flatten(load(owner))
      const sealed = yield* Effect.flatten(store.find(owner, owner.connectionId))
      expect(yield* store.replace({ owner, sealed }, yield* seal(owner, oldToken))).toBe(true)
      yield* answering.open
      yield* refreshing
      expect(yield* storedToken(connection)).toEqual(Option.some("access-1"))
    })
  )
)

live("a revoked authorization is reported, and an expired token that cannot be refreshed is not used", () =>
  withServer(({ revoke }) =>
    Effect.gen(function* () {
      yield* revoke
      expect(yield* Effect.flip(usedToken(yield* createConnectionWithToken(1)))).toMatchObject({
        code: "authorization_revoked",
        details: [
          {
            message: "Acme DNS, asked to refresh the token, answered: the server says invalid_grant",
            server: "Acme DNS",
            answer: "the server says invalid_grant"
          }
        ]
      })
      expect(yield* Effect.flip(usedToken(yield* createConnection()))).toMatchObject({
        code: "authorization_expired",
        details: [{ message: "the service keeps no credential of this connection any more" }]
      })
      const { refreshToken: _, ...withoutRefresh } = tokenOf("access", "", DateTime.unsafeMake(0))
      const connection = yield* createConnection(undefined, { provider: sampleProvider })
      yield* storeSealed(secretOwnerOf(connection), withoutRefresh)
      expect(yield* Effect.flip(usedToken(connection))).toMatchObject({
        code: "authorization_expired",
        details: [
          {
            message: "the token of Acme DNS ran out at 1970-01-01T00:00:00.000Z, and cannot be refreshed",
            server: "Acme DNS"
          }
        ]
      })
    })
  )
)
