import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { DnsClient } from "../../../src/dns/transport/DnsClient.ts"
import { PublicResolvers } from "../../../src/dns/zone/PublicResolvers.ts"
import type { ServerView } from "../../../src/dns/zone/ServerView.ts"
import { DomainName, HostName } from "../../../src/domain/names/DomainName.ts"
import type { RecordTypeName } from "../../../src/domain/records/dnsTypes.ts"
import { live } from "../../support/effectTest.ts"
import { ScriptedInternet } from "../../support/lab/ScriptedInternet.ts"
import { drop, servfail, staleZone } from "../../support/lab/dnsFaults.ts"
import { answerTimeout, dnsFixture, silenceTimeout } from "../dnsFixture.ts"
import { firstServer, record, secondServer, zoneOf } from "../zoneReaderFixture.ts"

const domain = DomainName.make("example.com")

const hostQuestions = (hosts: Readonly<Record<string, ReadonlyArray<RecordTypeName>>>) =>
  Object.entries(hosts).map(([host, types]) => ({ host: HostName.make(host), types }))

const unknownRRsetsIn = ({ unknownRRsets }: ServerView) =>
  unknownRRsets.map(({ host, reason, type }) => `${host} ${type} ${reason}`)

describe("the views of the servers of a zone", () => {
  const servers = [
    { name: firstServer, addresses: ["11.0.1.1"] },
    { name: secondServer, addresses: ["11.0.1.2"] }
  ]
  const requestFor = (hosts: Readonly<Record<string, ReadonlyArray<RecordTypeName>>>) => ({
    domain,
    delegation: {
      zone: domain,
      nameServers: servers,
      parentNameServers: [firstServer, secondServer],
      childNameServers: [firstServer, secondServer],
      hasParentChildMismatch: false,
      isSigned: false
    },
    hosts: hostQuestions(hosts)
  })

  live("are separate, each with its unknown RRsets", () =>
    Effect.gen(function* () {
      const { internet, zones } = yield* dnsFixture(zoneOf('www A 192.0.2.1\nwww TXT "hello"'))
      internet.script(secondServer, staleZone("example.com", "www A 192.0.2.9"))
      internet.script(secondServer, servfail, { name: "www.example.com", type: "TXT" })
      const { views } = yield* zones.readPerServer(requestFor({ www: ["A", "TXT"] }))
      expect(views.map(({ server, zone }) => [server.name, zone])).toEqual([
        [
          firstServer,
          { name: domain, basis: "public_dns", records: [www("192.0.2.1"), record("www", "TXT", "hello")] }
        ],
        [secondServer, { name: domain, basis: "public_dns", records: [www("192.0.2.9")] }]
      ])
      expect(views.map(unknownRRsetsIn)).toEqual([[], ["www TXT server_failure"]])
    })
  )

  live("are unknown at every host if a server does not answer", () =>
    Effect.gen(function* () {
      const { internet, zones } = yield* dnsFixture(zoneOf("www A 192.0.2.1"), silenceTimeout)
      internet.script(secondServer, drop)
      const { views } = yield* zones.readPerServer(requestFor({ www: ["A"], "a.b": ["A"] }))
      const [open] = views.slice(1).map((view) => unknownRRsetsIn(view).filter((each) => !each.startsWith("*")))
      expect(open).toEqual(["www A timed_out", "a.b A timed_out", "b NS timed_out"])
    })
  )

  live("are unknown at every host if reading would take too many questions", () =>
    Effect.gen(function* () {
      const { zones } = yield* dnsFixture(zoneOf(""))
      const hosts = Array.from({ length: 200 }, (_, index) => `${"a.".repeat(109)}z${index}`)
      const { views } = yield* zones.readPerServer(requestFor(Object.fromEntries(hosts.map((host) => [host, ["A"]]))))
      expect(views.map(unknownRRsetsIn)).toEqual(
        [firstServer, secondServer].map(() => hosts.map((host) => `${host} A budget_spent`))
      )
    })
  )
})

const www = (value: string) => record("www", "A", value)

const readPublic = (records: string, hosts: Readonly<Record<string, ReadonlyArray<RecordTypeName>>>) =>
  Effect.gen(function* () {
    const internet = yield* ScriptedInternet.make(zoneOf(records))
    const resolver = internet.dial(internet.resolver)
    const views = yield* PublicResolvers.pipe(
      Effect.flatMap(({ readPerResolver }) => readPerResolver({ domain, zone: domain, hosts: hostQuestions(hosts) })),
      Effect.provide(
        Layer.provide(
          PublicResolvers.layer([resolver]),
          DnsClient.layer({ allowed: [], dial: internet.dial, timeout: answerTimeout })
        )
      )
    )
    return { internet, views, name: `${resolver.host}:${resolver.port}` }
  })

describe("the view of a resolver", () => {
  live("has the first link of a chain of aliases, and records synthesized from a wildcard", () =>
    Effect.gen(function* () {
      const { name, views } = yield* readPublic("www CNAME shop\nshop A 192.0.2.1\n*.apps A 192.0.2.3", {
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
          unknownRRsets: [],
          wildcardRRsets: []
        }
      ])
    })
  )

  live("is empty if no hosts are requested", () =>
    Effect.map(readPublic("www A 192.0.2.1", {}), ({ internet, views }) =>
      expect([views.map(({ zone }) => zone.records), internet.queries]).toEqual([[[]], []])
    )
  )
})
