import type { ConnectionAction, ErrorCode, ErrorDetail } from "./generated/schemas.ts"

/** What an answer with an error says, beside its message. */
export interface ErrorFields {
  /** `unreadable_answer` if the answer is not of the service: a proxy in front of it may have sent it. */
  readonly code: ErrorCode | "unreadable_answer"
  readonly status: number
  /** Each fault of the request, with a JSON pointer to it. */
  readonly details: ReadonlyArray<ErrorDetail>
  /** The id of the request in the log of the service. */
  readonly requestId: string | undefined
  /** After how many seconds to try again, where the service says so. */
  readonly retryAfter: number | undefined
  readonly documentationUrl: string | undefined
  /** Of a `state_conflict`: the commands that the caller may call now. */
  readonly allowedActions: ReadonlyArray<ConnectionAction> | undefined
  /** Of a recheck that comes too early: when the next check is due. */
  readonly nextCheckAt: string | undefined
  /** Of `connection_exists` and `external_id_taken`: the id of the connection that is there already. */
  readonly connectionId: string | undefined
}

/**
 * The service refused a request, or could not carry it out; `code` says why, and `message` says it to people. After
 * `unreadable_answer`, which is not the service's own, nobody knows whether a write took effect.
 */
export class ApiError extends Error implements ErrorFields {
  override readonly name = "ApiError"
  readonly code: ErrorFields["code"]
  readonly status: number
  readonly details: ErrorFields["details"]
  readonly requestId: string | undefined
  readonly retryAfter: number | undefined
  readonly documentationUrl: string | undefined
  readonly allowedActions: ErrorFields["allowedActions"]
  readonly nextCheckAt: string | undefined
  readonly connectionId: string | undefined

  constructor(message: string, fields: ErrorFields) {
    super(message)
    this.code = fields.code
    this.status = fields.status
    this.details = fields.details
    this.requestId = fields.requestId
    this.retryAfter = fields.retryAfter
    this.documentationUrl = fields.documentationUrl
    this.allowedActions = fields.allowedActions
    this.nextCheckAt = fields.nextCheckAt
    this.connectionId = fields.connectionId
  }
}

/** The request got no answer, or only a part of it: whether it took effect is unknown. `cause` is the error of `fetch`. */
export class NoResponse extends Error {
  override readonly name = "NoResponse"
}

/** The error that an answer of the service stands for. Throws if the answer breaks off. */
export const readError = async (response: Response): Promise<ApiError> => {
  const body = parseErrorBody(parseJson(await response.text()))
  if (body === undefined) return unreadableAnswer(response)
  const { status } = response
  const retryAfter = readRetryAfter(response)
  const { allowedActions, code, connectionId, details = [], documentationUrl, message, nextCheckAt, requestId } = body
  return new ApiError(message, {
    code,
    status,
    details,
    requestId,
    retryAfter,
    documentationUrl,
    allowedActions,
    nextCheckAt,
    connectionId
  })
}

/** The error that stands for an answer of somebody else, such as the page of a proxy in front of the service. */
export const unreadableAnswer = (response: Response): ApiError => {
  const type = response.headers.get("content-type")
  return new ApiError(
    `the answer with status ${response.status}${type === null ? "" : ` and the type ${type}`} is not one of the service`,
    {
      code: "unreadable_answer",
      status: response.status,
      details: [],
      requestId: response.headers.get("x-request-id") ?? undefined,
      retryAfter: readRetryAfter(response),
      documentationUrl: undefined,
      allowedActions: undefined,
      nextCheckAt: undefined,
      connectionId: undefined
    }
  )
}

/** Parses a body; `undefined` if it is no JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const readRetryAfter = ({ headers }: Response): number | undefined => {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN)
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

interface ParsedErrorBody {
  readonly code: ErrorCode
  readonly message: string
  readonly requestId: string
  readonly documentationUrl: string
  readonly details?: ReadonlyArray<ErrorDetail>
  readonly allowedActions?: ReadonlyArray<ConnectionAction>
  readonly nextCheckAt?: string
  readonly connectionId?: string
}

const parseErrorBody = (body: unknown): ParsedErrorBody | undefined => {
  if (typeof body !== "object" || body === null || !("error" in body)) return undefined
  const { error } = body
  return typeof error === "object" && error !== null && "code" in error && "message" in error
    ? (error as ParsedErrorBody)
    : undefined
}
