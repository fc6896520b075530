import { Either, Encoding } from "effect"
import { decodeRecordData, formatOf, isKnownType, typeNameOf } from "../../domain/records/dnsTypes.ts"
import { type ParseResult, quoteWord } from "../../domain/records/presentation.ts"
import { parseWords, type RecordData } from "../../domain/records/RecordFormat.ts"
import { WireReader } from "../wire/WireReader.ts"

/** Parses the words of a record into the form of `ZoneRecord`, with relative names below `origin`. */
export const parseRecordData = (
  [typeWord, ...words]: ReadonlyArray<string>,
  origin: string
): ParseResult<RecordData & { readonly type: string }> => {
  if (typeWord === undefined) return Either.left("a record needs a type")
  const code = parseTypeCode(typeWord)
  const type = code === undefined ? typeWord.toUpperCase() : typeNameOf(code)
  if (!isKnownType(type) && code === undefined) return Either.left(`${quoteWord(typeWord)} is not a record type`)
  const data =
    words[0] === "\\#"
      ? parseGeneric(type, words.slice(1))
      : isKnownType(type)
        ? parseWords(formatOf(type), words, { origin, type })
        : Either.left(`the data of ${type} must be in the form \\# length hex (RFC 3597)`)
  return Either.map(data, (data) => ({ type, ...data }))
}

/** The code in a word such as `TYPE1` (RFC 3597 section 5). */
const parseTypeCode = (word: string): number | undefined => {
  const code = Number(/^TYPE(\d{1,5})$/i.exec(word)?.[1])
  return code <= 65_535 ? code : undefined
}

const parseGeneric = (type: string, [length = "", ...hex]: ReadonlyArray<string>): ParseResult<RecordData> =>
  Either.flatMap(
    Either.mapLeft(Encoding.decodeHex(hex.join("")), () => "\\# must be followed by a length and hex (RFC 3597)"),
    (bytes) =>
      length === `${bytes.length}`
        ? decodeBytes(type, bytes)
        : Either.left(`the length after \\# is ${quoteWord(length)}, the data have ${bytes.length} bytes`)
  )

const decodeBytes = (type: string, bytes: Uint8Array): ParseResult<RecordData> => {
  if (bytes.length > maxDataLength) return Either.left(`a record of more than ${maxDataLength} bytes`)
  const reader = new WireReader(bytes)
  const data = decodeRecordData(reader, type, bytes.length)
  return reader.fault === undefined ? Either.right(data) : Either.left(`these are not the data of type ${type}`)
}

const maxDataLength = 65_535
