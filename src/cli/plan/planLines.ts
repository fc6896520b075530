import { Effect, Either, identity, Option, Predicate, Stream } from "effect"
import { type ExitCode, exitCodes } from "../ending.ts"
import { BadInput } from "./BadInput.ts"
import { dryRun, exitCodeOf, planJson } from "./DryRun.ts"
import { type Line, linesOf } from "./linesOf.ts"
import { readCase } from "./readCase.ts"
import { readJson, readText } from "./readInput.ts"

/**
 * Plans the case of each line, in order, and hands on a line of JSON for each, those of one chunk of input together.
 * Gives the worst that happened. What a line holds stops no other.
 */
export const planLines = <E, E2, R>(
  input: Stream.Stream<Uint8Array, E>,
  write: (text: string) => Effect.Effect<void, E2, R>
): Effect.Effect<ExitCode, E | E2, R> =>
  input.pipe(
    linesOf(maxLineBytes),
    Stream.runFoldEffect(exitCodes.planned, (worst: ExitCode, lines) => {
      const answers = lines.map(answerTo).flatMap(Option.toArray)
      return Effect.as(
        write(answers.map(({ text }) => `${text}\n`).join("")),
        answers.reduce((code, answer) => worse(code, answer.code), worst)
      )
    })
  )

const maxLineBytes = 8 * 1_024 * 1_024

interface Answer {
  readonly text: string
  readonly code: ExitCode
}

const worse = (one: ExitCode, other: ExitCode): ExitCode => (one > other ? one : other)

/** A blank line has no answer. */
const answerTo = (line: Line): Option.Option<Answer> => {
  const text = Either.flatMap(
    Either.fromOption(line, () => tooLong),
    readText
  )
  if (Either.isRight(text) && text.right.trim() === "") return Option.none()
  const value = Either.flatMap(text, readJson)
  const id = Either.isRight(value) && Predicate.hasProperty(value.right, "id") ? { id: value.right.id } : {}
  const errors = Option.exists(line, ({ length }) => length > longLine) ? "first" : "all"
  return Option.some(
    Either.match(
      Either.flatMap(value, (value) => outcomeOf(value, errors)),
      {
        onLeft: (bad) => ({ text: JSON.stringify({ ...id, ...bad.json }), code: exitCodes.badInput }),
        onRight: ({ code, json }) => ({ text: JSON.stringify({ ...id, ...json }), code })
      }
    )
  )
}

const tooLong = new BadInput({ code: "line_too_long", message: `a line may have at most ${maxLineBytes} bytes` })

/** The faults of a longer line could be millions, of which the first is told. */
const longLine = 64 * 1_024

/** Whatever breaks in the planner itself is the trouble of this line alone. */
const outcomeOf = (value: unknown, errors: "all" | "first") =>
  Either.flatMap(
    Either.try({
      try: () =>
        Either.map(readCase(value, { errors }), (input) => {
          const run = dryRun(input)
          return { json: planJson(run), code: exitCodeOf(run) }
        }),
      catch: (cause) =>
        new BadInput({ code: "internal_error", message: `the planner broke off: ${cause}`.slice(0, maxMessage) })
    }),
    identity
  )

const maxMessage = 200
