import { type HttpClient, HttpClientRequest, type HttpMethod } from "@effect/platform"
import { type Duration, Effect, Redacted, Schema } from "effect"
import { ProviderError } from "./ProviderError.ts"
import { callProvider, type ProviderResponse, type ResponseMeaning } from "./callProvider.ts"

/** An HTTP API of a provider that speaks JSON, with one credential. */
export interface JsonApi {
  /** Sends a request and decodes the response; fields that the schema does not name are left out. */
  readonly call: <A, I>(request: JsonRequest<A, I>) => Effect.Effect<A, ProviderError>
  /** Sends a request whose response has no content, or none that matters. */
  readonly send: (request: Omit<JsonRequest<void, void>, "schema">) => Effect.Effect<ProviderResponse, ProviderError>
}

/** One call, and what its response must be. */
export interface JsonRequest<A, I> {
  readonly method: HttpMethod.HttpMethod
  /** Begins with `/`; its parts are encoded already. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
  readonly schema: Schema.Schema<A, I>
  /** Whether a response of that many bytes is received; without it, up to a megabyte. */
  readonly admits?: (bytes: number) => boolean
}

/** Makes the API at a base URL without final slash. `interpret` says what a response means where its status does not. */
export const makeJsonApi = ({
  authorization,
  baseUrl,
  http,
  interpret,
  timeout
}: {
  readonly http: HttpClient.HttpClient
  readonly baseUrl: string
  /** The value of the header `Authorization`: a scheme and the secret. */
  readonly authorization: { readonly scheme: string; readonly secret: Redacted.Redacted }
  readonly interpret?: (response: ProviderResponse) => ResponseMeaning | undefined
  readonly timeout: Duration.DurationInput
}): JsonApi => {
  const { scheme, secret } = authorization
  const authorize = HttpClientRequest.setHeaders({
    accept: "application/json",
    authorization: `${scheme} ${Redacted.value(secret)}`
  })
  const send: JsonApi["send"] = ({ admits = isSmall, body, method, path, query = {} }) => {
    const request = authorize(HttpClientRequest.make(method)(`${baseUrl}${path}`, { urlParams: query }))
    return callProvider(http, body === undefined ? request : HttpClientRequest.bodyUnsafeJson(request, body), {
      admits,
      secrets: [secret],
      timeout,
      ...(interpret === undefined ? {} : { interpret })
    })
  }
  return {
    send,
    call: ({ schema, ...request }) => Effect.flatMap(send(request), (response) => decodeBody(response, schema))
  }
}

const isSmall = (bytes: number): boolean => bytes <= 1024 * 1024

/** Decodes the body of a response of `send`, for callers that need its headers too. */
export const decodeBody = <A, I>(
  { excerpt, text }: ProviderResponse,
  schema: JsonRequest<A, I>["schema"]
): Effect.Effect<A, ProviderError> =>
  Effect.mapError(
    Schema.decodeUnknown(Schema.parseJson(schema))(text),
    () => new ProviderError({ kind: "malformed", detail: `not the expected JSON: ${excerpt}` })
  )
