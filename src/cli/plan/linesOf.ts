import { Array, Chunk, Option, Stream } from "effect"

/** The bytes of a line without its end, or nothing if it has more than may be kept. */
export type Line = Option.Option<Uint8Array>

/** Cuts a stream of bytes into lines; those that end in one chunk come together. At most one line is kept. */
export const linesOf =
  (maxBytes: number) =>
  <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<ReadonlyArray<Line>, E, R> =>
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
  ({ length, parts }: Begun): Line =>
    length > maxBytes ? Option.none() : Option.some(Buffer.concat(Chunk.toReadonlyArray(parts)))

const newline = 10

/** What stands between the ends of lines. */
const piecesOf = (chunk: Uint8Array): ReadonlyArray<Uint8Array> => {
  const ends = Array.unfold(chunk.indexOf(newline), (end) =>
    end === -1 ? Option.none() : Option.some([end, chunk.indexOf(newline, end + 1)])
  )
  return Array.zipWith([-1, ...ends], [...ends, chunk.length], (before, end) => chunk.subarray(before + 1, end))
}
