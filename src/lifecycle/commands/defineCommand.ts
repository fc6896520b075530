import { type Context, Effect, Either, Option } from "effect"
import type { Connection, ConnectionId, ConnectionState } from "../../domain/Connection.ts"
import type { ConnectionRecord } from "../../domain/ConnectionRecord.ts"
import type { IdempotentRequest } from "../../domain/IdempotentRequest.ts"
import type { Tenancy } from "../../domain/Tenancy.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { CommitResult, type ConnectionNotFound } from "../../persistence/stores/ConnectionStore.ts"
import type { StoredConnection } from "../../persistence/stores/StoredConnection.ts"
import { CommandRunner, type Decision } from "../commit/CommandRunner.ts"
import { CommandRefused, IdempotencyInProgress, PreconditionFailed, Unprocessable } from "./commandErrors.ts"
import type { QuotaExceeded } from "../quotas/QuotaExceeded.ts"

/** A command on an existing connection that takes no input. */
export type Command = (tenancy: Tenancy, id: ConnectionId, options: CommandOptions) => CommandEffect

/** The headers of a request that decide whether its command runs. */
export interface CommandOptions {
  readonly idempotency: Option.Option<IdempotentRequest>
  /** Whether the current version is one that the client accepts; none if the client sent no `If-Match`. */
  readonly ifVersion: Option.Option<(version: number) => boolean>
}

/** The connection as the command left it. */
export interface CommandResult {
  readonly stored: StoredConnection
  /** Whether an earlier request with the same idempotency key had the effect, and this one only repeats its answer. */
  readonly isReplayed: boolean
}

/** What a command on an existing connection returns, and every way in which it fails. */
export type CommandEffect = Effect.Effect<
  CommandResult,
  | ConnectionNotFound
  | CommandRefused
  | PreconditionFailed
  | Unprocessable
  | IdempotencyInProgress
  | QuotaExceeded
  | StoreUnavailable
>

/** Runs a command on a connection: checks `If-Match`, decides, writes, and reports conflicts as errors of the command. */
export const runCommand = (
  runner: Context.Tag.Service<typeof CommandRunner>,
  tenancy: Tenancy,
  id: ConnectionId,
  { idempotency, ifVersion }: CommandOptions,
  decide: Decide
): CommandEffect =>
  Effect.suspend(() => {
    let allowedActions: Connection["allowedActions"]
    return runner
      .commitDecision({ tenancy, id, idempotency }, (current) => {
        allowedActions = current.connection.allowedActions
        return Option.exists(ifVersion, (isAccepted) => !isAccepted(current.version)) ? versionChanged : decide(current)
      })
      .pipe(
        Effect.catchTags({
          IllegalTransition: ({ from }) => makeStateConflict({ state: from, allowedActions }),
          WriteConflict: () => writeConflict
        }),
        Effect.flatMap(toCommandResult)
      )
  })

/** The rule of a command, applied to the current connection. */
type Decide = (
  current: ConnectionRecord
) => Effect.Effect<Decision<CommandRefused>, CommandRefused | PreconditionFailed | Unprocessable | StoreUnavailable>

/** Makes a command of a pure rule, which needs nothing but the current connection. */
export const definePureCommand = (
  decide: (current: ConnectionRecord) => Either.Either<Decision["events"], CommandRefused>
): Effect.Effect<Command, never, CommandRunner> =>
  Effect.map(
    CommandRunner,
    (runner): Command =>
      (tenancy, id, options) =>
        runCommand(runner, tenancy, id, options, (current) => Either.map(decide(current), (events) => ({ events })))
  )

/** The answer to a request whose effect was committed, now or by an earlier request with the same idempotency key. */
export const toCommandResult: (
  commit: CommitResult
) => Effect.Effect<CommandResult, Unprocessable | IdempotencyInProgress> = CommitResult.$match({
  Done: ({ stored }) => Effect.succeed({ stored, isReplayed: false }),
  Replayed: ({ stored }) => Effect.succeed({ stored, isReplayed: true }),
  Stale: Effect.die,
  KeyReused: () =>
    new Unprocessable({
      code: "idempotency_key_reused",
      message: "this Idempotency-Key was used with a different body within the last 24 hours"
    }),
  InProgress: () =>
    new IdempotencyInProgress({
      code: "idempotency_in_progress",
      message: "the first request with this Idempotency-Key is still running; repeat the request shortly"
    })
})

/** The command is not possible in this state; names those that are. */
export const makeStateConflict = ({
  allowedActions = [],
  state
}: {
  readonly state: ConnectionState
  readonly allowedActions?: Connection["allowedActions"]
}): CommandRefused => {
  const alternatives = allowedActions.length === 0 ? "nothing" : allowedActions.join(", ")
  return new CommandRefused({
    code: "state_conflict",
    message: `this is not possible while the connection is ${state}; possible now: ${alternatives}`
  })
}

const writeConflict = new CommandRefused({
  code: "state_conflict",
  message: "other requests are changing this connection; try again"
})

const versionChanged = new PreconditionFailed({
  code: "precondition_failed",
  message: "the connection has changed since the version that If-Match names; read it again"
})
