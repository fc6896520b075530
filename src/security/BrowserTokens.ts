import { Context, type DateTime, Duration, Effect, Layer, Option, Redacted } from "effect"
import type { ConnectionId } from "../domain/Connection.ts"
import type { Origin } from "../domain/Origin.ts"
import type { ApiKeyId, Tenancy } from "../domain/Tenancy.ts"
import { BrowserTokenStore, type ConnectionEnded, type FoundToken } from "../persistence/BrowserTokenStore.ts"
import type { ConnectionNotFound } from "../persistence/ConnectionStore.ts"
import type { StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import { Unauthenticated } from "./ApiKeys.ts"
import { randomBase62, sha256 } from "./secrets.ts"

/** A token that was just made; it can never be shown again. */
export interface IssuedToken {
  readonly token: Redacted.Redacted
  readonly expiresAt: DateTime.Utc
}

/** What a token is bound to, and the key that asked for it: when that key goes, so does the token. */
export interface TokenRequest {
  readonly connectionId: ConnectionId
  readonly origin: Origin
  readonly apiKeyId: ApiKeyId
}

/** Short-lived secrets for one connection and one browser origin: `dct_<43 base62>`, 256 bits, opaque. */
export class BrowserTokens extends Context.Tag("security/BrowserTokens")<
  BrowserTokens,
  {
    readonly issue: (
      tenancy: Tenancy,
      request: TokenRequest
    ) => Effect.Effect<IssuedToken, ConnectionNotFound | ConnectionEnded | StoreUnavailable>
    /** What the token opens; whether the browser stands at the token's origin is for the caller to compare. */
    readonly verify: (token: Redacted.Redacted) => Effect.Effect<FoundToken, Unauthenticated | StoreUnavailable>
    /** Revokes every token of a connection, from the next request on. */
    readonly revoke: (tenancy: Tenancy, connectionId: ConnectionId) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = (settings: { readonly lifetime: Duration.Duration }) =>
    Layer.effect(
      BrowserTokens,
      Effect.map(BrowserTokenStore, (store) => ({
        issue: Effect.fnUntraced(function* (tenancy, request) {
          const token = `dct_${randomBase62(43)}`
          const expiresAt = yield* store.insert(tenancy, {
            ...request,
            hash: sha256(token),
            lifetimeSeconds: Duration.toSeconds(settings.lifetime)
          })
          return { token: Redacted.make(token), expiresAt }
        }),
        verify: Effect.fnUntraced(function* (token) {
          const text = Redacted.value(token)
          if (!/^dct_[0-9A-Za-z]{43}$/.test(text)) return yield* Unauthenticated.error
          return yield* Effect.flatMap(
            store.find(sha256(text)),
            Option.match({ onNone: () => Unauthenticated.error, onSome: Effect.succeed })
          )
        }),
        revoke: store.revoke
      }))
    )
}
