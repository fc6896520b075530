import { Command } from "@effect/cli"
import { type Error, type FileSystem, Terminal } from "@effect/platform"
import { BunStream } from "@effect/platform-bun"
import { Doc } from "@effect/printer"
import { AnsiDoc } from "@effect/printer-ansi"
import { type Config, type ConfigError, Console, Effect, Option, Predicate } from "effect"
import type { Provider } from "../../domain/provider/Provider.ts"
import type { ProvidersFileInvalid } from "../../providers/ProvidersFile.ts"
import { exitCodes, exitOnBrokenPipe, setExitCode } from "../exitCodes.ts"
import type { BadInput } from "./BadInput.ts"
import { type DryRun, exitCodeOf, toDryRunJson } from "./DryRun.ts"
import { checkPlanOptions, planOptions } from "./PlanOptions.ts"
import { formatDryRun } from "./formatDryRun.ts"
import { planFromLines } from "./planFromLines.ts"
import { planFromOptions, type PreviewFunction } from "./planFromOptions.ts"

/** The dependencies of `plan`: `preview` plans from the public DNS if no file has the zone, `noColor` turns colours off. */
interface PlanCommandSettings {
  readonly preview: PreviewFunction
  /** The operator's own providers, which cases may name as well as those of the catalog. */
  readonly declaredProviders: Effect.Effect<
    ReadonlyArray<Provider>,
    ConfigError.ConfigError | ProvidersFileInvalid,
    FileSystem.FileSystem
  >
  readonly noColor: Config.Config<boolean>
}

/** `plan`: shows what connecting a domain would change, and changes nothing. */
export const planCommand = ({ declaredProviders, noColor, preview }: PlanCommandSettings) =>
  Command.make("plan", planOptions, (options) =>
    Effect.gen(function* () {
      yield* Effect.transposeOption(checkPlanOptions(options))
      const declared = options.stdin || Option.isSome(options.provider) ? yield* declaredProviders : []
      if (options.stdin) return yield* planFromLines(BunStream.stdin, write, declared)
      const run = yield* planFromOptions(options, { preview, declared })
      yield* options.json ? writeJson(toDryRunJson(run)) : writeText(run, noColor)
      return exitCodeOf(run)
    }).pipe(
      Effect.catchTag("BadInput", (error) => Effect.as(writeError(error, options), exitCodes.badInput)),
      Effect.flatMap(setExitCode)
    )
  ).pipe(Command.withDescription("Show what connecting a domain would change. Nothing is changed."))

const write = (text: string) =>
  Effect.flatMap(Terminal.Terminal, (terminal) => terminal.display(text)).pipe(
    Effect.catchIf(isBrokenPipe, () => exitOnBrokenPipe)
  )

const isBrokenPipe = ({ cause }: Error.PlatformError): boolean =>
  Predicate.hasProperty(cause, "code") && cause.code === "EPIPE"

const writeJson = (value: object) => write(`${JSON.stringify(value)}\n`)

const writeError = (error: BadInput, { json }: { readonly json: boolean }) =>
  Effect.zipRight(json ? writeJson(error.json) : Effect.void, Console.error(error.text))

const writeText = (run: DryRun, noColor: PlanCommandSettings["noColor"]) =>
  Effect.gen(function* () {
    const terminal = yield* Terminal.Terminal
    const isPlain = !(yield* terminal.isTTY) || (yield* noColor)
    const lineWidth = (yield* terminal.columns) || defaultColumns
    const document = formatDryRun(run)
    const text = AnsiDoc.render(isPlain ? Doc.unAnnotate(document) : document, {
      style: "pretty",
      options: { lineWidth }
    })
    yield* write(`${text}\n`)
  })

const defaultColumns = 100
