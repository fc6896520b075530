import { Context, Data, DateTime, Duration, Effect, Equal, Layer, Option } from "effect"
import {
  type Connection,
  type FailureCode,
  type FailureDetail,
  providerNameOf
} from "../../domain/connection/Connection.ts"
import type { Credential, OAuthToken } from "../../domain/provider/Credential.ts"
import { secretOwnerOf } from "../../domain/access/SealedSecret.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { Providers } from "../../providers/Providers.ts"
import type { OAuthClient } from "../../providers/oauth/OAuthClient.ts"
import { Credentials } from "../../security/Credentials.ts"
import { Leases } from "../commit/Leases.ts"
import { describeProviderAnswer } from "../state/failureDetails.ts"

/** The provider would accept no known credential; the failure of the connection says why. */
export class CredentialUnavailable extends Data.TaggedError("CredentialUnavailable")<{
  readonly code: FailureCode
  readonly details: ReadonlyArray<FailureDetail>
}> {}

/** Provides the credentials of connections, ready for use. The only place that refreshes OAuth tokens. */
export class CredentialProvider extends Context.Tag("lifecycle/CredentialProvider")<
  CredentialProvider,
  {
    readonly get: (connection: Connection) => UsableCredential
    /** A credential to try once in place of a refused one. A failure without details is the refusal itself. */
    readonly replaceRefused: (refused: Credential, connection: Connection) => UsableCredential
  }
>() {
  static readonly layer = Layer.effect(
    CredentialProvider,
    Effect.gen(function* () {
      const credentials = yield* Credentials
      const leases = yield* Leases
      const providers = yield* Providers

      /** Refreshes one token at a time across all processes: a process that waited finds the token that the first one got. */
      const refresh = (connection: Connection, outdated: OAuthToken, client: OAuthClient): UsableCredential =>
        Effect.gen(function* () {
          yield* leases.hold([`credential:${connection.id}`], leaseTimeout)
          const refreshed = yield* credentials.renew(secretOwnerOf(connection), (current) =>
            current._tag === "oauth_token" && hasSameAccessToken(current, outdated)
              ? client.refreshToken(current)
              : Effect.succeed(current)
          )
          return yield* Effect.mapError(refreshed, () => credentialDeleted)
        }).pipe(
          Effect.scoped,
          Effect.tapErrorTag("OAuthFailure", (failure) => Effect.logWarning("A token was not refreshed", failure)),
          Effect.catchTags({
            OAuthFailure: ({ code, detail }) =>
              new CredentialUnavailable({
                code,
                details: describeProviderAnswer(providerNameOf(connection), detail, "refresh the token")
              }),
            LeaseTaken: () => refreshTakesLong
          })
        )

      /** The client that can refresh a credential, if it can be refreshed. */
      const refreshingClient = ({ provider }: Connection, credential: Credential) =>
        credential._tag === "oauth_token" && credential.refreshToken !== undefined
          ? providers.oauthClientFor(provider?.id ?? "unknown")
          : Option.none()

      return {
        get: Effect.fnUntraced(function* (connection) {
          const credential = yield* Effect.flatten(credentials.load(secretOwnerOf(connection))).pipe(
            Effect.catchTag("NoSuchElementException", () => credentialDeleted)
          )
          if (credential._tag !== "oauth_token") return credential
          const now = yield* DateTime.now
          if (!expiresBefore(credential, DateTime.addDuration(now, refreshMargin))) return credential
          const client = refreshingClient(connection, credential)
          if (Option.isSome(client)) return yield* refresh(connection, credential, client.value)
          return expiresBefore(credential, now) ? yield* makeTokenExpired(connection, credential) : credential
        }),
        replaceRefused: Effect.fnUntraced(function* (refused, connection) {
          const client = refreshingClient(connection, refused)
          return refused._tag === "oauth_token" && Option.isSome(client)
            ? yield* refresh(connection, refused, client.value)
            : yield* new CredentialUnavailable({ code: "credential_invalid", details: [] })
        })
      }
    })
  )
}

type UsableCredential = Effect.Effect<Credential, CredentialUnavailable | StoreUnavailable>

const credentialDeleted = new CredentialUnavailable({
  code: "authorization_expired",
  details: [{ message: "the service keeps no credential of this connection any more" }]
})

const refreshTakesLong = new CredentialUnavailable({
  code: "provider_unavailable",
  details: [{ message: "another request to refresh the token has not ended in time" }]
})

const makeTokenExpired = (connection: Connection, { expiresAt }: OAuthToken): CredentialUnavailable => {
  const server = providerNameOf(connection)
  const time = expiresAt === undefined ? "" : ` at ${DateTime.formatIso(expiresAt)}`
  return new CredentialUnavailable({
    code: "authorization_expired",
    details: [{ message: `the token of ${server} ran out${time}, and cannot be refreshed`, server }]
  })
}

/** The time that reading and writing a zone may take. */
const refreshMargin = Duration.minutes(2)

const leaseTimeout = Duration.seconds(20)

const hasSameAccessToken = (first: OAuthToken, second: OAuthToken): boolean =>
  Equal.equals(first.accessToken, second.accessToken)

const expiresBefore = ({ expiresAt }: OAuthToken, moment: DateTime.Utc): boolean =>
  expiresAt !== undefined && DateTime.lessThan(expiresAt, moment)
