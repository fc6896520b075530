import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import { vendorData } from "./vendorData.ts"

/** What a vendor's OpenAPI document says about its operations. */
export interface VendorDocument {
  /** By method and path template, as in `GET /v2/domains/{domain_name}`; throws if the document has no such operation. */
  readonly operation: (name: string) => DocumentedOperation
}

/** The rules of one operation. Both functions return what breaks them, as sentences; nothing if all is well. */
interface DocumentedOperation {
  readonly problemsOfRequest: (request: DocumentedRequest) => ReadonlyArray<string>
  readonly problemsOfAnswer: (answer: { readonly status: number; readonly body: unknown }) => ReadonlyArray<string>
}

interface DocumentedRequest {
  readonly pathParameters: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The decoded body; `undefined` where there is none. */
  readonly body: unknown
}

type Json = Record<string, any>

/** Where a document is behind its vendor: merged into it as RFC 7396 says, so that `null` removes a member. */
export type DocumentPatch = Json

/** Answers of a JSON schema for each of these statuses, for a document that leaves out errors. */
export const jsonAnswers = (schema: Json, ...statuses: ReadonlyArray<number>): Json =>
  Object.fromEntries(
    statuses.map((status) => [status, { description: "", content: { "application/json": { schema } } }])
  )

/** A patch, or one that is made of what the document has. */
type PatchSource = DocumentPatch | ((document: Json) => DocumentPatch)

/**
 * Reads `<id>.openapi.json` (OpenAPI 3.0 or 3.1) and patches it. Only bodies of JSON and XML are checked, XML as
 * `xmlFormat` decodes it. Members of a request's body that the document does not name are problems, because a vendor would ignore them. `toPath` renames the paths of a
 * document of another version than the one in use.
 */
export const readVendorDocument = (
  id: string,
  patch: PatchSource = {},
  toPath: (path: string) => string = (path) => path
): Promise<VendorDocument> => {
  const key = `${id} ${typeof patch === "function" ? patch.toString() : JSON.stringify(patch)}`
  const document = documents.get(key) ?? readPatched(id, patch, toPath)
  documents.set(key, document)
  return document
}

/** Compiling the schemas of a document takes a quarter of a second, which each test would pay. */
const documents = new Map<string, Promise<VendorDocument>>()

const readPatched = async (
  id: string,
  patch: PatchSource,
  toPath: (path: string) => string
): Promise<VendorDocument> => {
  const { paths, ...document } = await Bun.file(`${vendorData}openapi/${id}.openapi.json`).json()
  const entries = Object.entries(paths).map(([path, operations]) => [toPath(path), operations])
  const renamed = { ...document, paths: Object.fromEntries(entries) }
  return makeVendorDocument(patchDocument(renamed, typeof patch === "function" ? patch(renamed) : patch))
}

/** Merges a patch into a document, or into a part of one. */
export const patchDocument = (target: unknown, patch: unknown): any => {
  if (!isObject(patch)) return patch
  const merged: Json = isObject(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch))
    if (value === null) delete merged[key]
    else merged[key] = patchDocument(merged[key], value)
  return merged
}

export const makeVendorDocument = (document: Json): VendorDocument => {
  const requests = makeValidator(document, "readOnly")
  const answers = makeValidator(document, "writeOnly")
  const made = new Map<string, DocumentedOperation>()
  return {
    operation: (name) => {
      const operation = made.get(name) ?? makeOperation(document, name, requests, answers)
      made.set(name, operation)
      return operation
    }
  }
}

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** Validates a value by the schema at a pointer of the document. */
type Validator = (
  pointer: string,
  value: unknown,
  options?: { readonly isClosed?: boolean; /** Numbers and booleans may be texts. */ readonly isXml?: boolean }
) => ReadonlyArray<string>

/** A member that only the other direction has (`readOnly` in requests) is not required in this one. */
const makeValidator = (document: Json, absentMembers: "readOnly" | "writeOnly"): Validator => {
  const schema = toJsonSchema(document, document, absentMembers)
  const ajvs = new Map<boolean, Ajv2020>()
  const ajvFor = (isXml: boolean): Ajv2020 => {
    const ajv = ajvs.get(isXml) ?? makeAjv(schema, isXml)
    ajvs.set(isXml, ajv)
    return ajv
  }
  const compiled = new Map<string, ValidateFunction>()
  return (pointer, value, { isClosed = false, isXml = false } = {}) => {
    const key = `${pointer} ${isClosed} ${isXml}`
    const closure = isClosed ? { unevaluatedProperties: false } : {}
    const validate = compiled.get(key) ?? ajvFor(isXml).compile({ $ref: `document#${pointer}`, ...closure })
    compiled.set(key, validate)
    // A text that is a number becomes one.
    return validate(isXml ? structuredClone(value) : value) ? [] : (validate.errors ?? []).map(describeError)
  }
}

const makeAjv = (schema: Json, coerceTypes: boolean): Ajv2020 => {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    logger: false,
    coerceTypes,
    allErrors: true,
    // `verbose` off: an error must not quote a whole zone.
    verbose: false
  })
  // Host names of DNS may begin with an underscore, which the format `hostname` forbids.
  addFormats(ajv, ["ipv4", "ipv6", "uuid", "uri", "int32", "int64"])
  ajv.addFormat("date-time", isDateTimeRemembered)
  ajv.addSchema(schema, "document")
  return ajv
}

const isDateTime = addFormats(new Ajv2020(), ["date-time"]).compile({ type: "string", format: "date-time" })

const dateTimes = new Map<string, boolean>()

/** A `oneOf` of twenty types of records checks the dates of each record twenty times, and most are the same. */
const isDateTimeRemembered = (text: string): boolean => {
  const verdict = dateTimes.get(text) ?? isDateTime(text)
  if (dateTimes.size < 10_000) dateTimes.set(text, verdict)
  return verdict
}

const describeError = ({ instancePath, message, params }: ErrorObject): string =>
  `${instancePath || "the whole"} ${message}${Object.values(params).length > 0 ? ` (${JSON.stringify(params)})` : ""}`

/** OpenAPI 3.0 differs from JSON Schema 2020-12 in `nullable` and in exclusive bounds that are booleans. */
const toJsonSchema = (node: any, document: Json, absentMembers: string): any => {
  if (Array.isArray(node)) return node.map((item) => toJsonSchema(item, document, absentMembers))
  if (!isObject(node)) return node
  const schema: Json = {}
  for (const [key, value] of Object.entries(node)) schema[key] = toJsonSchema(value, document, absentMembers)
  if (isObject(node["properties"]) && Array.isArray(node["required"]))
    schema["required"] = node["required"].filter(
      (name) => follow(document, node["properties"]?.[name])?.[absentMembers] !== true
    )
  if (node["exclusiveMinimum"] === true) [schema["exclusiveMinimum"], schema["minimum"]] = [node["minimum"], undefined]
  if (node["exclusiveMaximum"] === true) [schema["exclusiveMaximum"], schema["maximum"]] = [node["maximum"], undefined]
  for (const [key, value] of Object.entries(schema))
    if (value === undefined || (key.startsWith("exclusive") && typeof value === "boolean")) delete schema[key]
  if (node["nullable"] !== true) return schema
  delete schema["nullable"]
  return { anyOf: [schema, { type: "null" }] }
}

const follow = (document: Json, node: any): any => {
  const pointer = node?.$ref
  return typeof pointer === "string" && pointer.startsWith("#/") ? follow(document, at(document, pointer)) : node
}

const at = (document: Json, pointer: string): any =>
  pointer
    .replace(/^#?\//, "")
    .split("/")
    .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<any>((node, part) => node?.[part], document)

const encode = (part: string): string => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))

const makeOperation = (
  document: Json,
  name: string,
  validateRequest: Validator,
  validateAnswer: Validator
): DocumentedOperation => {
  const [method = "", path = ""] = name.split(" ")
  const pathPointer = `/paths/${encode(path)}`
  const pointer = `${pathPointer}/${method.toLowerCase()}`
  const operation = at(document, pointer)
  if (operation === undefined) throw new Error(`the vendor's document has no operation "${name}"; patch it`)
  const parameters = [...locate(document, `${pathPointer}/parameters`), ...locate(document, `${pointer}/parameters`)]
  return {
    problemsOfRequest: (request) => [
      ...problemsOfParameters(parameters, request, validateRequest),
      ...problemsOfRequestBody(document, `${pointer}/requestBody`, request.body, validateRequest)
    ],
    problemsOfAnswer: (answer) => problemsOfAnswer(document, `${pointer}/responses`, answer, validateAnswer)
  }
}

interface LocatedNode {
  readonly pointer: string
  readonly node: Json
}

/** Where a node stands after all references, so that the validator can be pointed to it. */
const locateOne = (document: Json, pointer: string): LocatedNode | undefined => {
  const node = at(document, pointer)
  if (typeof node?.$ref === "string") return locateOne(document, node.$ref.slice(1))
  return isObject(node) ? { pointer, node } : undefined
}

const locate = (document: Json, pointer: string): ReadonlyArray<LocatedNode> => {
  const list = at(document, pointer)
  return Array.isArray(list) ? list.flatMap((_, index) => locateOne(document, `${pointer}/${index}`) ?? []) : []
}

const problemsOfParameters = (
  parameters: ReadonlyArray<LocatedNode>,
  { pathParameters, query }: DocumentedRequest,
  validate: Validator
): ReadonlyArray<string> => {
  const known = new Set(parameters.filter(({ node }) => node["in"] === "query").map(({ node }) => node["name"]))
  const unknown = [...new Set(query.keys())].filter((name) => !known.has(name) && !known.has(name.replace(/\[.*$/, "")))
  return [
    ...unknown.map((name) => `the query has "${name}", which the document does not have`),
    ...parameters.flatMap(({ node, pointer }) => {
      const name: string = node["name"]
      const values = node["in"] === "path" ? [pathParameters[name]] : node["in"] === "query" ? query.getAll(name) : []
      const given = values.filter((value) => value !== undefined)
      if (given.length === 0)
        return node["required"] === true && node["in"] === "query" ? [`the query lacks "${name}"`] : []
      return problemsOfParameter(given, `${pointer}/schema`, validate).map((problem) => `"${name}": ${problem}`)
    })
  ]
}

/** A parameter is text; what the schema takes it for decides. */
const problemsOfParameter = (given: ReadonlyArray<string>, pointer: string, validate: Validator) => {
  const [text = ""] = given
  const readings: ReadonlyArray<unknown> = [
    ...(given.length === 1 ? [text, ...(/^-?\d+(\.\d+)?$/.test(text) ? [Number(text)] : [])] : []),
    ...(text === "true" || text === "false" ? [text === "true"] : []),
    given,
    text.split(",")
  ]
  const results = readings.map((reading) => validate(pointer, reading))
  return results.some(({ length }) => length === 0) ? [] : (results[1] ?? results[0] ?? [])
}

const checkedType = (content: Json | undefined): string | undefined =>
  Object.keys(content ?? {}).find((type) => /^application\/(.+\+)?json\b|^text\/xml\b/.test(type))

/** What a schema is about: of XML, the content of the root element. */
const validateBody = (
  validate: Validator,
  type: string | undefined,
  pointer: string,
  body: unknown,
  isClosed = false
) =>
  type?.startsWith("text/xml") === true
    ? validate(pointer, Object.values(Object(body))[0], { isClosed, isXml: true })
    : validate(pointer, body, { isClosed })

const problemsOfRequestBody = (document: Json, pointer: string, body: unknown, validate: Validator) => {
  const declared = locateOne(document, pointer)
  const isEmpty = body === undefined || (isObject(body) && Object.keys(body).length === 0)
  // Some clients send `{}` with every request; vendors ignore it.
  if (declared === undefined) return isEmpty ? [] : ["the request has a body, and the document knows none"]
  const type = checkedType(declared.node["content"])
  if (body === undefined) return declared.node["required"] === true ? ["the request lacks its body"] : []
  const schema = `${declared.pointer}/content/${encode(type ?? "")}/schema`
  if (at(document, schema) === undefined) return []
  return validateBody(validate, type, schema, body, isObject(body)).map((problem) => `body: ${problem}`)
}

const problemsOfAnswer = (
  document: Json,
  pointer: string,
  { body, status }: { readonly status: number; readonly body: unknown },
  validate: Validator
): ReadonlyArray<string> => {
  const responses = at(document, pointer) ?? {}
  const key = [String(status), `${Math.floor(status / 100)}XX`, `${Math.floor(status / 100)}xx`, "default"].find(
    (key) => key in responses
  )
  if (key === undefined) return [`the document has no answer with status ${status}`]
  const declared = locateOne(document, `${pointer}/${key}`)
  const type = checkedType(declared?.node["content"])
  if (declared === undefined || type === undefined)
    return body === undefined || declared?.node["content"] !== undefined ? [] : [`answer ${status} has no body`]
  if (body === undefined) return [`answer ${status} lacks its body`]
  const schema = `${declared.pointer}/content/${encode(type)}/schema`
  if (at(document, schema) === undefined) return []
  return validateBody(validate, type, schema, body).map((problem) => `answer ${status}: ${problem}`)
}
