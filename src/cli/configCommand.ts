import { Command } from "@effect/cli"
import { Effect, Option } from "effect"
import { json, printResult } from "./options.ts"

/** A setting as it applies, without secrets; no value where the default applies. */
interface PrintedSetting {
  readonly name: string
  readonly value: Option.Option<string>
  readonly fallback: string
}

/** A variable that is no setting, and the setting that may be meant. */
interface MisspelledSetting {
  readonly name: string
  readonly suggestion: string
}

/** The settings of the environment of a command. */
export interface SettingsReader {
  readonly effective: Effect.Effect<ReadonlyArray<PrintedSetting>>
  readonly unknown: Effect.Effect<ReadonlyArray<MisspelledSetting>>
}

/** `config`: prints every setting as it applies, without secrets, and names those that are probably misspelled. */
export const makeConfigCommand = (settings: SettingsReader) =>
  Command.make("config", { json }, ({ json }) =>
    Effect.gen(function* () {
      const document = yield* readSettings(settings)
      const lines = [
        ...document.settings.map(({ isDefault, name, value }) => `${name}: ${value}${isDefault ? " (default)" : ""}`),
        ...document.unknown.map(formatUnknownSetting)
      ]
      yield* printResult(json, document, lines.join("\n"))
    })
  ).pipe(Command.withDescription("Print every setting as it applies, without secrets."))

/** Every setting as it applies, without secrets, and what is none. */
export const readSettings = (settings: SettingsReader) =>
  Effect.map(Effect.all([settings.effective, settings.unknown]), ([effective, unknown]) => ({
    settings: effective.map(({ fallback, name, value }) => ({
      name,
      value: Option.getOrElse(value, () => fallback),
      isDefault: Option.isNone(value)
    })),
    unknown
  }))

/** Says which setting a variable that is none may mean. */
export const formatUnknownSetting = ({ name, suggestion }: MisspelledSetting): string =>
  `${name} is no setting; ${suggestion} may be meant`
