import { HttpClient, HttpClientResponse } from "@effect/platform"
import { Effect } from "effect"

/** One row of a proof, with its exchanges, in the form of `recordings/<id>.json`. */
export interface ProofScenario {
  readonly scenario: string
  readonly interactions: ReadonlyArray<ProofExchange>
}

/** A request and its answer. Bodies are decoded if they are JSON, else text; `null` where there is none. */
export interface ProofExchange {
  readonly method: string
  /** With the query. */
  readonly url: string
  readonly requestBody: unknown
  readonly status: number
  /** The headers of the answer that say how to read it or when to call again; none of the request. */
  readonly headers: Readonly<Record<string, string>>
  readonly responseBody: unknown
}

/** Keeps what an adapter exchanges with its vendor. */
export interface ExchangeRecorder {
  /** Sends through the given client, and keeps each exchange that was answered, except those for an access token. */
  readonly http: HttpClient.HttpClient
  /** Begins the next row. */
  readonly begin: (scenario: string) => void
  /** Everything so far, not yet redacted. */
  readonly scenarios: () => ReadonlyArray<ProofScenario>
}

/** Makes a recorder that sends through this client, one request after the other, with a pause before each. */
export const makeExchangeRecorder = (http: HttpClient.HttpClient, pauseMillis: number): ExchangeRecorder => {
  const scenarios: Array<{ readonly scenario: string; readonly interactions: Array<ProofExchange> }> = []
  return {
    http: HttpClient.make((request, url) =>
      Effect.gen(function* () {
        yield* Effect.sleep(pauseMillis)
        const response = yield* http.execute(request)
        const bytes = yield* response.arrayBuffer
        const requestBody = request.body._tag === "Uint8Array" ? toBody(request.body.body) : null
        if (!isTokenRequest(url, requestBody))
          scenarios.at(-1)?.interactions.push({
            method: request.method,
            url: url.href,
            requestBody,
            status: response.status,
            headers: selectHeaders(response.headers),
            responseBody: toBody(new Uint8Array(bytes))
          })
        // The body of a response can be read once only.
        const body = bytes.byteLength === 0 ? null : bytes
        const { headers, status } = response
        return HttpClientResponse.fromWeb(request, new Response(body, { headers, status }))
      })
    ),
    begin: (scenario) => {
      scenarios.push({ scenario, interactions: [] })
    },
    scenarios: () => scenarios
  }
}

const toBody = (bytes: Uint8Array): unknown => {
  const text = Buffer.from(bytes).toString("utf8")
  if (text === "") return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** By a form of RFC 6749, or signed as TransIP wants it. */
const isTokenRequest = ({ pathname }: URL, body: unknown): boolean =>
  pathname.endsWith("/auth") || (typeof body === "string" && /(^|&)grant_type=/.test(body))

/** All others may name the account, or set a cookie. */
const selectHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => /^(content-type|link|retry-after|(x-)?ratelimit(-.+)?)$/.test(name))
  )
