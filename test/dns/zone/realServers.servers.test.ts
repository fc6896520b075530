import { expect } from "bun:test"
import { Effect, Layer, Option } from "effect"
import { DnsClient } from "../../../src/dns/transport/DnsClient.ts"
import type { Question } from "../../../src/dns/wire/Message.ts"
import { Delegations } from "../../../src/dns/zone/Delegations.ts"
import type { HostQuestion } from "../../../src/dns/zone/QuestionSet.ts"
import { Resolver } from "../../../src/dns/zone/Resolver.ts"
import { ZoneReader } from "../../../src/dns/zone/ZoneReader.ts"
import { DomainName, HostName } from "../../../src/domain/names/DomainName.ts"
import { parseNetwork } from "../../../src/domain/names/IpAddress.ts"
import { queryableTypes } from "../../../src/domain/records/dnsTypes.ts"
import { Lab } from "../../support/lab/Lab.ts"
import { describeLab } from "../../support/lab/describeLab.ts"

type QueryListener = (address: string, question: Question) => void

/** The services on a DNS client that reports each query to a name server. */
const servicesWith = (onQuery: QueryListener) =>
  Layer.unwrapEffect(
    Effect.map(Lab, ({ resolver }) =>
      Layer.mergeAll(Delegations.layer, ZoneReader.layer).pipe(
        Layer.provide(Resolver.layer([{ host: resolver, port: 53 }])),
        Layer.provide(listeningClient(onQuery)),
        Layer.provide(DnsClient.layer({ allowed: Option.toArray(parseNetwork("127.10.0.0/16")), timeout: "5 seconds" }))
      )
    )
  )

const listeningClient = (onQuery: QueryListener) =>
  Layer.effect(
    DnsClient,
    Effect.map(DnsClient, (client) => ({
      ...client,
      query: (...[address, question, purpose]: Parameters<typeof client.query>) => {
        onQuery(address, question)
        return client.query(address, question, purpose)
      }
    }))
  )

const services = servicesWith(() => {})

const nameServersOfPdns = "@ NS ns1.pdnsprov.net.\n@ NS ns2.pdnsprov.net.\n"

const find = (domain: string) =>
  Delegations.pipe(
    Effect.flatMap(({ find }) => find(DomainName.make(domain))),
    Effect.provide(services)
  )

const read = (
  domain: string,
  hosts: Readonly<Record<string, HostQuestion["types"]>>,
  onQuery: QueryListener = () => {}
) =>
  Effect.gen(function* () {
    const delegation = yield* Effect.flatMap(Delegations, ({ find }) => find(DomainName.make(domain)))
    const zones = yield* ZoneReader
    return yield* zones.read({
      domain: DomainName.make(domain),
      delegation,
      hosts: Object.entries(hosts).map(([host, types]) => ({ host: HostName.make(host), types }))
    })
  }).pipe(Effect.provide(servicesWith(onQuery)))

const pdns = [
  { name: "ns1.pdnsprov.net", addresses: ["127.10.1.1"] },
  { name: "ns2.pdnsprov.net", addresses: ["127.10.1.2"] }
]

describeLab("real name servers", (live) => {
  const delegations = {
    "example.com": pdns,
    "glued.com": [{ name: "ns1.glued.com", addresses: ["127.10.1.1"] }],
    "bindzone.com": [{ name: "ns1.bindprov.net", addresses: ["127.10.2.1"] }],
    "knotzone.com": [{ name: "ns1.knotprov.net", addresses: ["127.10.3.1"] }],
    "signed.com": [{ name: "ns1.knotprov.net", addresses: ["127.10.3.1"] }],
    "mixed.com": [{ name: "ns1.bindprov.net", addresses: ["127.10.2.1"] }, ...pdns.slice(0, 1)]
  }
  for (const [zone, nameServers] of Object.entries(delegations))
    live(`show the delegation of ${zone}`, () =>
      Effect.gen(function* () {
        const names = nameServers.map(({ name }) => name)
        expect<unknown>({ ...(yield* find(`www.${zone}`)), keptUntil: undefined }).toEqual({
          zone,
          nameServers,
          parentNameServers: names,
          childNameServers: names,
          hasParentChildMismatch: false,
          isSigned: zone === "signed.com"
        })
      })
    )

  live("show the delegation of a zone below another provider's", () =>
    Effect.map(find("cart.shop.example.com"), ({ nameServers, zone }) =>
      expect<unknown>({ nameServers, zone }).toEqual({
        zone: "shop.example.com",
        nameServers: delegations["knotzone.com"]
      })
    )
  )

  const failures = {
    "nobody.com": "DomainNotRegistered",
    "www.nobody.com": "DomainNotRegistered",
    "lame.com": "DelegationTimedOut"
  }
  for (const [domain, error] of Object.entries(failures))
    live(`show ${error} for ${domain}`, () =>
      Effect.map(Effect.flip(find(domain)), ({ _tag }) => expect<string>(_tag).toBe(error))
    )

  live("refuse a zone that they do not host", () =>
    Effect.gen(function* () {
      const { delegate } = yield* Lab
      yield* delegate("missing.com", ["ns1.pdnsprov.net", "ns1.bindprov.net", "ns1.knotprov.net"])
      expect((yield* Effect.flip(find("missing.com")))._tag).toBe("ZoneNotFound")
    })
  )

  live("show the records of PowerDNS, with wildcard, alias and delegation", () =>
    Effect.gen(function* () {
      const { hasDisagreement, zone } = yield* read("example.com", {
        "@": ["A", "AAAA", "CNAME", "MX", "TXT", "CAA"],
        www: ["A", "CNAME"],
        _dmarc: ["TXT"],
        "s1._domainkey": ["TXT"],
        "new.apps": ["A"],
        "admin.apps": ["A"],
        "_sip._tcp": ["SRV"],
        "cart.shop": ["A"],
        nobody: ["A", "TXT"]
      })
      const values = zone.records.map(({ host, priority, ttl, type, value }) =>
        [host, ttl, type, priority, value].filter((part) => part !== undefined).join(" ")
      )
      expect({ hasDisagreement, values }).toEqual({
        hasDisagreement: false,
        values: [
          "@ 300 A 192.0.2.10",
          "@ 300 AAAA 2001:db8::10",
          "@ 300 MX 10 mx1.mailprov.net",
          "@ 300 TXT site-verification=3f2a",
          "@ 300 TXT v=spf1 include:_spf.mailprov.net -all",
          '@ 300 CAA 0 issue "letsencrypt.org"',
          "www 3600 CNAME example.com",
          "_dmarc 300 TXT v=DMARC1; p=quarantine; rua=mailto:dmarc@example.com",
          `s1._domainkey 300 TXT v=DKIM1; k=rsa; p=${"MIIB".repeat(60)}${"QAB0".repeat(40)}`,
          "admin.apps 300 A 192.0.2.31",
          "_sip._tcp 300 SRV 10 5 5060 sip.example.com",
          "shop 300 NS ns1.knotprov.net",
          "*.apps 300 A 192.0.2.30"
        ]
      })
    })
  )

  live("get queries for rare types at one address of PowerDNS, and for all others at both", () =>
    Effect.gen(function* () {
      const { delegate, pdns } = yield* Lab
      yield* pdns.createZone("rare.com", `${nameServersOfPdns}www A 192.0.2.20\nwww PTR host.example.org.`)
      yield* delegate("rare.com", ["ns1.pdnsprov.net", "ns2.pdnsprov.net"])
      const asked: Array<string> = []
      const { hasDisagreement, zone } = yield* read("rare.com", { www: queryableTypes }, (address, { name, type }) => {
        if (name === "www.rare.com") asked.push(`${address} ${type}`)
      })
      expect({ hasDisagreement, values: zone.records.map(({ type, value }) => `${type} ${value}`) }).toEqual({
        hasDisagreement: false,
        values: ["A 192.0.2.20", "PTR host.example.org"]
      })
      const at = (address: string) => new Set(asked.filter((each) => each.startsWith(`${address} `))).size
      expect([at("127.10.1.1"), at("127.10.1.2")].toSorted()).toEqual([12, 30])
    })
  )

  live("of two providers disagree", () =>
    Effect.gen(function* () {
      const { hasDisagreement, zone } = yield* read("mixed.com", { "@": ["A"] })
      expect({ hasDisagreement, values: zone.records.map(({ value }) => value) }).toEqual({
        hasDisagreement: true,
        values: ["192.0.2.99", "192.0.2.20"]
      })
    })
  )

  for (const zone of ["bindzone.com", "knotzone.com", "signed.com"])
    live(`show the records of ${zone}`, () =>
      Effect.map(read(zone, { "@": ["A", "MX"], www: ["A", "TXT"], nobody: ["A"] }), ({ zone }) =>
        expect<unknown>(zone.records).toEqual([
          { host: "@", type: "A", ttl: 300, value: "192.0.2.20" },
          { host: "@", type: "MX", ttl: 300, priority: 10, value: "mx1.mailprov.net" },
          { host: "www", type: "A", ttl: 300, value: "192.0.2.20" }
        ])
      )
    )
})
