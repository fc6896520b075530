import { expect } from "bun:test"
import { Duration, Effect, Layer } from "effect"
import { describeLab } from "../support/lab/describeLab.ts"
import { labService } from "../support/labService.ts"
import { skewedClock } from "../support/skewedClock.ts"
import { issueKey, jsonOf, post } from "../support/testApi.ts"

interface Wanted {
  readonly host: string
  readonly type: string
  readonly value: string
}

/** Connects a domain over HTTP and gives the connection when its discovery has ended. */
const connect = (key: string, domain: string, records: ReadonlyArray<Wanted>) =>
  post("/v1/connections", key, { intent: { domain, records } }, { prefer: "wait=20" }).pipe(
    Effect.flatMap(jsonOf),
    Effect.map(({ connection }) => connection)
  )

const inBrief = ({ failure, plan, provider, state }: any) => ({
  state,
  provider: provider?.id,
  failure: failure?.code,
  changes: plan?.changes.map(({ action, after, before }: any) => [action, before?.value, after?.value]),
  warnings: plan?.warnings
})

const hour = Duration.toMillis("1 hour")

const shop = { host: "shop", type: "CNAME", value: "shops.example.net" }
const www = { host: "www", type: "A", value: "192.0.2.77" }

const planned = {
  state: "awaiting_manual",
  provider: "unknown",
  failure: undefined,
  changes: [
    ["update", "192.0.2.20", "192.0.2.77"],
    ["create", undefined, "shops.example.net"]
  ],
  warnings: ["address_records_replaced"]
}

const unreadable = { state: "failed", provider: "unknown", changes: undefined, warnings: undefined }

describeLab("the service on real name servers", (live) => {
  live(
    "tells for every domain of the lab what would change there, or why it cannot be read",
    () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const wanted: Readonly<Record<string, unknown>> = {
          "glued.com": planned,
          "bindzone.com": planned,
          "knotzone.com": planned,
          "signed.com": { ...planned, warnings: [...planned.warnings, "dnssec_signed_zone"] },
          "lame.com": { ...unreadable, provider: undefined, failure: "discovery_timeout" },
          "nobody-has-this.com": { ...unreadable, provider: undefined, failure: "domain_not_registered" }
        }
        const found = yield* Effect.forEach(
          Object.keys(wanted),
          (domain) => Effect.map(connect(key, domain, [shop, www]), (connection) => [domain, inBrief(connection)]),
          { concurrency: "unbounded" }
        )
        expect(Object.fromEntries(found)).toEqual(wanted)
      }).pipe(Effect.provide(labService([]))),
    40_000
  )

  live(
    "keeps mail, verification and everything else that a connection does not concern",
    () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const { effectiveIntent, plan } = yield* connect(key, "Example.COM.", [
          { host: "www", type: "CNAME", value: "shops.example.net." },
          { host: "_verify.example.com", type: "TXT", value: "platform=1" }
        ])
        expect(effectiveIntent.domain).toBe("example.com")
        expect(
          plan.changes.map(({ action, after, before }: any) => [action, before?.value, after.host, after.value])
        ).toEqual([
          ["update", "example.com", "www", "shops.example.net"],
          ["create", undefined, "_verify", "platform=1"]
        ])
      }).pipe(Effect.provide(labService([]))),
    40_000
  )

  live(
    "refuses to plan where the zone hands a host to other name servers",
    () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const { failure } = yield* connect(key, "example.com", [{ host: "cart.shop", type: "A", value: "192.0.2.1" }])
        expect([failure.code, failure.retryable]).toEqual(["host_delegated_elsewhere", false])
      }).pipe(Effect.provide(labService([]))),
    40_000
  )

  for (const [what, by] of [
    ["behind", -hour],
    ["ahead", hour]
  ] as const)
    live(`tells the time of its database where its own clock is an hour ${what}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const { createdAt } = yield* connect(key, "example.com", [shop])
        expect(Math.round((Date.now() - Date.parse(createdAt)) / hour)).toBe(0)
      }).pipe(Effect.provide(Layer.provide(labService([]), skewedClock(by).layer)))
    )
})
