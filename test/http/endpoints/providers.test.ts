import { expect } from "bun:test"
import { Effect, Layer, Schema, Struct } from "effect"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { Provider } from "../../../src/domain/provider/Provider.ts"
import { TakeoverRight } from "../../../src/domain/connection/TakeoverRight.ts"
import type { Tenancy } from "../../../src/domain/access/Tenancy.ts"
import { failureMeanings } from "../../../src/domain/connection/failureMeanings.ts"
import { DomainCheck } from "../../../src/http/endpoints/providers/ProvidersApi.ts"
import { catalog, unknownProvider } from "../../../src/providers/catalog/catalog.ts"
import { withLayer } from "../../support/effectTest.ts"
import { DomainChecks } from "../../../src/lifecycle/plan/DomainChecks.ts"
import { WorkSlots } from "../../../src/limits/WorkSlots.ts"
import { HostHolderStore } from "../../../src/persistence/stores/connections/HostHolderStore.ts"
import { ScriptedInternet } from "../../support/lab/ScriptedInternet.ts"
import { refused } from "../../support/lab/dnsFaults.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { scriptedPlanMaker } from "../../support/scriptedDns.ts"
import {
  apiInMemory,
  get,
  issueKey,
  jsonOf,
  post,
  apiServicesLayer,
  send,
  storesInMemory,
  tenancyOf,
  httpOnFreePort
} from "../../support/testApi.ts"
import { moveTo } from "../support/commandFixtures.ts"
import { shopOrigin } from "../support/connectionRequests.ts"
import { expectError, expectErrorWithoutWrites, rowCounts } from "../support/expectError.ts"

const check = (key: string, body: unknown) => post("/v1/domains/check", key, body)

/** Who holds hosts of a domain, as a tenant is told. */
const heldBy = (tenancy: Tenancy, domain: string) =>
  Effect.gen(function* () {
    const { key } = yield* issueKey(tenancy)
    return (yield* jsonOf(yield* check(key, { domain }))).heldBy
  })

/** The API on a scripted internet; the bakery is at Cloudflare, and the name server of the florist refuses queries. */
const apiOnInternet = Layer.unwrapScoped(
  Effect.gen(function* () {
    const internet = yield* ScriptedInternet.make({
      zones: {
        "bakery.com": {
          nameServers: ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"],
          records: `@    300  A     11.22.33.44
                    @    3600 MX    10 mail
                    shop 300  A     11.22.33.46`
        },
        "grocer.com": { nameServers: ["ns1.tiny-host.net"], records: "@ A 11.22.33.44" },
        "florist.com": { nameServers: ["ns1.small-host.net"], records: "@ A 11.22.33.44" }
      }
    })
    internet.script("ns1.small-host.net", refused)
    return httpOnFreePort().pipe(
      Layer.provide(Layer.provide(DomainChecks.layer, WorkSlots.layer({ capacity: 64 }))),
      Layer.provideMerge(apiServicesLayer),
      Layer.provide(scriptedPlanMaker(internet)),
      Layer.provideMerge(storesInMemory)
    )
  })
)

const encoded = Schema.encodeSync(Provider)

const cname = { host: "shop", type: "CNAME", value: "shops.example.net" }

withLayer("POST /v1/domains/check", apiOnInternet, (live) => {
  live("returns a domain's provider with its authorization methods, and writes nothing", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const response = yield* check(key, { domain: "Bakery.com." })
      const domainCheck = yield* jsonOf(response)
      expect(response.status).toBe(200)
      expect(Schema.is(Schema.encodedSchema(DomainCheck))(domainCheck)).toBe(true)
      expect(domainCheck).toEqual({
        domain: "bakery.com",
        heldBy: "nobody",
        provider: {
          ...encoded(cloudflare),
          detection: { method: "nameserver", nameServers: ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"] }
        },
        plan: {
          digest: expect.stringMatching(/^sha-256:[0-9a-f]{64}$/),
          zone: "bakery.com",
          basis: "public_dns",
          changes: [],
          warnings: [],
          warningDetails: [],
          mailServers: ["mail.bakery.com"]
        },
        optionalFailures: [],
        optionalFailureDetails: []
      })
      expect(yield* rowCounts).toEqual({ connections: 0, idempotency: 0, tokens: 0 })
    })
  )

  live("returns the changes that records need", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const { plan } = yield* jsonOf(yield* check(key, { domain: "bakery.com", records: [cname] }))
      const record = { host: "shop", name: "shop.bakery.com", zoneHost: "shop", optional: false }
      expect(plan).toMatchObject({
        changes: [
          { action: "delete", before: { ...record, type: "A", value: "11.22.33.46", ttl: 300 }, destructive: true },
          { action: "create", after: { ...record, ...cname, ttl: 3_600 }, destructive: false }
        ],
        warnings: ["cname_replaces_records", "website_replaced"]
      })
      const fields = ["basis", "changes", "digest", "mailServers", "warningDetails", "warnings", "zone"]
      expect(Object.keys(plan).toSorted()).toEqual(fields)
    })
  )

  live("tells whether the tenant, another one of its application, or nobody holds hosts of the domain", () =>
    Effect.gen(function* () {
      const holder = tenancyOf("app", "holder")
      const { key } = yield* issueKey(holder)
      const intent = { domain: "bakery.com", records: [cname] }
      const { connection } = yield* jsonOf(yield* post("/v1/connections", key, { intent }))
      yield* moveTo(`/v1/connections/${connection.id}`, "active", {}, holder)
      const names = [DomainName.make("shop.bakery.com")]
      yield* (yield* HostHolderStore).claim({
        tenancy: holder,
        connectionId: connection.id,
        hadLostHosts: false,
        names,
        right: TakeoverRight.Nothing()
      })
      const rival = tenancyOf("app", "rival")
      expect([
        yield* heldBy(holder, "bakery.com"),
        yield* heldBy(rival, "bakery.com"),
        yield* heldBy(rival, "grocer.com"),
        yield* heldBy(tenancyOf("other-app", "holder"), "bakery.com")
      ]).toEqual(["this_tenant", "another_tenant", "nobody", "nobody"])
    })
  )

  live("reports a domain that is not registered", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const response = yield* check(key, { domain: "butcher.com" })
      expect([response.status, yield* jsonOf(response)]).toEqual([
        200,
        {
          domain: "butcher.com",
          heldBy: "nobody",
          optionalFailures: [],
          optionalFailureDetails: [],
          failure: {
            code: "domain_not_registered",
            retryable: true,
            message:
              "The registry says that the domain does not exist. Check its spelling; a new domain can be tried again after an hour.",
            details: [
              {
                message: "a.gtld.test, asked for NS of butcher.com, answered that there is no such name",
                server: "a.gtld.test",
                host: "@",
                type: "NS",
                answer: "nxdomain"
              }
            ]
          }
        }
      ])
    })
  )

  live("reports a domain without a zone", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const response = yield* check(key, { domain: "florist.com", records: [cname] })
      expect(yield* jsonOf(response)).toMatchObject({
        failure: {
          code: "zone_not_found",
          retryable: true,
          details: [
            {
              server: "ns1.small-host.net",
              answer: "refused",
              message: "ns1.small-host.net, asked for NS of florist.com, refused to answer"
            }
          ]
        }
      })
    })
  )

  live("reports an apex CNAME that no plan can create", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const apex = { host: "@", type: "CNAME", value: "shops.example.net" }
      const domainCheck = yield* jsonOf(yield* check(key, { domain: "grocer.com", records: [apex] }))
      expect([domainCheck.failure, domainCheck.provider.id, Object.keys(domainCheck)]).toEqual([
        {
          code: "apex_cname_unsupported",
          retryable: false,
          message:
            "A CNAME is desired at the apex, and the provider cannot flatten it. Send `alternatives` with the record: the addresses to write there instead.",
          details: [{ host: "@", type: "CNAME", message: expect.stringMatching(/^CNAME at @: a CNAME at the apex/) }]
        },
        "unknown",
        ["domain", "heldBy", "provider", "optionalFailures", "optionalFailureDetails", "failure"]
      ])
    })
  )

  live("accepts a host that repeats its domain, with a warning", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const records = [{ ...cname, host: "www" }]
      const { plan } = yield* jsonOf(yield* check(key, { domain: "www.bakery.com", records }))
      expect(plan.changes.map(({ after }: { readonly after: { readonly host: string } }) => after.host)).toEqual([
        "www"
      ])
      expect(plan.warnings).toEqual(["host_repeats_domain"])
    })
  )

  live("answers 422 with the pointers of two records that exclude each other, as they were sent", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      yield* expectErrorWithoutWrites(
        check(key, { domain: "bakery.com", records: [cname, { ...cname, type: "A", value: "192.0.2.1" }] }),
        {
          status: 422,
          code: "unprocessable",
          details: [
            ["/records/0", "cname_not_alone", { conflictsWith: "/records/1" }],
            ["/records/1", "cname_not_alone", { conflictsWith: "/records/0" }]
          ]
        }
      )
      yield* expectErrorWithoutWrites(check(key, { domain: "https://bakery.com/" }), {
        status: 422,
        code: "unprocessable",
        details: [["/domain", "domain_is_url", { suggestion: "bakery.com" }]]
      })
    })
  )

  live("answers 422 with a pointer to the invalid value", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      yield* expectErrorWithoutWrites(check(key, { domain: "co.uk", records: [{ ...cname, host: "a..b" }] }), {
        status: 422,
        code: "unprocessable",
        details: [["/domain", "domain_is_public_suffix"]]
      })
      const records = [{ ...cname, value: "192.0.2.1" }]
      yield* expectErrorWithoutWrites(check(key, { domain: "bakery.com", records }), {
        status: 422,
        code: "unprocessable",
        details: [["/records/0/value", "target_is_ip_address"]]
      })
    })
  )

  live("answers 400 with a pointer to each field that violates the schema", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const body = { records: [], colour: "red" }
      yield* expectErrorWithoutWrites(check(key, body), {
        status: 400,
        code: "invalid_request",
        details: [
          ["/domain", "missing"],
          ["/records", "invalid"],
          ["/colour", "unknown_field"]
        ]
      })
    })
  )
})

const cloudflare = catalog.map(({ provider }) => provider).find(({ id }) => id === "cloudflare") ?? unknownProvider

withLayer("GET /v1/providers", apiInMemory(), (live) => {
  live("lists every provider of the catalog in the form of the schema, without null", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const response = yield* get("/v1/providers", key)
      const text = yield* Effect.promise(() => response.text())
      expect([response.status, response.headers.get("content-type"), response.headers.get("cache-control")]).toEqual([
        200,
        "application/json",
        "no-store"
      ])
      const { providers } = JSON.parse(text)
      expect(providers.map(Struct.omit("listing"))).toEqual(catalog.map(({ provider }) => encoded(provider)))
      const listings = new Map(providers.map(({ id, listing }: any) => [id, listing]))
      expect(listings.get("squarespace")).toEqual({
        websitePercent: 0.9,
        domainConnect: true,
        hasGuide: true,
        dnsPageUrl: "https://account.squarespace.com/domains/managed/%domain%/dns/dns-settings",
        provenBy: []
      })
      expect(listings.get("netlify")).toEqual({
        websitePercent: 1.3,
        domainConnect: false,
        hasGuide: false,
        provenBy: ["document", "judge", "trap"]
      })
      expect(yield* Schema.decodeUnknown(Schema.Array(Provider))(providers)).toHaveLength(catalog.length)
      expect(text).not.toContain("null")
    })
  )
})

withLayer("the endpoint", apiInMemory(), (live) => {
  for (const [name, request] of [
    ["GET /v1/providers", (headers: Record<string, string>) => send("/v1/providers", { headers })],
    [
      "POST /v1/domains/check",
      (headers: Record<string, string>) => post("/v1/domains/check", "", { domain: "example.com" }, headers)
    ]
  ] as const) {
    live(`${name} answers 401 without a key and to a browser token, 403 from a browser and without the scope`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const { key: writer } = yield* issueKey(undefined, ["connections:write", "tokens:issue"])
        const unauthenticated = { status: 401, code: "unauthenticated" }
        yield* expectErrorWithoutWrites(request({}), unauthenticated)
        yield* expectErrorWithoutWrites(
          request({ authorization: `Bearer dct_${"A".repeat(43)}`, origin: shopOrigin }),
          unauthenticated
        )
        const inBrowser = request({ "x-api-key": key, origin: shopOrigin })
        yield* expectErrorWithoutWrites(inBrowser, { status: 403, code: "api_key_in_browser" })
        yield* expectErrorWithoutWrites(request({ "x-api-key": writer }), { status: 403, code: "insufficient_scope" })
      })
    )
  }

  live("POST /v1/domains/check reports a DNS that does not answer", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      expect(yield* jsonOf(yield* check(key, { domain: "example.com" }))).toEqual({
        domain: "example.com",
        heldBy: "nobody",
        optionalFailures: [],
        optionalFailureDetails: [],
        failure: {
          code: "discovery_timeout",
          retryable: true,
          message: failureMeanings.discovery_timeout
        }
      })
      expect((yield* Tables).connections.size).toBe(0)
    })
  )
})

withLayer("providers and domains with a quota of one request", apiInMemory({ rates: { server: 1 } }), (live) => {
  live("answer 429 to the second request", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      yield* get("/v1/providers", key)
      const rateLimited = { status: 429, code: "rate_limited" }
      yield* expectError(yield* get("/v1/providers", key), rateLimited)
      yield* expectError(yield* check(key, { domain: "example.com" }), rateLimited)
    })
  )
})
