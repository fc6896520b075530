import { type Context, DateTime, Effect, Either, Option } from "effect"
import {
  type ConnectionAction,
  type ConnectionId,
  type ConnectionState,
  finalStates
} from "../../domain/connection/Connection.ts"
import type { ConnectionRecord } from "../../domain/connection/ConnectionRecord.ts"
import type { IdempotentRequest } from "../../domain/access/IdempotentRequest.ts"
import type { Tenancy } from "../../domain/access/Tenancy.ts"
import { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { type ConnectionEnded, makeConnectionEnded } from "../../persistence/stores/access/BrowserTokenStore.ts"
import { CommitResult, type ConnectionNotFound } from "../../persistence/stores/connections/ConnectionStore.ts"
import type { StoredConnection } from "../../persistence/stores/connections/StoredConnection.ts"
import { CommandRunner, type Decision, WriteConflict } from "../commit/CommandRunner.ts"
import {
  IdempotencyInProgress,
  IdempotencyKeyReused,
  type NextSteps,
  PreconditionFailed,
  StateConflict
} from "./commandErrors.ts"
import type { QuotaExceeded } from "../../limits/limitErrors.ts"
import { IllegalTransition } from "../state/advance.ts"
import { listAllowedActions } from "../state/listAllowedActions.ts"

/** A command on an existing connection that takes no input, and the refusals that only it has. */
export type Command<Refusal = never> = (
  tenancy: Tenancy,
  id: ConnectionId,
  options: CommandOptions
) => CommandEffect<Refusal>

/** The parts of a request besides its body that decide whether its command runs and how it is refused. */
export interface CommandOptions {
  readonly callableActions: ReadonlyArray<ConnectionAction>
  readonly idempotency: Option.Option<IdempotentRequest>
  /** Whether the current version is one that the client accepts; none if the client sent no `If-Match`. */
  readonly ifVersion: Option.Option<(version: number) => boolean>
}

export interface CommandResult {
  readonly stored: StoredConnection
  /** Whether an earlier request with the same idempotency key had the effect, and this one only repeats its answer. */
  readonly isReplayed: boolean
}

/** The result of a command on an existing connection; it fails as every command may, or with its own refusals. */
export type CommandEffect<Refusal = never> = Effect.Effect<CommandResult, CommandError | Refusal>

export type CommandError =
  | ConnectionNotFound
  | ConnectionEnded
  | StateConflict
  | PreconditionFailed
  | IdempotencyKeyReused
  | IdempotencyInProgress
  | QuotaExceeded
  | StoreUnavailable

/** Runs a command on a connection: checks `If-Match`, decides, writes, and reports conflicts as errors of the command. */
export const runCommand = <Refusal = never>(
  runner: Context.Tag.Service<typeof CommandRunner>,
  tenancy: Tenancy,
  id: ConnectionId,
  { callableActions, idempotency, ifVersion }: CommandOptions,
  decide: CommandRule<Refusal>
): CommandEffect<Refusal> =>
  Effect.suspend(() => {
    let nextSteps: NextSteps = { allowedActions: [] }
    let endedAs: ConnectionState | undefined
    return runner
      .commitDecision({ tenancy, id, idempotency, needsStorage: true }, (current) =>
        Effect.gen(function* () {
          nextSteps = nextStepsOf(current, yield* DateTime.now, callableActions)
          if (Option.exists(ifVersion, (isAccepted) => !isAccepted(current.version))) return yield* versionChanged
          return yield* Effect.tapError(decide(current), (error) =>
            Effect.sync(() => {
              const { state } = current.connection
              if (!(error instanceof StoreUnavailable) && finalStates.includes(state)) endedAs = state
            })
          )
        })
      )
      .pipe(
        Effect.mapError((error) =>
          endedAs === undefined ? toCommandError(error, nextSteps) : makeConnectionEnded(endedAs)
        ),
        Effect.flatMap(toCommandResult)
      )
  })

/** The rule of a command, applied to the current connection. */
type CommandRule<Refusal> = (
  current: ConnectionRecord
) => Effect.Effect<Decision<Refusal>, Refusal | IllegalTransition | PreconditionFailed | StoreUnavailable>

/** The commands that are possible now and that the caller may call, and when the service checks again by itself. */
export const nextStepsOf = (
  current: ConnectionRecord,
  now: DateTime.Utc,
  callableActions: CommandOptions["callableActions"]
): NextSteps => {
  const { nextCheckAt } = current.connection
  return {
    allowedActions: listAllowedActions(current, now).filter((action) => callableActions.includes(action)),
    ...(nextCheckAt !== undefined && DateTime.greaterThan(nextCheckAt, now)
      ? { nextCheckAt: DateTime.formatIso(nextCheckAt) }
      : {})
  }
}

export const definePureCommand = <Refusal = never>(
  decide: (current: ConnectionRecord) => Either.Either<Decision["events"], Refusal>
): Effect.Effect<Command<Refusal>, never, CommandRunner> =>
  Effect.map(
    CommandRunner,
    (runner): Command<Refusal> =>
      (tenancy, id, options) =>
        runCommand(runner, tenancy, id, options, (current) => Either.map(decide(current), (events) => ({ events })))
  )

/** The answer to a request whose effect was committed, now or by an earlier request with the same idempotency key. */
export const toCommandResult: (
  commit: CommitResult
) => Effect.Effect<CommandResult, IdempotencyKeyReused | IdempotencyInProgress> = CommitResult.$match({
  Done: ({ stored }) => Effect.succeed({ stored, isReplayed: false }),
  Replayed: ({ stored }) => Effect.succeed({ stored, isReplayed: true }),
  Stale: Effect.die,
  Duplicate: Effect.die,
  KeyReused: () => IdempotencyKeyReused.error,
  InProgress: () => IdempotencyInProgress.error
})

const toCommandError = <E>(
  error: E | IllegalTransition | WriteConflict,
  nextSteps: NextSteps
): E | StateConflict | ConnectionEnded => {
  if (error instanceof IllegalTransition)
    return finalStates.includes(error.from) ? makeConnectionEnded(error.from) : makeStateConflict(error.from, nextSteps)
  return error instanceof WriteConflict ? new StateConflict({ ...writeConflict, ...nextSteps }) : error
}

/** The error for a command that is not possible in this state; it names the possible ones. */
const makeStateConflict = (state: ConnectionState, nextSteps: NextSteps): StateConflict => {
  const { allowedActions = [] } = nextSteps
  const alternatives = allowedActions.length === 0 ? "nothing" : allowedActions.join(", ")
  return new StateConflict({
    code: "state_conflict",
    message: `this is not possible while the connection is ${state}; possible now: ${alternatives}`,
    ...nextSteps
  })
}

const writeConflict = {
  code: "state_conflict",
  message: "other requests are changing this connection; try again"
} as const

/** The precondition of the client does not hold any more. */
export const versionChanged = new PreconditionFailed({
  code: "precondition_failed",
  message: "the connection has changed since the version that If-Match names; read it again"
})
