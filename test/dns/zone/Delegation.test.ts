import { describe, expect } from "bun:test"
import { type Duration, Effect, Either } from "effect"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { live } from "../../support/effectTest.ts"
import type { ScriptedInternet } from "../../support/lab/ScriptedInternet.ts"
import type { InternetSpec } from "../../support/lab/ScriptedTopology.ts"
import { replyOf } from "../../support/lab/Zone.ts"
import { drop, type Fault, fromCache, lame, refused, servfail } from "../../support/lab/dnsFaults.ts"
import { dnsFixture, silenceTimeout, withoutDeadline } from "../dnsFixture.ts"

const registry = "a.gtld.test"
const resolver = "resolver.test"

const example: InternetSpec = {
  zones: { "example.com": { nameServers: ["ns1.prov.net", "ns2.prov.net"], records: "www A 192.0.2.1" } }
}

const ns1 = { name: "ns1.prov.net", addresses: ["11.0.1.1"] }
const ns2 = { name: "ns2.prov.net", addresses: ["11.0.1.2"] }

const exampleDelegation = {
  zone: "example.com",
  nameServers: [ns1, ns2],
  parentNameServers: ["ns1.prov.net", "ns2.prov.net"],
  childNameServers: ["ns1.prov.net", "ns2.prov.net"],
  hasParentChildMismatch: false,
  isSigned: false
}

/** The result for the domain: the delegation, or the name of the error. */
const found = (
  spec: InternetSpec,
  domain: string,
  prepare: (internet: ScriptedInternet) => void = () => {},
  timeout?: Duration.DurationInput
) =>
  Effect.gen(function* () {
    const { delegations, internet } = yield* dnsFixture(spec, timeout)
    prepare(internet)
    const result = yield* Effect.either(withoutDeadline(delegations.find(DomainName.make(domain))))
    return { internet, result: Either.isRight(result) ? result.right : result.left._tag }
  })

const finds = (
  name: string,
  spec: InternetSpec,
  domain: string,
  expected: unknown,
  prepare?: (internet: ScriptedInternet) => void,
  timeout?: Duration.DurationInput
) =>
  live(name, () =>
    Effect.map(found(spec, domain, prepare, timeout), ({ result }) =>
      expect<unknown>(typeof result === "string" ? result : { ...result, keptUntil: undefined }).toEqual(expected)
    )
  )

const replyCorrectly: Fault = (_, correct) => correct

const hasNothing: Fault = () => replyOf("NOERROR", { authoritative: true })

const atAll =
  (...faults: readonly [Fault, Fault]) =>
  (internet: ScriptedInternet) => {
    internet.script("ns1.prov.net", faults[0])
    internet.script("ns2.prov.net", faults[1])
  }

describe("the delegation of a domain", () => {
  finds("is where parent and child say that it is", example, "example.com", exampleDelegation)

  finds(
    "of a subdomain without its own zone is that of the enclosing zone",
    example,
    "www.example.com",
    exampleDelegation
  )

  finds("of a missing subdomain is that of the enclosing zone", example, "new.shop.example.com", exampleDelegation)

  const subZone: InternetSpec = {
    zones: {
      ...example.zones,
      "app.example.com": { nameServers: ["ns1.other.net"], records: "" }
    },
    hosts: {
      "ns1.other.net": ["11.7.0.1", "11.7.0.2", "11.7.0.3"],
      "ns1.prov.net": ["11.0.1.1"],
      "ns2.prov.net": ["11.0.1.2"]
    }
  }
  const subDelegation = {
    zone: "app.example.com",
    nameServers: [{ name: "ns1.other.net", addresses: ["11.7.0.1", "11.7.0.2"] }],
    parentNameServers: ["ns1.other.net"],
    childNameServers: ["ns1.other.net"],
    hasParentChildMismatch: false,
    isSigned: false
  }

  finds(
    "of a subdomain with its own zone is that zone's, with two addresses per server",
    subZone,
    "app.example.com",
    subDelegation
  )

  finds(
    "is found although the resolver cannot reach that zone",
    subZone,
    "x.app.example.com",
    subDelegation,
    (internet) => {
      internet.script(resolver, servfail, { name: "app.example.com" })
      internet.script(resolver, servfail, { name: "x.app.example.com" })
    }
  )

  finds("is found where the resolver skips the zone between", subZone, "app.example.com", subDelegation, (internet) =>
    internet.script(resolver, servfail, { name: "example.com" })
  )

  finds(
    "is found if one server hosts both parent and child zone",
    {
      zones: {
        "example.com": { nameServers: ["ns1.prov.net"], records: "" },
        "app.example.com": { nameServers: ["ns1.prov.net"], records: "" }
      }
    },
    "www.app.example.com",
    {
      zone: "app.example.com",
      nameServers: [ns1],
      parentNameServers: ["ns1.prov.net"],
      childNameServers: ["ns1.prov.net"],
      hasParentChildMismatch: false,
      isSigned: false
    }
  )

  finds(
    "contains the servers of parent and child if they differ",
    {
      zones: {
        "example.com": {
          nameServers: ["ns1.prov.net", "ns2.prov.net"],
          delegatedTo: ["ns1.prov.net", "ns3.prov.net"],
          records: ""
        }
      }
    },
    "example.com",
    {
      zone: "example.com",
      nameServers: [ns1, ns2, { name: "ns3.prov.net", addresses: ["11.0.1.3"] }],
      parentNameServers: ["ns1.prov.net", "ns3.prov.net"],
      childNameServers: ["ns1.prov.net", "ns2.prov.net"],
      hasParentChildMismatch: true,
      isSigned: false
    }
  )

  finds("omits servers that are only in the resolver's cache", example, "example.com", exampleDelegation, (internet) =>
    internet.script(resolver, resolves("example.com", "NS", "ns1.old.net."), { name: "example.com", type: "NS" })
  )

  finds(
    "contains all servers of several providers",
    { zones: { "example.com": { nameServers: ["ns1.one.net", "ns1.two.org"], records: "" } } },
    "example.com",
    {
      ...exampleDelegation,
      nameServers: [
        { name: "ns1.one.net", addresses: ["11.0.1.1"] },
        { name: "ns1.two.org", addresses: ["11.0.1.2"] }
      ],
      parentNameServers: ["ns1.one.net", "ns1.two.org"],
      childNameServers: ["ns1.one.net", "ns1.two.org"]
    }
  )

  finds(
    "is signed if the parent has a DS record",
    { zones: { ...example.zones, com: { nameServers: [registry], records: "example DS 60485 8 2 00ff" } } },
    "example.com",
    { ...exampleDelegation, isSigned: true }
  )

  finds(
    "uses the glue of the parent if the resolver has no addresses",
    { zones: { "glued.com": { nameServers: ["ns1.glued.com"], records: "" } } },
    "glued.com",
    {
      zone: "glued.com",
      nameServers: [{ name: "ns1.glued.com", addresses: ["11.0.1.1"] }],
      parentNameServers: ["ns1.glued.com"],
      childNameServers: ["ns1.glued.com"],
      hasParentChildMismatch: false,
      isSigned: false
    },
    (internet) => {
      internet.script(resolver, servfail, { name: "ns1.glued.com" })
      internet.script(resolver, servfail, { name: "glued.com" })
    }
  )

  finds(
    "is found although one of the servers is lame",
    example,
    "example.com",
    exampleDelegation,
    atAll(lame, replyCorrectly)
  )

  finds(
    "is found although one of the servers times out, and reports which one",
    example,
    "example.com",
    { ...exampleDelegation, nameServers: [{ ...ns1, wasUnreachable: true }, ns2] },
    atAll(drop, replyCorrectly),
    silenceTimeout
  )

  finds("is found though the resolver denies the domain", example, "example.com", exampleDelegation, (internet) =>
    internet.script(resolver, () => replyOf("NXDOMAIN", { recursionAvailable: true }), { name: "example.com" })
  )

  live("has at most six of a hundred servers without glue, after at most 64 queries", () =>
    Effect.gen(function* () {
      const nameServers = Array.from({ length: 100 }, (_, index) => `ns${index + 100}.many.net`)
      const { delegations, internet } = yield* dnsFixture({
        zones: { "example.com": { nameServers, records: "" } }
      })
      const result = yield* withoutDeadline(delegations.find(DomainName.make("example.com")))
      expect(result).toMatchObject({ parentNameServers: nameServers, childNameServers: nameServers })
      expect(result.nameServers.map(({ name }) => name)).toEqual(nameServers.slice(0, 6))
      expect(internet.queries.length).toBeLessThanOrEqual(64)
    })
  )
})

describe("a domain is not registered", () => {
  finds("where the registry knows no such name", example, "nobody.com", "DomainNotRegistered")
  finds("where the registry knows nothing above it", example, "www.nobody.com", "DomainNotRegistered")
  finds("where there is no such top-level domain", example, "example.invalid", "DomainNotRegistered")

  finds(
    "if a registry below the top level does not have the name",
    { zones: { "co.uk": { nameServers: ["ns1.nic.uk"], records: "" } } },
    "nobody.co.uk",
    "DomainNotRegistered"
  )

  finds("where only the resolver still remembers it", example, "gone.com", "DomainNotRegistered", (internet) =>
    internet.script(resolver, resolves("gone.com", "NS", "ns1.prov.net."), { name: "gone.com", type: "NS" })
  )
})

describe("a domain has no name servers", () => {
  finds(
    "if the registry has the name without a delegation",
    { zones: { com: { nameServers: [registry], records: 'held TXT "no delegation"' } } },
    "held.com",
    "DomainHasNoNameServers"
  )

  finds(
    "if none of them has an address",
    { ...example, hosts: { "ns1.prov.net": [], "ns2.prov.net": [] } },
    "example.com",
    "DomainHasNoNameServers"
  )

  for (const address of ["169.254.169.254", "127.0.0.1", "10.0.0.1", "fd00::1"])
    live(`if they only have the address ${address}, which gets no packet`, () =>
      Effect.gen(function* () {
        const hosts = { "ns1.prov.net": [address], "ns2.prov.net": [address] }
        const { internet, result } = yield* found({ ...example, hosts }, "example.com")
        expect(result).toBe("DomainHasNoNameServers")
        expect(internet.queries.filter(({ server }) => server.endsWith(".prov.net"))).toEqual([])
        expect(internet.strangers).toEqual([])
      })
    )
})

describe("a zone is not found", () => {
  finds("where all servers are lame", example, "example.com", "ZoneNotFound", atAll(lame, lame))
  finds("where all servers refuse", example, "example.com", "ZoneNotFound", atAll(refused, refused))
  finds(
    "if servers report no NS records at its apex",
    example,
    "example.com",
    "ZoneNotFound",
    atAll(hasNothing, hasNothing)
  )
  finds("where servers answer from a cache", example, "example.com", "ZoneNotFound", atAll(fromCache, lame))
})

describe("the delegation of a domain is unknown", () => {
  live("if it has so many labels that 64 queries do not suffice", () =>
    Effect.gen(function* () {
      const { internet, result } = yield* found(example, `${"a.".repeat(100)}example.com`)
      expect(result).toBe("DelegationTimedOut")
      expect(new Set(internet.queries.map(({ name, type }) => `${name} ${type}`)).size).toBe(64)
    })
  )

  finds(
    "if a resolver denies every name, even the root, and no root server answers",
    example,
    "example.com",
    "ResolversUnavailable",
    (internet) => internet.script(resolver, () => replyOf("NXDOMAIN", { recursionAvailable: true }))
  )
  finds("where all servers are silent", example, "example.com", "DelegationTimedOut", atAll(drop, drop), silenceTimeout)
  finds("where all servers fail", example, "example.com", "DelegationTimedOut", atAll(servfail, servfail))
  finds(
    "if one server refuses and the other times out",
    example,
    "example.com",
    "DelegationTimedOut",
    atAll(refused, drop),
    silenceTimeout
  )
  finds("where the resolver fails", example, "example.com", "ResolversUnavailable", (internet) =>
    internet.script(resolver, servfail)
  )
  const ofDev = { nameServers: ["ns1.nic.dev"], records: "" }
  finds("where the registry is silent", { zones: { dev: ofDev } }, "example.dev", "DelegationTimedOut", (internet) =>
    internet.script("ns1.nic.dev", drop)
  )

  finds(
    "if two domains use each other's hosts as servers",
    {
      zones: {
        "one.com": { nameServers: ["ns.two.com"], records: "" },
        "two.com": { nameServers: ["ns.one.com"], records: "" }
      },
      hosts: { "ns.one.com": [], "ns.two.com": [] }
    },
    "one.com",
    "DelegationTimedOut"
  )
})

const failuresWith = (script: (internet: ScriptedInternet) => void, spec: InternetSpec = example) =>
  Effect.gen(function* () {
    const { delegations, internet } = yield* dnsFixture(spec, silenceTimeout)
    script(internet)
    const failure = yield* Effect.flip(delegations.find(DomainName.make("example.com")))
    return "servers" in failure ? failure.servers : undefined
  })

describe("a delegation that nobody knows", () => {
  live("names no address of the resolver that failed, but its question", () =>
    Effect.gen(function* () {
      const servers = yield* failuresWith((internet) => {
        internet.script(resolver, servfail, { name: "example.com" })
        internet.script(resolver, servfail, { name: "com" })
      })
      expect(servers).toEqual([
        {
          server: "the resolver of this service",
          reason: "server_failure",
          question: { name: "example.com", type: "NS" }
        }
      ])
    })
  )

  live("names the servers of the zone, and what each answered", () =>
    Effect.gen(function* () {
      const servers = yield* failuresWith((internet) => {
        internet.script("ns1.prov.net", servfail)
        internet.script("ns2.prov.net", drop)
      })
      const question = { name: "example.com", type: "NS" }
      expect(servers).toEqual([
        { server: "ns1.prov.net", reason: "server_failure", question },
        { server: "ns2.prov.net", reason: "timed_out", question }
      ])
    })
  )
})

const resolves =
  (name: string, type: string, data: string): Fault =>
  () =>
    replyOf("NOERROR", { recursionAvailable: true, answers: [{ name: `${name}.`, type, ttl: 300, data }] })
