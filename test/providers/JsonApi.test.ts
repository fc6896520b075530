import { createServer } from "node:http"
import { describe, expect } from "bun:test"
import { Effect, Redacted, Schema } from "effect"
import {
  type ApiAuthorization,
  bySignature,
  inBasicScheme,
  inBody,
  inBoth,
  inHeaders,
  inQuery,
  inScheme
} from "../../src/providers/apiAuthorization.ts"
import { byNumber, byToken, makeJsonApi } from "../../src/providers/JsonApi.ts"
import { live } from "../support/effectTest.ts"
import { recordSpans } from "../support/recordSpans.ts"
import { httpClient } from "./httpClient.ts"

interface Received {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** What a server says to a request; `cut` ends the connection. */
type AnswerOf = (received: Received) => { readonly status?: number; readonly body?: unknown } | "cut"

/** An API at a real server, and the requests that arrived there. */
const apiAt = (
  answer: AnswerOf,
  { authorization = inScheme("Bearer", secret), removedBy = 204 as 200 | 204 | "an empty 200" } = {}
) =>
  Effect.gen(function* () {
    const received: Array<Received> = []
    const server = createServer(async (request, response) => {
      const chunks = await Array.fromAsync(request)
      const { headers, method = "", url = "" } = request
      const call = { method, path: url, headers, body: Buffer.concat(chunks).toString() }
      received.push(call)
      const said = answer(call)
      if (said === "cut") return void request.socket.destroy()
      response.writeHead(said.status ?? 200, { "content-type": "application/json" })
      return void response.end(said.body === undefined ? undefined : JSON.stringify(said.body))
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () => Effect.sync(() => server.close())
    )
    const address = server.address()
    const port = address !== null && typeof address === "object" ? address.port : 0
    const baseUrl = `http://127.0.0.1:${port}/v1`
    return {
      received,
      baseUrl,
      api: makeJsonApi({ http: httpClient, baseUrl, authorization, removedBy, timeout: "9 seconds" })
    }
  })

const secret = Redacted.make("s+cret/1")
const other = Redacted.make('an"other')

/** Where each way of authorization puts its key in `POST /v1/records?zone=1`. */
const ways: ReadonlyArray<readonly [string, ApiAuthorization, (received: Received) => unknown, unknown]> = [
  ["a scheme", inScheme("sso-key", secret), ({ headers }) => headers["authorization"], "sso-key s+cret/1"],
  [
    "user and password",
    inBasicScheme("me", secret),
    ({ headers }) => headers["authorization"],
    "Basic bWU6cytjcmV0LzE="
  ],
  [
    "several headers",
    inHeaders({ "X-Key": "id", "X-Secret": secret }),
    ({ headers }) => [headers["x-key"], headers["x-secret"], headers["authorization"]],
    ["id", "s+cret/1", undefined]
  ],
  ["the query", inQuery({ key: secret }), ({ path }) => path, "/v1/records?zone=1&key=s%2Bcret%2F1"],
  [
    "a scheme, with an id in the query",
    inBoth(inScheme("Bearer", secret), inQuery({ team: "a" })),
    ({ headers, path }) => [headers["authorization"], path],
    ["Bearer s+cret/1", "/v1/records?zone=1&team=a"]
  ],
  [
    "the body",
    inBody({ apikey: secret, secretapikey: other }),
    ({ body }) => JSON.parse(body),
    { name: "www", apikey: "s+cret/1", secretapikey: 'an"other' }
  ],
  [
    "a signature of the whole request",
    bySignature([secret], ({ body, method, url }) =>
      Effect.succeed({ "x-signature": `${method} ${new URL(url).pathname}${new URL(url).search} ${body}` })
    ),
    ({ headers }) => headers["x-signature"],
    'POST /v1/records?zone=1 {"name":"www"}'
  ]
]

const post = { method: "POST", path: "/records", query: { zone: 1 }, body: { name: "www" } } as const

describe("the key of an API is sent in", () => {
  for (const [way, authorization, read, expected] of ways)
    live(way, () =>
      Effect.gen(function* () {
        const { api, received } = yield* apiAt(() => ({ body: {} }), { authorization })
        yield* api.send(post)
        expect(received.map(read)).toEqual([expected])
      })
    )

  live("the body of a request that has no other", () =>
    Effect.gen(function* () {
      const { api, received } = yield* apiAt(() => ({ body: {} }), { authorization: inBody({ apikey: secret }) })
      yield* api.send({ method: "POST", path: "/ping" })
      expect(received.map(({ body }) => body)).toEqual(['{"apikey":"s+cret/1"}'])
    })
  )
})

const echo: AnswerOf = ({ body, headers, path }) => ({ status: 400, body: { path, body: JSON.parse(body), headers } })

describe("no error and no trace has the key, or an address with it, that is sent in", () => {
  for (const [way, authorization] of ways.slice(0, -1))
    live(way, () =>
      Effect.gen(function* () {
        const { spans, tracer } = yield* recordSpans
        const errors: Array<string> = []
        for (const answer of [echo, () => "cut"] satisfies ReadonlyArray<AnswerOf>) {
          const { api } = yield* apiAt(answer, { authorization })
          const failing = api.send(post).pipe(Effect.withTracer(tracer), Effect.withTracerEnabled(true))
          errors.push(String((yield* Effect.flip(failing)).detail))
        }
        const seen = JSON.stringify([errors, spans.map(({ attributes, name }) => [name, [...attributes]])])
        expect(seen).not.toMatch(/s(\+|%2B)cret|bWU6|other|127\.0\.0\.1:\d+\/v1/)
        expect(errors[1]).toBe("the call failed (Transport)")
      })
    )
})

const names = ["a", "b", "c", "d", "e"]
const Names = Schema.Struct({ names: Schema.Array(Schema.String), next: Schema.optional(Schema.String) })
const common = { path: "/names", schema: Names, identify: (name: string) => name, timeout: "9 seconds" } as const

const parametersOf = ({ path }: Received) => new URLSearchParams(path.split("?")[1])

/** A page that another follows if it is full. */
const toNextPage = ({ names }: typeof Names.Type, page: number) => ({
  items: names,
  next: names.length < 2 ? undefined : page + 1
})

const toTokenPage = ({ names, next }: typeof Names.Type) => ({ items: names, next })

describe("all pages are read of a list that has them", () => {
  live("by number", () =>
    Effect.gen(function* () {
      const { api } = yield* apiAt((received) => {
        const page = Number(parametersOf(received).get("page"))
        return { body: { names: names.slice(2 * page - 2, 2 * page) } }
      })
      expect(yield* api.list({ ...common, paging: byNumber(2), toPage: toNextPage })).toEqual(names)
    })
  )

  live("by the token of the page before", () =>
    Effect.gen(function* () {
      const { api, received } = yield* apiAt((received) => {
        const start = names.indexOf(parametersOf(received).get("page_token") ?? "a")
        return { body: { names: names.slice(start, start + 2), next: names[start + 2] } }
      })
      expect(
        yield* api.list({ ...common, paging: byToken(2, "page_token", "page_size"), toPage: toTokenPage })
      ).toEqual(names)
      expect(received[0]?.path).toBe("/v1/names?page_size=2")
    })
  )
})

describe("what is removed", () => {
  live("is not removed by a 200 whose page is of somebody else", () =>
    Effect.gen(function* () {
      const { api } = yield* apiAt(() => ({}), { removedBy: 200 })
      expect(yield* Effect.flip(api.remove("/records/1"))).toMatchObject({ kind: "malformed" })
    })
  )

  for (const [removedBy, status, body, outcome] of [
    [204, 204, undefined, "Right"],
    [204, 200, {}, "Left"],
    [200, 200, {}, "Right"],
    [200, 204, undefined, "Left"],
    ["an empty 200", 200, undefined, "Right"],
    ["an empty 200", 200, {}, "Left"],
    ["an empty 200", 204, undefined, "Left"]
  ] as const)
    live(
      `by ${removedBy} is ${outcome === "Right" ? "" : "not "}removed by a ${status} ${body === undefined ? "without" : "with"} a body`,
      () =>
        Effect.gen(function* () {
          const { api } = yield* apiAt(() => ({ status, ...(body === undefined ? {} : { body }) }), { removedBy })
          expect((yield* Effect.either(api.remove("/records/1")))._tag).toBe(outcome)
        })
    )
})
