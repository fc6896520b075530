import { Either, ParseResult, Schema } from "effect"
import { IntentRequest } from "../../domain/Intent.ts"
import { errorDetailsOf } from "../../domain/errorDetailsOf.ts"
import { BadInput } from "./BadInput.ts"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const FiniteNumber = Schema.Finite.annotations({ message: () => ({ message: "must be a number", override: true }) })

/** As in the API: what is misspelt is not passed over. */
const strict = { parseOptions: { onExcessProperty: "error" } } as const

/** A record as exports write it: any host, any type; a TXT also as the character-strings that are served. */
export const ZoneRecordInput = Schema.Struct({
  host: Schema.String,
  type: Schema.String,
  value: Schema.Union(Schema.String, Schema.Array(Schema.String)).annotations({
    message: () => ({ message: "must be a string, or for TXT an array of strings", override: true })
  }),
  ttl: FiniteNumber,
  priority: optional(FiniteNumber),
  web: optional(Schema.Boolean),
  proxied: optional(Schema.Boolean)
}).pipe(
  Schema.filter(
    ({ type, value }) =>
      typeof value === "string" ||
      type.toUpperCase() === "TXT" || { path: ["value"], message: "may be an array only for TXT" }
  )
)
export type ZoneRecordInput = typeof ZoneRecordInput.Type

/** What the DNS answers beyond the zone, by name and type, and what other connections want at the same hosts. */
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

/** One case of a dry run, as a line of standard input or put together from options and files; more may stand beside. */
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

/** Reads the form of a case, and says of all that is wrong with it, or of the first alone, in the words of the API. */
export const decodeCase = (
  input: unknown,
  options: { readonly errors: "all" | "first" }
): Either.Either<CaseRequest, BadInput> =>
  Either.mapLeft(decode(input, options), (error) =>
    BadInput.fromIssues(errorDetailsOf(ParseResult.ArrayFormatter.formatErrorSync(error)))
  )

const decode = Schema.decodeUnknownEither(CaseRequest)
