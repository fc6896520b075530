import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import { DnsClient } from "../../../src/dns/transport/DnsClient.ts"
import { Delegations } from "../../../src/dns/zone/Delegations.ts"
import { Resolver } from "../../../src/dns/zone/Resolver.ts"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { live } from "../../support/effectTest.ts"
import { ScriptedInternet } from "../../support/lab/ScriptedInternet.ts"
import type { InternetSpec } from "../../support/lab/ScriptedTopology.ts"
import { replyOf } from "../../support/lab/Zone.ts"
import { drop, type Fault, refused, servfail, truncated } from "../../support/lab/dnsFaults.ts"
import { dnsFixture, silenceTimeout } from "../dnsFixture.ts"

const resolver = "resolver.test"

const example: InternetSpec = {
  zones: { "example.com": { nameServers: ["ns1.prov.net"], records: "www A 192.0.2.1" } }
}

/** A zone with the names of its servers, whose addresses its parent has as glue. */
const glued: InternetSpec = { zones: { "example.com": { nameServers: ["ns1.example.com"], records: "" } } }

/** The zone of a domain that a resolver with this fault leads to, or the error. */
const outcomeOf = (prepare: (internet: ScriptedInternet) => void, spec = example, domain = "example.com") =>
  Effect.gen(function* () {
    const { delegations, internet } = yield* dnsFixture(spec, silenceTimeout)
    prepare(internet)
    return yield* Effect.match(delegations.find(DomainName.make(domain)), {
      onFailure: ({ _tag }): string => _tag,
      onSuccess: ({ zone }): string => zone
    })
  })

/** Answers these names correctly, as from a cache, and all others with a fault. */
const onlyKnown =
  (names: ReadonlyArray<string>, fault: Fault): Fault =>
  (query, correct) =>
    names.includes(query.question.name.replace(/\.$/, "")) ? correct : fault(query, correct)

/** Denies every name with the SOA of the root, as a root zone of its own would. */
const denyAll: Fault = () => {
  const data = "a.root.test. hostmaster.root.test. 1 3600 600 86400 300"
  const soa = { name: ".", type: "SOA", ttl: 300, data }
  return replyOf("NXDOMAIN", { recursionAvailable: true, authority: [soa] })
}

const denyWithoutProof: Fault = () => replyOf("NXDOMAIN", { recursionAvailable: true })

const faults: ReadonlyArray<readonly [string, Fault]> = [
  ["fails", servfail],
  ["refuses", refused],
  ["is silent", drop],
  ["denies without proof", denyWithoutProof],
  ["denies as if the root were empty", denyAll],
  ["cuts off what it answers, without TCP,", truncated]
]

const cached: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["everything", []],
  ["all but the servers of the top-level domain", ["com"]],
  ["all but the servers of the top-level domain and their addresses", ["com", "a.gtld.test"]],
  ["all but the domain and the registry", ["com", "a.gtld.test", "example.com"]]
]

for (const [behaviour, fault] of faults)
  for (const [extent, names] of cached)
    live(`a resolver that ${behaviour} at ${extent} is unavailable, and says nothing about the domain`, () =>
      Effect.map(
        outcomeOf((internet) => internet.script(resolver, onlyKnown(names, fault))),
        (outcome) => expect(outcome).toBe("ResolversUnavailable")
      )
    )

for (const [behaviour, fault] of faults)
  live(`the zone of a domain with glue is found where the resolver ${behaviour} at all but the registry`, () =>
    Effect.map(
      outcomeOf((internet) => internet.script(resolver, onlyKnown(["com", "a.gtld.test"], fault)), glued),
      (outcome) => expect(outcome).toBe("example.com")
    )
  )

live("a resolver that is cut off from the servers of others answers from its cache, and discoveries wait", () =>
  Effect.map(
    outcomeOf((internet) => {
      internet.script(resolver, onlyKnown(["com", "a.gtld.test", "example.com", "ns1.prov.net"], servfail))
      for (const server of ["a.root.test", "a.gtld.test", "ns1.prov.net"]) internet.script(server, drop)
    }),
    (outcome) => expect(outcome).toBe("ResolversUnavailable")
  )
)

const deadServers: ReadonlyArray<readonly [string, (internet: ScriptedInternet) => void, string]> = [
  ["is silent", (internet) => internet.script("ns1.prov.net", drop), "DelegationTimedOut"],
  ["fails", (internet) => internet.script("ns1.prov.net", servfail), "DelegationTimedOut"],
  ["refuses", (internet) => internet.script("ns1.prov.net", refused), "ZoneNotFound"],
  [
    "has no address that a resolver finds",
    (internet) => internet.script(resolver, servfail, { name: "ns1.prov.net" }),
    "DelegationTimedOut"
  ],
  [
    "has an address that a resolver refuses to look up",
    (internet) => internet.script(resolver, refused, { name: "ns1.prov.net" }),
    "DelegationTimedOut"
  ],
  [
    "has an address that a resolver denies without proof",
    (internet) => internet.script(resolver, denyWithoutProof, { name: "ns1.prov.net" }),
    "DelegationTimedOut"
  ]
]

for (const [behaviour, prepare, failure] of deadServers)
  live(`a domain whose only name server ${behaviour} fails, since the resolver resolves other names`, () =>
    Effect.map(outcomeOf(prepare), (outcome) => expect(outcome).toBe(failure))
  )

live("a domain below a top-level domain whose servers are silent fails, since the resolver resolves names of com", () =>
  Effect.map(
    outcomeOf(
      (internet) => {
        internet.script("ns1.nic.dev", drop)
        internet.script(resolver, servfail, { name: "example.dev" })
      },
      { zones: { dev: { nameServers: ["ns1.nic.dev"], records: "" } } },
      "example.dev"
    ),
    (outcome) => expect(outcome).toBe("DelegationTimedOut")
  )
)

live("a dead domain of a private network fails, since the resolver resolves other names of its top-level domain", () =>
  Effect.map(
    outcomeOf(
      (internet) => {
        internet.script(resolver, refused, { name: "com" })
        internet.script("ns1.shop.corp", drop)
      },
      { zones: { "shop.corp": { nameServers: ["ns1.shop.corp"], records: "" } } },
      "shop.corp"
    ),
    (outcome) => expect(outcome).toBe("DelegationTimedOut")
  )
)

// A denial with a SOA counts as proven, whoever gives it.
for (const [behaviour, fault] of faults.filter(([, fault]) => fault !== denyAll))
  live(`the zone is found by the second resolver where the first one ${behaviour}`, () =>
    Effect.gen(function* () {
      const broken = yield* ScriptedInternet.make(example)
      broken.script(resolver, fault)
      const internet = yield* ScriptedInternet.make(example)
      const resolvers = Resolver.layer([broken.dial(broken.resolver), internet.dial(internet.resolver)])
      const services = Delegations.layer.pipe(
        Layer.provide(resolvers),
        Layer.provide(DnsClient.layer({ allowed: [], dial: internet.dial, timeout: silenceTimeout }))
      )
      const find = Effect.flatMap(Delegations, ({ find }) => find(DomainName.make("example.com")))
      expect((yield* Effect.provide(find, services)).zone).toBe(DomainName.make("example.com"))
    })
  )
