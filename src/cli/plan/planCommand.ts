import { Command } from "@effect/cli"
import { type Error, Terminal } from "@effect/platform"
import { BunStream } from "@effect/platform-bun"
import { Doc } from "@effect/printer"
import { AnsiDoc } from "@effect/printer-ansi"
import { type Config, Console, Effect, Predicate } from "effect"
import { exitCodes, exitOnBrokenPipe, setExitCode } from "../exitCodes.ts"
import type { BadInput } from "./BadInput.ts"
import { type DryRun, dryRunJson, exitCodeOf } from "./DryRun.ts"
import { checkPlanOptions, planOptions } from "./PlanOptions.ts"
import { formatDryRun } from "./formatDryRun.ts"
import { planFromLines } from "./planFromLines.ts"
import { planFromOptions, type PreviewFunction } from "./planFromOptions.ts"

/** What `plan` is given: `findOut` serves where no zone is, `noColor` tells of somebody who wants no colours. */
export interface PlanCommandSettings {
  readonly preview: PreviewFunction
  readonly noColor: Config.Config<boolean>
}

/** `plan`: shows what a connection would change, and changes nothing. */
export const planCommand = ({ preview: findOut, noColor }: PlanCommandSettings) =>
  Command.make("plan", planOptions, (options) =>
    Effect.gen(function* () {
      yield* Effect.transposeOption(checkPlanOptions(options))
      if (options.stdin) return yield* planFromLines(BunStream.stdin, write)
      const run = yield* planFromOptions(options, findOut)
      yield* options.json ? writeJson(dryRunJson(run)) : show(run, noColor)
      return exitCodeOf(run)
    }).pipe(
      Effect.catchTag("BadInput", (bad) => Effect.as(tell(bad, options), exitCodes.badInput)),
      Effect.flatMap(setExitCode)
    )
  ).pipe(Command.withDescription("Show what connecting a domain would change. Nothing is changed."))

const write = (text: string) =>
  Effect.flatMap(Terminal.Terminal, (terminal) => terminal.display(text)).pipe(
    Effect.catchIf(isHangUp, () => exitOnBrokenPipe)
  )

const isHangUp = ({ cause }: Error.PlatformError): boolean =>
  Predicate.hasProperty(cause, "code") && cause.code === "EPIPE"

const writeJson = (value: object) => write(`${JSON.stringify(value)}\n`)

const tell = (bad: BadInput, { json }: { readonly json: boolean }) =>
  Effect.zipRight(json ? writeJson(bad.json) : Effect.void, Console.error(bad.text))

const show = (run: DryRun, noColor: PlanCommandSettings["noColor"]) =>
  Effect.gen(function* () {
    const terminal = yield* Terminal.Terminal
    const isPlain = !(yield* terminal.isTTY) || (yield* noColor)
    const lineWidth = (yield* terminal.columns) || defaultColumns
    const words = formatDryRun(run)
    const text = AnsiDoc.render(isPlain ? Doc.unAnnotate(words) : words, { style: "pretty", options: { lineWidth } })
    yield* write(`${text}\n`)
  })

const defaultColumns = 100
