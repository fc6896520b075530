import { Array, Chunk, Effect, Either, identity, Option, Predicate, Stream } from "effect"
import { type ExitCode, exitCodes } from "../exitCodes.ts"
import { BadInput } from "./BadInput.ts"
import { dryRun, dryRunJson, exitCodeOf } from "./DryRun.ts"
import { parseCase } from "./parseCase.ts"
import { decodeUtf8, parseJsonInput } from "./parseInput.ts"

/**
 * Plans the case of each line, in order, and hands on a line of JSON for each, those of one chunk of input together.
 * Gives the worst that happened. What a line holds stops no other.
 */
export const planFromLines = <E, E2, R>(
  input: Stream.Stream<Uint8Array, E>,
  write: (text: string) => Effect.Effect<void, E2, R>
): Effect.Effect<ExitCode, E | E2, R> =>
  input.pipe(
    splitLines(maxLineBytes),
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
const answerTo = (line: InputLine): Option.Option<Answer> => {
  const text = Either.flatMap(
    Either.fromOption(line, () => tooLong),
    decodeUtf8
  )
  if (Either.isRight(text) && text.right.trim() === "") return Option.none()
  const value = Either.flatMap(text, parseJsonInput)
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
        Either.map(parseCase(value, { errors }), (input) => {
          const run = dryRun(input)
          return { json: dryRunJson(run), code: exitCodeOf(run) }
        }),
      catch: (cause) =>
        new BadInput({ code: "internal_error", message: `the planner broke off: ${cause}`.slice(0, maxMessage) })
    }),
    identity
  )

const maxMessage = 200

/** The bytes of a line without its end, or nothing if it has more than may be kept. */
export type InputLine = Option.Option<Uint8Array>

/** Cuts a stream of bytes into lines; those that end in one chunk come together. At most one line is kept. */
export const splitLines =
  (maxBytes: number) =>
  <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<ReadonlyArray<InputLine>, E, R> =>
    Stream.mapAccum(Stream.concat(bytes, Stream.succeed(Uint8Array.of(newline))), nothing, (begun, chunk) => {
      const lines = piecesOf(chunk).map((piece, index) => continued(index === 0 ? begun : nothing, piece, maxBytes))
      return [lines.at(-1) ?? nothing, lines.slice(0, -1).map(ended(maxBytes))]
    })

/** The beginning of a line, as it came. */
interface Begun {
  readonly length: number
  readonly parts: Chunk.Chunk<Uint8Array>
}

const nothing: Begun = { length: 0, parts: Chunk.empty() }

/** What is too long is dropped, and its length kept. */
const continued = ({ length, parts }: Begun, piece: Uint8Array, maxBytes: number): Begun => {
  const total = length + piece.length
  return { length: total, parts: total > maxBytes ? Chunk.empty() : Chunk.append(parts, piece) }
}

const ended =
  (maxBytes: number) =>
  ({ length, parts }: Begun): InputLine =>
    length > maxBytes ? Option.none() : Option.some(Buffer.concat(Chunk.toReadonlyArray(parts)))

const newline = 10

/** What stands between the ends of lines. */
const piecesOf = (chunk: Uint8Array): ReadonlyArray<Uint8Array> => {
  const ends = Array.unfold(chunk.indexOf(newline), (end) =>
    end === -1 ? Option.none() : Option.some([end, chunk.indexOf(newline, end + 1)])
  )
  return Array.zipWith([-1, ...ends], [...ends, chunk.length], (before, end) => chunk.subarray(before + 1, end))
}
