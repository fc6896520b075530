import type { HttpServer } from "@effect/platform"
import { expect } from "bun:test"
import { Effect, FastCheck as fc, Runtime } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, issueKey, jsonOf, post } from "../../support/testApi.ts"
import { unicodeText } from "../../support/unicodeText.ts"

/** Mostly a valid value, sometimes one that only fits the schema, rarely any JSON. */
const mostly = <A, B>(valid: fc.Arbitrary<A>, odd: fc.Arbitrary<B>) =>
  fc.oneof(
    { weight: 24, arbitrary: valid },
    { weight: 6, arbitrary: odd },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) }
  )

const oddText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.stringMatching(/^[a-zA-Z0-9._*@\-ß。:%/\\" ]{0,70}$/),
  fc.constantFrom("@", "*", ".", "xn--", "xn--a", "::ffff:1.2.3.4", "a".repeat(64), "\ud800", "\u0000")
)

const host = mostly(fc.constantFrom("@", "www", "*", "a.b", "_dmarc", "sel._domainkey", "WWW.example.com."), oddText)

const validData = fc.constantFrom(
  { type: "A", value: "192.0.2.1" },
  { type: "AAAA", value: "2001:db8::1" },
  { type: "CNAME", value: "shops.example.net." },
  { type: "MX", value: "." },
  { type: "TXT", value: "v=spf1 include:example.net -all" },
  { type: "TXT", value: "v=DMARC1; p=none" },
  { type: "NS", value: "ns.example.net" },
  { type: "SRV", value: "0 5060 sip.example.net" },
  { type: "CAA", value: '0 issue "ca.example.net"' }
)

const oddData = fc.record({
  type: fc.constantFrom("A", "AAAA", "CNAME", "MX", "TXT", "NS", "SRV", "CAA"),
  value: oddText
})

const tags = fc.dictionary(oddText, oddText, { maxKeys: 3 })

const otherFields = fc.record(
  {
    ttl: mostly(fc.nat(), fc.double()),
    optional: mostly(fc.boolean(), fc.boolean()),
    priority: mostly(fc.nat(65_535), fc.integer()),
    advancedDmarcOptions: fc.record({ overrideTags: tags, removeTags: fc.array(oddText, { maxLength: 2 }) })
  },
  { requiredKeys: [] }
)

const record = fc
  .record({ host, data: mostly(validData, oddData), rest: mostly(fc.constant({}), otherFields) })
  .map(({ data, host, rest }) => ({
    host,
    ...Object(data),
    ...Object(rest)
  }))

const intent = fc.record({
  domain: mostly(fc.constantFrom("example.com", "bücher.example", "A.Example.co.uk."), oddText),
  records: mostly(fc.array(record, { minLength: 1, maxLength: 3 }), fc.array(record, { maxLength: 30 }))
})

const body = fc.oneof(
  { weight: 20, arbitrary: intent.map((sent) => JSON.stringify({ intent: sent, allowDuplicate: true })) },
  fc.json(),
  unicodeText
)

withLayer("any body of a creation request", apiInMemory(), (live) => {
  live("creates a connection or gets a short error, and never breaks the service", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const runtime = yield* Effect.runtime<HttpServer.HttpServer>()
      const statuses = new Set<number>()
      const property = fc.asyncProperty(body, async (text) => {
        const response = await Runtime.runPromise(runtime)(post("/v1/connections", key, text))
        const answer = await Runtime.runPromise(runtime)(jsonOf(response))
        statuses.add(response.status)
        expect(Object.keys(answer)).toEqual(response.status === 201 ? ["connection"] : ["error"])
        if (response.status !== 201) expect(JSON.stringify(answer).length).toBeLessThan(8_192)
      })
      yield* Effect.promise(() => fc.assert(property, { numRuns: 500 }))
      expect([...statuses].toSorted((left, right) => left - right)).toEqual([201, 400, 422])
    })
  )
})
