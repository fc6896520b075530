import {
  type Headers,
  HttpClient,
  type HttpClientError,
  type HttpClientRequest,
  type HttpClientResponse
} from "@effect/platform"
import { DateTime, Duration, Effect, Option, Redacted, Stream } from "effect"
import { ProviderError } from "./ProviderError.ts"

/** The limits of one call, and the secrets that must not be quoted from its response. */
interface CallLimits {
  /** For the call with its whole response. */
  readonly timeout: Duration.DurationInput
  /** Whether a response of that many bytes is received: one that is larger fails with `too_large`. */
  readonly admits: (bytes: number) => boolean
  readonly secrets: ReadonlyArray<Redacted.Redacted>
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
 * Calls a provider through a client that follows no redirects, because they would carry the credential elsewhere. A
 * status of 400 and above is the error that it stands for; the caller interprets any other.
 */
export const callProvider = (
  http: HttpClient.HttpClient,
  request: HttpClientRequest.HttpClientRequest,
  limits: CallLimits
): Effect.Effect<ProviderResponse, ProviderError> =>
  Effect.filterOrElse(sendProviderRequest(http, request, limits), ({ status }) => status < 400, failWithStatus)

/** Calls a provider in the same way, and returns the response whatever its status. */
export const sendProviderRequest = (
  http: HttpClient.HttpClient,
  request: HttpClientRequest.HttpClientRequest,
  { admits, secrets, timeout }: CallLimits
): Effect.Effect<ProviderResponse, ProviderError> =>
  Effect.gen(function* () {
    // A span would record the headers, and tracing headers would be sent to the provider.
    const untracedClient = HttpClient.withTracerDisabledWhen(http, () => true)
    const response = yield* Effect.mapError(untracedClient.execute(request), toUnreachable)
    const text = (yield* readBody(response, admits)).toString("utf8")
    const { headers, status } = response
    return { status, headers, text, excerpt: excerptOf(text, secrets) }
  }).pipe(
    // A kept connection may close just when it is used again; a GET may safely be sent again (RFC 9110 section 9.2.2).
    Effect.retry({ times: 1, while: ({ kind }) => kind === "unreachable" && request.method === "GET" }),
    Effect.timeoutFail({
      duration: timeout,
      onTimeout: () => new ProviderError({ kind: "timed_out", detail: `no answer within ${Duration.format(timeout)}` })
    })
  )

const excerptOf = (text: string, secrets: CallLimits["secrets"]): string =>
  secrets
    .reduce((safe, secret) => safe.replaceAll(Redacted.value(secret), "***"), text.slice(0, 4 * maxExcerpt))
    .slice(0, maxExcerpt)
    .replace(/[^ -~]+/g, " ")
    .trim()

const maxExcerpt = 200

const toUnreachable = ({ reason }: HttpClientError.HttpClientError) =>
  new ProviderError({ kind: "unreachable", detail: `the call failed (${reason})` })

/** Reads a body of known length at once, and any other in chunks up to the limit. */
const readBody = (
  response: HttpClientResponse.HttpClientResponse,
  admits: CallLimits["admits"]
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
  admits: CallLimits["admits"]
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

const failWithStatus = ({ excerpt, headers, status }: ProviderResponse): Effect.Effect<never, ProviderError> =>
  Effect.flatMap(
    retryAfterOf(headers),
    (retryAfter) =>
      new ProviderError({
        kind: errorKinds.get(status) ?? (status < 500 ? "rejected" : "failing"),
        detail: `${status} ${excerpt}`.trim(),
        ...Option.match(retryAfter, { onNone: () => ({}), onSome: (retryAfter) => ({ retryAfter }) })
      })
  )

/** Seconds or a date (RFC 9110 section 10.2.3), at most a day. */
const retryAfterOf = (headers: Headers.Headers): Effect.Effect<Option.Option<Duration.Duration>> =>
  Effect.map(DateTime.now, (now) =>
    Option.fromNullable(headers["retry-after"]).pipe(
      Option.flatMap((text) =>
        /^\d{1,9}$/.test(text)
          ? Option.some(Duration.seconds(Number(text)))
          : Option.map(DateTime.make(text.replace(/GMT$/, "+0000")), (until) =>
              Duration.millis(Math.max(0, DateTime.distance(now, until)))
            )
      ),
      Option.map(Duration.min(Duration.days(1)))
    )
  )
