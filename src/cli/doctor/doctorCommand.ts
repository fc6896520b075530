import { Command } from "@effect/cli"
import { type ConfigError, Effect } from "effect"
import { formatUnknownSetting, type SettingsReader } from "../configCommand.ts"
import { exitCodes, setExitCode } from "../exitCodes.ts"
import { json, printResult } from "../options.ts"
import { checkDatabase } from "./checkDatabase.ts"
import { checkNetwork } from "./checkNetwork.ts"
import { fail, type DoctorFinding, ok, warn } from "./DoctorFinding.ts"

type DoctorSettings = Parameters<typeof checkDatabase>[0] & Parameters<typeof checkNetwork>[0]

/** The settings of the service, and why they are not valid, in words. */
interface DoctorOptions {
  readonly config: Effect.Effect<DoctorSettings, ConfigError.ConfigError>
  readonly describe: (error: ConfigError.ConfigError) => string
  readonly settings: SettingsReader
}

/** `doctor`: checks what the service needs, and says the next step for each finding. It exits with 1 if a check fails. */
export const makeDoctorCommand = (options: DoctorOptions) =>
  Command.make("doctor", { json }, ({ json }) =>
    Effect.gen(function* () {
      const findings = yield* collectFindings(options)
      yield* printResult(json, { findings }, findings.map(formatFinding).join("\n"))
      if (findings.some(({ status }) => status === "fail")) yield* setExitCode(exitCodes.wouldFail)
    })
  ).pipe(Command.withDescription("Check the settings, the database, the master key and the network; change nothing."))

/** What the checks of `doctor` find. */
export const collectFindings = ({ config, describe, settings }: DoctorOptions) =>
  Effect.gen(function* () {
    const unknown = (yield* settings.unknown).map((found) =>
      warn("settings", formatUnknownSetting(found), `Rename it to ${found.suggestion}, or remove it.`)
    )
    const found = yield* Effect.flatMap(config, (valid) =>
      Effect.map(
        Effect.all([checkDatabase(valid), checkNetwork(valid)], { concurrency: "unbounded" }),
        ([ofDatabase, ofNetwork]) => [ok("settings", "are valid"), ...unknown, ...ofDatabase, ...ofNetwork]
      )
    ).pipe(
      Effect.catchTag("ConfigError", (error) =>
        Effect.succeed([fail("settings", describe(error), "Correct it: docs/configuration.md."), ...unknown])
      )
    )
    return found
  })

const formatFinding = ({ check, found, next, status }: DoctorFinding): string =>
  `${status.padEnd(4)}  ${check}: ${found}${next === undefined ? "" : `\n      ${next}`}`
