import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { createServer } from "node:net"
import { freshDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { live } from "../support/effectTest.ts"
import type { InternetSpec } from "../support/lab/ScriptedTopology.ts"
import { scriptedService } from "../support/scriptedService.ts"
import { createTestConnection } from "../support/TestConnection.ts"
import { issueKey, tenancyOf } from "../support/testApi.ts"

const honest = "example.com"

/**
 * Connects each of the domains, and beside them that of another tenant at an honest server, to a service on PostgreSQL.
 * Returns the connections by domain, and the internet that was queried.
 */
const connectAll = (domains: ReadonlyArray<string>, others: InternetSpec) =>
  Effect.gen(function* () {
    const { internet, layer } = yield* scriptedService(urlOf(yield* freshDatabase), [honest], {}, others)
    const created = yield* Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "hostile"))
      const other = yield* issueKey(tenancyOf("app", "honest"))
      return yield* Effect.all([...domains.map((domain) => connect(domain, key)), connect(honest, other.key)], {
        concurrency: "unbounded"
      })
    }).pipe(Effect.provide(layer))
    return { internet, created: Object.fromEntries(created) }
  })

const connect = (domain: string, key: string) =>
  Effect.map(
    createTestConnection(key, { domain, records: [{ host: "shop", type: "CNAME", value: "shops.example.net" }] }),
    ({ created }) => [domain, created] as const
  )

const outcomeOf = ({ failure, state }: any) => failure?.code ?? state

/** Listens on a port of this machine and counts the connections. */
const makeTrap = Effect.acquireRelease(
  Effect.async<{ readonly count: () => number; readonly port: number; readonly close: () => void }>((resume) => {
    let connections = 0
    const server = createServer((socket) => {
      connections += 1
      socket.destroy()
    }).listen(0, () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resume(Effect.succeed({ port, count: () => connections, close: () => server.close() }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

const zoneOf = (target: string) => ({
  nameServers: ["ns1.acme-dns.net"],
  records: `@ A 11.22.33.44\n_domainconnect TXT "${target}"`
})

live("no host is contacted that a zone names at _domainconnect", () =>
  Effect.gen(function* () {
    const trap = yield* makeTrap
    const targets = [
      ...["127.0.0.1", "localhost", "[::1]", "0x7f000001", "2130706433"].map((host) => `${host}:${trap.port}/api`),
      `http://127.0.0.1:${trap.port}/`,
      "169.254.169.254/latest/meta-data",
      "trap.inside.net/api"
    ]
    const domains = targets.map((_, nth) => `hostile-${nth}.com`)
    const { created, internet } = yield* connectAll(domains, {
      zones: Object.fromEntries(targets.map((target, nth) => [`hostile-${nth}.com`, zoneOf(target)])),
      hosts: { "trap.inside.net": ["127.0.0.1"] }
    })
    expect(Object.values(created).map(outcomeOf)).toEqual([...domains, honest].map(() => "awaiting_authorization"))
    expect(trap.count()).toBe(0)
    expect(internet.strangers).toEqual([])
    expect(internet.queries.filter(({ name }) => name.startsWith("trap."))).toEqual([])
  })
)

const hundred = Array.from({ length: 100 }, (_, nth) => `ns${nth + 100}.nowhere.net`)

/** Zones that lead nowhere, with how their discovery ends. */
const hostileZones = {
  "name-server-cycle.com": {
    zone: { nameServers: ["ns.cycle.com"], records: "" },
    outcome: "discovery_timeout"
  },
  "cycle.com": { zone: { nameServers: ["ns.name-server-cycle.com"], records: "" }, outcome: "discovery_timeout" },
  "alias-loop.com": {
    zone: { nameServers: ["ns1.acme-dns.net"], records: "@ A 11.22.33.44\nshop CNAME cart\ncart CNAME shop" },
    outcome: "awaiting_authorization"
  },
  "server-alias-loop.com": {
    zone: { nameServers: ["one.loop.net"], records: "" },
    outcome: "discovery_timeout"
  },
  "hundred-servers.com": { zone: { nameServers: hundred, records: "" }, outcome: "domain_has_no_nameservers" },
  "private-server.com": {
    zone: { nameServers: ["ns1.inside.net", "ns2.inside.net"], records: "@ A 11.22.33.44" },
    outcome: "domain_has_no_nameservers"
  }
}

describe("the discovery of a zone that leads nowhere", () => {
  live("ends within its budget, sends nothing to private addresses, and leaves that of another tenant alone", () =>
    Effect.gen(function* () {
      const { created, internet } = yield* connectAll(Object.keys(hostileZones), {
        zones: {
          ...Object.fromEntries(Object.entries(hostileZones).map(([domain, { zone }]) => [domain, zone])),
          "loop.net": { nameServers: ["ns9.acme-dns.net"], records: "one CNAME two\ntwo CNAME one" }
        },
        hosts: {
          ...Object.fromEntries(hundred.map((name) => [name, []])),
          "ns.cycle.com": [],
          "ns.name-server-cycle.com": [],
          "one.loop.net": [],
          "ns1.inside.net": ["169.254.169.254", "127.0.0.1", "fd00::1"],
          "ns2.inside.net": ["10.0.0.1", "::ffff:10.0.0.1"]
        }
      })
      expect(Object.fromEntries(Object.entries(created).map(([domain, one]) => [domain, outcomeOf(one)]))).toEqual({
        ...Object.fromEntries(Object.entries(hostileZones).map(([domain, { outcome }]) => [domain, outcome])),
        [honest]: "awaiting_authorization"
      })
      expect(internet.strangers).toEqual([])
      expect(internet.queries.filter(({ server }) => server.endsWith("inside.net"))).toEqual([])
      const queriedNames = new Set(
        internet.queries.map(({ name }) => name).filter((name) => name.endsWith("nowhere.net"))
      )
      expect(queriedNames.size).toBe(6)
      expect(internet.queries.length).toBeLessThan(64 * Object.keys(created).length)
    })
  )
})
