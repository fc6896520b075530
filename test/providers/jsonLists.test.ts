import { Headers, HttpClient, HttpClientResponse } from "@effect/platform"
import { describe, expect, test } from "bun:test"
import { Effect, Redacted, Schema } from "effect"
import type { ProviderResponse } from "../../src/providers/callProvider.ts"
import { inScheme } from "../../src/providers/apiAuthorization.ts"
import { decodeBody, longArray, makeJsonApi } from "../../src/providers/JsonApi.ts"

const Item = Schema.Struct({ id: Schema.String, content: Schema.String, ttl: Schema.Number })

const items = Array.from({ length: 40_000 }, (_, nth) => ({ id: `${nth}`, content: `192.0.2.${nth % 256}`, ttl: 300 }))

const responseOf = (body: unknown): ProviderResponse => {
  const text = JSON.stringify(body)
  return { status: 200, headers: Headers.empty, text, excerpt: text.slice(0, 100) }
}

/** Runs an effect, and counts how often the event loop runs a timer meanwhile. */
const countTurns = async <A, E>(effect: Effect.Effect<A, E>) => {
  let turns = 0
  const timer = setInterval(() => (turns += 1), 0)
  const result = await Effect.runPromise(effect)
  clearInterval(timer)
  return { result, turns }
}

const shapes: ReadonlyArray<readonly [string, Schema.Schema<any, any>, unknown]> = [
  ["that is the body", longArray(Item), items],
  [
    "in a field of the body",
    Schema.Struct({ records: longArray(Item), meta: Schema.Struct({ total: Schema.Number }) }),
    { records: items, meta: { total: items.length } }
  ]
]

describe("a list", () => {
  for (const [where, schema, body] of shapes)
    test(`${where} is decoded in slices, between which the event loop runs`, async () => {
      const { result, turns } = await countTurns(decodeBody(responseOf(body), schema))
      expect(result).toEqual(body)
      expect(turns).toBeGreaterThan(5)
    })

  test("whose last item is not as expected is refused with an excerpt, and not with what it has", async () => {
    const faulty = [...items.slice(0, 100), { id: "last", content: 1, ttl: 300 }]
    for (const [schema, body] of [
      [longArray(Item), faulty],
      [Schema.Struct({ records: longArray(Item) }), { records: faulty }]
    ] as const) {
      const decode: Effect.Effect<unknown, unknown> = decodeBody(responseOf(body), schema as Schema.Schema<any, any>)
      const refused = await Effect.runPromise(Effect.flip(decode))
      expect(refused).toMatchObject({ kind: "malformed", detail: expect.stringContaining("not the expected JSON: ") })
    }
  })

  test("keeps defaults, transformations and checks of its items and of the body beside them", async () => {
    const schema = Schema.Struct({
      records: longArray(Schema.Struct({ ttl: Schema.optionalWith(Schema.Number, { default: () => 3_600 }) })),
      per_page: Schema.optionalWith(Schema.Positive, { default: () => 100 })
    })
    const decode = (body: unknown) => Effect.runPromise(Effect.either(decodeBody(responseOf(body), schema)))
    expect(await decode({ records: [{}, { ttl: 60, more: true }], more: [1] })).toMatchObject({
      right: { records: [{ ttl: 3_600 }, { ttl: 60 }], per_page: 100 }
    })
    for (const body of [{ records: [], per_page: 0 }, { records: {} }, {}, [], null, { records: [null] }])
      expect(await decode(body)).toMatchObject({ left: { kind: "malformed" } })
  })
})

test("a call of an API decodes a list in its answer", async () => {
  const http = HttpClient.make((request) =>
    Effect.succeed(HttpClientResponse.fromWeb(request, Response.json({ records: items.slice(0, 10_000) })))
  )
  const api = makeJsonApi({
    http,
    baseUrl: "https://api.example",
    authorization: inScheme("Bearer", Redacted.make("secret")),
    timeout: "10 seconds"
  })
  const schema = Schema.Struct({ records: longArray(Item) })
  const result = await Effect.runPromise(api.call({ method: "GET", path: "/records", schema, admits: () => true }))
  expect(result.records).toHaveLength(10_000)
})

const makeLargeZone = (name: string) => ({ name, records: items, errors: [], tags: items.map(({ id }) => id) })

test("the text of a long list is parsed in slices as well, between which the event loop runs", async () => {
  const small = { name: "small.example", records: [], errors: [], tags: [] }
  const zones = [small, makeLargeZone("a.example"), makeLargeZone("b.example")]
  for (const body of [items, { records: items, '"\\': [[1]], meta: { total: items.length } }, zones, { zones }]) {
    const { result, turns } = await countTurns(decodeBody(responseOf(body), Schema.Unknown))
    expect(result).toEqual(body)
    expect(turns).toBeGreaterThan(5)
  }
})

test("a text that is long, but not by the items of a list, is refused before it is parsed", async () => {
  const deep = { records: { inner: items } }
  const long = { records: [{ id: "1", content: "a".repeat(1_100_000) }, { id: "2" }] }
  for (const body of [deep, long])
    expect(await Effect.runPromise(Effect.flip(decodeBody(responseOf(body), Schema.Unknown)))).toMatchObject({
      kind: "malformed"
    })
})
