import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { DnsClient } from "../../src/dns/DnsClient.ts"
import { PublicView } from "../../src/dns/PublicView.ts"
import type { ServerView } from "../../src/dns/ServerView.ts"
import type { TypeName } from "../../src/dns/wire/recordTypes.ts"
import { DomainName, HostName } from "../../src/domain/DomainName.ts"
import { live } from "../support/effect.ts"
import { drop, servfail, stale } from "../support/lab/faults.ts"
import { ScriptedInternet } from "../support/lab/ScriptedInternet.ts"
import { one, record, two, zoneOf } from "./reading.ts"
import { world } from "./world.ts"

const domain = DomainName.make("example.com")

const hostsOf = (hosts: Readonly<Record<string, ReadonlyArray<TypeName>>>) =>
  Object.entries(hosts).map(([host, types]) => ({ host: HostName.make(host), types }))

const openIn = ({ open }: ServerView) => open.map(({ host, reason, type }) => `${host} ${type} ${reason}`)

describe("the views of the servers of a zone", () => {
  const servers = [
    { name: one, addresses: ["11.0.1.1"] },
    { name: two, addresses: ["11.0.1.2"] }
  ]
  const question = (hosts: Readonly<Record<string, ReadonlyArray<TypeName>>>) => ({
    domain,
    delegation: {
      zone: domain,
      nameServers: servers,
      parentNameServers: [one, two],
      childNameServers: [one, two],
      parentChildMismatch: false,
      signed: false
    },
    hosts: hostsOf(hosts)
  })

  live("are each its own, with what it left open", () =>
    Effect.gen(function* () {
      const { internet, zones } = yield* world(zoneOf('www A 192.0.2.1\nwww TXT "hello"'))
      internet.script(two, stale("example.com", "www A 192.0.2.9"))
      internet.script(two, servfail, { name: "www.example.com", type: "TXT" })
      const { views } = yield* zones.readEach(question({ www: ["A", "TXT"] }))
      expect(views.map(({ server, zone }) => [server.name, zone])).toEqual([
        [one, { name: domain, basis: "public_dns", records: [www("192.0.2.1"), record("www", "TXT", "hello")] }],
        [two, { name: domain, basis: "public_dns", records: [www("192.0.2.9")] }]
      ])
      expect(views.map(openIn)).toEqual([[], ["www TXT server_failure"]])
    })
  )

  live("are open at every host where a server is silent", () =>
    Effect.gen(function* () {
      const { internet, zones } = yield* world(zoneOf("www A 192.0.2.1"))
      internet.script(two, drop)
      const { views } = yield* zones.readEach(question({ www: ["A"], "a.b": ["A"] }))
      const [open] = views.slice(1).map((view) => openIn(view).filter((each) => !each.startsWith("*")))
      expect(open).toEqual(["www A timed_out", "a.b A timed_out", "b NS timed_out"])
    })
  )

  live("are open at every host where too much would have to be asked", () =>
    Effect.gen(function* () {
      const { zones } = yield* world(zoneOf(""))
      const hosts = Array.from({ length: 200 }, (_, index) => `${"a.".repeat(109)}z${index}`)
      const { views } = yield* zones.readEach(question(Object.fromEntries(hosts.map((host) => [host, ["A"]]))))
      expect(views.map(openIn)).toEqual([one, two].map(() => hosts.map((host) => `${host} A budget_spent`)))
    })
  )
})

const www = (value: string) => record("www", "A", value)

const look = (records: string, hosts: Readonly<Record<string, ReadonlyArray<TypeName>>>) =>
  Effect.gen(function* () {
    const internet = yield* ScriptedInternet.make(zoneOf(records))
    const resolver = internet.dial(internet.resolver)
    const views = yield* PublicView.pipe(
      Effect.flatMap(({ look }) => look({ domain, zone: domain, hosts: hostsOf(hosts) })),
      Effect.provide(
        Layer.provide(
          PublicView.layer([resolver]),
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
          open: []
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
