import { type HttpApiEndpoint, type HttpApiMiddleware, HttpApiSchema, HttpMethod } from "@effect/platform"
import { Option, SchemaAST } from "effect"

/**
 * Whether `compileEndpoint` serves an endpoint as HttpApi does. It knows no optional middleware, reads a payload from a JSON
 * body only, and does not make a list of a query parameter, as HttpApi does where the schema has a list.
 */
export const canCompile = ({
  endpoint,
  middleware
}: {
  readonly endpoint: HttpApiEndpoint.HttpApiEndpoint.AnyWithProps
  readonly middleware: ReadonlyArray<HttpApiMiddleware.TagClassAny>
}): boolean =>
  !middleware.some(({ optional }) => optional) &&
  Option.toArray(endpoint.payloadSchema).every(({ ast }) => HttpMethod.hasBody(endpoint.method) && isJson(ast)) &&
  Option.toArray(endpoint.urlParamsSchema).every(({ ast }) => hasOnlyTexts(SchemaAST.encodedAST(ast)))

const isJson = (payload: SchemaAST.AST): boolean =>
  HttpApiSchema.getEncoding(payload).kind === "Json" &&
  HttpApiSchema.getMultipart(payload) === undefined &&
  HttpApiSchema.getMultipartStream(payload) === undefined

const hasOnlyTexts = (query: SchemaAST.AST): boolean =>
  SchemaAST.isTypeLiteral(query) &&
  [...query.propertySignatures, ...query.indexSignatures].every(({ type }) => isText(type))

const isText = (parameter: SchemaAST.AST): boolean =>
  SchemaAST.isUnion(parameter)
    ? parameter.types.every(isText)
    : SchemaAST.isStringKeyword(parameter) || SchemaAST.isLiteral(parameter) || SchemaAST.isUndefinedKeyword(parameter)
