import {
  type Cause,
  Context,
  Data,
  Duration,
  Effect,
  Either,
  Fiber,
  Layer,
  Option,
  type Redacted,
  Schedule
} from "effect"
import type { ConnectionId, FailureCode } from "../../domain/Connection.ts"
import type { OAuthToken } from "../../domain/Credential.ts"
import type { Origin } from "../../domain/Origin.ts"
import type { SecretOwner } from "../../domain/SealedSecret.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { ConnectionStore } from "../../persistence/stores/ConnectionStore.ts"
import { CredentialChange } from "../../persistence/stores/transitionSql.ts"
import { Providers } from "../../providers/Providers.ts"
import type { AuthorizationResponseMismatch, OAuthFailure } from "../../providers/oauth/OAuthClient.ts"
import { Credentials } from "../../security/Credentials.ts"
import { type OAuthSession, OAuthSessions } from "../../security/OAuthSessions.ts"
import { CommandRunner } from "../commit/CommandRunner.ts"
import { TokenRevocations } from "../commit/TokenRevocations.ts"
import { Transitions } from "../commit/Transitions.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"

/** A customer on the way to a provider, and what their browser needs to come back. */
export interface RedirectStart {
  readonly authorizeUrl: string
  readonly state: string
  readonly browser: Redacted.Redacted
  readonly lifetime: Duration.Duration
  /** The origin whose page sent the customer, where it is known. */
  readonly from: Option.Option<Origin>
  readonly domain: string
  readonly provider: string
}

/** A customer who has come back. `not_completed`: nothing came of it, and the connection is as it was or has moved on. */
export interface OAuthOutcome {
  readonly connectionId: ConnectionId
  readonly returnUrl: Option.Option<string>
  readonly outcome: "authorized" | "not_completed" | FailureCode
}

/** What a browser brought back: the answer of the authorization server, and the secret that it was given before. */
export interface OAuthCallback {
  readonly answer: URLSearchParams
  readonly browser: Redacted.Redacted
}

/** The customer's way to a provider and back (RFC 6749 section 4.1): what came of it is a step of the connection. */
export class OAuthFlow extends Context.Tag("lifecycle/OAuthFlow")<
  OAuthFlow,
  {
    /** None if the ticket is not good, or no more. */
    readonly start: (
      ticket: Redacted.Redacted,
      redirectUri: string
    ) => Effect.Effect<Option.Option<RedirectStart>, StoreUnavailable>
    /** None if no visit of this browser is open that this could be the answer to. */
    readonly complete: (
      brought: OAuthCallback,
      redirectUri: string
    ) => Effect.Effect<Option.Option<OAuthOutcome>, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.scoped(
    OAuthFlow,
    Effect.gen(function* () {
      const commits = yield* CommandRunner
      const credentials = yield* Credentials
      const providers = yield* Providers
      const revocations = yield* TokenRevocations
      const sessions = yield* OAuthSessions
      const steps = yield* Transitions
      const store = yield* ConnectionStore
      const scope = yield* Effect.scope

      /** Writes what came of a visit, unless the connection waits for it no more. */
      const settle = (owner: SecretOwner, event: LifecycleEvent, token: Option.Option<OAuthToken>) =>
        commits
          .run({ tenancy: owner, id: owner.connectionId, idempotency: Option.none() }, ({ connection }) =>
            Effect.gen(function* () {
              if (connection.state !== "authorizing") return yield* new NotAwaited()
              const sealed = yield* Effect.transposeMapOption(token, (given) => credentials.seal(owner, given))
              const lifetimeSeconds = Duration.toSeconds(steps.timeouts.credential)
              return {
                events: [event],
                sideEffects: Option.match(sealed, {
                  onNone: () => ({}),
                  onSome: (sealed) => ({ credential: CredentialChange.Put({ sealed, lifetimeSeconds }) })
                })
              }
            })
          )
          .pipe(
            // There is no second answer of the provider.
            Effect.retry({ schedule: databaseRetry, while: ({ _tag }) => _tag === "StoreUnavailable" }),
            Effect.catchTags({
              WriteConflict: Effect.die,
              IllegalTransition: () => new NotAwaited(),
              ConnectionNotFound: () => new NotAwaited()
            })
          )

      const redeemed = (
        { requestContext: errand, verifier }: OAuthSession,
        answer: URLSearchParams,
        redirectUri: string
      ) =>
        Effect.flatMap(providers.oauthClientFor(errand.providerId), (server) =>
          server.exchangeCode(answer, { state: answer.get("state") ?? "", verifier, redirectUri })
        ).pipe(
          Effect.tapError((error) => Effect.logWarning("An authorization was not completed", error)),
          Effect.annotateLogs({ providerId: errand.providerId }),
          Effect.either
        )

      const arrive = Effect.fnUntraced(function* (visit: OAuthSession, answer: URLSearchParams, redirectUri: string) {
        const { requestContext: errand, owner } = visit
        const arrival = { connectionId: owner.connectionId, returnUrl: Option.fromNullable(errand.returnUrl) }
        const outcome = yield* redeemed(visit, answer, redirectUri)
        const { event, shown } = Either.match(outcome, {
          onLeft: (error) => ({ event: closedBy(error), shown: codeOf(error) }),
          onRight: () => ({ event: authorizedBy(visit), shown: Option.some("authorized" as const) })
        })
        const token = Either.getRight(outcome)
        return yield* settle(owner, event, token).pipe(
          Effect.as({ ...arrival, outcome: Option.getOrElse(shown, () => "not_completed" as const) }),
          Effect.tapError(() =>
            Effect.transposeMapOption(token, (unused) => revocations.revoke(errand.providerId, unused))
          ),
          Effect.catchTag("NotAwaited", () => Effect.succeed({ ...arrival, outcome: "not_completed" as const }))
        )
      })

      return {
        start: Effect.fn("OAuthFlow.start")(function* (ticket, redirectUri) {
          const begun = yield* sessions.start(ticket)
          if (Option.isNone(begun)) return Option.none()
          const { browser, requestContext: errand, owner, state, verifier } = begun.value
          const server = providers.oauthClientFor(errand.providerId)
          const found = yield* Effect.option(store.findRecord(owner, owner.connectionId))
          if (Option.isNone(server) || Option.isNone(found)) return Option.none()
          const { effectiveIntent, provider } = found.value.connection
          return Option.some({
            authorizeUrl: yield* server.value.buildAuthorizeUrl({ state, verifier, redirectUri }),
            state,
            browser,
            lifetime: steps.timeouts.authorizing,
            from: Option.fromNullable(errand.from),
            domain: effectiveIntent.domain,
            provider: provider?.name ?? errand.providerId
          })
        }),
        // The answer counts once: a customer who goes away meanwhile does not stop what it leads to.
        complete: Effect.fn("OAuthFlow.complete")(function* ({ answer, browser }, redirectUri) {
          const states = answer.getAll("state")
          const [state = ""] = states
          const ending = Effect.flatMap(
            states.length === 1 ? sessions.complete(state, browser) : Effect.succeed(Option.none<OAuthSession>()),
            (visit) => Effect.transposeMapOption(visit, (known) => arrive(known, answer, redirectUri))
          )
          return yield* Effect.flatMap(Effect.forkIn(ending, scope), Fiber.join)
        })
      }
    })
  )
}

/** As long as a customer waits for a page. */
const databaseRetry = Schedule.intersect(Schedule.spaced("1 second"), Schedule.recurs(5))

/** The connection is no longer where the visit began. */
class NotAwaited extends Data.TaggedError("NotAwaited") {}

type Refused = Cause.NoSuchElementException | OAuthFailure | AuthorizationResponseMismatch

const authorizedBy = ({ requestContext: errand }: OAuthSession) =>
  LifecycleEvent.Authorized({ consent: Option.fromNullable(errand.consent) })

const closedBy = (error: Refused) => LifecycleEvent.AuthorizationClosed({ because: codeOf(error) })

/** What to tell of a visit that brought no token; of an answer that is another's, nothing. */
const codeOf = (error: Refused): Option.Option<FailureCode> => {
  if (error._tag === "AuthorizationResponseMismatch") return Option.none()
  if (error._tag !== "OAuthFailure") return Option.some("provider_unavailable")
  // A code that is not good any more.
  return Option.some(error.code === "authorization_revoked" ? "authorization_expired" : error.code)
}
