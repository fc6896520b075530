import { ApiError, NoResponse, parseJson, readError, unreadableAnswer } from "./ApiError.ts"
import { type Credentials, credentialHeaders } from "./generated/schemas.ts"

/** Where the service is, and how to call it. */
export interface ClientOptions extends Credentials {
  /** The address of the service, such as `https://connect.example`. */
  readonly baseUrl: string
  /** How long an attempt may take, beside the time that it asks the service to wait; 30 if absent. */
  readonly timeoutSeconds?: number
  /** How many times a request is repeated at most, if it may be; 3 if absent. */
  readonly maxRetries?: number
  /** Sends the requests; the global `fetch` if absent. */
  readonly fetch?: (input: string, init: RequestInit) => Promise<Response>
}

/** What a caller may choose of a single request. */
export interface CallOptions {
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined
  /**
   * Makes the request safe to repeat for 24 hours; a new one if absent. Name one of your own if your server may crash
   * between its request and the answer: an order number, for example.
   */
  readonly idempotencyKey?: string
  /** The `etag` of what the request is based on: `precondition_failed` if that has changed. */
  readonly ifMatch?: string
  /** For how many seconds the service may wait with its answer until the plan is there; at most 30. */
  readonly waitSeconds?: number
  /** The id of the last event that was received: a stream continues after it. */
  readonly lastEventId?: string
}

/** A request of an operation. */
export interface OperationRequest {
  readonly method: string
  readonly path: string
  readonly query?: object
  readonly body?: unknown
  /** The credentials that the operation takes, one of which is sent. */
  readonly credentials: ReadonlyArray<keyof Credentials>
  /** Whether an `Idempotency-Key` makes it safe to repeat. */
  readonly takesIdempotencyKey?: boolean
}

/** What the answer says beside its body. */
export interface AnswerInfo {
  readonly status: number
  readonly requestId: string | undefined
  /** The version of what the body shows, for `ifMatch`. */
  readonly etag: string | undefined
  /** Whether it is the answer to an earlier request with the same idempotency key. */
  readonly isReplayed: boolean
}

const answers = new WeakMap<object, AnswerInfo>()

/** What the answer said beside this body, which a method returned. */
export const answerOf = (body: object): AnswerInfo | undefined => answers.get(body)

/** The longest `Retry-After` that is waited for; a longer one is left to the caller. */
const longestPauseSeconds = 60

const defaultTimeoutSeconds = 30

const streamType = "text/event-stream"

/** Sends a request, again if that is safe and may help, and reads the body of the answer. */
export const sendRequest = (client: ClientOptions, request: OperationRequest, options: CallOptions): Promise<unknown> =>
  sendRepeatedly(client, request, options, { type: "application/json", read: readBody })

/** Opens a stream of events, again if that may help, and returns the answer with its body unread. */
export const openStream = (client: ClientOptions, request: OperationRequest, options: CallOptions): Promise<Response> =>
  sendRepeatedly(client, request, options, { type: streamType, read: (response) => Promise.resolve(response) })

const readBody = async (response: Response): Promise<unknown> => {
  if (response.status === 204) return undefined
  const body = parseJson(await response.text())
  if (body === undefined) throw isJson(response) ? new NoResponse("the answer broke off") : unreadableAnswer(response)
  if (typeof body === "object" && body !== null) answers.set(body, describeAnswer(response))
  return body
}

const isJson = ({ headers }: Response): boolean => headers.get("content-type")?.startsWith("application/json") === true

const describeAnswer = ({ headers, status }: Response): AnswerInfo => ({
  status,
  requestId: headers.get("x-request-id") ?? undefined,
  etag: headers.get("etag") ?? undefined,
  isReplayed: headers.get("idempotent-replayed") === "true"
})

/** What a request accepts, and how its answer is read, which belongs to the attempt: the connection may end meanwhile. */
interface AnswerReader<Answer> {
  readonly type: "application/json" | typeof streamType
  readonly read: (response: Response) => Promise<Answer>
}

/** Sends a request until it is answered with success. A write is repeated only under an idempotency key. */
const sendRepeatedly = async <Answer>(
  client: ClientOptions,
  request: OperationRequest,
  options: CallOptions,
  reader: AnswerReader<Answer>
): Promise<Answer> => {
  const { takesIdempotencyKey = false } = request
  const idempotencyKey = takesIdempotencyKey ? options.idempotencyKey || crypto.randomUUID() : undefined
  const isSafeToRepeat = request.method === "GET" || idempotencyKey !== undefined
  const maxRetries = isSafeToRepeat ? (client.maxRetries ?? 3) : 0
  for (let retries = 0; ; retries += 1) {
    const outcome = await attempt(client, request, { ...options, ...(idempotencyKey && { idempotencyKey }) }, reader)
    if ("answer" in outcome) return outcome.answer
    if (retries >= maxRetries || !mayHelp(outcome.error)) throw outcome.error
    await pause(pauseSecondsAfter(outcome.error, retries), options.signal)
  }
}

type RequestOutcome<Answer> = { readonly answer: Answer } | { readonly error: ApiError | NoResponse }

const attempt = async <Answer>(
  client: ClientOptions,
  request: OperationRequest,
  options: CallOptions,
  { read, type }: AnswerReader<Answer>
): Promise<RequestOutcome<Answer>> => {
  const { fetch: send = fetch, timeoutSeconds = defaultTimeoutSeconds } = client
  const { signal } = options
  signal?.throwIfAborted()
  const millis = (timeoutSeconds + (options.waitSeconds ?? 0)) * 1_000
  // Of a stream only the head has a limit.
  const head = new AbortController()
  const timer = type === streamType ? setTimeout(() => head.abort(), millis) : undefined
  const limit = timer === undefined ? AbortSignal.timeout(millis) : head.signal
  const init: RequestInit = {
    method: request.method,
    headers: { accept: type, ...headersOf(client, request, options) },
    signal: AbortSignal.any(signal === undefined ? [limit] : [signal, limit]),
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) })
  }
  let isAnswered = false
  try {
    const response = await send(urlOf(client, request), init)
    isAnswered = true
    return response.ok ? { answer: await read(response) } : { error: await readError(response) }
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof ApiError || cause instanceof NoResponse) return { error: cause }
    const lost = isAnswered ? "the answer broke off" : "the service cannot be reached"
    return { error: new NoResponse(limit.aborted ? "the service did not answer in time" : lost, { cause }) }
  } finally {
    clearTimeout(timer)
  }
}

const headersOf = (
  client: ClientOptions,
  request: OperationRequest,
  { idempotencyKey, ifMatch, lastEventId, waitSeconds }: CallOptions
): Record<string, string> => {
  const scheme = request.credentials.find((name) => client[name] !== undefined)
  return {
    ...(scheme === undefined ? {} : credentialHeaders[scheme](client[scheme] ?? "")),
    ...(request.body === undefined ? {} : { "content-type": "application/json" }),
    ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    ...(ifMatch === undefined ? {} : { "if-match": ifMatch }),
    ...(waitSeconds === undefined ? {} : { prefer: `wait=${waitSeconds}` }),
    ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId })
  }
}

const urlOf = ({ baseUrl }: ClientOptions, { path, query = {} }: OperationRequest): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query).flatMap(toParameters)) parameters.set(name, value)
  const search = parameters.toString()
  return `${baseUrl.replace(/\/+$/, "")}${path}${search === "" ? "" : `?${search}`}`
}

/** A list becomes one parameter with commas, a map one for each key, in brackets. */
const toParameters = ([name, value]: readonly [string, unknown]): ReadonlyArray<readonly [string, string]> => {
  if (value === undefined) return []
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.entries(value).map(([key, text]) => [`${name}[${key}]`, String(text)])
    : [[name, String(value)]]
}

/** Whether the same request may succeed a little later. */
const mayHelp = (error: ApiError | NoResponse): boolean => {
  if (error instanceof NoResponse) return true
  if (error.code === "quota_exceeded" || (error.retryAfter ?? 0) > longestPauseSeconds) return false
  return [429, 502, 503, 504].includes(error.status) || error.code === "idempotency_in_progress"
}

const pauseSecondsAfter = (error: ApiError | NoResponse, retries: number): number => {
  if (error instanceof ApiError && error.retryAfter !== undefined) return error.retryAfter
  return Math.min(8, 0.25 * 2 ** retries) * (0.5 + Math.random() / 2)
}

/** Waits; fails as soon as the signal is aborted. */
export const pause = (seconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort)
      resolve()
    }, seconds * 1_000)
    if (signal?.aborted === true) return onAbort()
    signal?.addEventListener("abort", onAbort, { once: true })
  })
