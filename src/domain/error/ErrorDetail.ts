import { Array, Either, Order, type ParseResult, Schema } from "effect"
import { distance } from "fastest-levenshtein"
import { type DetailCode, isDetailCode } from "./detailMeanings.ts"

const optionalText = (description: string) =>
  Schema.optionalWith(Schema.String.annotations({ description }), { exact: true })

/** A fault at one place of a request; `pointer` is a JSON pointer (RFC 6901) into its body. */
export const ErrorDetail = Schema.Struct({
  pointer: Schema.String.annotations({
    description: "A JSON pointer (RFC 6901) into the body, or `/` and the name of a header or parameter."
  }),
  code: Schema.String.pipe(Schema.filter(isDetailCode)).annotations({
    description: "What is wrong there, a stable word."
  }),
  message: Schema.String.annotations({ description: "What is wrong there, for people." }),
  suggestion: optionalText(
    "A value that would be accepted at the pointer, or the name of a field, that may have been meant."
  ),
  conflictsWith: optionalText("The pointer of the other record, where two records of the request exclude each other.")
}).annotations({ identifier: "ErrorDetail" })
export type ErrorDetail = typeof ErrorDetail.Type

/** The `details` of an error response, one for each fault; absent where none are known. */
export const OptionalErrorDetails = Schema.optionalWith(Schema.Array(ErrorDetail), { exact: true })

/** Why a name or value is refused: a stable code and a sentence for people, without the place. */
export type ValueIssue = Pick<ErrorDetail, "code" | "message" | "suggestion">

export const refuse = (code: DetailCode, message: string): Either.Either<never, ValueIssue> =>
  Either.left({ code, message })

/** The suggestion of an issue: the result of parsing a repaired name or value, if it parses. */
export const suggestionOf = (parsed: Either.Either<string, unknown>): Pick<ValueIssue, "suggestion"> =>
  Either.match(parsed, { onLeft: () => ({}), onRight: (suggestion) => ({ suggestion }) })

/** ALIAS and ANAME, which some providers offer in place of a CNAME at the apex. */
export const aliasType: ValueIssue = {
  code: "type_is_alias",
  message:
    "is no type of the DNS: write CNAME; at the host @, A and AAAA are the alternative where the provider cannot flatten it",
  suggestion: "CNAME"
}

export const typeNotInCapitals = (type: string): ValueIssue => ({
  code: "type_not_in_capitals",
  message: `must be written ${type}`,
  suggestion: type
})

/** The issue that a schema found with a record type: HttpApi passes on formatted issues, and only their sentence tells them apart. */
const typeIssueOf = (message: string): ValueIssue | undefined => {
  if (message === aliasType.message) return aliasType
  const [, type] = /^must be written ([A-Z]+)$/.exec(message) ?? []
  return type === undefined ? undefined : typeNotInCapitals(type)
}

/** Formats a path of keys as a JSON pointer; each key is cut after 100 characters, so that none is echoed at length. */
export const toJsonPointer = (path: ReadonlyArray<PropertyKey>): string =>
  path.map((key) => `/${String(key).slice(0, 100).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")

/** The JSON pointer to a field of the record at `index` of the request. */
export const toIntentRecordPointer = (index: number, ...field: ReadonlyArray<string | number>): string =>
  toJsonPointer(["intent", "records", index, ...field])

/** Describes at most 20 issues, one for each pointer and code; the decoder's messages would repeat the input. */
export const errorDetailsOf = (issues: ReadonlyArray<ParseResult.ArrayFormatterIssue>): ReadonlyArray<ErrorDetail> => {
  const missing = new Set(issues.flatMap(({ _tag, path }) => (_tag === "Missing" ? [toJsonPointer(path)] : [])))
  const concrete = issues.filter((issue) => !isAboutAbsence(issue, issues))
  const details = Array.sortWith(concrete, ({ _tag }) => _tag === "Unexpected", Order.boolean).map(
    ({ _tag, message, path }): ErrorDetail => {
      const pointer = toJsonPointer(path)
      if (_tag === "Unexpected")
        return { pointer, code: "unknown_field", ...describeUnknownField(message, path, missing) }
      return {
        pointer,
        ...(typeIssueOf(message) ??
          (_tag === "Missing"
            ? { code: "missing", message: "is missing" }
            : { code: "invalid", message: rephraseMessage(message) }))
      }
    }
  )
  const byPointerAndCode = Array.groupBy(details, ({ code, pointer }) => `${pointer} ${code}`)
  return Object.values(byPointerAndCode)
    .slice(0, maxErrorDetails)
    .map((each) => withSuggestedChoice(mergeDetails(each), concrete))
}

const withSuggestedChoice = (
  detail: ErrorDetail,
  issues: ReadonlyArray<ParseResult.ArrayFormatterIssue>
): ErrorDetail => {
  if (detail.code !== "invalid") return detail
  const [, suggested] = /; (\S+) may be meant$/.exec(detail.message) ?? []
  if (suggested !== undefined) return { ...detail, suggestion: suggested }
  const refused = issues
    .filter(({ path }) => toJsonPointer(path) === detail.pointer)
    .map(({ message }) => /^Expected (.*), actual "(.*)"$/s.exec(message) ?? [])
  const choice = refused.flatMap(([, expected = ""]) =>
    [...expected.matchAll(/"([^"]*)"/g)].map(([, value = ""]) => value)
  )
  const suggestion = suggestName(refused[0]?.[2] ?? "", choice)
  return suggestion === undefined
    ? detail
    : { ...detail, message: `${detail.message}${describeMeant(suggestion)}`.slice(0, maxMessageLength), suggestion }
}

/** The end of a message about a name or value that is not known. */
export const describeMeant = (suggestion: string | undefined): string =>
  suggestion === undefined ? "" : `; ${suggestion} may be meant`

/** Whether an issue only says that a value is not absent or null, while another one says what is wrong. */
const isAboutAbsence = (
  { message, path }: ParseResult.ArrayFormatterIssue,
  issues: ReadonlyArray<ParseResult.ArrayFormatterIssue>
): boolean => {
  const begins = (other: ParseResult.ArrayFormatterIssue) => path.every((name, index) => other.path[index] === name)
  if (message.startsWith("Expected undefined, "))
    return issues.some((other) => other.message !== message && begins(other))
  return (
    message.startsWith("Expected null, ") && issues.some((other) => other.path.length > path.length && begins(other))
  )
}

export const maxErrorDetails = 20

/** The details that an error response lists; a suggestion is left out where all together would be too long. */
export const limitErrorDetails = (details: ReadonlyArray<ErrorDetail>): ReadonlyArray<ErrorDetail> => {
  let charactersLeft = maxSuggestedCharacters
  return details.slice(0, maxErrorDetails).map(({ suggestion, ...detail }) => {
    if (suggestion === undefined || suggestion.length > charactersLeft) return detail
    charactersLeft -= suggestion.length
    return { ...detail, suggestion }
  })
}

/** The most characters of all suggested values together: those of the longest value of a record. */
const maxSuggestedCharacters = 4_096

/** Counts the problems in a part of a request, and quotes the first; `total` counts also those not listed. */
export const describeProblems = (
  subject: string,
  details: ReadonlyArray<Pick<ErrorDetail, "message" | "pointer">>,
  total?: number
): string => {
  const [first] = details
  const count = total ?? details.length
  const isOpen = total === undefined && count === maxErrorDetails
  const listed = count > details.length ? `, ${details.length} of them listed` : ""
  const problems = `${count}${isOpen ? " or more" : ""} ${count === 1 ? "problem" : "problems"} in ${subject}${listed}`
  if (first === undefined) return problems
  const pointer = first.pointer.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "").toWellFormed()
  const message = pointer === "" ? first.message : `${pointer}: ${first.message}`
  return `${problems}: ${message}`.slice(0, maxMessageLength)
}

const maxMessageLength = 300

/** Describes an unknown field of an object by the known ones: `is unexpected, expected: "intent" | "externalId"`. */
const describeUnknownField = (
  issue: string,
  path: ReadonlyArray<PropertyKey>,
  missing: ReadonlySet<string>
): Pick<ErrorDetail, "message" | "suggestion"> => {
  const name = String(path.at(-1) ?? "")
  const known = [...(issue.split("expected: ")[1] ?? "").matchAll(/"([^"]*)"/g)].map(([, field = ""]) => field)
  const takesIntent = missing.has("/intent") || known.includes("intent")
  if (path.length === 1 && takesIntent && (name === "domain" || name === "records"))
    return { message: "belongs inside `intent`", suggestion: "intent" }
  const suggestion = suggestName(name, known)
  const message = `is not a known field${describeMeant(suggestion)}`
  return suggestion === undefined ? { message } : { message, suggestion }
}

/** The known name that an unknown one may mean: in other letters, with a typing error, or the usual other word for it. */
export const suggestName = (name: string, known: ReadonlyArray<string>): string | undefined => {
  const plain = plainNameOf(name)
  if (plain === "") return undefined
  const synonyms = otherWords.get(plain) ?? []
  const [closest] = Array.sortWith(
    known.map((each) => ({ each, edits: countEdits(plain, plainNameOf(each)) })),
    ({ edits }) => edits,
    Order.number
  )
  if (closest !== undefined && closest.edits <= Math.min(2, Math.floor(plain.length / 3))) return closest.each
  return known.find((each) => synonyms.includes(each))
}

/** Letters in another order are one typing error. */
const countEdits = (one: string, other: string): number =>
  sortLetters(one) === sortLetters(other) ? Math.min(1, distance(one, other)) : distance(one, other)

const sortLetters = (name: string): string => [...name].toSorted().join("")

/** A name of any length without what people write differently; no known one is as long. */
const plainNameOf = (name: string): string =>
  name
    .slice(0, 50)
    .toLowerCase()
    .replace(/(?:\[.*\]|\..*)$/, "")
    .replaceAll(/[-_]/g, "")

/** What other services call these fields, parameters and values. */
const otherWords: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["name", ["host"]],
  ["hostname", ["host"]],
  ["subdomain", ["host"]],
  ["content", ["value"]],
  ["data", ["value"]],
  ["target", ["value"]],
  ["pointsto", ["value"]],
  ["preference", ["priority"]],
  ["prio", ["priority"]],
  ["status", ["state"]],
  ["reference", ["externalId"]],
  ["approveddigest", ["digest"]],
  ["digest", ["approvedDigest"]],
  ["sort", ["order"]],
  ["since", ["createdAfter"]],
  ["from", ["createdAfter"]],
  ["until", ["createdBefore"]],
  ["to", ["createdBefore"]],
  ["page", ["cursor"]],
  ["offset", ["cursor"]],
  ["pagesize", ["limit"]],
  ["perpage", ["limit"]],
  ["pagetoken", ["cursor"]],
  ["startingafter", ["cursor"]],
  ["spf", ["TXT"]],
  ["dkim", ["TXT"]],
  ["dmarc", ["TXT"]],
  ["policy", ["p"]],
  ["byhand", ["manual"]],
  ["oauth", ["oauth2_pkce"]],
  ["oauth2", ["oauth2_pkce"]],
  ["token", ["apiToken", "api_token", "direct_credential"]],
  ["apitoken", ["direct_credential"]],
  ["key", ["apiKey"]],
  ["secret", ["apiSecret", "clientSecret"]],
  ["credential", ["direct_credential"]],
  ["connected", ["active"]],
  ["ascending", ["asc"]],
  ["descending", ["desc"]]
])

/** Rephrases the expectation of a schema in words: the decoder writes types, such as `number | undefined`. */
const rephraseMessage = (message: string): string => {
  const expected = /^Expected (.*?)(?:, actual .*)?$/s.exec(message)?.[1]
  if (expected === undefined) return message.slice(0, maxMessageLength)
  if (/^(\{|[A-Z]\w*$)/.test(expected)) return "must be an object"
  if (expected.startsWith("ReadonlyArray")) return "must be an array"
  // What is absent may be undefined, which nobody can send.
  const alternatives = expected.split(" | ").filter((alternative) => alternative !== "undefined")
  const values = alternatives.filter((alternative) => alternative.startsWith('"'))
  if (values.length > 1) return describeChoice(values)
  return `must be ${joinAlternatives(alternatives.map(describeType))}`
}

/** A type as the decoder writes it: `a string` also where it is one of a certain kind. */
const describeType = (type: string): string => {
  const [, primitive] = /^(string|number|boolean)( & .*)?$/.exec(type) ?? []
  return primitive === undefined ? type.replaceAll("(s)", "s") : `a ${primitive}`
}

const describeChoice = (values: ReadonlyArray<string>): string => {
  const all = `must be one of ${values.join(", ")}`
  return all.length <= maxMessageLength
    ? all
    : `must be one of ${values.length} values, such as ${joinAlternatives(values.slice(0, 3))}`
}

const joinAlternatives = (alternatives: ReadonlyArray<string>): string =>
  alternatives.length < 2
    ? alternatives.join()
    : `${alternatives.slice(0, -1).join(", ")} or ${alternatives.slice(-1).join()}`

/** A value that fits no member of a union has one issue for each member; they become one with all alternatives. */
const mergeDetails = ([first, ...others]: Array.NonEmptyReadonlyArray<ErrorDetail>): ErrorDetail => {
  const messages = Array.dedupe([first, ...others].map(({ message }) => message))
  if (messages.length === 1) return first
  const values = messages.flatMap((message) => /^must be ("[^"]*")$/.exec(message)?.[1] ?? [])
  const message =
    values.length === messages.length
      ? describeChoice(values)
      : joinAlternatives(messages.map((each) => each.replace(/^must be /, ""))).replace(/^(?!must )/, "must be ")
  return { ...first, message: message.slice(0, maxMessageLength) }
}
