import { expect } from "bun:test"
import { Duration, Effect, Layer } from "effect"
import { describeLab } from "../support/lab/describeLab.ts"
import { labService } from "../support/labService.ts"
import { skewedClock } from "../support/skewedClock.ts"
import { createTestConnection } from "../support/TestConnection.ts"
import { issueKey } from "../support/testApi.ts"

interface DesiredLabRecord {
  readonly host: string
  readonly type: string
  readonly value: string
}

/** Connects a domain over HTTP and returns the connection after its discovery. */
const connect = (key: string, domain: string, records: ReadonlyArray<DesiredLabRecord>) =>
  Effect.map(createTestConnection(key, { domain, records }), ({ created }) => created)

const summaryOf = ({ effectiveIntent, failure, plan, provider, state }: any) => ({
  domain: effectiveIntent.domain,
  state,
  provider: provider?.id,
  failure: failure?.code,
  retryable: failure?.retryable,
  changes: plan?.changes.map(({ action, after, before }: any) => [action, after.host, before?.value, after.value]),
  warnings: plan?.warnings
})

const shop = { host: "shop", type: "CNAME", value: "shops.example.net" }
const www = { host: "www", type: "A", value: "192.0.2.77" }

/** What replaces another record proves nothing, since a server may alternate between both. */
const challengeCreation = ["create", "_domain-connection", undefined, expect.stringMatching(/^domain-connection=/)]

const planned = (domain: string) => ({
  domain,
  state: "awaiting_manual",
  provider: "unknown",
  failure: undefined,
  changes: [
    ["update", "www", "192.0.2.20", "192.0.2.77"],
    ["create", "shop", undefined, "shops.example.net"],
    challengeCreation
  ],
  warnings: ["address_records_replaced", "website_replaced"]
})

const failed = (domain: string, failure: string) => ({
  domain,
  state: "failed",
  provider: undefined,
  failure,
  retryable: true,
  changes: undefined,
  warnings: undefined
})

interface DomainCase {
  readonly domain: string
  readonly records?: ReadonlyArray<DesiredLabRecord>
  readonly expected: object
}

const cases: ReadonlyArray<DomainCase> = [
  ...["glued.com", "bindzone.com", "knotzone.com"].map((domain) => ({ domain, expected: planned(domain) })),
  {
    domain: "signed.com",
    expected: {
      ...planned("signed.com"),
      warnings: ["address_records_replaced", "website_replaced", "dnssec_signed_zone"]
    }
  },
  { domain: "lame.com", expected: failed("lame.com", "discovery_timeout") },
  { domain: "nobody-has-this.com", expected: failed("nobody-has-this.com", "domain_not_registered") },
  {
    domain: "example.com",
    records: [{ host: "cart.shop", type: "A", value: "192.0.2.1" }],
    expected: { state: "failed", failure: "host_delegated_elsewhere", retryable: false }
  },
  {
    domain: "Example.COM.",
    records: [
      { host: "www", type: "CNAME", value: "shops.example.net." },
      { host: "_verify.example.com", type: "TXT", value: "platform=1" }
    ],
    expected: {
      domain: "example.com",
      state: "awaiting_manual",
      changes: [
        ["update", "www", "example.com", "shops.example.net"],
        challengeCreation,
        ["create", "_verify", undefined, "platform=1"]
      ]
    }
  }
]

const hour = Duration.toMillis("1 hour")

describeLab("the service on real name servers", (live) => {
  live("plans exactly the changes that a domain needs, or reports why it cannot", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const summaries = yield* Effect.forEach(
        cases,
        ({ domain, records = [shop, www] }) => Effect.map(connect(key, domain, records), summaryOf),
        { concurrency: "unbounded" }
      )
      cases.forEach(({ expected }, index) => expect(summaries[index]).toMatchObject(expected))
    }).pipe(Effect.provide(labService([])))
  )

  live("uses the time of its database even if its own clock is an hour behind", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const { createdAt } = yield* connect(key, "example.com", [shop])
      expect(Math.round((Date.now() - Date.parse(createdAt)) / hour)).toBe(0)
    }).pipe(Effect.provide(Layer.provide(labService([]), skewedClock(-hour).layer)))
  )
})
