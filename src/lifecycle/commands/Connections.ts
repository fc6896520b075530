import { Context, DateTime, Duration, Effect, Either, Layer, Option, type Redacted } from "effect"
import { Connection, ConnectionId } from "../../domain/Connection.ts"
import type { Idempotency } from "../../domain/Idempotency.ts"
import { Identifiers } from "../../domain/Identifiers.ts"
import { type IntentRequest, type ResolvedIntent, resolveIntent } from "../../domain/Intent.ts"
import type { Consent, Standing } from "../../domain/Progress.ts"
import type { Tenancy } from "../../domain/Tenancy.ts"
import { CredentialStep } from "../../persistence/Advanced.ts"
import {
  Commit,
  type ConnectionNotFound,
  ConnectionStore,
  type StoredConnection
} from "../../persistence/ConnectionStore.ts"
import { ownerOf } from "../../persistence/Sealed.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { Credentials } from "../../security/Credentials.ts"
import { type Errand, OAuthSessions } from "../../security/OAuthSessions.ts"
import { credentialFrom } from "./credentialFrom.ts"
import {
  type Approving,
  approve,
  byHand,
  cancel,
  goToProvider,
  letIn,
  mayComeBack,
  notIn,
  offered,
  tryAgain
} from "./decisions.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { CommandRefused, IdempotencyInProgress, PreconditionFailed, Unprocessable } from "./refusals.ts"
import { Commits, type Decision } from "../steps/Commits.ts"
import { Signals } from "../steps/Signals.ts"
import { Steps } from "../steps/Steps.ts"

/** A connection that a request made, now or at its first sending. */
export interface Made {
  readonly stored: StoredConnection
  readonly replayed: boolean
}

/** What a client says about a command beside what it asks. */
export interface Asking {
  readonly idempotency: Option.Option<Idempotency>
  /** The version that the client has seen, if it insists on it. */
  readonly ifVersion: Option.Option<(version: number) => boolean>
}

/** A credential as it was handed in, by the names of its fields, and what was agreed to with it. */
export interface LettingIn {
  readonly credential: Redacted.Redacted<{ readonly [field: string]: string }>
  readonly consent: Option.Option<Consent>
}

/** Where the customer comes from and is to be led back to, and what was agreed to already. */
export type GoingToProvider = Pick<Errand, "from" | "returnUrl" | "consent">

/** What a command answers. */
export type Commanded = Effect.Effect<
  Made,
  ConnectionNotFound | CommandRefused | PreconditionFailed | Unprocessable | IdempotencyInProgress | StoreUnavailable
>

type Command = (tenancy: Tenancy, id: ConnectionId, asking: Asking) => Commanded

/** What may be asked of connections. Each command writes rows and returns; phases do the work. */
export class Connections extends Context.Tag("lifecycle/Connections")<
  Connections,
  {
    readonly create: (
      tenancy: Tenancy,
      request: IntentRequest,
      idempotency: Option.Option<Idempotency>
    ) => Effect.Effect<Made, Unprocessable | IdempotencyInProgress | StoreUnavailable>
    /** The connection once its discovery has ended, or as it is after `atMost`. */
    readonly discovered: (
      tenancy: Tenancy,
      id: ConnectionId,
      atMost: Duration.Duration
    ) => Effect.Effect<StoredConnection, ConnectionNotFound | StoreUnavailable>
    /** The customer enters the records by hand. */
    readonly connectByHand: Command
    /** The customer lets the service in. */
    readonly letIn: (tenancy: Tenancy, id: ConnectionId, letting: LettingIn, asking: Asking) => Commanded
    /** The customer goes to the provider to let the service in there; `ticket` leads to the visit. */
    readonly goToProvider: (
      tenancy: Tenancy,
      id: ConnectionId,
      going: GoingToProvider,
      asking: Asking
    ) => Effect.Effect<Made & { readonly ticket: Redacted.Redacted }, Effect.Effect.Error<Commanded>>
    readonly approve: (tenancy: Tenancy, id: ConnectionId, approving: Approving, asking: Asking) => Commanded
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
      const commits = yield* Commits
      const credentials = yield* Credentials
      const identifiers = yield* Identifiers
      const sessions = yield* OAuthSessions
      const signals = yield* Signals
      const steps = yield* Steps

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
          return yield* steps.begin(connection)
        })

      /** A reused key is said before a senseless body is, whatever the body. */
      const refuse = Effect.fnUntraced(function* (
        tenancy: Tenancy,
        idempotency: Option.Option<Idempotency>,
        refused: Unprocessable
      ) {
        const earlier = yield* Effect.transposeMapOption(idempotency, (known) => store.replay(tenancy, known))
        return yield* Option.match(Option.flatten(earlier), { onNone: () => refused, onSome: answerOf })
      })

      const command = (tenancy: Tenancy, id: ConnectionId, { idempotency, ifVersion }: Asking, decide: Decide) =>
        commits
          .step({ tenancy, id, idempotency }, (standing) =>
            Option.exists(ifVersion, (isCurrent) => !isCurrent(standing.version)) ? outdated : decide(standing)
          )
          .pipe(
            Effect.catchTags({ IllegalTransition: ({ from }) => notIn(from), Overtaken: () => overtaken }),
            Effect.flatMap(answerOf)
          )

      const plainly =
        (decide: (standing: Standing) => Either.Either<Decision["events"], CommandRefused>): Command =>
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
          yield* signals.due
          return yield* answerOf(creation)
        }),
        discovered: Effect.fn("Connections.discovered")(function* (tenancy, id, atMost) {
          const hasMoved = Effect.map(store.find(tenancy, id), ({ state }) => state !== "requested")
          yield* Effect.timeoutOption(signals.until(id, lookEvery, hasMoved), atMost)
          return yield* store.find(tenancy, id)
        }),
        connectByHand: plainly((standing) => Either.right(byHand(standing))),
        letIn: (tenancy, id, { consent, credential }, asking) =>
          command(tenancy, id, asking, (standing) =>
            Effect.gen(function* () {
              yield* offered(standing.connection, "direct_credential")
              const given = yield* credentialFrom(standing.connection, credential)
              const sealed = yield* credentials.seal(ownerOf(standing.connection), given)
              const lifetimeSeconds = Duration.toSeconds(steps.clocks.credential)
              return {
                events: letIn(standing, consent),
                beside: { credential: CredentialStep.Put({ sealed, lifetimeSeconds }) }
              }
            })
          ),
        goToProvider: Effect.fnUntraced(function* (tenancy, id, going, asking) {
          const owner = ownerOf({ ...tenancy, id })
          const made = yield* command(tenancy, id, asking, (standing) =>
            Effect.gen(function* () {
              yield* offered(standing.connection, "oauth2_pkce")
              const errand = { ...going, providerId: standing.connection.provider?.id ?? "unknown" }
              const opens = yield* sessions.open(owner, errand, steps.clocks.authorizing)
              return { events: goToProvider(standing), beside: { opens } }
            })
          )
          const ticket = yield* Effect.flatMap(
            sessions.ticketOf(owner),
            Either.fromOption(() => visitOver)
          )
          return { ...made, ticket }
        }),
        approve: (tenancy, id, approving, asking) =>
          command(tenancy, id, asking, (standing) =>
            Effect.gen(function* () {
              yield* mayComeBack(standing, approving.putBack)
              const decision = approve(standing, approving, yield* DateTime.now)
              // A plan that is too old is made anew all the same.
              const refusal = Option.filter(decision.refusal, ({ code }) => code !== "plan_expired")
              return Option.isSome(refusal) ? yield* refusal.value : decision
            })
          ),
        recheck: plainly(() => Either.right([LifecycleEvent.RecheckRequested()])),
        retry: plainly(tryAgain),
        cancel: plainly(cancel),
        disconnect: (tenancy, id, asking) =>
          command(tenancy, id, asking, ({ connection }) =>
            Effect.map(credentials.live(ownerOf(connection)), (credential) => ({
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
  standing: Standing
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

const answerOf: (commit: Commit) => Effect.Effect<Made, Unprocessable | IdempotencyInProgress> = Commit.$match({
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
