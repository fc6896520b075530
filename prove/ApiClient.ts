import { Data, type Duration, Effect, Schedule } from "effect"

/** A response of the API. */
export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: any
}

/** The service does not run, or stopped before it responded. */
export class UnansweredRequest extends Data.TaggedError("UnansweredRequest")<{ readonly cause: unknown }> {}

/** Called at the end of each request. Without a response, the request failed. */
export type RequestListener = (end: {
  readonly path: string
  readonly response?: ApiResponse
  readonly millis: number
}) => void

/** Calls the API of a service as a platform's server does. */
export interface ApiClient {
  readonly get: (path: string) => Effect.Effect<ApiResponse, UnansweredRequest>
  readonly post: (
    path: string,
    body: object,
    headers?: Record<string, string>
  ) => Effect.Effect<ApiResponse, UnansweredRequest>
}

/** Makes a client. `onEnd` is called for every response, and for every request without one. */
export const makeApiClient = (url: string, key: string, onEnd: RequestListener = () => {}): ApiClient => {
  const send = (path: string, init: RequestInit) => Effect.suspend(() => sendAt(path, init, performance.now()))
  const sendAt = (path: string, init: RequestInit, startedAt: number) =>
    Effect.tryPromise({
      try: async (signal) => {
        const response = await fetch(`${url}${path}`, {
          ...init,
          signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]),
          headers: { "x-api-key": key, ...init.headers }
        })
        const text = await response.text()
        return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) }
      },
      catch: (cause) => new UnansweredRequest({ cause })
    }).pipe(
      Effect.tapBoth({
        onFailure: () => Effect.sync(() => onEnd({ path, millis: performance.now() - startedAt })),
        onSuccess: (response) => Effect.sync(() => onEnd({ path, response, millis: performance.now() - startedAt }))
      })
    )
  return {
    get: (path) => send(path, {}),
    post: (path, body, headers = {}) =>
      send(path, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", ...headers }
      })
  }
}

/**
 * Repeats a request, for up to a minute if nothing else is given, while it gets no response, or one that asks to retry (429,
 * 5xx), as a client with an idempotency key does.
 */
export const retryUntilAnswered = (
  request: Effect.Effect<ApiResponse, UnansweredRequest>,
  patience: Duration.DurationInput = "60 seconds"
): Effect.Effect<ApiResponse> =>
  Effect.filterOrFail(request, isFinal, ({ status }) => new UnansweredRequest({ cause: status })).pipe(
    Effect.retry(Schedule.spaced("100 millis").pipe(Schedule.upTo(patience))),
    Effect.orDie
  )

const isFinal = ({ body, status }: ApiResponse) =>
  status < 500 && status !== 429 && body?.error?.code !== "idempotency_in_progress"
