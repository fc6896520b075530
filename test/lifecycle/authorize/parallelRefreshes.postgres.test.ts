import { expect } from "bun:test"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import type { Credential } from "../../../src/domain/provider/Credential.ts"
import { Identifiers } from "../../../src/domain/values/Identifiers.ts"
import { secretOwnerOf } from "../../../src/domain/access/SealedSecret.ts"
import { CredentialProvider } from "../../../src/lifecycle/authorize/CredentialProvider.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { CredentialStore } from "../../../src/persistence/stores/access/CredentialStore.ts"
import { LeaseStore } from "../../../src/persistence/stores/phases/LeaseStore.ts"
import { Credentials } from "../../../src/security/Credentials.ts"
import { createConnection, sampleProvider } from "../../persistence/connectionFixtures.ts"
import { freshDatabase, poolOn } from "../../persistence/freshDatabase.ts"
import { StoreFixture } from "../../persistence/StoreFixture.ts"
import { storeSealed } from "../../security/credentialsInMemory.ts"
import { live } from "../../support/effectTest.ts"
import { masterKey, sealingLayer } from "../../support/masterKeys.ts"
import { steadyLeases } from "../../support/steadyLeases.ts"
import { providersAt, refreshServer, tokenOf } from "./refreshServer.ts"

/** Two processes on one PostgreSQL, and a connection whose token both have to refresh at this server. */
const twoProcesses = Effect.gen(function* () {
  const server = yield* refreshServer
  const database = yield* freshDatabase
  const startProcess = Layer.build(
    CredentialProvider.layer.pipe(
      Layer.provide(steadyLeases),
      Layer.provide(providersAt(server)),
      Layer.provideMerge(sealingLayer(masterKey(1))),
      Layer.provideMerge(
        Layer.mergeAll(ConnectionStore.layer, CredentialStore.layer, LeaseStore.layer, StoreFixture.layerPostgres)
      ),
      Layer.provideMerge(Identifiers.layer),
      Layer.provide(poolOn(database, 3))
    )
  )
  const first = yield* startProcess
  const second = yield* startProcess
  const connection = yield* Effect.gen(function* () {
    const created = yield* createConnection(undefined, { provider: sampleProvider })
    const expiresAt = DateTime.add(yield* DateTime.now, { minutes: 1 })
    yield* storeSealed(secretOwnerOf(created), tokenOf("access-0", "refresh-0", expiresAt))
    return created
  }).pipe(Effect.provide(first))
  const token = Effect.flatMap(CredentialProvider, ({ get }) => get(connection)).pipe(
    Effect.map(accessTokenOf),
    Effect.catchTag("CredentialUnavailable", ({ code }) => Effect.succeed(code))
  )
  return {
    server,
    /** What each process gets, the token or why there is none, when both ask for it twice at once. */
    getTokens: Effect.forEach([first, second, first, second], (process) => Effect.provide(token, process), {
      concurrency: "unbounded"
    }),
    storedToken: Effect.flatMap(Credentials, ({ load }) => load(secretOwnerOf(connection))).pipe(
      Effect.map(Option.map(accessTokenOf)),
      Effect.provide(first)
    )
  }
})

const accessTokenOf = (credential: Credential) =>
  credential._tag === "oauth_token" ? Redacted.value(credential.accessToken) : credential._tag

live("two processes that refresh one token at once send its refresh token once, and both use the new one", () =>
  Effect.gen(function* () {
    const { getTokens, server, storedToken } = yield* twoProcesses
    expect(yield* getTokens).toEqual(["access-1", "access-1", "access-1", "access-1"])
    expect(yield* server.calls).toBe(1)
    expect(yield* storedToken).toEqual(Option.some("access-1"))
  })
)

live("two processes that refresh a revoked token at once are both told so, and none gets an old token", () =>
  Effect.gen(function* () {
    const { getTokens, server } = yield* twoProcesses
    yield* server.revoke
    expect(new Set(yield* getTokens)).toEqual(new Set(["authorization_revoked"]))
  })
)
