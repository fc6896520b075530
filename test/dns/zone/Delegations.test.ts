import { expect } from "bun:test"
import { type Duration, Effect, Fiber, TestClock } from "effect"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import type { ResolversUnavailable } from "../../../src/dns/zone/Delegation.ts"
import { Requester } from "../../../src/limits/RequestSource.ts"
import { describeDelegationFailure } from "../../../src/lifecycle/plan/ZoneSurvey.ts"
import { effect, live } from "../../support/effectTest.ts"
import { replyOf } from "../../support/lab/Zone.ts"
import { drop, type Fault } from "../../support/lab/dnsFaults.ts"
import { dnsFixture } from "../dnsFixture.ts"

const domain = DomainName.make("example.com")

/** A domain with two name servers, and the number of those that a requester finds reachable. */
const setup = (timeout: Duration.DurationInput) =>
  Effect.gen(function* () {
    const { delegations, internet } = yield* dnsFixture(
      { zones: { "example.com": { nameServers: ["ns1.prov.net", "ns2.prov.net"], records: "@ A 192.0.2.1" } } },
      timeout
    )
    const countReachable = (requester: string) =>
      Effect.map(
        Effect.provideService(delegations.find(domain), Requester, requester),
        ({ nameServers }) => nameServers.filter(({ wasUnreachable }) => wasUnreachable !== true).length
      )
    return { internet, countReachable }
  })

/** Drops the queries that are sent before `accept` is called, and their retransmissions after that. */
const dropUntilAccepted = () => {
  const dropped = new Set<number>()
  let isAccepting = false
  const fault: Fault = ({ message }, correct) => {
    if (!isAccepting) dropped.add(message.id)
    return dropped.has(message.id) ? [] : correct
  }
  return { fault, accept: () => (isAccepting = true) }
}

live("a requester finds a delegation at once while another one waits for the same", () =>
  Effect.gen(function* () {
    const { countReachable, internet } = yield* setup("5 seconds")
    const { accept, fault } = dropUntilAccepted()
    internet.script("resolver.test", fault)
    const waiting = yield* Effect.fork(Effect.either(countReachable("app/first")))
    yield* Effect.sleep("100 millis")
    accept()
    expect(yield* countReachable("app/second")).toBe(2)
    expect(waiting.unsafePoll()).toBeNull()
    yield* Fiber.interrupt(waiting)
  })
)

live("a requester's delegation, which lacks unreachable servers, is not given to another requester", () =>
  Effect.gen(function* () {
    const { countReachable, internet } = yield* setup("1 second")
    internet.script("ns2.prov.net", drop)
    expect(yield* countReachable("app/first")).toBe(1)
    internet.heal()
    yield* Effect.sleep("600 millis")
    expect(yield* countReachable("app/second")).toBe(2)
  })
)

type UnknownDelegation = Parameters<typeof describeDelegationFailure>[0] | ResolversUnavailable

/** Why the delegation was not found, and what the failure of the connection says about that. */
const explained = (
  delegations: { readonly find: (domain: DomainName) => Effect.Effect<unknown, UnknownDelegation> },
  name = domain
) =>
  Effect.map(Effect.flip(delegations.find(name)), (failure) => ({
    tag: failure._tag,
    details: failure._tag === "ResolversUnavailable" ? [] : describeDelegationFailure(failure)
  }))

for (const [behaviour, rcode] of [
  ["denies every name without proof", "NXDOMAIN"],
  ["fails at every name", "SERVFAIL"],
  ["refuses every name", "REFUSED"]
] as const)
  live(`a resolver that ${behaviour} says nothing about the domain, and only the operator learns which it is`, () =>
    Effect.gen(function* () {
      const { delegations, internet } = yield* dnsFixture({ zones: {} })
      internet.script("resolver.test", () => replyOf(rcode, { recursionAvailable: true }))
      const failure = yield* Effect.flip(delegations.find(domain))
      expect(failure._tag).toBe("ResolversUnavailable")
      expect(failure._tag === "ResolversUnavailable" && failure.message).toMatch(
        /^no resolver of this service answers what it does not know yet \(127\.0\.0\.1:\d+: \w+\), and discoveries wait for it/
      )
    })
  )

live("a resolver that fails at the name of the domain alone does not keep its zone from being found", () =>
  Effect.gen(function* () {
    const { delegations, internet } = yield* dnsFixture({
      zones: { "example.com": { nameServers: ["ns1.prov.net"], records: "" } }
    })
    internet.script("resolver.test", () => replyOf("SERVFAIL", { recursionAvailable: true }), {
      name: "example.com",
      type: "NS"
    })
    expect((yield* delegations.find(domain)).zone).toBe(domain)
  })
)

effect("after ten seconds the servers are named once that were asked and have not answered", () =>
  Effect.gen(function* () {
    const hosts = { "a.gtld.test": ["11.9.0.1", "11.9.0.2"] }
    const { delegations, internet } = yield* dnsFixture(
      { zones: { "example.com": { nameServers: ["ns1.prov.net", "ns2.prov.net"], records: "" } }, hosts },
      "1 minute"
    )
    internet.script("a.gtld.test", drop, { name: "example.com", type: "DS" })
    const waiting = yield* Effect.fork(explained(delegations))
    yield* Effect.promise(() => Bun.sleep(700))
    yield* TestClock.adjust("10 seconds")
    expect(yield* Fiber.join(waiting)).toEqual({
      tag: "DelegationTimedOut",
      details: [
        {
          message: "a.gtld.test, asked for DS of example.com, did not answer",
          server: "a.gtld.test",
          host: "@",
          type: "DS",
          answer: "timed_out"
        }
      ]
    })
  })
)

live("a server without NS records of the zone is named with the question", () =>
  Effect.gen(function* () {
    const { delegations, internet } = yield* dnsFixture({
      zones: { "example.com": { nameServers: ["ns1.prov.net"], records: "" } }
    })
    internet.script("ns1.prov.net", () => replyOf("NOERROR", { authoritative: true }))
    expect((yield* explained(delegations)).details).toEqual([
      {
        message: "ns1.prov.net, asked for NS of example.com, does not serve the zone",
        server: "ns1.prov.net",
        host: "@",
        type: "NS",
        answer: "lame"
      }
    ])
  })
)

live(
  "the server of the registry that has no such name is named, or the resolver where there is no such top-level domain",
  () =>
    Effect.gen(function* () {
      const { delegations } = yield* dnsFixture({
        zones: { "other.com": { nameServers: ["ns1.prov.net"], records: "" } }
      })
      const registry = { server: "a.gtld.test", host: "@", type: "NS", answer: "nxdomain" }
      expect(yield* explained(delegations)).toEqual({
        tag: "DomainNotRegistered",
        details: [
          { message: "a.gtld.test, asked for NS of example.com, answered that there is no such name", ...registry }
        ]
      })
      const { details } = yield* explained(delegations, DomainName.make("example.invalid"))
      const resolver = "the resolver of this service"
      expect(details.map(({ server, host, type, answer }) => [server, host, type, answer])).toEqual([
        [resolver, "@", "NS", "nxdomain"],
        [resolver, "invalid", "NS", "nxdomain"]
      ])
    })
)

live("the server of the registry that has a name without NS records is named", () =>
  Effect.gen(function* () {
    const { delegations } = yield* dnsFixture({
      zones: { com: { nameServers: ["a.gtld.test"], records: 'example TXT "no delegation"' } }
    })
    expect(yield* explained(delegations)).toEqual({
      tag: "DomainHasNoNameServers",
      details: [
        {
          message: "a.gtld.test, asked for NS of example.com, answered that it has no such records",
          server: "a.gtld.test",
          host: "@",
          type: "NS",
          answer: "nodata"
        }
      ]
    })
  })
)
