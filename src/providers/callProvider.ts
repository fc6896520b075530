import {
  type Headers,
  HttpClient,
  type HttpClientError,
  type HttpClientRequest,
  type HttpClientResponse
} from "@effect/platform"
import { DateTime, Duration, Effect, Option, Redacted, Stream } from "effect"
import { failAfter, ProviderError } from "./ProviderError.ts"

/** The limits of one call, and how its response is read. */
interface ProviderCallOptions {
  /** For the call with its whole response. */
  readonly timeout: Duration.DurationInput
  readonly admits?: ((bytes: number) => boolean) | undefined
  /** The secrets that must not be quoted from the response. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
}

/** The meaning of a response in the words of its provider: a success, or an error of this kind. */
export type ResponseMeaning =
  | "success"
  | {
      readonly kind: ProviderError["kind"]
      /** A field of the body that says when to call again, in any form of the header `Retry-After`. */
      readonly retryAfter?: string | undefined
    }

/** A complete response. Bytes that are not UTF-8 are replaced by U+FFFD. */
export interface ProviderResponse {
  readonly status: number
  readonly headers: Headers.Headers
  readonly text: string
  /** The beginning of the text, safe to be logged. */
  readonly excerpt: string
}

/**
 * Calls a provider without following redirects, which would carry the credential elsewhere. `interpret` gives a
 * response's meaning, else 2xx is a success, 400 and above its error, and a redirect malformed: nothing was done.
 */
export const callProvider = (
  http: HttpClient.HttpClient,
  request: HttpClientRequest.HttpClientRequest,
  {
    interpret,
    ...options
  }: ProviderCallOptions & { readonly interpret?: (response: ProviderResponse) => ResponseMeaning | undefined }
): Effect.Effect<ProviderResponse, ProviderError> =>
  Effect.flatMap(sendProviderRequest(http, request, options), (response) => {
    const meaning = interpret?.(response) ?? meaningOfStatus(response.status)
    return meaning === "success" ? Effect.succeed(response) : failWith(response, meaning)
  })

/** Makes the check that a response has the status by which a provider says that a call is done. */
export const requireStatus =
  (expected: number) =>
  ({ excerpt, status }: ProviderResponse): Effect.Effect<void, ProviderError> =>
    status === expected
      ? Effect.void
      : Effect.fail(new ProviderError({ kind: "malformed", detail: `${status} instead of ${expected}: ${excerpt}` }))

/** Fails unless a response is the 204 by which a provider says that a call without an answer is done. */
export const requireNoContent = requireStatus(204)

/** Calls a provider in the same way, and returns the response whatever its status. */
export const sendProviderRequest = (
  http: HttpClient.HttpClient,
  request: HttpClientRequest.HttpClientRequest,
  { admits = isSmall, secrets, timeout }: ProviderCallOptions
): Effect.Effect<ProviderResponse, ProviderError> =>
  Effect.gen(function* () {
    // A span would record the headers, and tracing headers would be sent to the provider.
    const untracedClient = HttpClient.withTracerDisabledWhen(http, () => true)
    const response = yield* Effect.mapError(untracedClient.execute(request), toUnreachable)
    const { headers, status } = response
    // No refusal is long, and what interprets it parses it at once; its status counts even if its body is too long.
    const text = (yield* status < 400 ? readBody(response, admits) : readRefusal(response)).toString("utf8")
    return { status, headers, text, excerpt: excerptOf(text, secrets) }
  }).pipe(
    // A kept connection may close just when it is used again; a GET may safely be sent again (RFC 9110 section 9.2.2).
    (call) =>
      Effect.catchIf(
        call,
        ({ kind }) => kind === "unreachable" && request.method === "GET",
        () => call
      ),
    failAfter(timeout, `no answer within ${Duration.format(timeout)}`),
    Effect.withSpan("provider.call", { attributes: { "http.request.method": request.method } })
  )

const readRefusal = (response: HttpClientResponse.HttpClientResponse) =>
  Effect.catchIf(
    readBody(response, isSmall),
    ({ kind }) => kind === "too_large",
    () => Effect.succeed(Buffer.alloc(0))
  )

const isSmall = (bytes: number): boolean => bytes <= 1024 * 1024

/** Looks at more than it quotes, so that a long secret is found as a whole; one that is cut at the end is not quoted. */
const excerptOf = (text: string, secrets: ProviderCallOptions["secrets"]): string => {
  const values = secrets.map(Redacted.value)
  const longest = Math.max(0, ...values.map(({ length }) => length))
  const beginning = text.slice(0, 4 * maxExcerpt + longest)
  const safe = values.reduce((hidden, value) => hidden.replaceAll(value, "***"), beginning)
  const whole = beginning.length < text.length ? safe.slice(0, Math.max(0, safe.length - longest)) : safe
  return whole
    .slice(0, maxExcerpt)
    .replace(/[^ -~]+/g, " ")
    .trim()
}

const maxExcerpt = 200

const toUnreachable = ({ reason }: HttpClientError.HttpClientError) =>
  new ProviderError({ kind: "unreachable", detail: `the call failed (${reason})` })

/** Reads a body of known length at once, and any other in chunks up to the limit. */
const readBody = (
  response: HttpClientResponse.HttpClientResponse,
  admits: (bytes: number) => boolean
): Effect.Effect<Buffer, ProviderError> =>
  hasKnownLength(response.headers) && admits(Number(response.headers["content-length"]))
    ? Effect.mapBoth(response.arrayBuffer, { onFailure: toUnreachable, onSuccess: (bytes) => Buffer.from(bytes) })
    : readChunks(response.stream, admits)

const tooLarge = new ProviderError({ kind: "too_large", detail: "the response is larger than the service reads" })

/** A compressed or chunked body has another length than its header says. */
const hasKnownLength = (headers: Headers.Headers): boolean =>
  headers["content-encoding"] === undefined && headers["transfer-encoding"] === undefined

const readChunks = (
  chunks: Stream.Stream<Uint8Array, HttpClientError.ResponseError>,
  admits: (bytes: number) => boolean
): Effect.Effect<Buffer, ProviderError> =>
  chunks.pipe(
    Stream.catchAll((error) => (error.reason === "EmptyBody" ? Stream.empty : Stream.fail(toUnreachable(error)))),
    Stream.mapAccumEffect(0, (received, chunk) => {
      const total = received + chunk.length
      return admits(total) ? Effect.succeed([total, chunk] as const) : Effect.fail(tooLarge)
    }),
    Stream.runCollect,
    Effect.map((all) => Buffer.concat([...all]))
  )

const errorKinds: ReadonlyMap<number, ProviderError["kind"]> = new Map([
  [401, "credential_refused"],
  [403, "forbidden"],
  [404, "absent"],
  [408, "timed_out"],
  [410, "absent"],
  [423, "locked"],
  [429, "rate_limited"]
])

const meaningOfStatus = (status: number): ResponseMeaning => {
  if (status < 300) return "success"
  return { kind: status < 400 ? "malformed" : (errorKinds.get(status) ?? (status < 500 ? "rejected" : "failing")) }
}

const failWith = (
  { excerpt, headers, status }: ProviderResponse,
  { kind, retryAfter = findRetryAfter(kind, status, headers) }: Exclude<ResponseMeaning, "success">
): Effect.Effect<never, ProviderError> =>
  Effect.flatMap(
    DateTime.now,
    (now) =>
      new ProviderError({
        kind,
        detail: `${status} ${excerpt}`.trim(),
        ...Option.match(parseRetryAfter(retryAfter, now), {
          onNone: () => ({}),
          onSome: (retryAfter) => ({ retryAfter })
        })
      })
  )

/** Providers send `Retry-After` with successes too, and the end of the current period with every response. */
const findRetryAfter = (kind: ProviderError["kind"], status: number, headers: Headers.Headers): string | undefined => {
  const isLimited = kind === "rate_limited"
  return (
    (isLimited || status >= 400 ? headers["retry-after"] : undefined) ??
    (isLimited ? (headers["x-ratelimit-reset"] ?? headers["ratelimit-reset"]) : undefined)
  )
}

/** Seconds or a date (RFC 9110 section 10.2.3), or, as providers write it, seconds or milliseconds since 1970; at most a day. */
const parseRetryAfter = (text: string | undefined, now: DateTime.Utc): Option.Option<Duration.Duration> =>
  Option.fromNullable(text).pipe(
    Option.flatMap((text) => {
      const number = /^\d{1,14}(\.\d+)?$/.test(text) ? Number(text) : undefined
      if (number !== undefined && number < 1e9) return Option.some(Duration.seconds(number))
      const until = number === undefined ? text.replace(/GMT$/, "+0000") : number < 1e12 ? number * 1000 : number
      return Option.map(DateTime.make(until), (until) =>
        Duration.millis(Math.max(0, Math.ceil(DateTime.distance(now, until))))
      )
    }),
    Option.map(Duration.min(Duration.days(1)))
  )
