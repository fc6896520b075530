import { Arbitrary, Array, Either, Number, ParseResult, Predicate, Schema, SchemaAST } from "effect"
import { maxErrorDetails } from "../error/ErrorDetail.ts"

/** Makes a value whose parts are known to be valid, without validating them again. */
export const withoutValidation = { disableValidation: true } as const

/** A field that is absent where it does not apply, never null. */
export const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

export const boundedString = (max: number) =>
  Schema.String.pipe(Schema.maxLength(max, { message: () => `must have at most ${max} characters` }))

/** An id that the service has assigned. Its form is not checked: another form is not found, like any unknown id. */
export const assignedId = (description: string) =>
  Schema.String.pipe(Schema.minLength(1), Schema.maxLength(200), Schema.pattern(/^[^\p{Cc}]*$/u)).annotations({
    jsonSchema: { type: "string", minLength: 1, maxLength: 200, description },
    message: () => ({ message: "must be 1 to 200 characters without control characters", override: true })
  })

/**
 * An array of `min` to `max` items. Unlike `Schema.maxItems` it counts the items before it decodes any, and it stops
 * after as many faults as an error response lists, so that no request keeps the decoder busy.
 */
export const boundedArray = <A, I>(
  item: Schema.Schema<A, I>,
  { max, min = 0 }: { readonly min?: number; readonly max: number }
): Schema.Schema<ReadonlyArray<A>, ReadonlyArray<I>> => {
  const array = Schema.Array(item)
  const documented = (min > 0 ? array.pipe(Schema.minItems(min)) : array).pipe(Schema.maxItems(max))
  return Schema.declare<ReadonlyArray<A>, ReadonlyArray<I>, []>(
    [],
    {
      decode: () => parseItems(ParseResult.decodeUnknownEither(item), min, max),
      encode: () => parseItems(ParseResult.encodeUnknownEither(item), min, max)
    },
    documentedAs(documented)
  )
}

/** A map of at most `max` entries, counted before they are decoded; lengths in characters. */
export const boundedRecord = ({
  description,
  documentation,
  findFaults = () => [],
  max,
  maxKeyLength,
  maxLength
}: BoundedRecordOptions) => {
  const text = boundedString(maxLength)
  const bounded = Schema.Record({ key: text, value: text })
  const documented =
    maxKeyLength === undefined
      ? bounded
      : Schema.Record({ key: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(maxKeyLength)), value: text })
  const record = bounded.pipe(
    Schema.filter((fields) =>
      [...findFaults(fields), ...findLongKeys(fields, maxKeyLength)].map(({ field, message }) => ({
        path: [field],
        message
      }))
    )
  )
  const decode = ParseResult.decodeUnknownEither(record)
  const parse = (input: unknown, options: SchemaAST.ParseOptions, ast: SchemaAST.Declaration) =>
    Predicate.isRecord(input) && Object.keys(input).length > max
      ? Either.left(new ParseResult.Type(ast, input, `must have at most ${max} entries`))
      : decode(input, options)
  return Schema.declare<typeof record.Type, typeof record.Encoded, []>(
    [],
    { decode: () => parse, encode: () => parse },
    documentedAs(
      documented.annotations({
        jsonSchema: documentation ?? {
          type: "object",
          ...(description === undefined ? {} : { description }),
          required: [],
          properties: {},
          maxProperties: max,
          ...(maxKeyLength === undefined ? {} : { propertyNames: { minLength: 1, maxLength: maxKeyLength } }),
          additionalProperties: { type: "string", maxLength }
        }
      })
    )
  )
}

const findLongKeys = (fields: { readonly [field: string]: string }, maxLength = Infinity) =>
  Object.keys(fields)
    .filter((field) => field.length > maxLength || (field === "" && maxLength !== Infinity))
    .map((field) => ({ field, message: `must have a name of 1 to ${maxLength} characters` }))

interface BoundedRecordOptions {
  readonly max: number
  readonly maxLength: number
  /** The most characters of a key, which may be fewer than those of a value. */
  readonly maxKeyLength?: number
  /** Shown in OpenAPI, where an annotation of the same name is lost. */
  readonly description?: string
  /** Shown in OpenAPI instead, where the names of the entries are known. */
  readonly documentation?: object
  readonly findFaults?: (fields: {
    readonly [field: string]: string
  }) => ReadonlyArray<{ readonly field: string; readonly message: string }>
}

/** OpenAPI shows a declaration as this schema, and generated values are of it. */
const documentedAs = <A, I>(schema: Schema.Schema<A, I>) => ({
  [SchemaAST.SurrogateAnnotationId]: schema.ast,
  arbitrary: () => Arbitrary.makeLazy(schema)
})

const parseItems =
  <B>(
    parseItem: (item: unknown, options: SchemaAST.ParseOptions) => Either.Either<B, ParseResult.ParseIssue>,
    min: number,
    max: number
  ) =>
  (input: unknown, options: SchemaAST.ParseOptions, ast: SchemaAST.Declaration) => {
    const mismatch = (message: string) => Either.left(new ParseResult.Type(ast, input, message))
    if (!Array.isArray(input)) return mismatch("must be an array")
    if (input.length < min) return mismatch(`must be an array of at least ${formatItems(min)}`)
    if (input.length > max) return mismatch(`must be an array of at most ${formatItems(max)}`)
    const items: Array<B> = []
    const issues: Array<ParseResult.Pointer> = []
    let faults = 0
    for (const [index, value] of input.entries()) {
      const item = parseItem(value, options)
      if (Either.isRight(item)) items.push(item.right)
      else {
        issues.push(new ParseResult.Pointer(index, value, item.left))
        faults += countFaults(item.left)
        if (options.errors !== "all" || faults >= maxErrorDetails) break
      }
    }
    const [first, ...others] = issues
    return first === undefined
      ? Either.right(items)
      : Either.left(new ParseResult.Composite(ast, input, [first, ...others], items))
  }

const formatItems = (count: number): string => `${count} ${count === 1 ? "item" : "items"}`

const countFaults = (issue: ParseResult.ParseIssue): number => {
  switch (issue._tag) {
    case "Pointer":
    case "Refinement":
    case "Transformation":
      return countFaults(issue.issue)
    case "Composite":
      // A value that fits no member of a union is one fault, however many members there are.
      if (SchemaAST.isUnion(issue.ast)) return 1
      return Number.sumAll(Array.ensure(issue.issues).map(countFaults))
    default:
      return 1
  }
}
