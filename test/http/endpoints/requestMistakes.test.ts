import { expect } from "bun:test"
import { Effect, Record } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { createConnectionPath } from "../support/connectionRequests.ts"
import { apiInMemory, get, issueKey, jsonOf, patch, post, sampleIntent, send } from "../../support/testApi.ts"

interface Detail {
  readonly pointer: string
  readonly message: string
  readonly suggestion?: string
}

/** The suggestions of a refusal, or a message that does not name its suggestion. */
const suggestionOf = (request: ReturnType<typeof get>) =>
  Effect.map(Effect.flatMap(request, jsonOf), ({ error }) =>
    error.details.map(({ message, suggestion = "none" }: Detail) =>
      suggestion === "none" || message.includes(`; ${suggestion} may be meant`) ? suggestion : message
    )
  )

withLayer("a mistake in a request", apiInMemory(), (live) => {
  live("is named first where the intent was sent without `intent` around it", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const { error } = yield* jsonOf(yield* post("/v1/connections", key, sampleIntent))
      expect(error.message).toStartWith("3 problems in the request: /intent: is missing")
      expect(error.details.slice(1)).toEqual([
        { pointer: "/domain", code: "unknown_field", message: "belongs inside `intent`", suggestion: "intent" },
        { pointer: "/records", code: "unknown_field", message: "belongs inside `intent`", suggestion: "intent" }
      ])
    })
  )

  live("is answered with the right form of an ETag that has no quotes, or is weak", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      const meant = { "2": '"2"', 'W/"2"': '"2"', "'2'": '"2"', abc: '"abc"', '"2': '"2"', "1 2": undefined }
      const suggestions = yield* Effect.forEach(Object.keys(meant), (tag) =>
        Effect.map(Effect.flatMap(patch(path, key, { metadata: {} }, { "if-match": tag }), jsonOf), ({ error }) => [
          tag,
          error.details[0].suggestion
        ])
      )
      expect(Object.fromEntries(suggestions)).toEqual(meant)
      const { error } = yield* jsonOf(yield* patch(path, key, { records: [] }))
      expect(error.details).toMatchObject([{ pointer: "/records", message: "belongs inside `intent`" }])
    })
  )

  live("has the field or parameter that may be meant, and none where nothing is near", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const record = { name: "www", type: "A", content: "192.0.2.1", TTL: 60, colour: "red" }
      const body = { intent: { domain: "example.com", records: [record] }, external_id: "x", metdata: {}, zzz: 1 }
      const { error } = yield* jsonOf(yield* post("/v1/connections", key, body))
      const suggestions = error.details
        .filter(({ message }: Detail) => message.startsWith("is not a known field"))
        .map(({ pointer, suggestion }: Detail) => [pointer, suggestion])
      expect(Object.fromEntries(suggestions)).toEqual({
        "/external_id": "externalId",
        "/metdata": "metadata",
        "/zzz": undefined,
        "/intent/records/0/name": "host",
        "/intent/records/0/content": "value",
        "/intent/records/0/TTL": "ttl",
        "/intent/records/0/colour": undefined
      })
      const swapped = { hots: "www", tyep: "A", vaule: "192.0.2.1", tlt: 60, shop: 1 }
      const misspelt = yield* jsonOf(
        yield* post("/v1/connections", key, { intent: { domain: "example.com", records: [swapped] } })
      )
      expect(
        misspelt.error.details.flatMap(({ suggestion }: Detail) => (suggestion === undefined ? [] : [suggestion]))
      ).toEqual(["host", "type", "value", "ttl"])
      const query = "limt=2&externalid=a&status=active&since=2026-01-01&page_size=2&sort=asc&zzz=1"
      const listed = yield* jsonOf(yield* get(`/v1/connections?${query}`, key))
      expect(listed.error.details.map(({ suggestion }: Detail) => suggestion)).toEqual([
        "limit",
        "externalId",
        "state",
        "createdAfter",
        "limit",
        "order",
        undefined
      ])
    })
  )

  live("has the value of a choice that may be meant, and none where nothing is near", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      const typeOf = (type: string) =>
        post("/v1/connections", key, { intent: { domain: "example.com", records: [{ host: "@", type, value: "a" }] } })
      const methodOf = (method: string) => post(`${path}/authorization`, key, { method })
      const listed = (query: string) => get(`/v1/connections?${query}`, key)
      const found = yield* Effect.all(
        Record.map(
          {
            CNAMES: typeOf("CNAMES"),
            "c-name": typeOf("c-name"),
            SPF: typeOf("SPF"),
            PTR: typeOf("PTR"),
            manuel: methodOf("manuel"),
            "by-hand": methodOf("by-hand"),
            domainConnect: methodOf("domainConnect"),
            oauth: methodOf("oauth"),
            magic: methodOf("magic"),
            actve: listed("state=actve"),
            "active,faild": listed("state=active,faild"),
            connected: listed("state=connected"),
            xyz: listed("state=xyz"),
            ascending: listed("order=ascending")
          },
          suggestionOf
        )
      )
      expect(Record.map(found, (suggestions) => suggestions.join())).toEqual({
        CNAMES: "CNAME",
        "c-name": "CNAME",
        SPF: "TXT",
        PTR: "none",
        manuel: "manual",
        "by-hand": "manual",
        domainConnect: "domain_connect",
        oauth: "oauth2_pkce",
        magic: "none",
        actve: "active",
        "active,faild": "active,failed",
        connected: "active",
        xyz: "none",
        ascending: "asc"
      })
    })
  )

  const texts: Readonly<Record<string, string>> = {
    '{\n  "intent": {,}\n}': "line 2, column 14: a value is expected",
    '{"intent": {},}': "line 1, column 15: a name in double quotes is expected, and no comma may stand before it",
    "{'intent': 1}":
      "line 1, column 2: a word or character that JSON does not know; names and strings need double quotes",
    '{"intent": undefined}':
      "line 1, column 12: a word or character that JSON does not know; names and strings need double quotes",
    '{"intent": {}': "line 1, column 14: a closing brace is expected",
    '{"intent": "a\nb"}': "line 1, column 12: a string that does not end on its line",
    "// a comment\n{}": "line 1, column 1: a comment, which JSON has not"
  }
  for (const [text, place] of Object.entries(texts))
    live(`in JSON has its place: ${JSON.stringify(text)}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const headers = { "x-api-key": key, "content-type": "application/json" }
        const { error } = yield* jsonOf(yield* send("/v1/connections", { method: "POST", headers, body: text }))
        expect([error.code, error.message]).toEqual(["malformed_json", `the body is not well-formed JSON: ${place}`])
      })
    )

  live("of a text is said in words that a person understands", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const messageOf = (value: string) =>
        Effect.gen(function* () {
          const records = [{ host: "www", type: "TXT", value }]
          const { error } = yield* jsonOf(
            yield* post("/v1/connections", key, { intent: { domain: "example.com", records } })
          )
          return error.details[0].message
        })
      expect([yield* messageOf("a\nb"), yield* messageOf("a\tb")]).toEqual([
        "the value has a line break; write it on one line",
        "the value has a tab or another control character, which no TXT record holds"
      ])
    })
  )
})
