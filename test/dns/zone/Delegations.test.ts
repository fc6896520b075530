import { expect } from "bun:test"
import { type Duration, Effect, Fiber } from "effect"
import { DomainName } from "../../../src/domain/DomainName.ts"
import { QueryRequester } from "../../../src/dns/transport/QueryRequester.ts"
import { live } from "../../support/effectTest.ts"
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
        Effect.provideService(delegations.find(domain), QueryRequester, requester),
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

live("a requester's delegation, which lacks what it could not reach, is not another requester's", () =>
  Effect.gen(function* () {
    const { countReachable, internet } = yield* setup("1 second")
    internet.script("ns2.prov.net", drop)
    expect(yield* countReachable("app/first")).toBe(1)
    internet.heal()
    yield* Effect.sleep("600 millis")
    expect(yield* countReachable("app/second")).toBe(2)
  })
)
