import { Either, Function, Option, ParseResult, Schema, SchemaAST } from "effect"

/**
 * Decodes as `Schema.decodeUnknownEither` does, in a fraction of the time if the value fits; else Effect's own decoder says
 * what is wrong. Without it, a `get` takes a fifth more of the processor.
 */
export const compileDecoder = <A, I>(
  schema: Schema.Schema<A, I>
): ((input: unknown) => Either.Either<A, ParseResult.ParseError>) => {
  const decode = decoderOf(schema.ast, SchemaAST.defaultParseOption)
  const decodeAsUsual = Schema.decodeUnknownEither(schema)
  return (input) => {
    const decoded = decode(input)
    // The decoders below follow the schema, so that what they return is of its type.
    return decoded === mismatch ? decodeAsUsual(input) : Either.right(decoded as A)
  }
}

/** Whether a transformation makes instances of a `Schema.Class` of their fields. */
const isClass = ({ from, to }: SchemaAST.Transformation): boolean =>
  SchemaAST.isDeclaration(to) && SchemaAST.isTypeLiteral(SchemaAST.isRefinement(from) ? from.from : from)

const isArray = ({ elements, rest }: SchemaAST.TupleType): boolean => elements.length === 0 && rest.length === 1

/** Stands for the result of a decoder that was not given what its schema describes. */
const mismatch = Symbol("mismatch")

type ValueDecoder = (input: unknown) => unknown

/** Makes the decoder of a type, with the options of the types around it, which its own go before. */
const decoderOf = (ast: SchemaAST.AST, inherited: SchemaAST.ParseOptions): ValueDecoder => {
  const options = { ...inherited, ...Option.getOrUndefined(SchemaAST.getParseOptionsAnnotation(ast)) }
  if (options.onExcessProperty === "preserve" || ast.annotations[SchemaAST.DecodingFallbackAnnotationId] !== undefined)
    return decodeAsUsual(ast, options)
  if (SchemaAST.isStringKeyword(ast)) return (input) => (typeof input === "string" ? input : mismatch)
  if (SchemaAST.isNumberKeyword(ast)) return (input) => (typeof input === "number" ? input : mismatch)
  if (SchemaAST.isBooleanKeyword(ast)) return (input) => (typeof input === "boolean" ? input : mismatch)
  if (SchemaAST.isLiteral(ast)) return (input) => (input === ast.literal ? input : mismatch)
  if (SchemaAST.isRefinement(ast)) return decoderOfRefinement(ast, options)
  if (SchemaAST.isUnion(ast)) return decoderOfUnion(ast, options)
  if (SchemaAST.isTransformation(ast)) return decoderOfTransformation(ast, options)
  if (SchemaAST.isTypeLiteral(ast) && isStruct(ast)) return decoderOfFields(ast, options)
  if (SchemaAST.isTupleType(ast) && isArray(ast)) return decoderOfItems(ast.rest, options)
  const described = describedArrayOf(ast)
  return described === undefined ? decodeAsUsual(ast, options) : decoderOf(described, options)
}

/** The array that a declared one is described as: it takes the same values, and decodes them to the same. */
const describedArrayOf = (ast: SchemaAST.AST): SchemaAST.AST | undefined => {
  const described = SchemaAST.isDeclaration(ast)
    ? Option.getOrUndefined(SchemaAST.getSurrogateAnnotation(ast))
    : undefined
  let unrefined = described
  while (unrefined !== undefined && SchemaAST.isRefinement(unrefined)) unrefined = unrefined.from
  return unrefined !== undefined && SchemaAST.isTupleType(unrefined) ? described : undefined
}

const decodeAsUsual = (ast: SchemaAST.AST, options: SchemaAST.ParseOptions): ValueDecoder => {
  const decode = Schema.decodeUnknownOption(Schema.make<unknown, unknown>(ast), options)
  return (input) => Option.getOrElse(decode(input), () => mismatch)
}

const decoderOfRefinement = (ast: SchemaAST.Refinement, options: SchemaAST.ParseOptions): ValueDecoder => {
  const decodeFrom = decoderOf(ast.from, options)
  return (input) => {
    const decoded = decodeFrom(input)
    return decoded === mismatch || Option.isSome(ast.filter(decoded, options, ast)) ? mismatch : decoded
  }
}

/** The first member that takes the value decodes it; as in Effect, those with a literal field are asked before others. */
const decoderOfUnion = ({ types }: SchemaAST.Union, options: SchemaAST.ParseOptions): ValueDecoder => {
  const ordered = [...types.filter(hasLiteralField), ...types.filter((type) => !hasLiteralField(type))]
  const members = ordered.map((type) => decoderOf(type, options))
  return (input) => {
    for (const decode of members) {
      const decoded = decode(input)
      if (decoded !== mismatch) return decoded
    }
    return mismatch
  }
}

const hasLiteralField = (ast: SchemaAST.AST): boolean => {
  if (SchemaAST.isRefinement(ast) || SchemaAST.isTransformation(ast)) return hasLiteralField(ast.from)
  return (
    SchemaAST.isTypeLiteral(ast) &&
    ast.propertySignatures.some(
      ({ isOptional, type }) => !isOptional && SchemaAST.isLiteral(SchemaAST.encodedAST(type))
    )
  )
}

const decoderOfTransformation = (ast: SchemaAST.Transformation, options: SchemaAST.ParseOptions): ValueDecoder => {
  const { from, to, transformation } = ast
  const decodeFrom = decoderOf(from, options)
  if (SchemaAST.isComposeTransformation(transformation)) return composeDecoders(decodeFrom, decoderOf(to, options))
  if (!SchemaAST.isFinalTransformation(transformation)) return decodeAsUsual(ast, options)
  const decodeTo = isClass(ast) ? Function.identity : decoderOf(to, options)
  const decodeRare = decodeAsUsual(ast, options)
  return (input) => {
    const encoded = decodeFrom(input)
    if (encoded === mismatch) return mismatch
    const decoded = transformation.decode(encoded, options, ast, input)
    if (!Either.isEither(decoded)) return decodeRare(input)
    return Either.isLeft(decoded) ? mismatch : decodeTo(decoded.right)
  }
}

/** As `Schema.compose` and `Schema.parseJson` do. */
const composeDecoders =
  (first: ValueDecoder, second: ValueDecoder): ValueDecoder =>
  (input) => {
    const decoded = first(input)
    return decoded === mismatch ? mismatch : second(decoded)
  }

/** Whether the fields of a type are all declared; a struct without any takes every value. */
const isStruct = ({ indexSignatures, propertySignatures }: SchemaAST.TypeLiteral): boolean =>
  indexSignatures.length === 0 && propertySignatures.length > 0

const decoderOfFields = (
  { propertySignatures }: SchemaAST.TypeLiteral,
  options: SchemaAST.ParseOptions
): ValueDecoder => {
  const fields = propertySignatures.map(({ isOptional, name, type }) => ({
    name,
    isOptional,
    decode: decoderOf(type, options)
  }))
  const refusesOthers = options.onExcessProperty === "error"
  return (input) => {
    if (typeof input !== "object" || input === null || Array.isArray(input)) return mismatch
    const given = input as Readonly<Record<PropertyKey, unknown>>
    const decoded: Record<PropertyKey, unknown> = {}
    let found = 0
    for (const { decode, isOptional, name } of fields) {
      if (!Object.hasOwn(given, name)) {
        if (isOptional) continue
        return mismatch
      }
      const field = decode(given[name])
      if (field === mismatch) return mismatch
      decoded[name] = field
      found += 1
    }
    return refusesOthers && Reflect.ownKeys(given).length > found ? mismatch : decoded
  }
}

const decoderOfItems = ([item]: SchemaAST.TupleType["rest"], options: SchemaAST.ParseOptions): ValueDecoder => {
  const decode = item === undefined ? Function.identity : decoderOf(item.type, options)
  return (input) => {
    if (!Array.isArray(input)) return mismatch
    const items: Array<unknown> = []
    for (const value of input) {
      const decoded = decode(value)
      if (decoded === mismatch) return mismatch
      items.push(decoded)
    }
    return items
  }
}
