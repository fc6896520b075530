import { describe, expect } from "bun:test"
import { Effect, Either } from "effect"
import { DomainName, HostName } from "../../../src/domain/names/DomainName.ts"
import { queryableTypes } from "../../../src/domain/records/dnsTypes.ts"
import { live } from "../../support/effectTest.ts"
import type { ScriptedInternet } from "../../support/lab/ScriptedInternet.ts"
import type { InternetSpec } from "../../support/lab/ScriptedTopology.ts"
import { replyOf } from "../../support/lab/Zone.ts"
import { drop, type Fault, lame, refused, withoutEdns } from "../../support/lab/dnsFaults.ts"
import { answerTimeout, dnsFixture, silenceTimeout } from "../dnsFixture.ts"

const domain = DomainName.make("evil.com")

/** Finds and reads a zone as a creation with 200 records does, and returns how it ended. */
const survey = (
  spec: InternetSpec,
  prepare: (internet: ScriptedInternet) => void = () => {},
  timeout = answerTimeout
) =>
  Effect.gen(function* () {
    const { delegations, internet, zones } = yield* dnsFixture(spec, timeout)
    prepare(internet)
    const hosts = Array.from({ length: 200 }, (_, nth) => ({
      host: HostName.make(`h${nth}`),
      types: ["A", "AAAA", "CNAME", "TXT", "MX", "NS"] as const
    }))
    const result = yield* Effect.either(
      Effect.flatMap(delegations.find(domain), (delegation) => zones.read({ domain, delegation, hosts }))
    )
    return { internet, result: Either.match(result, { onLeft: ({ _tag }) => _tag, onRight: () => "read" }) }
  })

const nameServers = Array.from({ length: 8 }, (_, nth) => `ns${nth}.evil.com`)

/** All name servers are one victim, under eight names. */
const oneVictim: InternetSpec = {
  zones: { "evil.com": { nameServers, records: "@ A 192.0.2.1" } },
  hosts: Object.fromEntries(nameServers.map((name) => [name, ["11.5.0.1"]]))
}

const atVictim = (fault: Fault) => (internet: ScriptedInternet) =>
  nameServers.forEach((name) => internet.script(name, fault))

const countAtVictim = ({ queries }: ScriptedInternet) => queries.filter(({ server }) => server.startsWith("ns")).length

/** Shows itself as a server of the zone and has the addresses of its servers, and then behaves differently. */
const afterApex =
  (fault: Fault): Fault =>
  (query, honest) => {
    const { name, type } = query.question
    return (name === "evil.com." && type === "NS") || name.startsWith("ns") ? honest : fault(query, honest)
  }

const formatError: Fault = () => replyOf("FORMERR")

describe("two hundred records at one address that is no server of theirs", () => {
  for (const [what, fault] of Object.entries({ refused, lame, formatError, drop })) {
    const timeout = fault === drop ? silenceTimeout : answerTimeout
    live(`send it a few packets: ${what}`, () =>
      Effect.gen(function* () {
        const { internet, result } = yield* survey(oneVictim, atVictim(fault), timeout)
        expect(result).not.toBe("read")
        expect(countAtVictim(internet)).toBeLessThanOrEqual(24)
      })
    )

    live(`send it a few dozen packets where it first answered for the zone: ${what}`, () =>
      Effect.gen(function* () {
        const { internet, result } = yield* survey(oneVictim, atVictim(afterApex(fault)), timeout)
        expect(result).toBe("ZoneReadTimedOut")
        expect(countAtVictim(internet)).toBeLessThanOrEqual(100)
      })
    )
  }
})

describe("a survey of one host", () => {
  const records = "www A 192.0.2.1\nwww TXT hello\n* MX 10 mx.example.org."
  const hosts = [{ host: HostName.make("www"), types: queryableTypes }]
  const readWww = (spec: InternetSpec, prepare: (internet: ScriptedInternet) => void = () => {}) =>
    Effect.gen(function* () {
      const { delegations, internet, zones } = yield* dnsFixture(spec)
      prepare(internet)
      const delegation = yield* delegations.find(domain)
      internet.queries.length = 0
      return { internet, views: (yield* zones.readPerServer({ domain, delegation, hosts })).views }
    })

  live("asks servers with the same addresses once, and shows the answers under all their names", () =>
    Effect.gen(function* () {
      const { internet, views } = yield* readWww({
        zones: { "evil.com": { nameServers, records } },
        hosts: Object.fromEntries(nameServers.map((name) => [name, ["11.5.0.1"]]))
      })
      const questions = internet.queries.map(({ name, type }) => `${name} ${type}`)
      expect(new Set(questions).size).toBe(questions.length)
      expect(views.map(({ server, unknownRRsets, zone }) => [server.name, zone.records.length, unknownRRsets])).toEqual(
        nameServers.map((name) => [name, 3, []])
      )
    })
  )

  live("reads it from servers that do not understand EDNS, and sends them each question twice at most", () =>
    Effect.gen(function* () {
      const { internet, views } = yield* readWww(
        { zones: { "evil.com": { nameServers, records } } },
        atVictim(withoutEdns)
      )
      expect(views.map(({ unknownRRsets }) => unknownRRsets)).toEqual(nameServers.map(() => []))
      expect(countAtVictim(internet)).toBeLessThanOrEqual(8 * 2 * 100)
    })
  )

  live("sends an address a few hundred queries at most, however many names share it", () =>
    Effect.gen(function* () {
      const { internet } = yield* readWww({
        zones: { "evil.com": { nameServers, records } },
        hosts: Object.fromEntries(nameServers.map((name, nth) => [name, ["11.5.0.1", `11.5.1.${nth + 1}`]]))
      })
      const atShared = internet.queries.filter(({ server }) => server === nameServers[0])
      expect(atShared.length).toBeLessThanOrEqual(300)
    })
  )
})

const serversOf = (nth: number) => Array.from({ length: 20 }, (_, each) => `n${each}.z${nth}.victim.net`)

describe("a delegation that multiplies queries (NXNSAttack)", () => {
  const hundred = Array.from({ length: 100 }, (_, nth) => `ns${nth + 100}.victim.net`)

  live("to a hundred names without an address resolves six of them", () =>
    Effect.gen(function* () {
      const { internet, result } = yield* survey({
        zones: { "evil.com": { nameServers: hundred, records: "" } },
        hosts: Object.fromEntries(hundred.map((name) => [name, []]))
      })
      expect(result).toBe("DomainHasNoNameServers")
      const resolved = internet.queries.filter(({ name }) => name.endsWith("victim.net")).map(({ name }) => name)
      expect(new Set(resolved).size).toBe(6)
    })
  )

  live("in a chain of zones ends at its budget of 64 questions", () =>
    Effect.gen(function* () {
      const chain = Array.from({ length: 20 }, (_, nth) => `${"a.".repeat(nth)}evil.com`)
      const { delegations, internet } = yield* dnsFixture({
        zones: {
          "evil.com": { nameServers: ["ns1.evil.net"], records: "" },
          ...Object.fromEntries(
            chain
              .slice(1)
              .map((zone, nth) => [
                zone,
                { nameServers: ["ns1.evil.net"], delegatedTo: [...serversOf(nth), "ns1.evil.net"], records: "" }
              ])
          )
        },
        hosts: Object.fromEntries(chain.flatMap((_, nth) => serversOf(nth)).map((name) => [name, []]))
      })
      yield* Effect.either(delegations.find(DomainName.make(chain.at(-1) ?? "")))
      const questions = new Set(internet.queries.map(({ name, server, type }) => `${server} ${name} ${type}`))
      expect(questions.size).toBeLessThanOrEqual(64)
      const victims = internet.queries.filter(({ name }) => name.endsWith("victim.net")).map(({ name }) => name)
      expect(new Set(victims).size).toBeLessThanOrEqual(8 + 5)
    })
  )

  live("in a cycle of two zones ends after a few questions", () =>
    Effect.gen(function* () {
      const { internet, result } = yield* survey({
        zones: {
          "evil.com": { nameServers: ["ns.other.com"], records: "" },
          "other.com": { nameServers: ["ns.evil.com"], records: "" }
        },
        hosts: { "ns.other.com": [], "ns.evil.com": [] }
      })
      expect(result).toBe("DelegationTimedOut")
      expect(new Set(internet.queries.map(({ name, type }) => `${name} ${type}`)).size).toBeLessThanOrEqual(8)
    })
  )

  live("to name servers whose names are a loop of aliases ends after a few questions", () =>
    Effect.gen(function* () {
      const { internet, result } = yield* survey({
        zones: {
          "evil.com": { nameServers: ["one.loop.net"], records: "" },
          "loop.net": { nameServers: ["ns1.prov.net"], records: "one CNAME two\ntwo CNAME one" }
        },
        hosts: { "one.loop.net": [], "ns1.prov.net": ["11.0.1.1"] }
      })
      expect(["DelegationTimedOut", "DomainHasNoNameServers"]).toContain(result)
      expect(new Set(internet.queries.map(({ name, type }) => `${name} ${type}`)).size).toBeLessThanOrEqual(8)
    })
  )

  live("to a private address sends it nothing", () =>
    Effect.gen(function* () {
      const { internet, result } = yield* survey({
        ...oneVictim,
        hosts: Object.fromEntries(nameServers.map((name) => [name, ["169.254.169.254", "fd00::1"]]))
      })
      expect(result).toBe("DomainHasNoNameServers")
      expect([countAtVictim(internet), internet.strangers]).toEqual([0, []])
    })
  )
})
