import { Context, Effect, Layer, Option } from "effect"
import type { ConnectionRecord } from "../../domain/ConnectionRecord.ts"
import type { Credential } from "../../domain/Credential.ts"
import type { Provider } from "../../domain/Provider.ts"
import { type SecretOwner, secretOwnerOf } from "../../domain/SealedSecret.ts"
import { CredentialChange, type Transition } from "../../domain/Transition.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { Providers } from "../../providers/Providers.ts"
import { Credentials } from "../../security/Credentials.ts"

/**
 * Gives tokens back to their providers that the service needs no more (RFC 7009). It is tried once, beside everything
 * else, and nothing waits for it: a token that could not be given back is wiped here all the same.
 */
export class TokenRevocations extends Context.Tag("lifecycle/TokenRevocations")<
  TokenRevocations,
  {
    /** Writes a step; the token that it wipes, if it does, is given back then. */
    readonly revokeAfter: <A, E, R>(
      from: ConnectionRecord,
      advanced: Transition,
      write: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | StoreUnavailable, R>
    readonly revoke: (providerId: Provider["id"], credential: Credential) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.scoped(
    TokenRevocations,
    Effect.gen(function* () {
      const credentials = yield* Credentials
      const providers = yield* Providers
      const scope = yield* Effect.scope

      /** Also from where nothing can be interrupted, it can. */
      const beside = (effect: Effect.Effect<void>) => Effect.asVoid(Effect.forkIn(Effect.interruptible(effect), scope))

      const revoked = (providerId: Provider["id"], credential: Credential) =>
        Effect.gen(function* () {
          const server = providers.oauthClientFor(providerId)
          if (Option.isSome(server) && credential._tag === "oauth_token") yield* server.value.revokeToken(credential)
        }).pipe(
          Effect.catchAll((failure) => Effect.logWarning("A token was not revoked at its provider", failure)),
          Effect.annotateLogs({ providerId })
        )

      const isWiped = (owner: SecretOwner) =>
        Effect.orElseSucceed(Effect.map(credentials.load(owner), Option.isNone), () => false)

      const following = <A, E, R>(
        { connection }: ConnectionRecord,
        { credential }: Transition,
        write: Effect.Effect<A, E, R>
      ) =>
        Effect.gen(function* () {
          const owner = secretOwnerOf(connection)
          const providerId = connection.provider?.id ?? "unknown"
          const mayWipe =
            CredentialChange.$is("Delete")(credential) && Option.isSome(providers.oauthClientFor(providerId))
          const held = mayWipe ? yield* credentials.load(owner) : Option.none()
          const written = yield* write
          if (Option.isSome(held)) {
            yield* beside(Effect.asVoid(Effect.whenEffect(revoked(providerId, held.value), isWiped(owner))))
          }
          return written
        })

      return {
        revokeAfter: following,
        revoke: (providerId, credential) => beside(revoked(providerId, credential))
      }
    })
  )
}
