import { expect } from "bun:test"
import { Duration, Effect, Option } from "effect"
import { ConnectionAction } from "../../../src/domain/connection/Connection.ts"
import { Connections } from "../../../src/lifecycle/commands/Connections.ts"
import { Dispatcher } from "../../../src/lifecycle/scheduler/Dispatcher.ts"
import { decodeConnection } from "../../../src/persistence/stores/connections/StoredConnection.ts"
import { live } from "../../support/effectTest.ts"
import type { InternetSpec } from "../../support/lab/ScriptedTopology.ts"
import { withScriptedInternet } from "../../support/lifecycleInMemory.ts"
import { tenancyOf } from "../../support/testApi.ts"

const tenancy = tenancyOf("app", "tenant")

const pool = [1, 2, 3, 4].map((number) => `dns${number}.p05.nsone.net`)

const soaOf = (mailbox: string) => `@ 3600 SOA dns1.p01.nsone.net. ${mailbox}. 1 43200 7200 1209600 3600`
const ofNs1 = soaOf("hostmaster.nsone.net")
const ofSquarespace = '_domainconnect 300 TXT "domains.squarespace.com"'
const site = "www 300 A 11.22.33.44"

const internet = (...lines: ReadonlyArray<string>): InternetSpec => ({
  zones: { "bakery.com": { nameServers: pool, records: [site, ...lines].join("\n") } }
})

const options = { callableActions: ConnectionAction.literals, idempotency: Option.none(), ifVersion: Option.none() }

/** Connects the domain, and reads the connection after its discovery. */
const connect = Effect.gen(function* () {
  const connections = yield* Connections
  const records = [{ host: "shop", type: "CNAME", value: "shops.example.net" } as const]
  const { stored } = yield* connections.create(tenancy, { domain: "bakery.com", records }, Option.none())
  const read = Effect.gen(function* () {
    yield* Effect.flatMap(Dispatcher, ({ tick }) => tick)
    return decodeConnection((yield* connections.awaitPlan(tenancy, stored.id, Duration.seconds(15))).doc)
  })
  const select = (id: string) => Effect.zipRight(connections.selectProvider(tenancy, stored.id, id, options), read)
  return { connection: yield* read, select }
})

const candidates = [
  { id: "netlify", name: "Netlify" },
  { id: "squarespace", name: "Squarespace" },
  { id: "nsone", name: "NS1 (IBM)" }
]

for (const [told, lines, id, method] of [
  ["its SOA", [soaOf("Domains+Netlify.Netlify.com"), ofSquarespace], "netlify", "soa"],
  ["Domain Connect", [ofNs1, ofSquarespace], "squarespace", "domain_connect"]
] as const)
  live(`a zone on shared name servers tells its provider by ${told}`, () =>
    withScriptedInternet(internet(...lines), () =>
      Effect.gen(function* () {
        const { provider, state } = (yield* connect).connection
        expect([provider?.id, state]).toEqual([id, "awaiting_manual"])
        expect(provider?.detection).toEqual({ method, nameServers: pool })
      })
    )
  )

live(
  "a zone that does not tell waits for the customer's answer, which may be corrected and survives later surveys",
  () =>
    withScriptedInternet(internet(ofNs1, '_domainconnect 300 TXT "domainconnect.api.godaddy.com"'), () =>
      Effect.gen(function* () {
        const { connection, select } = yield* connect
        expect([connection.provider?.id, connection.state]).toEqual(["unknown", "awaiting_authorization"])
        expect(connection.provider?.detection).toEqual({ method: "nameserver", nameServers: pool, candidates })
        for (const answer of ["squarespace", "unknown", "nsone"]) {
          const { plan, provider, state } = yield* select(answer)
          expect([provider?.id, state, plan?.changes.length]).toEqual([answer, "awaiting_manual", 1])
          expect(provider?.detection).toEqual({ method: "manual_selection", nameServers: pool, candidates })
        }
        expect((yield* Effect.flip(select("cloudflare"))).code).toBe("provider_not_selectable")
      })
    )
)

live("zones on name servers of one provider are asked for no SOA and no Domain Connect", () =>
  withScriptedInternet(
    { zones: { "bakery.com": { nameServers: ["ada.ns.cloudflare.com"], records: site } } },
    ({ queries }) =>
      Effect.gen(function* () {
        expect((yield* connect).connection.provider?.id).toBe("cloudflare")
        expect(queries.filter(({ name, type }) => type === "SOA" || name.startsWith("_domainconnect"))).toEqual([])
      })
  )
)
