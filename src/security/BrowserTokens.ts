import { Context, type DateTime, Duration, Effect, Layer, Option, Redacted } from "effect"
import type { BrowserRole } from "../domain/access/BrowserRole.ts"
import { type ConnectionId, finalStates } from "../domain/connection/Connection.ts"
import type { Origin } from "../domain/names/Origin.ts"
import type { ApiKeyId, Tenancy } from "../domain/access/Tenancy.ts"
import type { StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import {
  BrowserTokenStore,
  type BrowserTokenWithConnection,
  type ConnectionEnded,
  exchangeCodeOrigin,
  type RedeemedCode
} from "../persistence/stores/access/BrowserTokenStore.ts"
import type { ConnectionNotFound } from "../persistence/stores/connections/ConnectionStore.ts"
import { Unauthenticated } from "./ApiKeys.ts"
import { randomBase62, sha256 } from "./secrets.ts"

/** A new token; it can never be shown again. */
interface IssuedBrowserToken {
  readonly token: Redacted.Redacted
  readonly expiresAt: DateTime.Utc
}

/** The connection and origin of a token, and the API key that requested it: revoking the key revokes it. */
interface BrowserTokenRequest {
  readonly connectionId: ConnectionId
  readonly origin: Origin
  readonly apiKeyId: ApiKeyId
}

/** Short-lived opaque secrets for one connection and origin: `dct_<43 base62>` or `dct_test_<43 base62>`, 256 bits. */
export class BrowserTokens extends Context.Tag("security/BrowserTokens")<
  BrowserTokens,
  {
    readonly issue: (
      tenancy: Tenancy,
      request: BrowserTokenRequest
    ) => Effect.Effect<IssuedBrowserToken, ConnectionNotFound | ConnectionEnded | StoreUnavailable>
    /** Returns the connection of a valid token; the caller compares the origin. */
    readonly verify: (
      token: Redacted.Redacted
    ) => Effect.Effect<BrowserTokenWithConnection, Unauthenticated | StoreUnavailable>
    /** Whether a token is valid, also if its connection has ended, so that an open stream can report the end. */
    readonly isValid: (token: Redacted.Redacted) => Effect.Effect<boolean, StoreUnavailable>
    /** Issues a link's code `dcs_<43 base62>` for tokens of this role, while the connection waits, a month at most. */
    readonly issueShareCode: (
      tenancy: Tenancy,
      request: Omit<BrowserTokenRequest, "origin"> & { readonly role: BrowserRole }
    ) => Effect.Effect<IssuedBrowserToken, ConnectionNotFound | ConnectionEnded | StoreUnavailable>
    /** Exchanges a share code for a token that is bound to this origin. */
    readonly redeemShareCode: (
      code: Redacted.Redacted,
      origin: Origin
    ) => Effect.Effect<IssuedBrowserToken & RedeemedCode, Unauthenticated | StoreUnavailable>
    /** Revokes the share codes of a connection and the tokens that they were exchanged for, from the next request on. */
    readonly revokeShareCodes: (tenancy: Tenancy, connectionId: ConnectionId) => Effect.Effect<void, StoreUnavailable>
    /** Revokes every token of a connection, from the next request on. */
    readonly revoke: (tenancy: Tenancy, connectionId: ConnectionId) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = (settings: { readonly lifetime: Duration.Duration; readonly isTestMode?: boolean }) => {
    const newToken = () => `dct_${settings.isTestMode === true ? "test_" : ""}${randomBase62(43)}`
    return Layer.effect(
      BrowserTokens,
      Effect.map(BrowserTokenStore, (store) => {
        const findToken = Effect.fnUntraced(function* (token: Redacted.Redacted) {
          if (!isBrowserToken(token)) return yield* Unauthenticated.error
          return yield* Effect.flatMap(
            store.find(sha256(Redacted.value(token))),
            Option.match({ onNone: () => Unauthenticated.error, onSome: Effect.succeed })
          )
        })

        return {
          isValid: (token) =>
            isBrowserToken(token) ? store.isValid(sha256(Redacted.value(token))) : Effect.succeed(false),
          verify: (token) =>
            Effect.filterOrElse(
              findToken(token),
              ({ connection }) => !finalStates.includes(connection.state),
              () => Unauthenticated.error
            ),
          issue: Effect.fnUntraced(function* (tenancy, request) {
            const token = newToken()
            const expiresAt = yield* store.insert(tenancy, {
              ...request,
              role: "customer",
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
              lifetimeSeconds: Duration.toSeconds(shareCodeLifetime)
            })
            return { token: Redacted.make(code), expiresAt }
          }),
          redeemShareCode: Effect.fnUntraced(function* (code, origin) {
            const token = newToken()
            const redeemed = yield* store.redeemCode(sha256(Redacted.value(code)), {
              origin,
              hash: sha256(token),
              lifetimeSeconds: Duration.toSeconds(settings.lifetime)
            })
            return { token: Redacted.make(token), ...(yield* Effect.mapError(redeemed, () => Unauthenticated.error)) }
          }),
          revokeShareCodes: store.revokeCodes,
          revoke: store.revokeAll
        }
      })
    )
  }
}

/** Longer than a connection waits for somebody; then the link in a mailbox is worth nothing, whatever became of the connection. */
const shareCodeLifetime = Duration.days(30)

export const isBrowserToken = (text: Redacted.Redacted): boolean =>
  /^dct_(test_)?[0-9A-Za-z]{43}$/.test(Redacted.value(text))

/** Whether a text has the form of the code of a link. */
export const isShareCode = (text: Redacted.Redacted): boolean => /^dcs_[0-9A-Za-z]{43}$/.test(Redacted.value(text))
