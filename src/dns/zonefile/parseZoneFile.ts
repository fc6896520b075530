import { Array, Data, Either } from "effect"
import type { DomainName } from "../../domain/DomainName.ts"
import type { ResourceRecord } from "../wire/decodeResponse.ts"
import { parseDuration, parseRecordData, quoteWord, toAbsoluteName } from "./parseRecordData.ts"

/** A text is no master file of class IN; `message` names the line and the rule that it breaks. */
export class ZoneFileError extends Data.TaggedError("ZoneFileError")<{
  readonly line: number
  readonly message: string
}> {
  static readonly at = (line: number, rule: string) => new ZoneFileError({ line, message: `line ${line}: ${rule}` })
}

/**
 * The records of a zone file (RFC 1035 section 5, TTLs by RFC 2308 section 4) in the form in which a server's answer
 * gives them. Names and `@` are relative to `origin` until the file names another.
 */
export const parseZoneFile = (
  text: string,
  { origin }: { readonly origin: DomainName }
): Either.Either<ReadonlyArray<ResourceRecord>, ZoneFileError> =>
  Either.gen(function* () {
    const records: Array<ResourceRecord> = []
    let context: Context = { origin, owner: undefined, defaultTtl: undefined, lastTtl: undefined }
    for (const entry of entriesOf(text)) {
      const { line, ...words } = yield* entry
      const read = yield* Either.mapLeft(readEntry(words, context), (rule) => ZoneFileError.at(line, rule))
      context = read.context
      if (read.record !== undefined) records.push(read.record)
    }
    return records
  })

/** What stands from one line's end to the next, those within parentheses aside; `line` counts from 1. */
interface Entry {
  readonly line: number
  readonly isIndented: boolean
  readonly words: ReadonlyArray<string>
}

/** What an entry leaves to those after it; names are absolute, TTLs in seconds. */
interface Context {
  readonly origin: string
  readonly owner: string | undefined
  readonly defaultTtl: number | undefined
  readonly lastTtl: number | undefined
}

interface Read {
  readonly context: Context
  readonly record?: ResourceRecord
}

function* entriesOf(text: string): Generator<Either.Either<Entry, ZoneFileError>> {
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|[\r\n]/)
  let [line, isIndented, depth] = [1, false, 0]
  let words: Array<string> = []
  for (const [index, content] of lines.entries()) {
    if (depth === 0) [line, isIndented, words] = [index + 1, /^[ \t]/.test(content), []]
    for (const [piece] of content.matchAll(pieces)) {
      const fault = faultOf(piece)
      if (fault !== undefined) yield Either.left(ZoneFileError.at(index + 1, fault))
      if (piece === "(") depth += 1
      else if (piece === ")") depth -= 1
      else if (!piece.startsWith(";")) words.push(piece)
      if (depth < 0) yield Either.left(ZoneFileError.at(index + 1, "a parenthesis is closed that was never opened"))
    }
    if (depth === 0 && words.length > 0) yield Either.right({ line, isIndented, words })
  }
  if (depth > 0) yield Either.left(ZoneFileError.at(line, "a parenthesis is opened and never closed"))
}

/** Comments, parentheses, quoted strings, words (a quote after `=` belongs to them, RFC 9460), and what is none. */
const pieces = /;.*|[()]|"[^"\\]*(?:\\.[^"\\]*)*"|(?:[^ \t"();\\]+|\\.)+(?:(?<==)"[^"\\]*(?:\\.[^"\\]*)*")?|[^ \t]/gs

const faultOf = (piece: string): string | undefined => {
  if (piece === '"') return "a quote is not closed on its line"
  if (piece.includes("\0")) return "a NUL is no text"
  return piece.startsWith(";") || !piece.includes("\\") || !piece.replace(escapes, "").includes("\\")
    ? undefined
    : `a backslash stands before one character or a number from 000 to 255 in ${quoteWord(piece)}`
}

const escapes = /\\(?:\D|[01]\d\d|2[0-4]\d|25[0-5])/gs

const readEntry = ({ isIndented, words }: Omit<Entry, "line">, context: Context): Either.Either<Read, string> => {
  const [first = "", ...rest] = words
  if (isIndented) return readRecord(words, context)
  if (first.startsWith("$")) return Either.map(readDirective(first, rest, context), (context) => ({ context }))
  return Either.flatMap(toAbsoluteName(first, context.origin), (owner) => readRecord(rest, { ...context, owner }))
}

const readDirective = (
  directive: string,
  [argument, ...more]: ReadonlyArray<string>,
  context: Context
): Either.Either<Context, string> => {
  const name = directive.toUpperCase()
  if (name === "$INCLUDE") return Either.left("$INCLUDE is not followed; put the records of that file in its place")
  if (name === "$GENERATE") return Either.left("$GENERATE is not carried out; put its records in its place")
  if (name !== "$ORIGIN" && name !== "$TTL") return Either.left(`${quoteWord(directive)} is no directive`)
  if (argument === undefined || more.length > 0) return Either.left(`${name} needs one word`)
  return name === "$TTL"
    ? Either.map(parseDuration(argument), (defaultTtl) => ({ ...context, defaultTtl }))
    : Either.map(toAbsoluteName(argument, context.origin), (origin) => ({ ...context, origin }))
}

/** `[TTL] [class] type data`, TTL and class in either order. */
const readRecord = (words: ReadonlyArray<string>, context: Context): Either.Either<Read, string> =>
  Either.gen(function* () {
    if (context.owner === undefined) return yield* Either.left("the first record names no owner")
    const [head, typeAndData] = Array.span(words, (word) => isNumber(word) || isClass(word))
    const [classes, ttls] = Array.partition(head, isNumber)
    if (classes.length > 1 || ttls.length > 1) return yield* Either.left("a record has one class and one TTL")
    const foreign = classes.find((word) => !isInternet(word))
    if (foreign !== undefined) return yield* Either.left(`the class is ${quoteWord(foreign)}, not IN`)
    const explicit = ttls[0] === undefined ? undefined : yield* parseDuration(ttls[0])
    const data = yield* parseRecordData(typeAndData, context.origin)
    const known = explicit ?? context.defaultTtl ?? context.lastTtl
    const ttl = known ?? minimumOf(data)
    if (ttl === undefined) return yield* Either.left("no TTL is given, neither here nor before")
    const defaultTtl = known === undefined ? ttl : context.defaultTtl
    return {
      context: { ...context, defaultTtl, lastTtl: explicit ?? context.lastTtl },
      record: { name: context.owner, ttl, ...data }
    }
  })

/** What an SOA without a TTL gives to itself and to all that follow, where none is known (BIND does the same). */
const minimumOf = ({ type, value }: { readonly type: string; readonly value: string }): number | undefined =>
  type === "SOA" ? Number(value.split(" ").at(-1)) : undefined

const isNumber = (word: string): boolean => /^\d[\da-z]*$/i.test(word)

const isClass = (word: string): boolean => /^(IN|CS|CH|HS|NONE|ANY|CLASS\d+)$/i.test(word)

const isInternet = (word: string): boolean => /^(IN|CLASS0*1)$/i.test(word)
