import { Record } from "effect"
import { bodySharers, unavailableAnnotations, undeclaredErrors } from "./errorResponses.ts"
import { headersOf, responseHeaders } from "./responseHeaders.ts"
import responseExamples from "./responseExamples.json" with { type: "json" }

interface Reference {
  readonly $ref: string
}

interface MediaTypes {
  readonly [mediaType: string]: { readonly schema: object; readonly examples?: Readonly<Record<string, Reference>> }
}

/** A response of an operation, by what this service uses of OpenAPI 3.1. */
export interface ResponseObject {
  readonly description: string
  readonly content?: MediaTypes
  readonly headers?: Readonly<Record<string, Reference>>
}

/** An operation, by what this service uses of OpenAPI 3.1. */
export interface OperationObject {
  readonly operationId: string
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly in: string }>
  readonly security: ReadonlyArray<object>
  readonly requestBody?: { readonly content: MediaTypes }
  readonly responses: Readonly<Record<string, ResponseObject>>
}

interface Document {
  readonly info: object
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: object
}

/**
 * Adds to the OpenAPI document what HttpApi cannot declare: the errors that are answered around the endpoints, headers of
 * responses, and examples.
 */
export const completeDocument = (document: object): object => {
  const { components, info, paths, ...rest } = document as Document
  return {
    ...rest,
    info: { ...info, contact: { name: "The operator of this service" } },
    paths: Record.map(paths, (operations) =>
      Record.map(operations, (operation, method) => completeOperation(operation, method))
    ),
    components: { ...components, headers: responseHeaders, examples: responseExamples }
  }
}

const completeOperation = (operation: OperationObject, method: string) => {
  const responses = { ...operation.responses, ...findMissingResponses(operation, method) }
  const { requestBody } = operation
  return {
    ...operation,
    ...(requestBody === undefined
      ? {}
      : { requestBody: { ...requestBody, content: withExamples(requestBody.content, operation, "request") } }),
    responses: Record.map(responses, ({ content, ...response }, status) => ({
      ...response,
      headers: headersOf(operation, { status, content }),
      ...(content === undefined ? {} : { content: withExamples(content, operation, status) })
    }))
  }
}

/** The operations of the specification, with seven distinct bodies each (docs/decisions/0002). */
const operationsWithSevenBodies: ReadonlyArray<string> = ["createConnection", "getConnection", "issueBrowserToken"]

/** The responses that no endpoint declares: errors around the endpoints, and 304 where a client may have the response. */
const findMissingResponses = (operation: OperationObject, method: string): Readonly<Record<string, ResponseObject>> => {
  const { operationId, parameters, responses } = operation
  const hasSevenBodies = operationsWithSevenBodies.includes(operationId)
  const errors = Object.entries({ ...undeclaredErrors, 503: unavailableAnnotations })
    .filter(([status]) => responses[status] === undefined && (status !== "408" || method !== "get"))
    .map(([status, { description, identifier }]) => {
      const schema = (hasSevenBodies ? findSharedSchema(responses, Number(status)) : undefined) ?? referTo(identifier)
      return [status, { description, content: { "application/json": { schema } } }] as const
    })
  return {
    ...(parameters.some(({ name }) => name === "if-none-match") ? { 304: notModified } : {}),
    ...Object.fromEntries(errors)
  }
}

const notModified: ResponseObject = { description: "The response with this ETag is still current." }

const referTo = (schema: string): Reference => ({ $ref: `#/components/schemas/${schema}` })

/** The schema of the declared status with which a status shares its body. */
const findSharedSchema = (responses: OperationObject["responses"], status: number): object | undefined => {
  const owner = Object.keys(bodySharers).find((owner) => bodySharers[Number(owner)]?.includes(status) === true)
  return responses[owner ?? ""]?.content?.["application/json"]?.schema
}

/** Adds references to the examples whose names begin with the operation and the status, else to that of the status. */
const withExamples = (content: MediaTypes, { operationId }: OperationObject, status: string): MediaTypes =>
  Record.map(content, (body) => {
    const own = exampleNames.filter((name) => name.split(".").slice(0, 2).join(".") === `${operationId}.${status}`)
    const names = own.length > 0 ? own : exampleNames.filter((name) => name.startsWith(`error.${status}.`))
    const examples = names.map((name) => [
      name.split(".").slice(2).join(".") || "example",
      { $ref: `#/components/examples/${name}` }
    ])
    return names.length === 0 ? body : { ...body, examples: Object.fromEntries(examples) }
  })

const exampleNames = Object.keys(responseExamples)
