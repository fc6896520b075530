import { Command } from "@effect/cli"
import { type Error, Terminal } from "@effect/platform"
import { BunStream } from "@effect/platform-bun"
import { Doc } from "@effect/printer"
import { AnsiDoc } from "@effect/printer-ansi"
import { type Config, Console, Effect, Predicate } from "effect"
import { endWith, exitCodes, hangUp } from "../ending.ts"
import type { BadInput } from "./BadInput.ts"
import { type DryRun, exitCodeOf, planJson } from "./DryRun.ts"
import { planInWords } from "./planInWords.ts"
import { planLines } from "./planLines.ts"
import { type FindOut, planOnce } from "./planOnce.ts"
import { misuseOf, planOptions } from "./PlanOptions.ts"

/** What `plan` is given: `findOut` serves where no zone is, `noColor` tells of somebody who wants no colours. */
export interface Surroundings {
  readonly findOut: FindOut
  readonly noColor: Config.Config<boolean>
}

/** `plan`: shows what a connection would change, and changes nothing. */
export const plan = ({ findOut, noColor }: Surroundings) =>
  Command.make("plan", planOptions, (options) =>
    Effect.gen(function* () {
      yield* Effect.transposeOption(misuseOf(options))
      if (options.stdin) return yield* planLines(BunStream.stdin, write)
      const run = yield* planOnce(options, findOut)
      yield* options.json ? writeJson(planJson(run)) : show(run, noColor)
      return exitCodeOf(run)
    }).pipe(
      Effect.catchTag("BadInput", (bad) => Effect.as(tell(bad, options), exitCodes.badInput)),
      Effect.flatMap(endWith)
    )
  ).pipe(Command.withDescription("Show what connecting a domain would change. Nothing is changed."))

const write = (text: string) =>
  Effect.flatMap(Terminal.Terminal, (terminal) => terminal.display(text)).pipe(Effect.catchIf(isHangUp, () => hangUp))

const isHangUp = ({ cause }: Error.PlatformError): boolean =>
  Predicate.hasProperty(cause, "code") && cause.code === "EPIPE"

const writeJson = (value: object) => write(`${JSON.stringify(value)}\n`)

const tell = (bad: BadInput, { json }: { readonly json: boolean }) =>
  Effect.zipRight(json ? writeJson(bad.json) : Effect.void, Console.error(bad.inWords))

const show = (run: DryRun, noColor: Surroundings["noColor"]) =>
  Effect.gen(function* () {
    const terminal = yield* Terminal.Terminal
    const isPlain = !(yield* terminal.isTTY) || (yield* noColor)
    const lineWidth = (yield* terminal.columns) || defaultColumns
    const words = planInWords(run)
    const text = AnsiDoc.render(isPlain ? Doc.unAnnotate(words) : words, { style: "pretty", options: { lineWidth } })
    yield* write(`${text}\n`)
  })

const defaultColumns = 100
