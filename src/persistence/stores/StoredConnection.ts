import { Array, Effect, Either, Schema, SchemaAST } from "effect"
import { Connection, ConnectionId, ConnectionState } from "../../domain/Connection.ts"
import { toConnectionDocument } from "../../domain/ConnectionDocument.ts"
import { type ConnectionRecord, makeInitialProgress, Progress } from "../../domain/ConnectionRecord.ts"
import { decodeRows, type decodeRowsInSlices } from "./decodeRows.ts"

/**
 * Makes a function that encodes values as `Schema.encodeSync` does, but trusts that they are of the schema: it picks the
 * declared fields and encodes what has another form on the wire, and checks nothing. For values that were checked when
 * they were made, this takes a quarter of the time.
 */
export const compileEncoder = <A, I>(schema: Schema.Schema<A, I>): ((value: A) => I) =>
  // The encoders below follow the schema, so that what they return is its encoded form.
  compile(schema.ast) as (value: unknown) => I

type Encoder = (value: unknown) => unknown

const compile = (ast: SchemaAST.AST): Encoder => {
  if (isUnchanged(ast)) return identity
  if (SchemaAST.isRefinement(ast)) return compile(ast.from)
  if (SchemaAST.isTransformation(ast)) return isClass(ast) ? compile(ast.from) : compileTransformation(ast)
  if (SchemaAST.isTypeLiteral(ast) && ast.indexSignatures.length === 0) return compileFields(ast)
  if (SchemaAST.isTupleType(ast) && ast.elements.length === 0 && ast.rest.length === 1) return compileItems(ast.rest)
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

const compileTransformation = (ast: SchemaAST.Transformation): Encoder => {
  const { from, transformation } = ast
  if (!SchemaAST.isFinalTransformation(transformation)) return encodeAsUsual(ast)
  const encodeFrom = compile(from)
  return (value) => {
    const encoded = transformation.encode(value, {}, ast, value)
    return Either.isEither(encoded) ? encodeFrom(Either.getOrThrow(encoded)) : encodeAsUsual(ast)(value)
  }
}

const encodeAsUsual = (ast: SchemaAST.AST): Encoder => Schema.encodeUnknownSync(Schema.make<unknown, unknown>(ast))

const compileFields = ({ propertySignatures }: SchemaAST.TypeLiteral): Encoder => {
  const fields = propertySignatures.map(({ isOptional, name, type }) => ({
    name: String(name),
    isOptional,
    encode: compile(type)
  }))
  return (value) => {
    const given = value as Readonly<Record<string, unknown>>
    const encoded: Record<string, unknown> = {}
    for (const { encode, isOptional, name } of fields)
      if (!isOptional || name in given) encoded[name] = encode(given[name])
    return encoded
  }
}

const compileItems = ([item]: SchemaAST.TupleType["rest"]): Encoder => {
  const encode = item === undefined ? identity : compile(item.type)
  return (value) => (value as ReadonlyArray<unknown>).map(encode)
}

/** A connection as its row holds it: `doc` is its JSON in wire form, `version` counts its writes from 1. */
export const StoredConnection = Schema.Struct({
  id: ConnectionId,
  state: ConnectionState,
  doc: Schema.String,
  version: Schema.Int
})
export type StoredConnection = typeof StoredConnection.Type

/** The current record of a connection, and the version at which a command read it. */
export interface VersionedConnectionRecord extends ConnectionRecord {
  readonly version: number
}

/** Encodes a connection as the document that rows hold and the API answers. */
export const encodeConnection = (connection: Connection): string =>
  JSON.stringify(
    toConnectionDocument(
      encodeFields(connection),
      connection.optionalFailures,
      connection.pendingIntent?.optionalFailures
    )
  )

const encodeFields = compileEncoder(Connection)

/** Decodes the `doc` of a row, without the fields that the document adds to a connection. */
export const decodeConnection = Schema.decodeSync(Schema.parseJson(Connection))

/** Brings a document that an earlier version of the service wrote to the present form. */
export const renewDocument = (doc: string): string =>
  doc.includes('"optionalFailureDetails":') ? doc : encodeConnection(decodeConnection(doc))

/** Encodes the `progress` of a row. */
export const encodeProgress = (progress: Progress): string => JSON.stringify(encodeProgressFields(progress))

const encodeProgressFields = compileEncoder(Progress)

/**
 * Makes a decoder of rows of `doc as connection, progress` with further columns. `progress` is null until the first
 * transition after the creation.
 */
export const decodeConnectionRecords = <A extends object, I>(
  furtherColumns: Schema.Schema<A, I>,
  makeDecoder: typeof decodeRowsInSlices = decodeRows
) => {
  const decode = makeDecoder(Schema.extend(RecordColumns, furtherColumns))
  return (rows: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<A & ConnectionRecord>> =>
    Effect.map(
      decode(rows),
      Array.map((row) => ({ ...row, progress: row.progress ?? makeInitialProgress(row.connection) }))
    )
}

const RecordColumns = Schema.Struct({
  connection: Schema.parseJson(Connection),
  progress: Schema.NullOr(Schema.parseJson(Progress))
})
