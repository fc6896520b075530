import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { DnsClient } from "../../../src/dns/transport/DnsClient.ts"
import type { RecordTypeName } from "../../../src/dns/wire/recordTypes.ts"
import { PublicResolvers } from "../../../src/dns/zone/PublicResolvers.ts"
import type { ServerView } from "../../../src/dns/zone/ServerView.ts"
import { DomainName, HostName } from "../../../src/domain/DomainName.ts"
import { live } from "../../support/effectTest.ts"
import { ScriptedInternet } from "../../support/lab/ScriptedInternet.ts"
import { drop, servfail, staleZone } from "../../support/lab/dnsFaults.ts"
import { dnsFixture } from "../dnsFixture.ts"
import { firstServer, record, secondServer, zoneOf } from "../zoneReaderFixture.ts"

const domain = DomainName.make("example.com")

const hostsOf = (hosts: Readonly<Record<string, ReadonlyArray<RecordTypeName>>>) =>
  Object.entries(hosts).map(([host, types]) => ({ host: HostName.make(host), types }))

const openIn = ({ unknownRRsets }: ServerView) =>
  unknownRRsets.map(({ host, reason, type }) => `${host} ${type} ${reason}`)

describe("the views of the servers of a zone", () => {
  const servers = [
    { name: firstServer, addresses: ["11.0.1.1"] },
    { name: secondServer, addresses: ["11.0.1.2"] }
  ]
  const question = (hosts: Readonly<Record<string, ReadonlyArray<RecordTypeName>>>) => ({
    domain,
    delegation: {
      zone: domain,
      nameServers: servers,
      parentNameServers: [firstServer, secondServer],
      childNameServers: [firstServer, secondServer],
      hasParentChildMismatch: false,
      isSigned: false
    },
    hosts: hostsOf(hosts)
  })

  live("are each its own, with what it left open", () =>
    Effect.gen(function* () {
      const { internet, zones } = yield* dnsFixture(zoneOf('www A 192.0.2.1\nwww TXT "hello"'))
      internet.script(secondServer, staleZone("example.com", "www A 192.0.2.9"))
      internet.script(secondServer, servfail, { name: "www.example.com", type: "TXT" })
      const { views } = yield* zones.readPerServer(question({ www: ["A", "TXT"] }))
      expect(views.map(({ server, zone }) => [server.name, zone])).toEqual([
        [
          firstServer,
          { name: domain, basis: "public_dns", records: [www("192.0.2.1"), record("www", "TXT", "hello")] }
        ],
        [secondServer, { name: domain, basis: "public_dns", records: [www("192.0.2.9")] }]
      ])
      expect(views.map(openIn)).toEqual([[], ["www TXT server_failure"]])
    })
  )

  live("are open at every host where a server is silent", () =>
    Effect.gen(function* () {
      const { internet, zones } = yield* dnsFixture(zoneOf("www A 192.0.2.1"))
      internet.script(secondServer, drop)
      const { views } = yield* zones.readPerServer(question({ www: ["A"], "a.b": ["A"] }))
      const [open] = views.slice(1).map((view) => openIn(view).filter((each) => !each.startsWith("*")))
      expect(open).toEqual(["www A timed_out", "a.b A timed_out", "b NS timed_out"])
    })
  )

  live("are open at every host where too much would have to be asked", () =>
    Effect.gen(function* () {
      const { zones } = yield* dnsFixture(zoneOf(""))
      const hosts = Array.from({ length: 200 }, (_, index) => `${"a.".repeat(109)}z${index}`)
      const { views } = yield* zones.readPerServer(question(Object.fromEntries(hosts.map((host) => [host, ["A"]]))))
      expect(views.map(openIn)).toEqual(
        [firstServer, secondServer].map(() => hosts.map((host) => `${host} A budget_spent`))
      )
    })
  )
})

const www = (value: string) => record("www", "A", value)

const look = (records: string, hosts: Readonly<Record<string, ReadonlyArray<RecordTypeName>>>) =>
  Effect.gen(function* () {
    const internet = yield* ScriptedInternet.make(zoneOf(records))
    const resolver = internet.dial(internet.resolver)
    const views = yield* PublicResolvers.pipe(
      Effect.flatMap(({ readPerResolver: look }) => look({ domain, zone: domain, hosts: hostsOf(hosts) })),
      Effect.provide(
        Layer.provide(
          PublicResolvers.layer([resolver]),
          DnsClient.layer({ allowed: [], dial: internet.dial, timeout: "200 millis" })
        )
      )
    )
    return { internet, views, name: `${resolver.host}:${resolver.port}` }
  })

describe("the view of a resolver", () => {
  live("holds the first link of a chain of aliases, and what a wildcard lends", () =>
    Effect.gen(function* () {
      const { name, views } = yield* look("www CNAME shop\nshop A 192.0.2.1\n*.apps A 192.0.2.3", {
        www: ["A"],
        "*.apps": ["A"],
        "new.apps": ["A"],
        nobody: ["A", "TXT"]
      })
      expect<unknown>(views).toEqual([
        {
          server: { name, addresses: ["127.0.0.1"] },
          zone: {
            name: domain,
            basis: "public_dns",
            records: [
              record("www", "CNAME", "shop.example.com"),
              record("*.apps", "A", "192.0.2.3"),
              record("new.apps", "A", "192.0.2.3")
            ]
          },
          unknownRRsets: []
        }
      ])
    })
  )

  live("is of nothing where nothing is looked for", () =>
    Effect.map(look("www A 192.0.2.1", {}), ({ internet, views }) =>
      expect([views.map(({ zone }) => zone.records), internet.queries]).toEqual([[[]], []])
    )
  )
})
