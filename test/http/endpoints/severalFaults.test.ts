import { expect } from "bun:test"
import { Effect } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, issueKey, jsonOf, post } from "../../support/testApi.ts"
import { expectErrorWithoutWrites } from "../support/expectError.ts"

const create = (key: string, intent: unknown) => post("/v1/connections", key, { intent })

withLayer("a domain that is wrong", apiInMemory(), (live) => {
  const broken = [{ host: "shop", type: "CNAME" }]

  live("does not hide behind a record that the schema refuses", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const faults = [["domain_is_url", { suggestion: "example.com" }], ["missing"]] as const
      const details = (prefix: string) => [
        [`${prefix}/domain`, ...faults[0]] as const,
        [`${prefix}/records/0/value`, ...faults[1]] as const
      ]
      const intent = { domain: "https://example.com", records: broken }
      yield* expectErrorWithoutWrites(create(key, intent), {
        status: 400,
        code: "invalid_request",
        details: details("/intent")
      })
      yield* expectErrorWithoutWrites(post("/v1/domains/check", key, intent), {
        status: 400,
        code: "invalid_request",
        details: details("")
      })
    })
  )

  live("is named once where the schema refuses it too, and not at all where it is right", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      for (const domain of [7, "a".repeat(1_001), undefined]) {
        const { error } = yield* jsonOf(yield* create(key, { domain, records: broken }))
        expect(error.details.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
          "/intent/domain",
          "/intent/records/0/value"
        ])
      }
      const { error } = yield* jsonOf(yield* create(key, { domain: "example.com", records: broken }))
      expect(error.details).toHaveLength(1)
    })
  )

  live("is named first of twenty faults", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const { error } = yield* jsonOf(
        yield* create(key, { domain: "co.uk", records: Array.from({ length: 30 }, () => broken[0]) })
      )
      expect(error.details).toHaveLength(20)
      expect(error.details[0].code).toBe("domain_is_public_suffix")
    })
  )

  live("hides no value and no priority of a record that is wrong without it", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const records = [
        { host: "@", type: "A", value: "hello", priority: 5 },
        { host: "https://x", type: "A", value: "192.0.2.1" }
      ]
      yield* expectErrorWithoutWrites(create(key, { domain: "co.uk", records }), {
        status: 422,
        code: "unprocessable",
        details: [
          ["/intent/domain", "domain_is_public_suffix"],
          ["/intent/records/0/value", "value_is_no_ipv4_address"],
          ["/intent/records/0/priority", "priority_not_applicable"]
        ]
      })
    })
  )
})
