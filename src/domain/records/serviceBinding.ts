import { Array, Either, Encoding, Option, Order } from "effect"
import { type ErrorDetail, suggestName, type ValueIssue } from "../error/ErrorDetail.ts"
import { ipv4, ipv6, name, type RecordDataReader, type RecordField, uint16 } from "./RecordField.ts"
import type { RecordTypeDefinition } from "./RecordTypeDefinition.ts"
import { type Bytes, encodeUint16, prefixWithLength } from "./encodeName.ts"
import { parsePresentation } from "./parsePresentation.ts"
import {
  bytesOf,
  bytesOfCharacters,
  charactersOf,
  escapeQuoted,
  makeEscaper,
  parseLabel,
  type ParseResult,
  quoteWord,
  splitWords
} from "./presentation.ts"
import { nullTarget } from "./target.ts"

/** How the value of a parameter (RFC 9460 section 7) is written. */
interface ParameterFormat {
  readonly parse: (value: Uint8Array) => ParseResult<string>
  readonly encode: (text: string) => Bytes
  readonly decode: (reader: RecordDataReader) => string
}

const listOf = ({ decode, encode, parse }: Pick<RecordField, "decode" | "encode" | "parse">): ParameterFormat => ({
  parse: (value) =>
    Either.map(
      Either.all(
        charactersOf(value)
          .split(",")
          .map((item) => parse([item], "."))
      ),
      (items) => items.join(",")
    ),
  encode: (text) => text.split(",").flatMap((item) => [...encode(item)]),
  decode: (reader) => reader.readUntilEnd(() => decode(reader)).join(",")
})

const keyNames = ["mandatory", "alpn", "no-default-alpn", "port", "ipv4hint", "ech", "ipv6hint"]

/** Keys that have a name elsewhere, but not in the normal form (RFC 9461, RFC 9540). */
const otherNames: ReadonlyMap<string, number> = new Map([
  ["dohpath", 7],
  ["ohttp", 8]
])

const keyName = (key: number): string => keyNames[key] ?? `key${key}`

const parseKey = (word: string): ParseResult<number> => {
  const named = keyNames.indexOf(word.toLowerCase())
  const key = named === -1 ? (otherNames.get(word.toLowerCase()) ?? Number(/^key(\d{1,5})$/i.exec(word)?.[1])) : named
  return key < 65_535 ? Either.right(key) : Either.left(`${quoteWord(word)} is not a key`)
}

const keyList = listOf({
  parse: ([word = ""]) => Either.map(parseKey(word), keyName),
  encode: (text) => Either.match(parseKey(text), { onLeft: () => [], onRight: encodeUint16 }),
  decode: (reader) => keyName(reader.readUint16())
})

/** Divides a list by its commas, except those with a backslash (RFC 9460 appendix A.1). */
const splitProtocols = (text: string): ReadonlyArray<Uint8Array> =>
  Array.fromIterable(text.matchAll(/(?:[^,\\]|\\[\\,])+/gs)).map(([item]) =>
    bytesOfCharacters(item.replace(/\\([\\,])/g, "$1"))
  )

/** Escapes twice, as a list requires (RFC 9460 appendix A.1): a comma in a value becomes `\092\044`. */
const formatProtocol = (bytes: Uint8Array): string => escapeListItem(bytes).replace(/\\(044|092)/g, "\\092\\$1")

const escapeListItem = makeEscaper(/^[!#-+--[\]-~]$/)

const protocols: ParameterFormat = {
  parse: (value) => {
    const list = splitProtocols(charactersOf(value))
    return /^(?:[^,\\]|\\[\\,])+(?:,(?:[^,\\]|\\[\\,])+)*$/s.test(charactersOf(value)) &&
      list.every(({ length }) => length < 256)
      ? Either.right(list.map(formatProtocol).join(","))
      : Either.left("`alpn` is a list of protocols with commas between them")
  },
  encode: (text) => splitProtocols(charactersOf(parseLabel(text))).flatMap(prefixWithLength),
  decode: (reader) => reader.readUntilEnd(() => formatProtocol(reader.readBytes(reader.readUint8()))).join(",")
}

const nothing: ParameterFormat = {
  parse: ({ length }) => (length === 0 ? Either.right("") : Either.left("`no-default-alpn` has no value")),
  encode: () => [],
  decode: () => ""
}

const base64: ParameterFormat = {
  parse: (value) =>
    Either.mapBoth(Encoding.decodeBase64(charactersOf(value)), {
      onLeft: () => "`ech` is in Base64",
      onRight: Encoding.encodeBase64
    }),
  encode: (text) => Either.getOrElse(Encoding.decodeBase64(text), () => []),
  decode: (reader) => Encoding.encodeBase64(reader.readBytes(reader.remaining))
}

const opaque: ParameterFormat = {
  parse: (value) => Either.right(`"${escapeQuoted(value)}"`),
  encode: (text) => parseLabel(text.slice(1, -1)),
  decode: (reader) => `"${escapeQuoted(reader.readBytes(reader.remaining))}"`
}

const port: ParameterFormat = { ...uint16, parse: (value) => uint16.parse([charactersOf(value)], ".") }

const formats = [keyList, protocols, nothing, port, listOf(ipv4), base64, listOf(ipv6)]

const formatOf = (key: number): ParameterFormat => formats[key] ?? opaque

/** The key and the value of a parameter, either still as it is written or in normal form. */
const divide = (parameter: string): readonly [key: string, value: string] => {
  const sign = parameter.indexOf("=")
  return sign === -1 ? [parameter, ""] : [parameter.slice(0, sign), parameter.slice(sign + 1)]
}

const format = (key: number, value: string): string => (value === "" ? keyName(key) : `${keyName(key)}=${value}`)

/** The parameters `key=value …`, sorted by the numbers of their keys. */
const parameters: RecordField = {
  form: "word",
  takes: "any",
  parse: (words) =>
    Either.gen(function* () {
      const parsed = yield* Either.all(
        words.map((word) => {
          const [name, value] = divide(word)
          return Either.flatMap(parseKey(name), (key) =>
            Either.map(formatOf(key).parse(bytesOf(value)), (text) => ({ key, text }))
          )
        })
      )
      const keys = new Set(parsed.map(({ key }) => keyName(key)))
      const mandatory = parsed.find(({ key }) => key === 0)?.text.split(",") ?? []
      if (keys.size < parsed.length) return yield* Either.left("a key stands twice")
      if (mandatory.includes("mandatory") || !mandatory.every((name) => keys.has(name)))
        return yield* Either.left("`mandatory` lists other keys of the record")
      if (keys.has("no-default-alpn") && !keys.has("alpn"))
        return yield* Either.left("`no-default-alpn` stands beside `alpn`")
      return Array.sortWith(parsed, ({ key }) => key, Order.number)
        .map(({ key, text }) => format(key, text))
        .join(" ")
    }),
  encode: (text) =>
    splitWords(text).flatMap((word) => {
      const [name, value] = divide(word)
      return Either.match(parseKey(name), {
        onLeft: () => [],
        onRight: (key) => {
          const bytes = [...formatOf(key).encode(value)]
          return [...encodeUint16(key), ...encodeUint16(bytes.length), ...bytes]
        }
      })
    }),
  decode: (reader) =>
    reader
      .readUntilEnd(() => {
        const key = reader.readUint16()
        return reader.readExactly(reader.readUint16(), () => format(key, formatOf(key).decode(reader)))
      })
      .join(" ")
}

const fields = { priority: uint16, target: name, value: parameters }

/** Adds the priority and the target of a binding to the host itself, which people leave out, and respells parameters. */
const mend = ([first = "", ...rest]: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (!/^\d+$/.test(first))
    return first.includes("=")
      ? ["1", nullTarget, ...mendParameters([first, ...rest])]
      : ["1", first, ...mendParameters(rest)]
  const [target = "", ...others] = rest
  return target.includes("=")
    ? [first, nullTarget, ...mendParameters(rest)]
    : [first, ...(rest.length === 0 ? [] : [target]), ...mendParameters(others)]
}

/** Semicolons and commas between parameters, colons in them, misspelled keys, and hints of the other address family. */
const mendParameters = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words
    .flatMap((word) => word.split(/;(?=[a-z][a-z\d-]*[=:]|$)/i))
    .flatMap((word) => {
      const [, key = "", value = ""] = /^([a-z][a-z\d-]*)[=:](.*?),?$/is.exec(word) ?? []
      if (key === "") return word === "" ? [] : [word.replace(/,$/, "")]
      const known = Either.isRight(parseKey(key)) ? key : (suggestName(key, [...keyNames, ...otherNames.keys()]) ?? key)
      return [`${mendHint(known, value)}=${value.replaceAll(";", ",")}`]
    })

const mendHint = (key: string, value: string): string =>
  /^ipv[46]hint$/i.test(key) ? (value.includes(":") ? "ipv6hint" : "ipv4hint") : key

/** Refuses protocols that no client knows by that name: HTTP/2 and HTTP/3 are `h2` and `h3` (RFC 9113, RFC 9114). */
const checkProtocols = (value: string): Option.Option<ValueIssue> => {
  const fault = listProtocols(value).find((name) => respellProtocol(name) !== name || hasSeparator.test(name))
  if (fault === undefined) return Option.none()
  const suggestion = mend(splitWords(value))
    .join(" ")
    .replace(alpnList, (list) => list.split(",").map(respellProtocol).join(","))
  return Option.some({
    code: "value_malformed",
    message: `${quoteWord(fault)} is no protocol that clients know, such as h2, h3 or http/1.1 (RFC 7301)`,
    ...(suggestion !== value && Option.isNone(checkProtocols(suggestion)) ? { suggestion } : {})
  })
}

const alpnList = /(?<=(?:^| )alpn=)\S+/

const listProtocols = (value: string): ReadonlyArray<string> => alpnList.exec(value)?.[0].split(",") ?? []

/** What is left over from a list with other separators, or from typographic quotes. */
const hasSeparator = /[;:='"]|\\(?:1[3-9]\d|2\d\d)/

const respellProtocol = (name: string): string => name.replace(/^http\/?(?:([23])(?:\.0)?|(1\.[01]))$/i, knownProtocol)

const knownProtocol = (_: string, major: string | undefined, old: string | undefined): string =>
  major === undefined ? `http/${old}` : `h${major}`

const aliasStandsAlone: Pick<ErrorDetail, "code" | "message"> = {
  code: "record_must_be_single",
  message: "a record with the priority 0, an alias, must be the only one of its type at its host (RFC 9460)"
}

/** Defines a type of service bindings (RFC 9460). */
export const defineServiceBinding = (
  type: "HTTPS" | "SVCB",
  { code, order }: Pick<RecordTypeDefinition, "code" | "order">
): RecordTypeDefinition => ({
  code,
  fields,
  parse: parsePresentation({
    type,
    fields,
    form: "`priority target key=value …`, where the target `.` is the host itself (RFC 9460)",
    findFault: ([priority, , ...others]) =>
      priority === "0" && others.some((text) => text !== "")
        ? "an alias, with the priority 0, has no parameters"
        : undefined,
    mend
  }),
  checkPolicy: checkProtocols,
  standsAlone: (value) => (value.startsWith("0 ") ? aliasStandsAlone : undefined),
  conflicts: { replaces: "set", excludes: ["CNAME"] },
  order,
  pointsTo: "websites",
  followsAddresses: (value) => {
    const [, target, ...rest] = value.trim().split(/\s+/)
    return (
      target === nullTarget &&
      !rest.some((parameter) => /^(ipv4hint|ipv6hint|ech|key4|key5|key6)(=|$)/i.test(parameter))
    )
  }
})
