import { Array, Context, Data, Duration, Effect, Layer, Option, Schedule } from "effect"
import { type ConnectionId, finalStates } from "../../domain/connection/Connection.ts"
import type { IdempotentRequest } from "../../domain/access/IdempotentRequest.ts"
import type { Tenancy } from "../../domain/access/Tenancy.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import {
  CommitResult,
  type ConnectionExists,
  type ConnectionNotFound,
  ConnectionStore
} from "../../persistence/stores/connections/ConnectionStore.ts"
import type { VersionedConnectionRecord } from "../../persistence/stores/connections/StoredConnection.ts"
import type { QuotaExceeded } from "../../limits/limitErrors.ts"
import { Quotas } from "../../limits/Quotas.ts"
import type { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { IllegalTransition } from "../state/advance.ts"
import { ConnectionSignals } from "./ConnectionSignals.ts"
import { TokenRevocations } from "./TokenRevocations.ts"
import { type SideEffects, Transitions } from "./Transitions.ts"

export interface Decision<E = never> {
  /** None if the command had its effect, or only attaches fields; then only fields and idempotency key are stored. */
  readonly events: ReadonlyArray<LifecycleEvent>
  readonly sideEffects?: SideEffects
  /** A refusal that writes the events nevertheless. The idempotency key is not stored then. */
  readonly refusal?: Option.Option<E>
  /** The refusal where another connection has the new intent or external id; without it, duplicates are written. */
  readonly refuseDuplicate?: (existing: ConnectionExists) => E
}

interface QuotaUse {
  readonly keepsAnswer: boolean
  readonly opensDiscovery: boolean
  readonly needsStorage: boolean
}

/** The connection of a command, and the idempotency key of its request, if there is one. */
interface CommandSubject {
  readonly tenancy: Tenancy
  readonly id: ConnectionId
  readonly idempotency: Option.Option<IdempotentRequest>
  /** Whether it is refused once the tenant has used up its storage, unless it leads to the end of the connection. */
  readonly needsStorage: boolean
}

/** Other writers changed the connection between each read and write, for as long as the command was retried. */
export class WriteConflict extends Data.TaggedError("WriteConflict") {}

/** Writes commands' transitions, with optimistic concurrency. Claims on rows guard those of phases instead. */
export class CommandRunner extends Context.Tag("lifecycle/CommandRunner")<
  CommandRunner,
  {
    /** Reads, decides, writes, and notifies waiters, again after a conflict. A replay is not decided again. */
    readonly commitDecision: <E>(
      subject: CommandSubject,
      decide: (current: VersionedConnectionRecord) => Effect.Effect<Decision<E>, E>
    ) => Effect.Effect<
      CommitResult,
      E | ConnectionNotFound | IllegalTransition | WriteConflict | QuotaExceeded | StoreUnavailable
    >
  }
>() {
  static readonly layer = Layer.effect(
    CommandRunner,
    Effect.gen(function* () {
      const quotas = yield* Quotas
      const revocations = yield* TokenRevocations
      const signals = yield* ConnectionSignals
      const store = yield* ConnectionStore
      const transitions = yield* Transitions

      /** Reserves one byte of the kept answers, if one is kept, and adds the others when they are known. */
      const withinQuotas = <E, R>(
        tenancy: Tenancy,
        { keepsAnswer, needsStorage, opensDiscovery }: QuotaUse,
        write: Effect.Effect<CommitResult, E, R>
      ) =>
        keepsAnswer || opensDiscovery || needsStorage
          ? Effect.tap(
              quotas.reserve(
                tenancy,
                {
                  ...(keepsAnswer ? { idempotencyBytes: 1 } : {}),
                  ...(opensDiscovery ? { openDiscoveries: 1 } : {}),
                  ...(needsStorage ? { storageBytes: 1 } : {})
                },
                write
              ),
              (commit) => {
                if (keepsAnswer && commit._tag === "Done")
                  quotas.add(tenancy, { idempotencyBytes: Buffer.byteLength(commit.stored.doc) - 1 })
              }
            )
          : write

      const commitOnce = <E>(
        { id, idempotency, needsStorage, tenancy }: CommandSubject,
        decide: (current: VersionedConnectionRecord) => Effect.Effect<Decision<E>, E>
      ) =>
        Effect.gen(function* () {
          const current = yield* store.findRecord(tenancy, id)
          const replay = yield* Effect.transposeMapOption(idempotency, (request) => store.findReplay(tenancy, request))
          if (Option.isSome(replay) && Option.isSome(replay.value)) return replay.value.value
          const { events, refusal = Option.none(), refuseDuplicate, sideEffects } = yield* decide(current)
          const fields = sideEffects?.platformFields
          if (!Array.isNonEmptyReadonlyArray(events) && fields === undefined) {
            return Option.isNone(idempotency)
              ? CommitResult.Done({ stored: yield* store.find(tenancy, id) })
              : yield* withinQuotas(
                  tenancy,
                  { keepsAnswer: true, opensDiscovery: false, needsStorage: false },
                  store.keepAnswer(tenancy, current, idempotency.value)
                ).pipe(Effect.uninterruptible, Effect.flatMap(failIfStale))
          }
          const transition = yield* Array.isNonEmptyReadonlyArray(events)
            ? Effect.mapError(
                transitions.apply(current, events, sideEffects),
                ({ event }) => new IllegalTransition({ from: current.connection.state, event })
              )
            : transitions.attach(current, fields ?? {})
          const storedIdempotency = Option.isSome(refusal) ? Option.none() : idempotency
          const write = revocations.revokeAfter(
            current,
            transition,
            store.update(tenancy, current, transition, storedIdempotency)
          )
          const { connection } = transition.after
          const use = {
            needsStorage: needsStorage && connection.direction !== "restore" && !finalStates.includes(connection.state),
            keepsAnswer: Option.isSome(storedIdempotency),
            opensDiscovery: current.connection.state !== "requested" && connection.state === "requested"
          }
          const commit = yield* Effect.flatMap(Effect.uninterruptible(withinQuotas(tenancy, use, write)), failIfStale)
          if (commit._tag === "Duplicate" && refuseDuplicate !== undefined)
            return yield* Effect.fail(refuseDuplicate(commit.existing))
          yield* signals.notifyChanged(id)
          yield* signals.notifyDue
          return Option.isSome(refusal) ? yield* Effect.fail(refusal.value) : commit
        })

      return {
        commitDecision: (subject, decide) =>
          Effect.retry(commitOnce(subject, decide), {
            schedule: conflictRetry,
            while: (error) => error instanceof WriteConflict
          })
      }
    })
  )
}

const failIfStale = (commit: CommitResult): Effect.Effect<CommitResult, WriteConflict> =>
  commit._tag === "Stale" ? Effect.fail(new WriteConflict()) : Effect.succeed(commit)

/** Full jitter, so that each of many concurrent commands gets its turn. */
const conflictRetry = Schedule.exponential(Duration.millis(2), 1.5).pipe(
  Schedule.union(Schedule.spaced(Duration.millis(100))),
  Schedule.jitteredWith({ min: 0, max: 2 }),
  Schedule.upTo(Duration.seconds(15))
)
