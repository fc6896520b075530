import { Array, Chunk, Effect, Either, identity, Option, Predicate, Stream } from "effect"
import type { Provider } from "../../domain/provider/Provider.ts"
import { type ExitCode, exitCodes } from "../exitCodes.ts"
import { BadInput } from "./BadInput.ts"
import { decodeUtf8, parseJsonInput } from "./CaseRequest.ts"
import { exitCodeOf, planCase, toDryRunJson } from "./DryRun.ts"
import { type CaseOptions, parseCase } from "./parseCase.ts"

/**
 * Plans the case of each line, in order, and writes a line of JSON for each; those of one chunk of input are written
 * together. Cases may name the `declared` providers as well as those of the catalog. Returns the worst exit code. A bad
 * line does not stop the others.
 */
export const planFromLines = <E, E2, R>(
  input: Stream.Stream<Uint8Array, E>,
  write: (text: string) => Effect.Effect<void, E2, R>,
  declared: ReadonlyArray<Provider> = []
): Effect.Effect<ExitCode, E | E2, R> =>
  input.pipe(
    splitLines(maxLineBytes),
    Stream.runFoldEffect(exitCodes.planned, (worst: ExitCode, lines) => {
      const results = lines.map(planLine(declared)).flatMap(Option.toArray)
      return Effect.as(
        write(results.map(({ text }) => `${text}\n`).join("")),
        results.reduce((code, result) => pickWorse(code, result.code), worst)
      )
    })
  )

const maxLineBytes = 8 * 1_024 * 1_024

interface LineResult {
  readonly text: string
  readonly code: ExitCode
}

const pickWorse = (first: ExitCode, second: ExitCode): ExitCode => (first > second ? first : second)

const planLine =
  (declared: ReadonlyArray<Provider>) =>
  (line: InputLine): Option.Option<LineResult> => {
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
        Either.flatMap(value, (value) => planValue(value, { errors, declared })),
        {
          onLeft: (error) => ({ text: JSON.stringify({ ...id, ...error.json }), code: exitCodes.badInput }),
          onRight: ({ code, json }) => ({ text: JSON.stringify({ ...id, ...json }), code })
        }
      )
    )
  }

const tooLong = new BadInput({ code: "line_too_long", message: `a line may have at most ${maxLineBytes} bytes` })

/** A longer line could have millions of errors, so that only the first is reported. */
const longLine = 64 * 1_024

/** Plans a parsed case; a defect of the planner affects this line only. */
const planValue = (value: unknown, options: CaseOptions) =>
  Either.flatMap(
    Either.try({
      try: () =>
        Either.map(parseCase(value, options), (input) => {
          const run = planCase(input)
          return { json: toDryRunJson(run), code: exitCodeOf(run) }
        }),
      catch: (cause) =>
        new BadInput({ code: "internal_error", message: `the planner failed: ${cause}`.slice(0, maxMessage) })
    }),
    identity
  )

const maxMessage = 200

/** The bytes of a line without its end, or none if the line is too long. */
type InputLine = Option.Option<Uint8Array>

/** Splits a stream of bytes into lines; those that end in one chunk come together. At most one line is buffered. */
const splitLines =
  (maxBytes: number) =>
  <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<ReadonlyArray<InputLine>, E, R> =>
    Stream.mapAccum(Stream.concat(bytes, Stream.succeed(Uint8Array.of(newline))), emptyLine, (partial, chunk) => {
      const lines = splitAtNewlines(chunk).map((piece, index) =>
        appendPiece(index === 0 ? partial : emptyLine, piece, maxBytes)
      )
      return [lines.at(-1) ?? emptyLine, lines.slice(0, -1).map(endLine(maxBytes))]
    })

/** The beginning of a line whose end has not arrived. */
interface PartialLine {
  readonly length: number
  readonly parts: Chunk.Chunk<Uint8Array>
}

const emptyLine: PartialLine = { length: 0, parts: Chunk.empty() }

/** Appends a piece; a line that is too long loses its content and keeps its length. */
const appendPiece = ({ length, parts }: PartialLine, piece: Uint8Array, maxBytes: number): PartialLine => {
  const total = length + piece.length
  return { length: total, parts: total > maxBytes ? Chunk.empty() : Chunk.append(parts, piece) }
}

const endLine =
  (maxBytes: number) =>
  ({ length, parts }: PartialLine): InputLine =>
    length > maxBytes ? Option.none() : Option.some(Buffer.concat(Chunk.toReadonlyArray(parts)))

const newline = 10

const splitAtNewlines = (chunk: Uint8Array): ReadonlyArray<Uint8Array> => {
  const ends = Array.unfold(chunk.indexOf(newline), (end) =>
    end === -1 ? Option.none() : Option.some([end, chunk.indexOf(newline, end + 1)])
  )
  return Array.zipWith([-1, ...ends], [...ends, chunk.length], (before, end) => chunk.subarray(before + 1, end))
}
