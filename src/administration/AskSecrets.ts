import { Array, Context, Duration, Effect, Either, Layer, Option, Redacted } from "effect"
import { type AskSecret, AskSecretId } from "../domain/access/AskSecret.ts"
import { DomainName, parseDomain } from "../domain/names/DomainName.ts"
import { Identifiers } from "../domain/values/Identifiers.ts"
import type { ApplicationId } from "../domain/access/Tenancy.ts"
import type { StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import { type AskAnswer, AskSecretStore } from "../persistence/stores/access/AskSecretStore.ts"
import { maxRotationOverlap, Unauthenticated } from "../security/ApiKeys.ts"
import { hasChecksum, randomKey, sha256, toStoredKey } from "../security/secrets.ts"
import { AskSecretNotFound } from "./administrationErrors.ts"

/** A new secret; `secret` is shown now and can never be shown again. */
export interface IssuedAskSecret {
  readonly askSecret: AskSecret
  readonly secret: Redacted.Redacted
}

/**
 * The secrets by which web servers ask, before they get a certificate for a host, whether the application serves it:
 * `dcas_<43 base62><6 base62 CRC-32>`.
 */
export class AskSecrets extends Context.Tag("administration/AskSecrets")<
  AskSecrets,
  {
    readonly issue: (applicationId: ApplicationId) => Effect.Effect<IssuedAskSecret, StoreUnavailable>
    readonly list: typeof AskSecretStore.Service.list
    /** Issues a successor; the old secret stays valid for `overlap`, at most seven days. */
    readonly rotate: (
      applicationId: ApplicationId,
      id: AskSecretId,
      overlap: Duration.Duration
    ) => Effect.Effect<IssuedAskSecret, AskSecretNotFound | StoreUnavailable>
    readonly revoke: (
      applicationId: ApplicationId,
      id: AskSecretId
    ) => Effect.Effect<void, AskSecretNotFound | StoreUnavailable>
    /**
     * Whether an `active` connection of the secret's application desires an address or a CNAME at this host, or at the
     * wildcard of its parent. A text that is no name of a host is never allowed.
     */
    readonly ask: (
      secret: Redacted.Redacted,
      host: string
    ) => Effect.Effect<AskAnswer, Unauthenticated | StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    AskSecrets,
    Effect.map(Effect.all([AskSecretStore, Identifiers]), ([store, identifiers]) => {
      const newSecret = Effect.map(identifiers.next("ask"), (id) => {
        const secret = randomKey("dcas_")
        return { stored: { id: AskSecretId.make(id), ...toStoredKey(secret) }, secret: Redacted.make(secret) }
      })

      return {
        issue: Effect.fnUntraced(function* (applicationId) {
          const { secret, stored } = yield* newSecret
          return { askSecret: yield* store.insert(applicationId, stored), secret }
        }),
        list: store.list,
        rotate: Effect.fnUntraced(function* (applicationId, id, overlap) {
          const { secret, stored } = yield* newSecret
          const seconds = Duration.toSeconds(
            Duration.clamp(overlap, { minimum: Duration.zero, maximum: maxRotationOverlap })
          )
          const rotated = yield* store.rotate(applicationId, id, stored, seconds)
          if (Option.isNone(rotated)) return yield* AskSecretNotFound.of(id)
          return { askSecret: rotated.value, secret }
        }),
        revoke: Effect.fnUntraced(function* (applicationId, id) {
          if (!(yield* store.revoke(applicationId, id))) return yield* AskSecretNotFound.of(id)
        }),
        ask: Effect.fnUntraced(function* (secret, host) {
          if (!isAskSecret(secret)) return yield* Unauthenticated.error
          const answer = yield* store.ask(sha256(Redacted.value(secret)), listServingNames(host))
          return Option.isSome(answer) ? answer.value : yield* Unauthenticated.error
        })
      }
    })
  )
}

/** Whether a text has the form of an ask secret. The checksum refuses a mistyped or truncated one without a query. */
export const isAskSecret = (text: Redacted.Redacted): boolean => {
  const secret = Redacted.value(text)
  return /^dcas_[0-9A-Za-z]{49}$/.test(secret) && hasChecksum(secret)
}

/**
 * The names whose records serve a host: its own, and the wildcard of its parent, which covers one label as in a
 * certificate (RFC 9525 section 6.3). A text that is no name of a host has a name that no connection has.
 */
const listServingNames = (host: string): Array.NonEmptyReadonlyArray<DomainName> =>
  Either.match(parseDomain(host), {
    onLeft: () => [DomainName.make("")],
    onRight: (name) => [name, DomainName.make(name.replace(/^[^.]+/, "*"))]
  })
