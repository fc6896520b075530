import { Context, type DateTime, Duration, Effect, Layer, Option, Redacted } from "effect"
import { type ConnectionId, finalStates } from "../domain/Connection.ts"
import type { Origin } from "../domain/Origin.ts"
import type { ApiKeyId, Tenancy } from "../domain/Tenancy.ts"
import type { StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import {
  BrowserTokenStore,
  type BrowserTokenWithConnection,
  type ConnectionEnded,
  exchangeCodeOrigin
} from "../persistence/stores/BrowserTokenStore.ts"
import type { ConnectionNotFound } from "../persistence/stores/ConnectionStore.ts"
import { Unauthenticated } from "./ApiKeys.ts"
import { randomBase62, sha256 } from "./secrets.ts"

/** A token that was just made; it can never be shown again. */
export interface IssuedBrowserToken {
  readonly token: Redacted.Redacted
  readonly expiresAt: DateTime.Utc
}

/** What a token is bound to, and the key that asked for it: when that key goes, so does the token. */
export interface BrowserTokenRequest {
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
      request: BrowserTokenRequest
    ) => Effect.Effect<IssuedBrowserToken, ConnectionNotFound | ConnectionEnded | StoreUnavailable>
    /** What a token that is good opens; whether the browser stands at the token's origin is for the caller to compare. */
    readonly verify: (
      token: Redacted.Redacted
    ) => Effect.Effect<BrowserTokenWithConnection, Unauthenticated | StoreUnavailable>
    /** The same for who has begun to listen: also a connection at its end, which ends the token. */
    readonly verifyForStream: (
      token: Redacted.Redacted
    ) => Effect.Effect<BrowserTokenWithConnection, Unauthenticated | StoreUnavailable>
    /** A code for a link, with which whoever has it gets one token, once, within a day: `dcs_<43 base62>`. */
    readonly issueShareCode: (
      tenancy: Tenancy,
      request: Omit<BrowserTokenRequest, "origin">
    ) => Effect.Effect<IssuedBrowserToken, ConnectionNotFound | ConnectionEnded | StoreUnavailable>
    /** Exchanges a code for a token that is bound to this origin. */
    readonly redeemShareCode: (
      code: Redacted.Redacted,
      origin: Origin
    ) => Effect.Effect<IssuedBrowserToken & { readonly connectionId: ConnectionId }, Unauthenticated | StoreUnavailable>
    /** Revokes every token of a connection, from the next request on. */
    readonly revoke: (tenancy: Tenancy, connectionId: ConnectionId) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = (settings: { readonly lifetime: Duration.Duration }) =>
    Layer.effect(
      BrowserTokens,
      Effect.map(BrowserTokenStore, (store) => {
        const follow = Effect.fnUntraced(function* (token: Redacted.Redacted) {
          const text = Redacted.value(token)
          if (!/^dct_[0-9A-Za-z]{43}$/.test(text)) return yield* Unauthenticated.error
          return yield* Effect.flatMap(
            store.find(sha256(text)),
            Option.match({ onNone: () => Unauthenticated.error, onSome: Effect.succeed })
          )
        })

        return {
          verifyForStream: follow,
          verify: (token) =>
            Effect.filterOrElse(
              follow(token),
              ({ connection }) => !finalStates.includes(connection.state),
              () => Unauthenticated.error
            ),
          issue: Effect.fnUntraced(function* (tenancy, request) {
            const token = `dct_${randomBase62(43)}`
            const expiresAt = yield* store.insert(tenancy, {
              ...request,
              hash: sha256(token),
              lifetimeSeconds: Duration.toSeconds(settings.lifetime)
            })
            return { token: Redacted.make(token), expiresAt }
          }),
          issueShareCode: Effect.fnUntraced(function* (tenancy, request) {
            const code = `dcs_${randomBase62(43)}`
            const expiresAt = yield* store.insert(tenancy, {
              ...request,
              origin: exchangeCodeOrigin,
              hash: sha256(code),
              lifetimeSeconds: Duration.toSeconds(linkLifetime)
            })
            return { token: Redacted.make(code), expiresAt }
          }),
          redeemShareCode: Effect.fnUntraced(function* (code, origin) {
            const token = `dct_${randomBase62(43)}`
            const redeemed = yield* store.redeemCode(sha256(Redacted.value(code)), {
              origin,
              hash: sha256(token),
              lifetimeSeconds: Duration.toSeconds(hostedLifetime)
            })
            const { connectionId, expiresAt } = yield* Effect.mapError(redeemed, () => Unauthenticated.error)
            return { token: Redacted.make(token), connectionId, expiresAt }
          }),
          revoke: store.revokeAll
        }
      })
    )
}

/** A link may lie in a mailbox overnight. */
const linkLifetime = Duration.hours(24)

/** Nobody renews the token of the hosted page, so that it lasts for as long as any token may. */
const hostedLifetime = Duration.hours(1)
