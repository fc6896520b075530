import { Context, Data, DateTime, Duration, Effect, Equal, Layer, Option } from "effect"
import type { Connection, FailureCode } from "../../domain/Connection.ts"
import type { Credential, OAuthToken } from "../../domain/Credential.ts"
import { secretOwnerOf } from "../../domain/SealedSecret.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { Providers } from "../../providers/Providers.ts"
import type { OAuthClient } from "../../providers/oauth/OAuthClient.ts"
import { Credentials } from "../../security/Credentials.ts"
import { Leases } from "../apply/Leases.ts"

/** There is no credential that the provider would take; `code` says why, in the words of a failure. */
export class CredentialUnavailable extends Data.TaggedError("CredentialUnavailable")<{ readonly code: FailureCode }> {}

type Held = Effect.Effect<Credential, CredentialUnavailable | StoreUnavailable>

/** The credentials of connections, fit for use: tokens that do not last are renewed here and nowhere else. */
export class CredentialProvider extends Context.Tag("lifecycle/CredentialProvider")<
  CredentialProvider,
  {
    /** The credential of a connection; a token that is about to expire is renewed first. */
    readonly get: (connection: Connection) => Held
    /** What is to be tried once in place of a credential that the provider has just refused. */
    readonly replaceRefused: (refused: Credential, connection: Connection) => Held
  }
>() {
  static readonly layer = Layer.effect(
    CredentialProvider,
    Effect.gen(function* () {
      const credentials = yield* Credentials
      const leases = yield* Leases
      const providers = yield* Providers

      /** One at a time, over all processes: who waited finds the token that the first one got. */
      const renewed = (connection: Connection, outdated: OAuthToken, server: OAuthClient): Held =>
        Effect.gen(function* () {
          yield* leases.hold([`credential:${connection.id}`], patience)
          const held = yield* credentials.renew(secretOwnerOf(connection), (now) =>
            now._tag === "oauth_token" && isSame(now, outdated) ? server.refreshToken(now) : Effect.succeed(now)
          )
          return yield* Effect.mapError(held, () => expired)
        }).pipe(
          Effect.scoped,
          Effect.tapErrorTag("OAuthFailure", (failure) => Effect.logWarning("A token was not renewed", failure)),
          Effect.catchTags({
            OAuthFailure: ({ code }) => new CredentialUnavailable({ code }),
            LeaseTaken: () => new CredentialUnavailable({ code: "provider_unavailable" })
          })
        )

      return {
        get: Effect.fn("CredentialProvider.get")(function* (connection) {
          const held = yield* Effect.flatten(credentials.load(secretOwnerOf(connection))).pipe(
            Effect.catchTag("NoSuchElementException", () => expired)
          )
          if (held._tag !== "oauth_token" || !expiresBefore(held, DateTime.addDuration(yield* DateTime.now, margin))) {
            return held
          }
          const server = renewerOf(providers, connection, held)
          if (Option.isSome(server)) return yield* renewed(connection, held, server.value)
          return expiresBefore(held, yield* DateTime.now) ? yield* expired : held
        }),
        replaceRefused: Effect.fn("CredentialProvider.replaceRefused")(function* (refused, connection) {
          const server = renewerOf(providers, connection, refused)
          return refused._tag === "oauth_token" && Option.isSome(server)
            ? yield* renewed(connection, refused, server.value)
            : yield* new CredentialUnavailable({ code: "credential_invalid" })
        })
      }
    })
  )
}

const expired = new CredentialUnavailable({ code: "authorization_expired" })

/** As long as reading and writing a zone may take. */
const margin = Duration.minutes(2)

/** Longer than a server may take to answer. */
const patience = Duration.seconds(20)

const isSame = (one: OAuthToken, other: OAuthToken): boolean => Equal.equals(one.accessToken, other.accessToken)

const expiresBefore = ({ expiresAt }: OAuthToken, moment: DateTime.Utc): boolean =>
  expiresAt !== undefined && DateTime.lessThan(expiresAt, moment)

/** Who can give another token for this one. */
const renewerOf = (providers: typeof Providers.Service, { provider }: Connection, held: Credential) =>
  held._tag === "oauth_token" && held.refreshToken !== undefined
    ? providers.oauthClientFor(provider?.id ?? "unknown")
    : Option.none()
