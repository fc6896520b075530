import { Context, DateTime, Duration, Effect, Either, Layer, Option, type Redacted } from "effect"
import { Connection, ConnectionId } from "../../domain/Connection.ts"
import type { ConnectionRecord, Consent } from "../../domain/ConnectionRecord.ts"
import type { IdempotentRequest } from "../../domain/IdempotentRequest.ts"
import { Identifiers } from "../../domain/Identifiers.ts"
import { type IntentRequest, type ResolvedIntent, resolveIntent } from "../../domain/Intent.ts"
import { secretOwnerOf } from "../../domain/SealedSecret.ts"
import type { Tenancy } from "../../domain/Tenancy.ts"
import { CredentialChange } from "../../domain/Transition.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { CommitResult, type ConnectionNotFound, ConnectionStore } from "../../persistence/stores/ConnectionStore.ts"
import type { StoredConnection } from "../../persistence/stores/StoredConnection.ts"
import { Credentials } from "../../security/Credentials.ts"
import { type OAuthRequestContext, OAuthSessions } from "../../security/OAuthSessions.ts"
import { CommandRunner, type Decision } from "../commit/CommandRunner.ts"
import { ConnectionSignals } from "../commit/ConnectionSignals.ts"
import { Transitions } from "../commit/Transitions.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { CommandRefused, IdempotencyInProgress, PreconditionFailed, Unprocessable } from "./commandErrors.ts"
import {
  type ApprovalInput,
  approve,
  authorize,
  cancel,
  chooseManual,
  openAuthorization,
  requireLeftovers,
  requireMethodOffered,
  retry,
  stateConflict
} from "./decisions.ts"
import { parseCredential } from "./parseCredential.ts"

/** A connection that a request made, now or at its first sending. */
export interface CommandResult {
  readonly stored: StoredConnection
  readonly replayed: boolean
}

/** What a client says about a command beside what it asks. */
export interface CommandOptions {
  readonly idempotency: Option.Option<IdempotentRequest>
  /** The version that the client has seen, if it insists on it. */
  readonly ifVersion: Option.Option<(version: number) => boolean>
}

/** A credential as it was handed in, by the names of its fields, and what was agreed to with it. */
export interface CredentialAuthorization {
  readonly credential: Redacted.Redacted<{ readonly [field: string]: string }>
  readonly consent: Option.Option<Consent>
}

/** Where the customer comes from and is to be led back to, and what was agreed to already. */
export type OAuthAuthorization = Pick<OAuthRequestContext, "from" | "returnUrl" | "consent">

/** What a command answers. */
export type CommandEffect = Effect.Effect<
  CommandResult,
  ConnectionNotFound | CommandRefused | PreconditionFailed | Unprocessable | IdempotencyInProgress | StoreUnavailable
>

type Command = (tenancy: Tenancy, id: ConnectionId, asking: CommandOptions) => CommandEffect

/** What may be asked of connections. Each command writes rows and returns; phases do the work. */
export class Connections extends Context.Tag("lifecycle/Connections")<
  Connections,
  {
    readonly create: (
      tenancy: Tenancy,
      request: IntentRequest,
      idempotency: Option.Option<IdempotentRequest>
    ) => Effect.Effect<CommandResult, Unprocessable | IdempotencyInProgress | StoreUnavailable>
    /** The connection once its discovery has ended, or as it is after `atMost`. */
    readonly awaitDiscovery: (
      tenancy: Tenancy,
      id: ConnectionId,
      atMost: Duration.Duration
    ) => Effect.Effect<StoredConnection, ConnectionNotFound | StoreUnavailable>
    /** The customer enters the records by hand. */
    readonly chooseManual: Command
    /** The customer lets the service in. */
    readonly authorizeWithCredential: (
      tenancy: Tenancy,
      id: ConnectionId,
      letting: CredentialAuthorization,
      asking: CommandOptions
    ) => CommandEffect
    /** The customer goes to the provider to let the service in there; `ticket` leads to the visit. */
    readonly startOAuth: (
      tenancy: Tenancy,
      id: ConnectionId,
      going: OAuthAuthorization,
      asking: CommandOptions
    ) => Effect.Effect<CommandResult & { readonly ticket: Redacted.Redacted }, Effect.Effect.Error<CommandEffect>>
    readonly approve: (
      tenancy: Tenancy,
      id: ConnectionId,
      approving: ApprovalInput,
      asking: CommandOptions
    ) => CommandEffect
    readonly recheck: Command
    readonly retry: Command
    readonly cancel: Command
    readonly disconnect: Command
  }
>() {
  static readonly layer = Layer.effect(
    Connections,
    Effect.gen(function* () {
      const store = yield* ConnectionStore
      const commits = yield* CommandRunner
      const credentials = yield* Credentials
      const identifiers = yield* Identifiers
      const sessions = yield* OAuthSessions
      const signals = yield* ConnectionSignals
      const steps = yield* Transitions

      const requested = (tenancy: Tenancy, { effectiveIntent, intent }: ResolvedIntent) =>
        Effect.gen(function* () {
          const now = yield* DateTime.now
          // Every part of it was checked when it was made; the store's encoding looks at the whole once more.
          const connection = Connection.make(
            {
              ...tenancy,
              id: ConnectionId.make(yield* identifiers.next("con")),
              intent,
              effectiveIntent,
              state: "requested",
              optionalFailures: [],
              createdAt: now,
              updatedAt: now
            },
            { disableValidation: true }
          )
          return yield* steps.start(connection)
        })

      /** A reused key is said before a senseless body is, whatever the body. */
      const refuse = Effect.fnUntraced(function* (
        tenancy: Tenancy,
        idempotency: Option.Option<IdempotentRequest>,
        refused: Unprocessable
      ) {
        const earlier = yield* Effect.transposeMapOption(idempotency, (known) => store.findReplay(tenancy, known))
        return yield* Option.match(Option.flatten(earlier), { onNone: () => refused, onSome: answerOf })
      })

      const command = (
        tenancy: Tenancy,
        id: ConnectionId,
        { idempotency, ifVersion }: CommandOptions,
        decide: Decide
      ) =>
        commits
          .run({ tenancy, id, idempotency }, (standing) =>
            Option.exists(ifVersion, (isCurrent) => !isCurrent(standing.version)) ? outdated : decide(standing)
          )
          .pipe(
            Effect.catchTags({ IllegalTransition: ({ from }) => stateConflict(from), WriteConflict: () => overtaken }),
            Effect.flatMap(answerOf)
          )

      const plainly =
        (decide: (standing: ConnectionRecord) => Either.Either<Decision["events"], CommandRefused>): Command =>
        (tenancy, id, asking) =>
          command(tenancy, id, asking, (standing) => Either.map(decide(standing), (events) => ({ events })))

      return {
        create: Effect.fnUntraced(function* (tenancy, request, idempotency) {
          const resolved = resolveIntent(request)
          if (Either.isLeft(resolved)) {
            return yield* refuse(
              tenancy,
              idempotency,
              new Unprocessable({ code: "unprocessable", message: "the intent makes no sense", details: resolved.left })
            )
          }
          const first = yield* requested(tenancy, resolved.right)
          const creation = yield* Effect.uninterruptible(store.create(tenancy, first, idempotency))
          yield* signals.notifyDue
          return yield* answerOf(creation)
        }),
        awaitDiscovery: Effect.fn("LabConnections.awaitDiscovery")(function* (tenancy, id, atMost) {
          const hasMoved = Effect.map(store.find(tenancy, id), ({ state }) => state !== "requested")
          yield* Effect.timeoutOption(signals.waitUntil(id, lookEvery, hasMoved), atMost)
          return yield* store.find(tenancy, id)
        }),
        chooseManual: plainly((standing) => Either.right(chooseManual(standing))),
        authorizeWithCredential: (tenancy, id, { consent, credential }, asking) =>
          command(tenancy, id, asking, (standing) =>
            Effect.gen(function* () {
              yield* requireMethodOffered(standing.connection, "direct_credential")
              const given = yield* parseCredential(standing.connection, credential)
              const sealed = yield* credentials.seal(secretOwnerOf(standing.connection), given)
              const lifetimeSeconds = Duration.toSeconds(steps.timeouts.credential)
              return {
                events: authorize(standing, consent),
                sideEffects: { credential: CredentialChange.Replace({ sealed, lifetimeSeconds }) }
              }
            })
          ),
        startOAuth: Effect.fnUntraced(function* (tenancy, id, going, asking) {
          const owner = secretOwnerOf({ ...tenancy, id })
          const made = yield* command(tenancy, id, asking, (standing) =>
            Effect.gen(function* () {
              yield* requireMethodOffered(standing.connection, "oauth2_pkce")
              const errand = { ...going, providerId: standing.connection.provider?.id ?? "unknown" }
              const opens = yield* sessions.create(owner, errand, steps.timeouts.authorizing)
              return { events: openAuthorization(standing), sideEffects: { oauthSession: opens } }
            })
          )
          const ticket = yield* Effect.flatMap(
            sessions.findTicket(owner),
            Either.fromOption(() => visitOver)
          )
          return { ...made, ticket }
        }),
        approve: (tenancy, id, approving, asking) =>
          command(tenancy, id, asking, (standing) =>
            Effect.gen(function* () {
              yield* requireLeftovers(standing, approving.putBack)
              const decision = approve(standing, approving, yield* DateTime.now)
              // A plan that is too old is made anew all the same.
              const refusal = Option.filter(decision.refusal, ({ code }) => code !== "plan_expired")
              return Option.isSome(refusal) ? yield* refusal.value : decision
            })
          ),
        recheck: plainly(() => Either.right([LifecycleEvent.RecheckRequested()])),
        retry: plainly(retry),
        cancel: plainly(cancel),
        disconnect: (tenancy, id, asking) =>
          command(tenancy, id, asking, ({ connection }) =>
            Effect.map(credentials.load(secretOwnerOf(connection)), (credential) => ({
              events: [LifecycleEvent.DisconnectRequested({ credentialHeld: Option.isSome(credential) })]
            }))
          )
      }
    })
  )
}

const overtaken = new CommandRefused({
  code: "state_conflict",
  message: "others are changing this connection right now; try again"
})

type Decide = (
  standing: ConnectionRecord
) => Effect.Effect<Decision<CommandRefused>, CommandRefused | PreconditionFailed | Unprocessable | StoreUnavailable>

const outdated = new PreconditionFailed({
  code: "precondition_failed",
  message: "the connection is no longer the one of this ETag; read it again"
})

/** Only where an answer is repeated that opened it. */
const visitOver = new CommandRefused({
  code: "state_conflict",
  message: "the visit to the provider that this request opened is over; open another one under another Idempotency-Key"
})

/** Another process may have moved the connection: its signal does not reach this one. */
const lookEvery = Duration.seconds(1)

const answerOf: (commit: CommitResult) => Effect.Effect<CommandResult, Unprocessable | IdempotencyInProgress> =
  CommitResult.$match({
    Done: ({ stored }) => Effect.succeed({ stored, replayed: false }),
    Replayed: ({ stored }) => Effect.succeed({ stored, replayed: true }),
    Stale: Effect.die,
    KeyReused: () =>
      new Unprocessable({
        code: "idempotency_key_reused",
        message: "this Idempotency-Key was used for another body within the last 24 hours"
      }),
    InProgress: () =>
      new IdempotencyInProgress({
        code: "idempotency_in_progress",
        message: "the first request with this Idempotency-Key has not ended yet; repeat the request shortly"
      })
  })
