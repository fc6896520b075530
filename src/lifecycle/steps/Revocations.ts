import { Context, Effect, Layer, Option } from "effect"
import type { Credential } from "../../domain/Credential.ts"
import type { Standing } from "../../domain/Progress.ts"
import type { Provider } from "../../domain/Provider.ts"
import { type Advanced, CredentialStep } from "../../persistence/Advanced.ts"
import { ownerOf, type SecretOwner } from "../../persistence/Sealed.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { Providers } from "../../providers/Providers.ts"
import { Credentials } from "../../security/Credentials.ts"

/**
 * Gives tokens back to their providers that the service needs no more (RFC 7009). It is tried once, beside everything
 * else, and nothing waits for it: a token that could not be given back is wiped here all the same.
 */
export class Revocations extends Context.Tag("lifecycle/Revocations")<
  Revocations,
  {
    /** Writes a step; the token that it wipes, if it does, is given back then. */
    readonly following: <A, E, R>(
      from: Standing,
      advanced: Advanced,
      write: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | StoreUnavailable, R>
    readonly giveBack: (providerId: Provider["id"], credential: Credential) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.scoped(
    Revocations,
    Effect.gen(function* () {
      const credentials = yield* Credentials
      const providers = yield* Providers
      const scope = yield* Effect.scope

      /** Also from where nothing can be interrupted, it can. */
      const beside = (effect: Effect.Effect<void>) => Effect.asVoid(Effect.forkIn(Effect.interruptible(effect), scope))

      const revoked = (providerId: Provider["id"], credential: Credential) =>
        Effect.gen(function* () {
          const server = providers.oauthOf(providerId)
          if (Option.isSome(server) && credential._tag === "oauth_token") yield* server.value.revoke(credential)
        }).pipe(
          Effect.catchAll((failure) => Effect.logWarning("A token was not revoked at its provider", failure)),
          Effect.annotateLogs({ providerId })
        )

      const isWiped = (owner: SecretOwner) =>
        Effect.orElseSucceed(Effect.map(credentials.live(owner), Option.isNone), () => false)

      const following = <A, E, R>({ connection }: Standing, { credential }: Advanced, write: Effect.Effect<A, E, R>) =>
        Effect.gen(function* () {
          const owner = ownerOf(connection)
          const providerId = connection.provider?.id ?? "unknown"
          const mayWipe = CredentialStep.$is("Wipe")(credential) && Option.isSome(providers.oauthOf(providerId))
          const held = mayWipe ? yield* credentials.live(owner) : Option.none()
          const written = yield* write
          if (Option.isSome(held)) {
            yield* beside(Effect.asVoid(Effect.whenEffect(revoked(providerId, held.value), isWiped(owner))))
          }
          return written
        })

      return {
        following,
        giveBack: (providerId, credential) => beside(revoked(providerId, credential))
      }
    })
  )
}
