import { DateTime, Effect, Layer, Option, Redacted, Ref } from "effect"
import type { OAuthToken } from "../../../src/domain/provider/Credential.ts"
import { Providers } from "../../../src/providers/Providers.ts"
import { OAuthFailure } from "../../../src/providers/oauth/OAuthClient.ts"

/** A slow authorization server that accepts each refresh token once. */
export const refreshServer = Effect.gen(function* () {
  const calls = yield* Ref.make(0)
  const validToken = yield* Ref.make("refresh-0")
  const answering = yield* Effect.makeLatch(true)
  const refresh = ({ refreshToken }: OAuthToken) =>
    Effect.gen(function* () {
      const call = yield* Ref.updateAndGet(calls, (count) => count + 1)
      yield* Effect.sleep("30 millis")
      yield* answering.await
      if (refreshToken === undefined || Redacted.value(refreshToken) !== (yield* Ref.get(validToken))) {
        return yield* new OAuthFailure({ code: "authorization_revoked", detail: "the server says invalid_grant" })
      }
      yield* Ref.set(validToken, `refresh-${call}`)
      return tokenOf(`access-${call}`, `refresh-${call}`, DateTime.add(yield* DateTime.now, { hours: 1 }))
    })
  return { calls: Ref.get(calls), revoke: Ref.set(validToken, ""), answering, refresh }
})

export type RefreshServer = Effect.Effect.Success<typeof refreshServer>

export const tokenOf = (access: string, refresh: string, expiresAt: DateTime.Utc): OAuthToken => ({
  _tag: "oauth_token",
  accessToken: Redacted.make(access),
  refreshToken: Redacted.make(refresh),
  expiresAt
})

/** Providers whose tokens are all refreshed at this server. */
export const providersAt = ({ refresh }: RefreshServer) => {
  const oauth = {
    refreshToken: refresh,
    revokeToken: () => Effect.void,
    exchangeCode: Effect.die,
    requestAuthorization: Effect.die
  }
  const providers = Effect.map(Providers, (all) => ({ ...all, oauthClientFor: () => Option.some(oauth) }))
  return Layer.effect(Providers, providers).pipe(Layer.provide(Providers.layer([])))
}
