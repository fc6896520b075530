import {
  type Headers,
  HttpClient,
  type HttpClientError,
  type HttpClientRequest,
  type HttpClientResponse
} from "@effect/platform"
import { DateTime, Duration, Effect, Either, Option, Redacted, Schema, Stream } from "effect"
import { ProviderError } from "./ProviderError.ts"

/** What one call may cost, and what must not be quoted from its answer. */
export interface CallLimits {
  /** For the call with the whole of its answer. */
  readonly timeout: Duration.DurationInput
  /** Of the answer, in bytes. */
  readonly maxBytes: number
  readonly secrets: ReadonlyArray<Redacted.Redacted>
}

/** An answer that has arrived in full. What is not UTF-8 is replaced by U+FFFD. */
export interface ProviderResponse {
  readonly status: number
  readonly headers: Headers.Headers
  readonly text: string
  /** Its beginning, fit to be logged. */
  readonly excerpt: string
}

/**
 * Makes one call by a client that follows no redirects, which would carry the credential elsewhere. An answer of 400 and
 * above is the trouble that it stands for; any other is for the caller to judge.
 */
export const callProvider = (
  http: HttpClient.HttpClient,
  request: HttpClientRequest.HttpClientRequest,
  limits: CallLimits
): Effect.Effect<ProviderResponse, ProviderError> =>
  Effect.filterOrElse(sendProviderRequest(http, request, limits), ({ status }) => status < 400, troubleOf)

/** Makes one call likewise, and gives the answer whatever its status. */
export const sendProviderRequest = (
  http: HttpClient.HttpClient,
  request: HttpClientRequest.HttpClientRequest,
  { secrets, maxBytes: size, timeout: time }: CallLimits
): Effect.Effect<ProviderResponse, ProviderError> =>
  Effect.gen(function* () {
    // A span would carry the headers, and the provider would get ours.
    const untraced = HttpClient.withTracerDisabledWhen(http, () => true)
    const response = yield* Effect.mapError(untraced.execute(request), unreachable)
    const text = (yield* bytesOf(response, size)).toString("utf8")
    const { headers, status } = response
    return { status, headers, text, excerpt: excerptOf(text, secrets) }
  }).pipe(
    // A kept connection may be closed just when it is used again; to read once more harms nobody (RFC 9110 section 9.2.2).
    Effect.retry({ times: 1, while: ({ kind }) => kind === "unreachable" && request.method === "GET" }),
    Effect.timeoutFail({
      duration: time,
      onTimeout: () => new ProviderError({ kind: "timed_out", detail: `no answer within ${Duration.format(time)}` })
    })
  )

/** The body of an answer as what it has to be; anything else is malformed, whatever its status says. */
export const decodeBody =
  <A, I>(schema: Schema.Schema<A, I>) =>
  ({ excerpt, text }: ProviderResponse): Either.Either<A, ProviderError> =>
    Either.mapLeft(
      Schema.decodeUnknownEither(Schema.parseJson(schema))(text),
      () => new ProviderError({ kind: "malformed", detail: `not the JSON that was to be expected: ${excerpt}` })
    )

const excerptOf = (text: string, secrets: CallLimits["secrets"]): string =>
  secrets
    .reduce((safe, secret) => safe.replaceAll(Redacted.value(secret), "***"), text.slice(0, 4 * maxExcerpt))
    .slice(0, maxExcerpt)
    .replace(/[^ -~]+/g, " ")
    .trim()

const maxExcerpt = 200

const unreachable = ({ reason }: HttpClientError.HttpClientError) =>
  new ProviderError({ kind: "unreachable", detail: `the call failed (${reason})` })

/** A body that says how long it is, and comes unpacked, is taken whole; any other by its pieces, as far as it may go. */
const bytesOf = (response: HttpClientResponse.HttpClientResponse, size: number): Effect.Effect<Buffer, ProviderError> =>
  comesPlain(response.headers) && Number(response.headers["content-length"]) <= size
    ? Effect.mapBoth(response.arrayBuffer, { onFailure: unreachable, onSuccess: (bytes) => Buffer.from(bytes) })
    : gathered(response.stream, size)

/** What is packed or comes in pieces has another length than it says. */
const comesPlain = (headers: Headers.Headers): boolean =>
  headers["content-encoding"] === undefined && headers["transfer-encoding"] === undefined

const gathered = (
  pieces: Stream.Stream<Uint8Array, HttpClientError.ResponseError>,
  size: number
): Effect.Effect<Buffer, ProviderError> =>
  pieces.pipe(
    Stream.catchAll((error) => (error.reason === "EmptyBody" ? Stream.empty : Stream.fail(unreachable(error)))),
    Stream.mapAccumEffect(0, (before, piece) => {
      const total = before + piece.length
      return total <= size
        ? Effect.succeed([total, piece] as const)
        : Effect.fail(new ProviderError({ kind: "malformed", detail: `an answer of more than ${size} bytes` }))
    }),
    Stream.runCollect,
    Effect.map((all) => Buffer.concat([...all]))
  )

const kinds: ReadonlyMap<number, ProviderError["kind"]> = new Map([
  [401, "credential_refused"],
  [403, "forbidden"],
  [404, "absent"],
  [408, "timed_out"],
  [410, "absent"],
  [423, "locked"],
  [429, "rate_limited"]
])

const troubleOf = ({ excerpt, headers, status }: ProviderResponse): Effect.Effect<never, ProviderError> =>
  Effect.flatMap(
    retryAfterOf(headers),
    (retryAfter) =>
      new ProviderError({
        kind: kinds.get(status) ?? (status < 500 ? "rejected" : "failing"),
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
