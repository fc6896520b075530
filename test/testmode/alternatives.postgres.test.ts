import { expect } from "bun:test"
import { Effect } from "effect"
import { freshTestModeDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { issueTestKey, requesterWith, testModeService } from "./testModeService.ts"

const apex = {
  host: "@",
  type: "CNAME",
  value: "shops.platform.example",
  alternatives: [
    { type: "A", value: "192.0.2.10" },
    { type: "AAAA", value: "2001:DB8::10" }
  ]
}

/** What becomes of the records of an intent at each provider, as the effective intent and as the zone at the apex. */
const outcomes = [
  {
    domain: "bakery-one-click.test",
    provider: "test-dns",
    effective: ["@ CNAME shops.platform.example", "shop CNAME shops.platform.example"],
    stored: ["CNAME shops.platform.example"]
  },
  {
    domain: "bakery-token-only.test",
    provider: "test-token-dns",
    effective: ["@ A 192.0.2.10", "@ AAAA 2001:db8::10", "shop CNAME shops.platform.example"],
    stored: ["A 192.0.2.10", "AAAA 2001:db8::10"]
  }
]

concurrentTest(
  "a CNAME at the apex becomes active as itself where the provider flattens it, and as its alternatives where it does not",
  () =>
    Effect.gen(function* () {
      const url = urlOf(yield* freshTestModeDatabase)
      yield* Effect.gen(function* () {
        const { authorizeAndApprove, connect, send } = yield* requesterWith(yield* issueTestKey(url))
        for (const { domain, effective, provider, stored } of outcomes) {
          const shop = { host: "shop", type: "CNAME", value: "shops.platform.example" }
          const connection = yield* connect(domain, [apex, shop])
          expect(connection.provider.id).toBe(provider)
          const active = yield* authorizeAndApprove(connection.id, "active")
          expect([active.state, textsOf(active)]).toEqual(["active", effective])
          const { json } = yield* send("GET", `/v1/test/connections/${connection.id}/zone`)
          const atApex = json.records.filter(({ name, type }: any) => name === domain && type !== "NS")
          expect(atApex.map(({ type, values }: any) => `${type} ${values.join()}`)).toEqual(stored)
        }
      }).pipe(Effect.provide(testModeService(url)))
    })
)

/** The records that count for a connection. */
const textsOf = ({ effectiveIntent }: any): ReadonlyArray<string> =>
  effectiveIntent.records.map(({ host, type, value }: any) => `${host} ${type} ${value}`)
