import { HttpClient, HttpClientRequest, HttpClientResponse } from "@effect/platform"
import { describe, expect } from "bun:test"
import { Duration, Effect, Redacted, TestClock } from "effect"
import { createServer } from "node:net"
import {
  callProvider,
  type ProviderResponse,
  type ResponseMeaning,
  sendProviderRequest
} from "../../src/providers/callProvider.ts"
import { effect, live } from "../support/effectTest.ts"
import { recordSpans } from "../support/recordSpans.ts"
import { httpClient } from "./httpClient.ts"

/** The outcome of this response with a limit of 1,000 bytes: its length, or the kind of error. */
const outcomeOf = (answer: string) =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(
      Effect.async<ReturnType<typeof createServer>>((resume) => {
        const listening = createServer((socket) => socket.end(`HTTP/1.1 200 OK\r\n${answer}`)).listen(
          0,
          "127.0.0.1",
          () => resume(Effect.succeed(listening))
        )
      }),
      (listening) => Effect.sync(() => listening.close())
    )
    const address = server.address()
    const port = address !== null && typeof address === "object" ? address.port : 0
    const limits = { timeout: "10 seconds", admits: (bytes: number) => bytes <= 1_000, secrets: [] } as const
    return yield* sendProviderRequest(httpClient, HttpClientRequest.get(`http://127.0.0.1:${port}/`), limits).pipe(
      Effect.match({ onFailure: ({ kind }) => kind, onSuccess: ({ text }) => text.length })
    )
  })

const chunked = (length: number) => `${length.toString(16)}\r\n${"x".repeat(length)}\r\n0\r\n\r\n`

for (const [about, answer, outcome] of [
  ["with a length is accepted", `content-length: 1000\r\n\r\n${"x".repeat(1_000)}`, 1_000],
  ["with a length over the limit is rejected", `content-length: 1001\r\n\r\n${"x".repeat(1_001)}`, "too_large"],
  ["in chunks is accepted", `transfer-encoding: chunked\r\n\r\n${chunked(1_000)}`, 1_000],
  ["in chunks over the limit is rejected", `transfer-encoding: chunked\r\n\r\n${chunked(1_001)}`, "too_large"],
  [
    "in chunks is measured by its actual length, not by its header",
    `content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n${chunked(1_001)}`,
    "too_large"
  ],
  ["that is incomplete counts as unreachable", `content-length: 1000\r\n\r\n${"x".repeat(10)}`, "unreachable"]
] as const)
  live(`a response ${about}`, () => Effect.map(outcomeOf(answer), (result) => expect(result).toBe(outcome)))

/** What a call makes of a response: `done`, or the kind of error with the seconds until the next call. */
const meaningOf = (
  response: Response,
  interpret?: (response: ProviderResponse) => ResponseMeaning | undefined
): Effect.Effect<string> => {
  const http = HttpClient.make((request) => Effect.succeed(HttpClientResponse.fromWeb(request, response)))
  const options = { timeout: "10 seconds", admits: () => true, secrets: [] } as const
  return callProvider(http, HttpClientRequest.get("https://dns.example/records"), {
    ...options,
    ...(interpret === undefined ? {} : { interpret })
  }).pipe(
    Effect.match({
      onSuccess: () => "done",
      onFailure: ({ kind, retryAfter }) =>
        retryAfter === undefined ? kind : `${kind}, again in ${Duration.toSeconds(retryAfter)} s`
    })
  )
}

/** The Unix time of the test clock in these tests, in seconds. */
const now = 1_800_000_000

const isThrottled = ({ text }: ProviderResponse): ResponseMeaning | undefined =>
  text.includes("<Code>Throttling</Code>") ? { kind: "rate_limited" } : undefined
const isRefused = ({ text }: ProviderResponse): ResponseMeaning | undefined =>
  text.includes('"success":false') ? { kind: "rejected" } : undefined
const hasFirstPage = ({ headers, status }: ProviderResponse): ResponseMeaning | undefined =>
  status === 400 && headers["link"] !== undefined ? "success" : undefined
const limitInBody = ({ status, text }: ProviderResponse): ResponseMeaning | undefined =>
  status === 403 ? { kind: "rate_limited", retryAfter: /"reset":(\d+)/.exec(text)?.[1] } : undefined

describe("an adapter reads a response in the words of its provider:", () => {
  for (const [about, response, interpret, meaning] of [
    [
      "a 400 that means throttling",
      new Response("<Code>Throttling</Code>", { status: 400 }),
      isThrottled,
      "rate_limited"
    ],
    ["any other 400", new Response("<Code>InvalidInput</Code>", { status: 400 }), isThrottled, "rejected"],
    ["a 200 that means a refusal", new Response('{"success":false}'), isRefused, "rejected"],
    ["any other 200", new Response('{"success":true}'), isRefused, "done"],
    [
      "a 503 whose page is too long to read",
      new Response("x".repeat(1_100_000), { status: 503 }),
      undefined,
      "failing"
    ],
    ["a redirect", new Response("", { status: 302, headers: { location: "/login" } }), isRefused, "malformed"],
    ["a 304", new Response(null, { status: 304 }), undefined, "malformed"],
    [
      "a 400 that names the first page",
      new Response("", { status: 400, headers: { link: "</1>" } }),
      hasFirstPage,
      "done"
    ],
    [
      "a 403 that means throttling, with the time in the body",
      new Response(`{"reset":${now + 40}}`, { status: 403 }),
      limitInBody,
      "rate_limited, again in 40 s"
    ]
  ] as const)
    effect(about, () => Effect.zipRight(atNow, Effect.map(meaningOf(response, interpret), expectMeaning(meaning))))
})

const atNow = TestClock.setTime(now * 1000)

const expectMeaning = (expected: string) => (meaning: string) => expect(meaning).toBe(expected)

describe("the time of the next call", () => {
  for (const [about, status, headers, meaning] of [
    [
      "is the one of `Retry-After`",
      429,
      { "retry-after": "7", "x-ratelimit-reset": "90" },
      "rate_limited, again in 7 s"
    ],
    ["is the end of the period", 429, { "x-ratelimit-reset": `${now + 90}` }, "rate_limited, again in 90 s"],
    ["may be in milliseconds", 429, { "ratelimit-reset": `${now + 90}000` }, "rate_limited, again in 90 s"],
    ["may be a number of seconds", 429, { "x-ratelimit-reset": "90" }, "rate_limited, again in 90 s"],
    ["is never in the past", 429, { "x-ratelimit-reset": `${now - 90}` }, "rate_limited, again in 0 s"],
    ["is at most a day away", 429, { "x-ratelimit-reset": `${now + 900_000}` }, "rate_limited, again in 86400 s"],
    ["is not the end of the period after other errors", 500, { "x-ratelimit-reset": `${now + 90}` }, "failing"],
    ["has no meaning in a success", 200, { "retry-after": "98" }, "done"]
  ] as const)
    effect(about, () =>
      Effect.zipRight(atNow, Effect.map(meaningOf(new Response("", { status, headers })), expectMeaning(meaning)))
    )

  effect("has no meaning in a refusal that comes as a success", () =>
    Effect.map(
      meaningOf(new Response("", { headers: { "retry-after": "98" } }), () => ({ kind: "rejected" })),
      expectMeaning("rejected")
    )
  )
})

effect("an excerpt hides a secret that is longer than what is quoted", () =>
  Effect.gen(function* () {
    const secret = "k".repeat(2_000)
    const excerptOf = (text: string) => {
      const http = HttpClient.make((request) => Effect.succeed(HttpClientResponse.fromWeb(request, new Response(text))))
      const options = { timeout: "10 seconds", secrets: [Redacted.make(secret)] } as const
      return Effect.map(
        callProvider(http, HttpClientRequest.get("https://dns.example/records"), options),
        ({ excerpt }) => excerpt
      )
    }
    expect(yield* excerptOf(`you sent ${secret} to us`)).toBe("you sent *** to us")
    // The end of what is looked at cuts the second one.
    expect(yield* excerptOf(`you sent ${secret} and ${secret} to us`)).not.toContain("k")
  })
)

live("a traced call is one span, which has neither its URL nor its headers", () =>
  Effect.gen(function* () {
    const { spans, tracer } = yield* recordSpans
    yield* outcomeOf("content-length: 1\r\n\r\nx").pipe(Effect.withTracer(tracer), Effect.withTracerEnabled(true))
    expect(spans.map(({ attributes, name }) => [name, [...attributes]])).toEqual([
      ["provider.call", [["http.request.method", "GET"]]]
    ])
  })
)
