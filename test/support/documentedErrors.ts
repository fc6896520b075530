import { OpenApi } from "@effect/platform"
import { expect } from "bun:test"
import { Api } from "../../src/http/endpoints/Api.ts"

/** An operation of the OpenAPI document. */
export interface DeclaredOperation {
  readonly id: string
  /** In upper case. */
  readonly method: string
  /** With `{connectionId}`. */
  readonly path: string
  /** The names of the path parameters, query parameters and headers. */
  readonly parameters: ReadonlyArray<string>
  readonly queryParameters: ReadonlyArray<string>
  readonly takesBody: boolean
  /** The names of the credentials, one of which a request needs; the hosted page has none. */
  readonly credentials: ReadonlyArray<string>
  /** The scopes that a key needs. */
  readonly scopes: ReadonlyArray<string>
  /** The codes that it lists for each status of an error. */
  readonly codes: Readonly<Record<number, ReadonlyArray<string>>>
}

interface ListedParameter {
  readonly name: string
  readonly in: string
}

const document: any = OpenApi.fromApi(Api)

/** Every operation of the OpenAPI document. */
export const declaredOperations: ReadonlyArray<DeclaredOperation> = Object.entries<any>(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries<any>(methods).map(([method, { operationId, parameters, requestBody, responses, security }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      parameters: parameters.map(({ name }: ListedParameter) => name),
      queryParameters: parameters.flatMap((parameter: ListedParameter) =>
        parameter.in === "query" ? parameter.name : []
      ),
      takesBody: requestBody !== undefined,
      credentials: security.flatMap(Object.keys),
      scopes: security.flatMap((schemes: Readonly<Record<string, ReadonlyArray<string>>>) =>
        Object.values(schemes).flat()
      ),
      codes: codesOf(responses)
    }))
)

/** Expects that the OpenAPI document lists the code of an error for the operation that answered it, at its status. */
export const expectDocumentedError = async (path: string, method: string, response: Response): Promise<void> => {
  if (response.status < 400) return
  const operation = findOperation(path, method)
  const text = operation === undefined ? "" : await response.clone().text()
  if (text !== "") expect(operation?.codes[response.status] ?? []).toContain(JSON.parse(text).error.code)
}

const findOperation = (path: string, method: string): DeclaredOperation | undefined =>
  patterns.find(({ pattern }) => pattern.test(`${method} ${path.split("?")[0]}`))?.operation

const patterns = declaredOperations.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.method} ${operation.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`, "i")
}))

function codesOf(responses: Readonly<Record<string, any>>): DeclaredOperation["codes"] {
  return Object.fromEntries(
    Object.entries(responses)
      .filter(([status]) => Number(status) >= 400)
      .map(([status, response]) => {
        const { content } = resolveResponse(document, response)
        return [status, codesIn(content["application/json"].schema)]
      })
  )
}

/** The response itself, or the one that operations share, to which it refers. */
export function resolveResponse({ components }: any, response: any): any {
  return response.$ref === undefined ? response : components.responses[response.$ref.split("/").at(-1)]
}

/** The codes to which the schema of a response narrows down those of every error. */
export function codesIn(schema: any): ReadonlyArray<string> {
  return schema.properties.error.allOf[1].properties.code.enum
}
