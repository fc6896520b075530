import { Context, Effect, Layer, Option } from "effect"
import type { ConnectionRecord } from "../../domain/connection/ConnectionRecord.ts"
import type { Credential } from "../../domain/provider/Credential.ts"
import type { Provider } from "../../domain/provider/Provider.ts"
import { type SecretOwner, secretOwnerOf } from "../../domain/access/SealedSecret.ts"
import { CredentialChange, type Transition } from "../../domain/connection/Transition.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { Providers } from "../../providers/Providers.ts"
import { Credentials } from "../../security/Credentials.ts"

/** Revokes unneeded tokens at their providers (RFC 7009): once each, in the background, and deleted here even so. */
export class TokenRevocations extends Context.Tag("lifecycle/TokenRevocations")<
  TokenRevocations,
  {
    /** Runs `write`, which writes the transition, and revokes the token that the transition deletes, if it does. */
    readonly revokeAfter: <A, E, R>(
      current: ConnectionRecord,
      transition: Transition,
      write: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | StoreUnavailable, R>
    /** Revokes a credential at its provider in the background, if it is an OAuth token. */
    readonly revoke: (providerId: Provider["id"], credential: Credential) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.scoped(
    TokenRevocations,
    Effect.gen(function* () {
      const credentials = yield* Credentials
      const providers = yield* Providers
      const scope = yield* Effect.scope

      /** The forked effect can be interrupted, even if the caller cannot. */
      const runInBackground = (effect: Effect.Effect<void>) =>
        Effect.asVoid(Effect.forkIn(Effect.interruptible(effect), scope))

      const revokeOnce = (providerId: Provider["id"], credential: Credential) =>
        Effect.gen(function* () {
          const client = providers.oauthClientFor(providerId)
          if (Option.isSome(client) && credential._tag === "oauth_token") yield* client.value.revokeToken(credential)
        }).pipe(
          Effect.catchAll((failure) => Effect.logWarning("The provider did not revoke a token", failure)),
          Effect.annotateLogs({ providerId })
        )

      const isDeleted = (owner: SecretOwner) =>
        Effect.orElseSucceed(Effect.map(credentials.load(owner), Option.isNone), () => false)

      return {
        revokeAfter: Effect.fnUntraced(function* ({ connection }, transition, write) {
          const owner = secretOwnerOf(connection)
          const providerId = connection.provider?.id ?? "unknown"
          const canRevoke =
            CredentialChange.$is("Delete")(transition.credential) && Option.isSome(providers.oauthClientFor(providerId))
          const credential = canRevoke ? yield* credentials.load(owner) : Option.none()
          const result = yield* write
          if (Option.isSome(credential)) {
            yield* runInBackground(
              Effect.asVoid(Effect.whenEffect(revokeOnce(providerId, credential.value), isDeleted(owner)))
            )
          }
          return result
        }),
        revoke: (providerId, credential) => runInBackground(revokeOnce(providerId, credential))
      }
    })
  )
}
