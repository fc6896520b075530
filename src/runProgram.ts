import { BunRuntime } from "@effect/platform-bun"
import { Cause, ConfigError, Console, Effect, Exit, Option, Predicate } from "effect"
import { PriorityScheduler } from "./runtime/PriorityScheduler.ts"
import { schemaTooNewExitCode } from "./cli/exitCodes.ts"
import { SchemaTooNew } from "./persistence/postgres/runMigrations.ts"

/**
 * Runs a program to its end, its fibers by their priority. A failure prints one sentence that an operator can act on, a
 * defect its whole cause.
 */
export const runProgram = <A, E>(program: Effect.Effect<A, E>): void =>
  BunRuntime.runMain(Effect.withScheduler(printFailure(program), new PriorityScheduler()), {
    disableErrorReporting: true,
    disablePrettyLogger: true,
    teardown: (exit, onExit) => onExit(Exit.match(exit, { onSuccess: () => 0, onFailure: exitCodeOf }))
  })

/** Prints on standard error why a program fails. */
export const printFailure = <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.tapErrorCause(program, (cause) => (Cause.isInterruptedOnly(cause) ? Effect.void : printCause(cause)))

export const exitCodeOf = <E>(cause: Cause.Cause<E>): number => {
  if (Cause.isInterruptedOnly(cause)) return 0
  return Option.exists(Cause.failureOption(cause), (error) => error instanceof SchemaTooNew) ? schemaTooNewExitCode : 1
}

const printCause = <E>(cause: Cause.Cause<E>) =>
  Option.match(Cause.failureOption(cause), {
    onNone: () => Console.error(Cause.pretty(cause)),
    onSome: (error) => Console.error(messageOf(error, cause))
  })

const messageOf = <E>(error: E, cause: Cause.Cause<E>): string => {
  if (ConfigError.isConfigError(error)) return configErrorMessage(error)
  return Predicate.hasProperty(error, "message") && Predicate.isString(error.message) && error.message !== ""
    ? error.message
    : Cause.pretty(cause)
}

/** Names each wrong setting, with the allowed values. */
export const configErrorMessage = (error: ConfigError.ConfigError): string =>
  ConfigError.reduceWithContext(error, undefined, {
    andCase: (_, left, right) => `${left}\n${right}`,
    orCase: (_, left, right) => `${left}\n${right}`,
    invalidDataCase: (_, path, message) => `${path.at(-1)} ${message}`,
    missingDataCase: (_, path, message) => `${path.at(-1)} ${message}`,
    sourceUnavailableCase: (_, path, message) => `${path.at(-1)} ${message}`,
    unsupportedCase: (_, path, message) => `${path.at(-1)} ${message}`
  })
