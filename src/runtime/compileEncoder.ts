import { Either, Schema, SchemaAST } from "effect"

/**
 * Makes a function that encodes values as `Schema.encodeSync` does, but trusts that they are of the schema: it picks the
 * declared fields and encodes what has another form on the wire, and checks nothing. For values that were checked when
 * they were made, this takes a tenth of the time.
 */
export const compileEncoder = <A, I>(schema: Schema.Schema<A, I>): ((value: A) => I) =>
  // The encoders below follow the schema, so that what they return is its encoded form.
  encoderOf(schema.ast) as (value: unknown) => I

type Encoder = (value: unknown) => unknown

const encoderOf = (ast: SchemaAST.AST): Encoder => {
  if (isUnchanged(ast)) return identity
  if (SchemaAST.isRefinement(ast)) return encoderOf(ast.from)
  if (SchemaAST.isTransformation(ast)) return isClass(ast) ? encoderOf(ast.from) : encoderOfTransformation(ast)
  if (SchemaAST.isTypeLiteral(ast) && ast.indexSignatures.length === 0) return encoderOfFields(ast)
  if (SchemaAST.isTupleType(ast) && isArray(ast)) return encoderOfItems(ast.rest)
  // Rare types are encoded, and checked, as usual.
  return encodeAsUsual(ast)
}

const identity: Encoder = (value) => value

/** Whether every value of a type is its own encoded form. */
const isUnchanged = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isStringKeyword(ast) ||
  SchemaAST.isNumberKeyword(ast) ||
  SchemaAST.isBooleanKeyword(ast) ||
  SchemaAST.isLiteral(ast) ||
  (SchemaAST.isRefinement(ast) && isUnchanged(ast.from)) ||
  (SchemaAST.isUnion(ast) && ast.types.every(isUnchanged))

/** Whether a transformation makes instances of a `Schema.Class` of their fields. */
const isClass = ({ from, to }: SchemaAST.Transformation): boolean =>
  SchemaAST.isDeclaration(to) && SchemaAST.isTypeLiteral(SchemaAST.isRefinement(from) ? from.from : from)

const isArray = ({ elements, rest }: SchemaAST.TupleType): boolean => elements.length === 0 && rest.length === 1

const encoderOfTransformation = (ast: SchemaAST.Transformation): Encoder => {
  const { from, transformation } = ast
  if (!SchemaAST.isFinalTransformation(transformation)) return encodeAsUsual(ast)
  const encodeFrom = encoderOf(from)
  return (value) => {
    const encoded = transformation.encode(value, {}, ast, value)
    return Either.isEither(encoded) ? encodeFrom(Either.getOrThrow(encoded)) : encodeAsUsual(ast)(value)
  }
}

const encodeAsUsual = (ast: SchemaAST.AST): Encoder => Schema.encodeUnknownSync(Schema.make<unknown, unknown>(ast))

const encoderOfFields = ({ propertySignatures }: SchemaAST.TypeLiteral): Encoder => {
  const fields = propertySignatures.map(({ isOptional, name, type }) => ({
    name: String(name),
    isOptional,
    encode: encoderOf(type)
  }))
  return (value) => {
    const given = value as Readonly<Record<string, unknown>>
    const encoded: Record<string, unknown> = {}
    for (const { encode, isOptional, name } of fields)
      if (!isOptional || name in given) encoded[name] = encode(given[name])
    return encoded
  }
}

const encoderOfItems = ([item]: SchemaAST.TupleType["rest"]): Encoder => {
  const encode = item === undefined ? identity : encoderOf(item.type)
  return (value) => (value as ReadonlyArray<unknown>).map(encode)
}
