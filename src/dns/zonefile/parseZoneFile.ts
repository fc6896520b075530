import { Array, Data, Either } from "effect"
import type { DomainName } from "../../domain/names/DomainName.ts"
import { parseDuration, quoteWord, toAbsoluteName } from "../../domain/records/presentation.ts"
import type { ResourceRecord } from "../wire/Message.ts"
import { parseRecordData } from "./parseRecordData.ts"

/** A text is not a zone file of class IN; `message` names the line and the rule that it breaks. */
class ZoneFileError extends Data.TaggedError("ZoneFileError")<{
  readonly line: number
  readonly message: string
}> {
  static readonly at = (line: number, rule: string) => new ZoneFileError({ line, message: `line ${line}: ${rule}` })
}

/** Parses a zone file (RFC 1035 section 5, TTLs by RFC 2308 section 4). Names are relative to `origin` at first. */
export const parseZoneFile = (
  text: string,
  { origin }: { readonly origin: DomainName }
): Either.Either<ReadonlyArray<ResourceRecord>, ZoneFileError> =>
  Either.gen(function* () {
    const records: Array<ResourceRecord> = []
    let state: ParserState = { origin, owner: undefined, defaultTtl: undefined, lastTtl: undefined }
    for (const entry of splitEntries(text)) {
      const { line, ...words } = yield* entry
      const parsed = yield* Either.mapLeft(parseEntry(words, state), (rule) => ZoneFileError.at(line, rule))
      state = parsed.state
      if (parsed.record !== undefined) records.push(parsed.record)
    }
    return records
  })

/** The words up to the end of a line outside parentheses; `line` counts from 1. */
interface Entry {
  readonly line: number
  readonly isIndented: boolean
  readonly words: ReadonlyArray<string>
}

/** The state that later entries take over from earlier ones; names are absolute, TTLs in seconds. */
interface ParserState {
  readonly origin: string
  readonly owner: string | undefined
  readonly defaultTtl: number | undefined
  readonly lastTtl: number | undefined
}

interface ParsedEntry {
  readonly state: ParserState
  readonly record?: ResourceRecord
}

function* splitEntries(text: string): Generator<Either.Either<Entry, ZoneFileError>> {
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|[\r\n]/)
  let [line, isIndented, depth] = [1, false, 0]
  let words: Array<string> = []
  for (const [index, content] of lines.entries()) {
    if (depth === 0) [line, isIndented, words] = [index + 1, /^[ \t]/.test(content), []]
    for (const [token] of content.matchAll(tokens)) {
      const fault = faultOf(token)
      if (fault !== undefined) yield Either.left(ZoneFileError.at(index + 1, fault))
      if (token === "(") depth += 1
      else if (token === ")") depth -= 1
      else if (!token.startsWith(";")) words.push(token)
      if (depth < 0) yield Either.left(ZoneFileError.at(index + 1, "a parenthesis is closed that was never opened"))
    }
    if (depth === 0 && words.length > 0) yield Either.right({ line, isIndented, words })
  }
  if (depth > 0) yield Either.left(ZoneFileError.at(line, "a parenthesis is opened and never closed"))
}

/** Comments, parentheses, quoted strings, words (which a quote after `=` belongs to, RFC 9460), and stray characters. */
const tokens = /;.*|[()]|"[^"\\]*(?:\\.[^"\\]*)*"|(?:[^ \t"();\\]+|\\.)+(?:(?<==)"[^"\\]*(?:\\.[^"\\]*)*")?|[^ \t]/gs

const faultOf = (token: string): string | undefined => {
  if (token === '"') return "a quote is not closed on its line"
  if (token.includes("\0")) return "a NUL is not allowed"
  return token.startsWith(";") || !token.includes("\\") || !token.replace(escapes, "").includes("\\")
    ? undefined
    : `a backslash must precede one character or a number from 000 to 255 in ${quoteWord(token)}`
}

const escapes = /\\(?:\D|[01]\d\d|2[0-4]\d|25[0-5])/gs

const parseEntry = (
  { isIndented, words }: Omit<Entry, "line">,
  state: ParserState
): Either.Either<ParsedEntry, string> => {
  const [first = "", ...rest] = words
  if (isIndented) return parseRecord(words, state)
  if (first.startsWith("$")) return Either.map(parseDirective(first, rest, state), (state) => ({ state }))
  return Either.flatMap(toAbsoluteName(first, state.origin), (owner) => parseRecord(rest, { ...state, owner }))
}

const parseDirective = (
  directive: string,
  [argument, ...more]: ReadonlyArray<string>,
  state: ParserState
): Either.Either<ParserState, string> => {
  const name = directive.toUpperCase()
  if (name === "$INCLUDE") return Either.left("$INCLUDE is not supported; replace it with the records of that file")
  if (name === "$GENERATE") return Either.left("$GENERATE is not supported; replace it with its records")
  if (name !== "$ORIGIN" && name !== "$TTL") return Either.left(`${quoteWord(directive)} is not a directive`)
  if (argument === undefined || more.length > 0) return Either.left(`${name} needs one word`)
  return name === "$TTL"
    ? Either.map(parseDuration(argument), (defaultTtl) => ({ ...state, defaultTtl }))
    : Either.map(toAbsoluteName(argument, state.origin), (origin) => ({ ...state, origin }))
}

/** `[TTL] [class] type data`, TTL and class in either order. */
const parseRecord = (words: ReadonlyArray<string>, state: ParserState): Either.Either<ParsedEntry, string> =>
  Either.gen(function* () {
    if (state.owner === undefined) return yield* Either.left("the first record names no owner")
    const [ttlAndClass, typeAndData] = Array.span(words, (word) => isTtl(word) || isClass(word))
    const [classes, ttls] = Array.partition(ttlAndClass, isTtl)
    if (classes.length > 1 || ttls.length > 1) return yield* Either.left("a record has one class and one TTL")
    const otherClass = classes.find((word) => !isInternet(word))
    if (otherClass !== undefined) return yield* Either.left(`the class is ${quoteWord(otherClass)}, not IN`)
    const explicit = ttls[0] === undefined ? undefined : yield* parseDuration(ttls[0])
    const data = yield* parseRecordData(typeAndData, state.origin)
    const knownTtl = explicit ?? state.defaultTtl ?? state.lastTtl
    const ttl = knownTtl ?? minimumOf(data)
    if (ttl === undefined) return yield* Either.left("no TTL is given, here or before")
    const defaultTtl = knownTtl === undefined ? ttl : state.defaultTtl
    return {
      state: { ...state, defaultTtl, lastTtl: explicit ?? state.lastTtl },
      record: { name: state.owner, ttl, ...data }
    }
  })

/** The minimum of an SOA without a TTL: the TTL of itself and of later records without one (as in BIND). */
const minimumOf = ({ type, value }: { readonly type: string; readonly value: string }): number | undefined =>
  type === "SOA" ? Number(value.split(" ").at(-1)) : undefined

const isTtl = (word: string): boolean => /^\d[\da-z]*$/i.test(word)

const isClass = (word: string): boolean => /^(IN|CS|CH|HS|NONE|ANY|CLASS\d+)$/i.test(word)

const isInternet = (word: string): boolean => /^(IN|CLASS0*1)$/i.test(word)
