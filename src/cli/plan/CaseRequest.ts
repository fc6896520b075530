import { Either, Option, ParseResult, Predicate, Schema } from "effect"
import { type ErrorDetail, errorDetailsOf } from "../../domain/error/ErrorDetail.ts"
import { IntentRequest } from "../../domain/connection/Intent.ts"
import { optional } from "../../domain/values/boundedSchemas.ts"
import { describeJsonSyntaxError, findJsonFault } from "../../domain/error/findJsonFault.ts"
import { withDomainFault } from "../../domain/connection/withDomainFault.ts"
import { BadInput } from "./BadInput.ts"

const FiniteNumber = Schema.Finite.annotations({ message: () => ({ message: "must be a number", override: true }) })

/** Refuses unknown fields, as the API does. */
const strict = { parseOptions: { onExcessProperty: "error" } } as const

/** A record as provider exports write it: any host and type; a TXT value also as its character-strings. */
export const ZoneRecordInput = Schema.Struct({
  host: Schema.String,
  type: Schema.String,
  value: Schema.Union(Schema.String, Schema.Array(Schema.String)).annotations({
    message: () => ({ message: "must be a string, or for TXT an array of strings", override: true })
  }),
  ttl: FiniteNumber,
  priority: optional(FiniteNumber),
  web: optional(Schema.Boolean),
  proxied: optional(Schema.Boolean),
  flattened: optional(Schema.Boolean)
}).pipe(
  Schema.filter(
    ({ type, value }) =>
      typeof value === "string" ||
      type.toUpperCase() === "TXT" || { path: ["value"], message: "may be an array only for TXT" }
  )
)
export type ZoneRecordInput = typeof ZoneRecordInput.Type

/** The DNS answers outside the zone, by name and type, and the records of other connections at the same hosts. */
export const ContextInput = Schema.Struct({
  answers: optional(
    Schema.Record({
      key: Schema.String,
      value: Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) })
    })
  ),
  others: optional(
    Schema.Array(
      Schema.Struct({
        host: Schema.String,
        type: Schema.String,
        value: Schema.String,
        priority: optional(FiniteNumber)
      })
    )
  )
}).annotations(strict)
export type ContextInput = typeof ContextInput.Type

/** One case of a dry run: a line of standard input, or composed from options and files. Further fields are ignored. */
export const CaseRequest = Schema.Struct({
  domain: Schema.String,
  zoneName: optional(Schema.String),
  zone: Schema.Array(ZoneRecordInput),
  intent: Schema.Struct({ ...IntentRequest.fields, domain: optional(Schema.String) }).annotations(strict),
  provider: optional(Schema.String),
  capabilities: optional(
    Schema.Union(Schema.String, Schema.Record({ key: Schema.String, value: Schema.String })).annotations({
      message: () => ({ message: "must be an object of strings, or a string like name=value,…", override: true })
    })
  ),
  context: optional(ContextInput)
})
export type CaseRequest = typeof CaseRequest.Type

/** Decodes a case; reports all issues with it and its domains, or only the first, in the words of the API. */
export const decodeCase = (
  input: unknown,
  options: { readonly errors: "all" | "first" }
): Either.Either<CaseRequest, BadInput> =>
  Either.mapLeft(decode(input, options), (error) => {
    const issues = errorDetailsOf(ParseResult.ArrayFormatter.formatErrorSync(error))
    return options.errors === "first"
      ? BadInput.fromFirstIssue(issues)
      : BadInput.fromIssues(withDomainFaults(issues, input))
  })

const decode = Schema.decodeUnknownEither(CaseRequest)

const withDomainFaults = (issues: ReadonlyArray<ErrorDetail>, input: unknown): ReadonlyArray<ErrorDetail> => {
  const intent = Predicate.hasProperty(input, "intent") ? input.intent : undefined
  return withDomainFault(withDomainFault(issues, domainOf(intent), "/intent/domain"), domainOf(input), "/domain")
}

const domainOf = (value: unknown): Option.Option<string> =>
  Predicate.hasProperty(value, "domain") && Predicate.isString(value.domain) ? Option.some(value.domain) : Option.none()

/** Decodes UTF-8, with or without a byte order mark. */
export const decodeUtf8 = (bytes: Uint8Array): Either.Either<string, BadInput> =>
  Either.try({
    try: () => utf8.decode(bytes),
    catch: () => new BadInput({ code: "not_utf8", message: "this is not valid UTF-8" })
  })

/** Parses JSON by the rules of the API, except that a zone may contain any text, and a context any number of names. */
export const parseJsonInput = (text: string): Either.Either<unknown, BadInput> =>
  Option.match(findJsonFault(text, allowedFaults), {
    onNone: () => Either.mapLeft(decodeJson(text), () => makeMalformedJson(`this ${describeJsonSyntaxError(text)}`)),
    onSome: (fault) => Either.left(BadInput.fromIssues([fault]))
  })

const utf8 = new TextDecoder("utf-8", { fatal: true })

const decodeJson = Schema.decodeEither(Schema.parseJson())

/**
 * The database of the service cannot store the first two, but a zone may contain them; `answers` of a context is a map
 * with a field for each name.
 */
const allowedFaults: ReadonlySet<string> = new Set(["nul_character", "lone_surrogate", "too_many_fields"])

const makeMalformedJson = (message: string) => new BadInput({ code: "malformed_json", message })
