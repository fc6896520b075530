import { Context, Effect } from "effect"
import { constants } from "node:os"

/** The exit codes of dry runs and checks: all would work, something would fail, or the input was invalid. */
export const exitCodes = { planned: 0, wouldFail: 1, badInput: 2 } as const

/** The exit code of the service and of every command where a newer version has changed the tables of the database. */
export const schemaTooNewExitCode = 3

/** The exit code of `migrate --check` where processes of the running version must be stopped before the upgrade. */
export const stopBeforeUpgradeExitCode = 4

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes] | typeof stopBeforeUpgradeExitCode

/** Where the exit code goes: to this process, unless something else runs the command line. */
export class ExitStatus extends Context.Reference<ExitStatus>()("cli/ExitStatus", {
  defaultValue: () => ({
    set: (code: ExitCode): void => {
      process.exitCode = code
    }
  })
}) {}

export const setExitCode = (code: ExitCode): Effect.Effect<void> => Effect.map(ExitStatus, ({ set }) => set(code))

/** Exits at once, as by SIGPIPE, when the reader of the output has gone, as after `| head`. */
export const exitOnBrokenPipe: Effect.Effect<never> = Effect.sync(() => process.exit(128 + constants.signals.SIGPIPE))
