import { Data, Effect, Schedule } from "effect"

/** An answer of the API. */
export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: any
}

/** No answer: the service is not there, or went away meanwhile. */
export class NoResponse extends Data.TaggedError("NoResponse")<{ readonly cause: unknown }> {}

/** Hears of the end of a request, and how long it took. */
export type RequestListener = (end: {
  readonly path: string
  readonly answer?: ApiResponse
  readonly millis: number
}) => void

/** The API of a service, as a platform's server calls it. */
export interface ApiClient {
  readonly get: (path: string) => Effect.Effect<ApiResponse, NoResponse>
  readonly post: (
    path: string,
    body: object,
    headers?: Record<string, string>
  ) => Effect.Effect<ApiResponse, NoResponse>
}

/** `note` hears of every answer, and of every request that got none. */
export const makeApiClient = (url: string, key: string, note: RequestListener = () => {}): ApiClient => {
  const send = (path: string, init: RequestInit) => Effect.suspend(() => sendNow(path, init, performance.now()))
  const sendNow = (path: string, init: RequestInit, beganAt: number) =>
    Effect.tryPromise({
      try: async (signal) => {
        const answer = await fetch(`${url}${path}`, {
          ...init,
          signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]),
          headers: { "x-api-key": key, ...init.headers }
        })
        const text = await answer.text()
        return { status: answer.status, headers: answer.headers, body: text === "" ? undefined : JSON.parse(text) }
      },
      catch: (cause) => new NoResponse({ cause })
    }).pipe(
      Effect.tapBoth({
        onFailure: () => Effect.sync(() => note({ path, millis: performance.now() - beganAt })),
        onSuccess: (answer) => Effect.sync(() => note({ path, answer, millis: performance.now() - beganAt }))
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
 * Repeats what was not answered, or not now (429, 5xx), until the answer is one to keep: for a minute, as a client does
 * that has an idempotency key.
 */
export const retryUntilAnswered = (answer: Effect.Effect<ApiResponse, NoResponse>): Effect.Effect<ApiResponse> =>
  Effect.filterOrFail(answer, isFinal, ({ status }) => new NoResponse({ cause: status })).pipe(
    Effect.retry(Schedule.spaced("100 millis").pipe(Schedule.upTo("60 seconds"))),
    Effect.orDie
  )

const isFinal = ({ body, status }: ApiResponse) =>
  status < 500 && status !== 429 && body?.error?.code !== "idempotency_in_progress"
