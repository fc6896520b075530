import { expect } from "bun:test"
import { DateTime, Duration, Effect, Option } from "effect"
import type { FailureCode } from "../../../src/domain/connection/Connection.ts"
import { warningMeanings } from "../../../src/domain/plan/Warning.ts"
import { failureMeanings } from "../../../src/domain/connection/failureMeanings.ts"
import type { RecordType } from "../../../src/domain/records/recordTypes.ts"
import { Connections } from "../../../src/lifecycle/commands/Connections.ts"
import { Dispatcher } from "../../../src/lifecycle/scheduler/Dispatcher.ts"
import { decodeConnection } from "../../../src/persistence/stores/connections/StoredConnection.ts"
import { captureLog } from "../../http/support/logCapture.ts"
import { live } from "../../support/effectTest.ts"
import type { InternetSpec } from "../../support/lab/ScriptedTopology.ts"
import { replyOf } from "../../support/lab/Zone.ts"
import { drop, fromCache, lame, refused, servfail } from "../../support/lab/dnsFaults.ts"
import { withScriptedInternet } from "../../support/lifecycleInMemory.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { tenancyOf } from "../../support/testApi.ts"

const tenancy = tenancyOf("app", "tenant")

const bakery: InternetSpec = {
  zones: {
    "bakery.com": {
      nameServers: ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"],
      records: `@    300  A     11.22.33.44
                @    3600 MX    10 mail
                mail 3600 A     11.22.33.45
                shop 300  A     11.22.33.46`
    }
  }
}

interface RequestedRecord {
  readonly host: string
  readonly type: RecordType
  readonly value: string
}

const platformRecord: RequestedRecord = { host: "shop", type: "CNAME", value: "shops.example.net" }

/** Creates a connection and returns it after its discovery. */
const connect = (domain: string, records: ReadonlyArray<RequestedRecord> = [platformRecord]) =>
  Effect.gen(function* () {
    const connections = yield* Connections
    const { stored } = yield* connections.create(tenancy, { domain, records }, Option.none(), { allowDuplicate: true })
    yield* Effect.flatMap(Dispatcher, ({ tick }) => tick)
    return decodeConnection((yield* connections.awaitPlan(tenancy, stored.id, Duration.seconds(15))).doc)
  })

const failureOf = (domain: string) =>
  Effect.map(connect(domain), ({ failure, state }) => ({
    state,
    code: failure?.code,
    retryable: failure?.retryable,
    resumeState: failure?.resumeState
  }))

const retryable = (code: FailureCode) => ({ state: "failed", code, retryable: true, resumeState: "requested" }) as const

live("discovery finds the provider, the effective intent and the plan of a domain", () =>
  withScriptedInternet(bakery, () =>
    Effect.gen(function* () {
      const { plan, provider, state } = yield* connect("bakery.com")
      expect({ state, provider: provider?.id, detection: provider?.detection }).toEqual({
        state: "awaiting_manual",
        provider: "cloudflare",
        detection: { method: "nameserver", nameServers: ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"] }
      })
      const shop = { host: "shop", optional: false }
      expect(plan?.changes).toEqual([
        { action: "delete", before: { ...shop, type: "A", value: "11.22.33.46", ttl: 300 }, destructive: true },
        {
          action: "create",
          after: { ...shop, type: "CNAME", value: "shops.example.net", ttl: 3600 },
          destructive: false
        }
      ])
      expect(plan?.basis).toBe("public_dns")
      expect(plan?.warnings).toEqual(["cname_replaces_records", "website_replaced"])
      const lifetime = DateTime.distance(yield* DateTime.now, plan?.expiresAt ?? DateTime.unsafeMake(0))
      expect(lifetime).toBeGreaterThan(Duration.toMillis("14 minutes"))
    })
  )
)

live("a zone that already has all records is verified next", () =>
  withScriptedInternet(bakery, () =>
    Effect.gen(function* () {
      const { plan, state } = yield* connect("bakery.com", [{ host: "@", type: "A", value: "11.22.33.44" }])
      expect({ state, changes: plan?.changes }).toEqual({ state: "verifying", changes: [] })
    })
  )
)

live("each step records its previous state in the timeline", () =>
  withScriptedInternet(bakery, () =>
    Effect.gen(function* () {
      const { id } = yield* connect("bakery.com")
      const { connections } = yield* Tables
      expect(connections.get(id)?.events.map(({ from, to }) => ({ from, to }))).toEqual([
        { from: undefined, to: "requested" },
        { from: "requested", to: "awaiting_manual" }
      ])
    })
  )
)

live("an unregistered domain fails with its own code and can be retried", () =>
  withScriptedInternet(bakery, () =>
    Effect.map(failureOf("butcher.com"), (failure) => expect(failure).toEqual(retryable("domain_not_registered")))
  )
)

live("a subdomain that does not exist yet is connected in the zone above it", () =>
  withScriptedInternet(bakery, () =>
    Effect.gen(function* () {
      const { plan, state } = yield* connect("new.bakery.com", [
        { host: "@", type: "CNAME", value: "shops.example.net" }
      ])
      expect(state).toBe("awaiting_manual")
      expect(plan?.changes.map(({ action, after }) => [action, after?.host, after?.type])).toEqual([
        ["create", "@", "CNAME"]
      ])
    })
  )
)

live("a domain whose name servers have no addresses fails as having no name servers", () =>
  withScriptedInternet(
    {
      zones: { "bakery.com": { nameServers: ["ns1.gone.net"], records: "@ A 11.22.33.44" } },
      hosts: { "ns1.gone.net": [] }
    },
    () =>
      Effect.map(failureOf("bakery.com"), (failure) => expect(failure).toEqual(retryable("domain_has_no_nameservers")))
  )
)

for (const [behavior, fault] of [
  ["refuse the zone", refused],
  ["refer elsewhere", lame],
  ["answer from a cache", fromCache]
] as const) {
  live(`a domain whose name servers ${behavior} has no zone`, () =>
    withScriptedInternet(bakery, (internet) =>
      Effect.gen(function* () {
        internet.script("ada.ns.cloudflare.com", fault)
        internet.script("bob.ns.cloudflare.com", fault)
        expect(yield* failureOf("bakery.com")).toEqual(retryable("zone_not_found"))
      })
    )
  )
}

for (const [behavior, fault] of [
  ["are silent", drop],
  ["fail", servfail]
] as const) {
  live(`a domain whose name servers ${behavior} times out instead of getting a plan for an empty zone`, () =>
    withScriptedInternet(bakery, (internet) =>
      Effect.gen(function* () {
        internet.script("ada.ns.cloudflare.com", fault)
        internet.script("bob.ns.cloudflare.com", fault)
        expect(yield* failureOf("bakery.com")).toEqual(retryable("discovery_timeout"))
      })
    )
  )
}

live("a query that no server answers fails the discovery, which keeps the detected provider", () =>
  withScriptedInternet(bakery, (internet) =>
    Effect.gen(function* () {
      const query = { name: "shop.bakery.com", type: "TXT" }
      internet.script("ada.ns.cloudflare.com", servfail, query)
      internet.script("bob.ns.cloudflare.com", servfail, query)
      const { failure, plan, provider } = yield* connect("bakery.com")
      expect({ code: failure?.code, plan, provider: provider?.id }).toEqual({
        code: "discovery_timeout",
        plan: undefined,
        provider: "cloudflare"
      })
    })
  )
)

live("a silent name server does not prevent reading the others", () =>
  withScriptedInternet(bakery, (internet) =>
    Effect.gen(function* () {
      internet.script("bob.ns.cloudflare.com", drop)
      const { plan, state } = yield* connect("bakery.com")
      expect({ state, changes: plan?.changes.length }).toEqual({ state: "awaiting_manual", changes: 2 })
    })
  )
)

live("no packet goes to a name server or a Domain Connect host at a private address", () =>
  withScriptedInternet(
    {
      zones: {
        "bakery.com": {
          nameServers: ["ns1.inside.net"],
          records: `@ A 11.22.33.44
                    _domainconnect TXT "metadata.inside.net/api"`
        }
      },
      hosts: {
        "ns1.inside.net": ["169.254.169.254", "127.0.0.1", "10.0.0.1"],
        "metadata.inside.net": ["169.254.169.254"]
      }
    },
    (internet) =>
      Effect.gen(function* () {
        const { failure } = yield* connect("bakery.com")
        expect(failure?.code).toBe("domain_has_no_nameservers")
        expect(internet.strangers).toEqual([])
        expect(internet.queries.filter(({ server }) => server.endsWith("inside.net"))).toEqual([])
      })
  )
)

live("an apex CNAME is rejected for good if the provider is not known to flatten it", () =>
  withScriptedInternet(
    { zones: { "bakery.com": { nameServers: ["ns1.small-host.net"], records: "@ A 11.22.33.44" } } },
    () =>
      Effect.gen(function* () {
        const { failure } = yield* connect("bakery.com", [{ host: "@", type: "CNAME", value: "shops.example.net" }])
        expect({ code: failure?.code, retryable: failure?.retryable, resumeState: failure?.resumeState }).toEqual({
          code: "apex_cname_unsupported",
          retryable: false,
          resumeState: undefined
        })
      })
  )
)

live("an alias at the apex of a zone at Gandi is planned, but not where Gandi signs the zone", () => {
  const nameServers = ["ns-1-a.gandi.net"]
  const zone = { nameServers, records: "@ A 11.22.33.44" }
  return withScriptedInternet({ zones: { "bakery.com": zone, "florist.com": zone } }, (internet) =>
    Effect.gen(function* () {
      const signer = { name: "florist.com.", type: "DS", ttl: 300, data: `2371 13 2 ${"AB".repeat(32)}` }
      const reply = replyOf("NOERROR", { authoritative: true, answers: [signer] })
      internet.script("a.gtld.test", () => reply, { name: "florist.com", type: "DS" })
      const alias = [{ host: "@", type: "CNAME", value: "shops.example.net" }] as const
      const [plain, signed] = [yield* connect("bakery.com", alias), yield* connect("florist.com", alias)]
      expect([plain.provider?.capabilities.cnameFlattening, plain.failure]).toEqual(["supported", undefined])
      expect([signed.provider?.capabilities.cnameFlattening, signed.failure?.code]).toEqual([
        "unsupported",
        "apex_cname_unsupported"
      ])
    })
  )
})

live("the log has the sentences of failures and warnings that the API has, with their codes", () => {
  const { layer, lines } = captureLog()
  const linesOf = (connection: string) => lines.filter((line) => line.includes(`connectionId=${connection}`))
  const spec: InternetSpec = {
    zones: { ...bakery.zones, "florist.com": { nameServers: ["ns1.small-host.net"], records: "" } }
  }
  return withScriptedInternet(spec, (internet) =>
    Effect.gen(function* () {
      internet.script("ns1.small-host.net", refused)
      const { id, plan } = yield* connect("bakery.com")
      const failed = yield* connect("florist.com")
      expect(plan?.warnings).toContain("website_replaced")
      expect(linesOf(id)).toEqual(
        (plan?.warnings ?? []).map((warning) => expect.stringContaining(warningMeanings[warning]))
      )
      expect(linesOf(failed.id)).toEqual([expect.stringContaining(`message="${failureMeanings.zone_not_found}"`)])
      expect(linesOf(failed.id)[0]).toContain("ns1.small-host.net, asked for NS of florist.com, refused to answer")
    })
  ).pipe(Effect.provide(layer))
})
