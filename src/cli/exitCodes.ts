import { Effect } from "effect"
import { constants } from "node:os"

/** How a dry run ends: every plan was made, one would fail, or there was nothing to plan with. */
export const exitCodes = { planned: 0, wouldFail: 1, badInput: 2 } as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** The process ends with the code when everything is written. */
export const setExitCode = (code: ExitCode): Effect.Effect<void> =>
  Effect.sync(() => {
    process.exitCode = code
  })

/** Nobody reads on, as after `| head`: the process ends at once, as by SIGPIPE. */
export const exitOnBrokenPipe: Effect.Effect<never> = Effect.sync(() => process.exit(128 + constants.signals.SIGPIPE))
