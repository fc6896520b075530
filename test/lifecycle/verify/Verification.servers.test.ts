import { describe, expect } from "bun:test"
import { Effect, Layer, Option, Schema } from "effect"
import { DnsClient } from "../../../src/dns/transport/DnsClient.ts"
import { Delegations } from "../../../src/dns/zone/Delegations.ts"
import { PublicResolvers } from "../../../src/dns/zone/PublicResolvers.ts"
import { CachedResolver, Resolver } from "../../../src/dns/zone/Resolver.ts"
import { ZoneReader } from "../../../src/dns/zone/ZoneReader.ts"
import { parseNetwork } from "../../../src/domain/names/IpAddress.ts"
import { RecordObservation } from "../../../src/domain/plan/RecordObservation.ts"
import { FactResolver } from "../../../src/lifecycle/plan/FactResolver.ts"
import { PlanMaker } from "../../../src/lifecycle/plan/PlanMaker.ts"
import { Verification, type VerificationReport } from "../../../src/lifecycle/verify/Verification.ts"
import { Providers } from "../../../src/providers/Providers.ts"
import { connectionFor } from "../../persistence/connectionFixtures.ts"
import { live } from "../../support/effectTest.ts"
import { Lab } from "../../support/lab/Lab.ts"
import { ScriptedInternet } from "../../support/lab/ScriptedInternet.ts"
import type { InternetSpec } from "../../support/lab/ScriptedTopology.ts"
import { answerFromZone, parseZone } from "../../support/lab/Zone.ts"
import { describeLab } from "../../support/lab/describeLab.ts"
import {
  drop,
  dropUdp,
  type Fault,
  lame,
  refused,
  servfail,
  staleZone,
  truncated
} from "../../support/lab/dnsFaults.ts"
import { describeChange } from "../../support/planFixtures.ts"
import { scriptedDns } from "../../support/scriptedDns.ts"

const ada = "ada.ns.cloudflare.com"
const bob = "bob.ns.cloudflare.com"

/** Two public resolvers beside the operator's; their answers have to be scripted. */
const [resolver1, resolver2] = ["fresh.world.test", "other.world.test"]

const zone = `@      300 MX  10 mx.mailer.org.
              @      300 TXT "v=spf1 include:_spf.mailer.org ~all"
              @      300 TXT "somebody else's"
              _dmarc 300 TXT "v=DMARC1; p=none; adkim=s"
              www    300 A   11.0.12.1
              *.app  300 A   11.0.12.3`

const internetWith = (records: string): InternetSpec => ({
  zones: {
    "bakery.com": { nameServers: [ada, bob], records },
    "mailer.org": {
      nameServers: ["ns.mailer.org"],
      records: `_spf  300 TXT "v=spf1 include:_own.mailer.org -all"
                _own  300 TXT "v=spf1 ip4:11.0.9.0/24 -all"
                shops 300 A   11.0.11.1`
    }
  },
  hosts: { [resolver1]: ["11.0.2.1"], [resolver2]: ["11.0.2.2"] }
})

/** Answers like a resolver that has this version of the zone in its cache. */
const cachedZone =
  (records: string): Fault =>
  ({ question }) => ({ ...answerFromZone(parseZone("bakery.com", records), question), recursionAvailable: true })

const desired = [
  "@ 300 MX 10 mx.mailer.org",
  "@ 300 TXT v=spf1 include:_spf.mailer.org ~all",
  "_dmarc 300 TXT v=DMARC1; p=none",
  "www 300 A 11.0.12.1",
  "*.app 300 A 11.0.12.3"
]

interface VerificationScenario {
  readonly zone?: string
  readonly desired?: ReadonlyArray<string>
  readonly resolvers?: ReadonlyArray<string>
  readonly prepare?: (internet: ScriptedInternet) => void
}

/** Verification over a DNS, with the providers of the catalog. */
const verificationOver = <E, R>(dns: Layer.Layer<Delegations | ZoneReader | CachedResolver | PublicResolvers, E, R>) =>
  Verification.layer.pipe(
    Layer.provide(Layer.merge(FactResolver.layer, PlanMaker.layerWithoutDatabase)),
    Layer.provide(Providers.layer([])),
    Layer.provide(dns)
  )

const verifyScenario = (scenario: VerificationScenario) =>
  Effect.gen(function* () {
    const { prepare = () => {}, resolvers = [resolver1, resolver2] } = scenario
    const internet = yield* ScriptedInternet.make(internetWith(scenario.zone ?? zone))
    for (const resolver of [resolver1, resolver2]) internet.script(resolver, cachedZone(scenario.zone ?? zone))
    prepare(internet)
    const endpoints = new Map(resolvers.map((name) => [name, internet.dial(internet.addressOf(name))]))
    const dns = scriptedDns(internet)
    const publicResolvers = Layer.provide(PublicResolvers.layer([...endpoints.values()]), dns)
    const verified = yield* Effect.provide(
      Effect.flatMap(Verification, ({ verify }) =>
        verify(connectionFor("bakery.com", scenario.desired ?? desired), { isWritten: false })
      ),
      verificationOver(Layer.merge(dns, publicResolvers))
    )
    const names = new Map([...endpoints].map(([name, { port }]) => [`127.0.0.1:${port}`, name]))
    return { internet, verified, observed: summarize(verified, names) }
  })

/** One line per record: type, host and status, and the observations of servers with another status. */
const summarize = ({ records }: VerificationReport, names: ReadonlyMap<string, string>) =>
  records.map(({ expected, observed, status }) =>
    [
      `${expected.type} ${expected.host} ${status}`,
      ...observed
        .filter((observation) => observation.status !== status)
        .map(({ seen, server, silence, status }) =>
          [names.get(server) ?? server, status, silence ?? seen.map(({ value }) => value).join(", ")].join(" ")
        )
    ].join(" | ")
  )

const verdicts = ({ authoritative, public: publicResolvers }: VerificationReport) => [authoritative, publicResolvers]

const repairChanges = ({ repair }: VerificationReport) =>
  Option.match(repair, { onNone: () => "no plan", onSome: ({ changes }) => changes.map(describeChange) })

const allPresent = ["MX @ present", "TXT @ present", "TXT _dmarc present", "A www present", "A *.app present"]

describe("records that every server has", () => {
  live("are present, and nothing has to change", () =>
    Effect.gen(function* () {
      const { observed, verified } = yield* verifyScenario({})
      expect({
        observed,
        verdicts: verdicts(verified),
        repair: verified.repair
      }).toEqual({
        observed: allPresent,
        verdicts: ["right", "right"],
        repair: Option.none()
      })
      expect(verified.records.map(({ observed }) => observed.map(({ kind }) => kind))).toEqual(
        desired.map(() => ["authoritative", "authoritative", "public", "public"])
      )
    })
  )

  live("are reported in a form that survives being stored", () =>
    Effect.gen(function* () {
      const { verified } = yield* verifyScenario({})
      const form = Schema.Array(RecordObservation)
      const stored: unknown = JSON.parse(JSON.stringify(yield* Schema.encode(form)(verified.records)))
      expect(yield* Schema.decodeUnknown(form)(stored)).toEqual(verified.records)
    })
  )

  live("are right without public resolvers if the operator configured none", () =>
    Effect.map(verifyScenario({ resolvers: [] }), ({ verified }) =>
      expect(verdicts(verified)).toEqual(["right", "right"])
    )
  )

  live("are present if the servers answer over TCP only", () =>
    Effect.gen(function* () {
      const { observed, verified } = yield* verifyScenario({
        desired: desired.slice(3, 4),
        prepare: (internet) => [ada, bob].forEach((server) => internet.script(server, dropUdp))
      })
      expect({ observed, verdicts: verdicts(verified) }).toEqual({
        observed: ["A www present"],
        verdicts: ["right", "right"]
      })
    })
  )
})

describe("one of two servers", () => {
  live("that still has the old zone makes the verdict wrong, and public resolvers are not queried yet", () =>
    Effect.gen(function* () {
      const old = zone.replace("11.0.12.1", "11.0.12.9").replace(/.*_dmarc.*\n/, "")
      const { internet, observed, verified } = yield* verifyScenario({
        prepare: (internet) => internet.script(bob, staleZone("bakery.com", old))
      })
      expect({ observed, verdicts: verdicts(verified) }).toEqual({
        observed: [
          "MX @ present",
          "TXT @ present",
          `TXT _dmarc missing | ${ada} present v=DMARC1; p=none; adkim=s`,
          `A www different | ${ada} present 11.0.12.1`,
          "A *.app present"
        ],
        verdicts: ["wrong", "unknown"]
      })
      expect(repairChanges(verified)).toEqual(["delete! | www 300 A 11.0.12.9"])
      expect(internet.queries.filter(({ server }) => server === resolver1 || server === resolver2)).toEqual([])
    })
  )

  for (const [silence, fault] of Object.entries({
    lame,
    refused,
    server_failure: servfail,
    timed_out: drop,
    truncated
  }))
    live(`that gives no usable answer is unknown, and the other one decides: ${silence}`, () =>
      Effect.gen(function* () {
        const { observed, verified } = yield* verifyScenario({
          desired: desired.slice(2, 4),
          prepare: (internet) => internet.script(bob, fault)
        })
        expect({ observed, verdicts: verdicts(verified) }).toEqual({
          observed: [`TXT _dmarc present | ${bob} unknown ${silence}`, `A www present | ${bob} unknown ${silence}`],
          verdicts: ["right", "right"]
        })
      })
    )

  live("that leaves one query unanswered leaves one record unknown", () =>
    Effect.gen(function* () {
      const { observed } = yield* verifyScenario({
        desired: desired.slice(2, 4),
        prepare: (internet) => internet.script(bob, servfail, { name: "www.bakery.com", type: "A" })
      })
      expect(observed).toEqual(["TXT _dmarc present", `A www present | ${bob} unknown server_failure`])
    })
  )
})

live("if no server answers, the verdict is unknown and public resolvers are not queried", () =>
  Effect.gen(function* () {
    const { observed, verified } = yield* verifyScenario({
      desired: desired.slice(3, 4),
      prepare: (internet) =>
        [ada, bob].forEach((server) => internet.script(server, servfail, { name: "www.bakery.com", type: "A" }))
    })
    expect({ observed, verdicts: verdicts(verified), repair: verified.repair }).toEqual({
      observed: ["A www unknown"],
      verdicts: ["unknown", "unknown"],
      repair: Option.none()
    })
  })
)

live("if the zone cannot be found, the verdict is unknown", () =>
  Effect.gen(function* () {
    const { observed, verified } = yield* verifyScenario({
      desired: desired.slice(3, 4),
      prepare: (internet) => [ada, bob].forEach((server) => internet.script(server, drop))
    })
    expect({ observed, verdicts: verdicts(verified), failure: verified.failure }).toEqual({
      observed: ["A www unknown"],
      verdicts: ["unknown", "unknown"],
      failure: "discovery_timeout"
    })
  })
)

live(
  "an extra record in an RRset is reported and would be removed, and a missing optional record has no effect on the verdict",
  () =>
    Effect.gen(function* () {
      const { observed, verified } = yield* verifyScenario({
        zone: `${zone}\nwww 300 A 11.0.12.2`,
        desired: ["www 300 A 11.0.12.1", "?new 300 A 11.0.12.1"]
      })
      expect({ observed, verdicts: verdicts(verified) }).toEqual({
        observed: ["A www different", "A new missing"],
        verdicts: ["wrong", "unknown"]
      })
      const required = yield* verifyScenario({ desired: ["www 300 A 11.0.12.1", "?new 300 A 11.0.12.1"] })
      expect({ observed: required.observed, verdicts: verdicts(required.verified) }).toEqual({
        observed: ["A www present", "A new missing"],
        verdicts: ["right", "right"]
      })
      expect(repairChanges(verified)).toEqual(["create | new 300 A 11.0.12.1", "delete! | www 300 A 11.0.12.2"])
    })
)

live("SPF mechanisms are found in an included policy", () =>
  Effect.gen(function* () {
    const spf = ["@ 300 TXT v=spf1 ip4:11.0.9.0/24 ~all"]
    const { observed } = yield* verifyScenario({ desired: spf })
    expect(observed).toEqual(["TXT @ present"])
    const lost = yield* verifyScenario({ desired: spf, prepare: (internet) => internet.script("ns.mailer.org", drop) })
    expect(lost.observed).toEqual(["TXT @ unknown"])
  })
)

const flat = (address: string) => `@ 300 A ${address}`

describe("a CNAME at the apex that is flattened", () => {
  const desired = ["@ 300 CNAME shops.mailer.org"]

  live("is right if its addresses are those of the target", () =>
    Effect.map(verifyScenario({ zone: flat("11.0.11.1"), desired }), ({ observed, verified }) =>
      expect([...observed, ...verdicts(verified)]).toEqual(["CNAME @ present", "right", "right"])
    )
  )

  live("is wrong if its addresses differ from those of the target", () =>
    Effect.map(verifyScenario({ zone: flat("11.0.11.9"), desired }), ({ observed, verified }) =>
      expect([...observed, ...verdicts(verified)]).toEqual(["CNAME @ different", "wrong", "unknown"])
    )
  )

  live("is unknown while the addresses of the target are unknown", () =>
    Effect.map(
      verifyScenario({
        zone: flat("11.0.11.1"),
        desired,
        prepare: (internet) => internet.script("ns.mailer.org", servfail)
      }),
      ({ observed, verified }) =>
        expect([...observed, ...verdicts(verified)]).toEqual(["CNAME @ unknown", "unknown", "unknown"])
    )
  )
})

describe("a public resolver", () => {
  live("that still has the old value makes the public verdict wrong", () =>
    Effect.gen(function* () {
      const { observed, verified } = yield* verifyScenario({
        desired: desired.slice(3, 4),
        prepare: (internet) => internet.script(resolver2, cachedZone(zone.replace("11.0.12.1", "11.0.12.9")))
      })
      expect({ observed, verdicts: verdicts(verified), repair: verified.repair }).toEqual({
        observed: [
          `A www different | ${ada} present 11.0.12.1 | ${bob} present 11.0.12.1 | ${resolver1} present 11.0.12.1`
        ],
        verdicts: ["right", "wrong"],
        repair: Option.none()
      })
    })
  )

  live("that has a negative answer in its cache makes the public verdict wrong", () =>
    Effect.map(
      verifyScenario({
        desired: desired.slice(3, 4),
        prepare: (internet) => internet.script(resolver2, cachedZone(""))
      }),
      ({ verified }) => expect(verdicts(verified)).toEqual(["right", "wrong"])
    )
  )

  live("that denies a name without proof, or is silent, leaves the public verdict unknown", () =>
    Effect.gen(function* () {
      const { observed, verified } = yield* verifyScenario({
        desired: desired.slice(3, 4),
        prepare: (internet) => {
          internet.script(resolver1, (_, answer) => ({ ...answer, rcode: "NXDOMAIN", recursionAvailable: true }))
          internet.script(resolver2, drop)
        }
      })
      expect({ observed, verdicts: verdicts(verified) }).toEqual({
        observed: [`A www present | ${resolver1} unknown lame | ${resolver2} unknown timed_out`],
        verdicts: ["right", "unknown"]
      })
    })
  )

  live("is queried for the desired records only", () =>
    Effect.map(verifyScenario({ desired: desired.slice(2, 4) }), ({ internet }) =>
      expect(
        internet.queries.filter(({ server }) => server === resolver1).map(({ name, type }) => `${name} ${type}`)
      ).toEqual(["_dmarc.bakery.com TXT", "www.bakery.com A"])
    )
  )
})

describeLab("a zone on real servers", (live) => {
  const services = Layer.unwrapEffect(
    Effect.map(Lab, ({ resolver }) => {
      const unbound = { host: resolver, port: 53 }
      return verificationOver(
        Layer.mergeAll(
          Delegations.layer,
          ZoneReader.layer,
          CachedResolver.layer,
          PublicResolvers.layer([unbound])
        ).pipe(
          Layer.provide(Resolver.layer([unbound])),
          Layer.provide(
            DnsClient.layer({ allowed: Option.toArray(parseNetwork("127.10.0.0/16")), timeout: "5 seconds" })
          )
        )
      )
    })
  )
  const verify = (domain: string, ...lines: ReadonlyArray<string>) =>
    Verification.pipe(
      Effect.flatMap(({ verify }) => verify(connectionFor(domain, lines), { isWritten: false })),
      Effect.provide(services),
      Effect.map((verified) => ({
        verdicts: verdicts(verified),
        statuses: verified.records.map(({ observed }) => observed.map(({ kind, status }) => `${kind} ${status}`))
      }))
    )

  live(
    "is right in PowerDNS and through Unbound, with a wildcard, a delegation, an alias, an SPF include and a long key",
    () =>
      Effect.map(
        verify(
          "example.com",
          "@ 300 A 192.0.2.10",
          "@ 300 AAAA 2001:db8::10",
          "@ 300 TXT v=spf1 ip4:198.51.100.0/24 -all",
          '@ 300 CAA 0 issue "letsencrypt.org"',
          "_dmarc 300 TXT v=DMARC1; p=quarantine",
          `s1._domainkey 300 TXT v=DKIM1; k=rsa; p=${"MIIB".repeat(60)}${"QAB0".repeat(40)}`,
          "blog 300 CNAME web.hostprov.net",
          "*.apps 300 A 192.0.2.30",
          "admin.apps 300 A 192.0.2.31",
          "_sip._tcp 300 SRV 10 5 5060 sip.example.com",
          "shop 300 NS ns1.knotprov.net"
        ),
        ({ statuses, verdicts }) =>
          expect({ verdicts, statuses }).toEqual({
            verdicts: ["right", "right"],
            statuses: Array.from({ length: 11 }, () => [
              "authoritative present",
              "authoritative present",
              "public present"
            ])
          })
      )
  )

  live("is wrong if two providers serve different zones", () =>
    Effect.map(verify("mixed.com", "@ 300 A 192.0.2.99"), ({ statuses, verdicts }) =>
      expect({ verdicts, statuses: statuses.map((observations) => observations.toSorted()) }).toEqual({
        verdicts: ["wrong", "unknown"],
        statuses: [["authoritative different", "authoritative present"]]
      })
    )
  )
})
