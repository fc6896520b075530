import {
  Array,
  type Cause,
  Context,
  Data,
  Duration,
  Effect,
  Either,
  Fiber,
  Layer,
  Option,
  Redacted,
  Schedule
} from "effect"
import { Delegations } from "../../dns/zone/Delegations.ts"
import { actOnBehalfAs } from "../../domain/access/Actor.ts"
import { type ConnectionId, type FailureCode, providerNameOf } from "../../domain/connection/Connection.ts"
import type { OAuthToken } from "../../domain/provider/Credential.ts"
import { DomainName } from "../../domain/names/DomainName.ts"
import type { Origin } from "../../domain/names/Origin.ts"
import type { SecretOwner } from "../../domain/access/SealedSecret.ts"
import { CredentialChange } from "../../domain/connection/Transition.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { ConnectionStore } from "../../persistence/stores/connections/ConnectionStore.ts"
import { Providers } from "../../providers/Providers.ts"
import { type AuthorizationResponseMismatch, OAuthFailure } from "../../providers/oauth/OAuthClient.ts"
import { Credentials } from "../../security/Credentials.ts"
import { type OAuthSession, OAuthSessions, type StartingOAuthSession } from "../../security/OAuthSessions.ts"
import { DomainConnect } from "./DomainConnect.ts"
import { CommandRunner } from "../commit/CommandRunner.ts"
import { TokenRevocations } from "../commit/TokenRevocations.ts"
import { Transitions } from "../commit/Transitions.ts"
import { type FailureCause, LifecycleEvent } from "../state/LifecycleEvent.ts"
import { describeProviderAnswer } from "../state/failureDetails.ts"

/** The redirect of a customer's browser to the provider, and the secrets with which it returns. */
export interface RedirectStart {
  readonly authorizeUrl: string
  readonly state: string
  /** The secret that binds the OAuth session to this browser. */
  readonly browser: Redacted.Redacted
  readonly lifetime: Duration.Duration
  /** The origin of the page that sent the customer, if it is known. */
  readonly from: Option.Option<Origin>
  readonly domain: string
  readonly provider: string
}

/** `not_completed`: no authorization, and the connection may have moved on. `returned`: DNS shows the outcome. */
export interface OAuthOutcome {
  readonly connectionId: ConnectionId
  readonly returnUrl: Option.Option<string>
  readonly outcome: "authorized" | "returned" | "not_completed" | FailureCode
}

/** The callback of a browser: the authorization response, and the secret that `start` gave to the browser. */
interface OAuthCallback {
  readonly answer: URLSearchParams
  readonly browser: Redacted.Redacted
}

/** A customer's way to the provider and back: the code flow (RFC 6749 section 4.1), or Domain Connect's. */
export class OAuthFlow extends Context.Tag("lifecycle/OAuthFlow")<
  OAuthFlow,
  {
    /** Sends the customer to the provider; none if the ticket is unknown, used or expired. */
    readonly start: (
      ticket: Redacted.Redacted,
      redirectUri: string
    ) => Effect.Effect<Option.Option<RedirectStart>, StoreUnavailable | OAuthFailure>
    /** Exchanges the code; none without this browser's open session. The inner effect waits for the provider. */
    readonly complete: (
      callback: OAuthCallback,
      redirectUri: string
    ) => Effect.Effect<Option.Option<Effect.Effect<OAuthOutcome, StoreUnavailable>>, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.scoped(
    OAuthFlow,
    Effect.gen(function* () {
      const credentials = yield* Credentials
      const delegations = yield* Delegations
      const domainConnect = yield* DomainConnect
      const providers = yield* Providers
      const revocations = yield* TokenRevocations
      const runner = yield* CommandRunner
      const sessions = yield* OAuthSessions
      const store = yield* ConnectionStore
      const { timeouts } = yield* Transitions
      const scope = yield* Effect.scope
      const lifetimeSeconds = Duration.toSeconds(timeouts.credential)

      /** Makes what the customer authorizes at the provider; none if the connection or the client is gone. */
      const requestAuthorization = (redirectUri: string) =>
        Effect.fnUntraced(function* ({ owner, requestContext, state }: StartingOAuthSession) {
          const current = yield* Effect.option(store.findRecord(owner, owner.connectionId))
          if (Option.isNone(current)) return Option.none()
          const { connection } = current.value
          const { domain } = connection.effectiveIntent
          const zone = Effect.mapBoth(delegations.findKept(DomainName.make(domain)), {
            onFailure: ({ _tag }) => new OAuthFailure({ code: "provider_unavailable", detail: `no zone: ${_tag}` }),
            onSuccess: (delegation) => delegation.zone
          })
          const pending =
            requestContext.isDomainConnect === true
              ? Option.map(yield* domainConnect.makeLink(connection, state), (authorizeUrl) => ({
                  authorizeUrl,
                  verifier: Redacted.make(state)
                }))
              : yield* Effect.transposeMapOption(providers.oauthClientFor(requestContext.providerId), (client) =>
                  client.requestAuthorization({ state, redirectUri, zone })
                )
          return Option.map(pending, (authorization) => ({
            ...authorization,
            domain,
            provider: connection.provider?.name ?? requestContext.providerId
          }))
        })

      const exchangeCode = (
        { owner: { connectionId }, requestContext: { providerId }, verifier }: OAuthSession,
        answer: URLSearchParams,
        redirectUri: string
      ) =>
        Effect.flatMap(providers.oauthClientFor(providerId), (client) =>
          client.exchangeCode(answer, { state: answer.get("state") ?? "", verifier, redirectUri })
        ).pipe(
          Effect.tapError((error) => Effect.logWarning("An authorization was not completed", error)),
          Effect.annotateLogs({ connectionId, providerId }),
          Effect.either
        )

      /** Writes the outcome of a session, unless the connection no longer waits for it. */
      const writeOutcome = (
        owner: SecretOwner,
        eventsFor: (provider: string) => Array.NonEmptyReadonlyArray<LifecycleEvent>,
        token: Option.Option<OAuthToken>
      ) =>
        runner
          .commitDecision(
            { tenancy: owner, id: owner.connectionId, idempotency: Option.none(), needsStorage: false },
            ({ connection }) =>
              Effect.gen(function* () {
                if (connection.state !== "authorizing") return yield* new AuthorizationNotExpected()
                const sealed = yield* Effect.transposeMapOption(token, (given) => credentials.seal(owner, given))
                return {
                  events: eventsFor(providerNameOf(connection)),
                  sideEffects: Option.match(sealed, {
                    onNone: () => ({}),
                    onSome: (sealed) => ({ credential: CredentialChange.Replace({ sealed, lifetimeSeconds }) })
                  })
                }
              })
          )
          .pipe(
            // The provider accepts a code once, so that the customer's callback cannot be repeated.
            Effect.retry({ schedule: databaseRetry, while: ({ _tag }) => _tag === "StoreUnavailable" }),
            Effect.catchTags({
              WriteConflict: Effect.die,
              // Only an idempotency key, or a discovery that it opens, counts against a quota.
              QuotaExceeded: Effect.die,
              IllegalTransition: () => new AuthorizationNotExpected(),
              ConnectionNotFound: () => new AuthorizationNotExpected()
            })
          )

      const completeSession = Effect.fnUntraced(function* (
        session: OAuthSession,
        answer: URLSearchParams,
        redirectUri: string
      ) {
        const { owner, requestContext } = session
        const base = { connectionId: owner.connectionId, returnUrl: Option.fromNullable(requestContext.returnUrl) }
        const notCompleted = { ...base, outcome: "not_completed" as const }
        if (requestContext.isDomainConnect === true) {
          const isCanceled = hasCanceled(answer)
          return yield* writeOutcome(owner, () => (isCanceled ? [nothingChosen] : watchRecords), Option.none()).pipe(
            actOnBehalfAs({ type: "provider", id: requestContext.providerId }),
            Effect.as(isCanceled ? notCompleted : { ...base, outcome: "returned" as const }),
            Effect.catchTag("AuthorizationNotExpected", () => Effect.succeed(notCompleted))
          )
        }
        const exchanged = yield* exchangeCode(session, answer, redirectUri)
        const token = Either.getRight(exchanged)
        const { eventsFor, outcome } = Either.match(exchanged, {
          onLeft: (error) => ({
            eventsFor: (provider: string) =>
              Array.of(LifecycleEvent.AuthorizationClosed({ reason: toFailure(error, provider) })),
            outcome: Option.map(toFailure(error, requestContext.providerId), ({ code }) => code)
          }),
          onRight: () => ({
            eventsFor: () =>
              Array.of(LifecycleEvent.Authorized({ consent: Option.fromNullable(requestContext.consent) })),
            outcome: Option.some("authorized" as const)
          })
        })
        return yield* writeOutcome(owner, eventsFor, token).pipe(
          actOnBehalfAs({ type: "provider", id: requestContext.providerId }),
          Effect.as(Option.match(outcome, { onNone: () => notCompleted, onSome: (outcome) => ({ ...base, outcome }) })),
          Effect.tapError(() =>
            Effect.transposeMapOption(token, (unused) => revocations.revoke(requestContext.providerId, unused))
          ),
          Effect.catchTag("AuthorizationNotExpected", () => Effect.succeed(notCompleted))
        )
      })

      return {
        start: (ticket, redirectUri) =>
          Effect.map(
            sessions.start(ticket, requestAuthorization(redirectUri)),
            Option.map(({ authorization: { authorizeUrl, domain, provider }, browser, requestContext, state }) => ({
              authorizeUrl,
              domain,
              provider,
              state,
              browser,
              lifetime: timeouts.authorizing,
              from: Option.fromNullable(requestContext.from)
            }))
          ),
        // A response counts once: a customer who closes the page meanwhile does not stop what follows from it.
        complete: Effect.fnUntraced(function* ({ answer, browser }, redirectUri) {
          const states = answer.getAll("state")
          const [state = ""] = states
          const completion = Effect.flatMap(
            states.length === 1 ? sessions.complete(state, browser) : Effect.succeed(Option.none<OAuthSession>()),
            (found) =>
              Effect.transposeMapOption(found, (session) =>
                Effect.forkIn(completeSession(session, answer, redirectUri), scope)
              )
          )
          const started = yield* Effect.flatMap(Effect.forkIn(completion, scope), Fiber.join)
          return Option.map(started, Fiber.join)
        })
      }
    })
  )
}

/** The customer came back without having chosen anything, as far as is known. */
const nothingChosen = LifecycleEvent.AuthorizationClosed({ reason: Option.none() })

/** Neither a return nor an error proves anything: the records are watched as if the customer had entered them. */
const watchRecords = Array.make(nothingChosen, LifecycleEvent.ManualChosen({ isByLink: true }))

/** Whether the customer has canceled at the provider of Domain Connect, which says so in one of two places. */
const hasCanceled = (answer: URLSearchParams): boolean =>
  answer.get("error") === "user_cancel" || answer.get("error_description") === "user_cancel"

/** The time for which a customer waits for a page. */
const databaseRetry = Schedule.intersect(Schedule.spaced("1 second"), Schedule.recurs(5))

/** The connection has left `authorizing`. */
class AuthorizationNotExpected extends Data.TaggedError("AuthorizationNotExpected") {}

/** The failure to show for a session that brought no token; none if the response belongs to another session. */
const toFailure = (
  error: Cause.NoSuchElementException | OAuthFailure | AuthorizationResponseMismatch,
  provider: string
): Option.Option<FailureCause> => {
  if (error._tag === "AuthorizationResponseMismatch") return Option.none()
  if (error._tag !== "OAuthFailure") {
    const message = `the service is no longer registered as an OAuth client of ${provider}`
    return Option.some({ code: "provider_unavailable", details: [{ message, server: provider }] })
  }
  return Option.some({
    // The server reports an expired code by the same error as a revoked grant.
    code: error.code === "authorization_revoked" ? "authorization_expired" : error.code,
    details: describeProviderAnswer(provider, error.detail, "authorize the service")
  })
}
