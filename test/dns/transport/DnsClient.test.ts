import { describe, expect } from "bun:test"
import { type Duration, Effect, Array as EffectArray, Fiber, Metric } from "effect"
import { readdirSync } from "node:fs"
import { networkInterfaces } from "node:os"
import { DnsClient } from "../../../src/dns/transport/DnsClient.ts"
import { hedgeQueries, runQuery } from "../../../src/dns/transport/Query.ts"
import { concurrentTest } from "../../support/concurrentTest.ts"
import { live } from "../../support/effectTest.ts"
import { timeByTurns } from "../../support/timeByTurns.ts"
import { ScriptedInternet } from "../../support/lab/ScriptedInternet.ts"
import { replyOf } from "../../support/lab/Zone.ts"
import {
  drop,
  droppingEdns,
  dropUdp,
  type Fault,
  refused,
  servfail,
  truncated,
  withoutEdns
} from "../../support/lab/dnsFaults.ts"
import { malformedResponse, malformedResponses } from "../../support/lab/malformedResponses.ts"
import { decode, emptyMessage, encode } from "../../support/lab/packet.ts"
import { answerTimeout } from "../dnsFixture.ts"

const server = "ns1.prov.net"
const question = { name: "example.com", type: "A" } as const
const requester = "app/tenant"
const purpose = { trySpend: () => true, zone: "example.com", requester }

/** One server of `example.com`, and a client that waits so long for it. */
const setup = (timeout = answerTimeout) =>
  Effect.gen(function* () {
    yield* timeByTurns
    const internet = yield* ScriptedInternet.make({
      zones: { "example.com": { nameServers: [server], records: "@ A 192.0.2.1" } }
    })
    const client = yield* Effect.provide(DnsClient, DnsClient.layer({ allowed: [], dial: internet.dial, timeout }))
    return { internet, client, address: internet.addressOf(server) }
  })

/** For tests that wait for the next tries, a third of it each; a busy machine answers sooner than that. */
const retryTimeout: Duration.DurationInput = "3 seconds"

/** Defines a test of the client's outcome under a server's fault, and of the transports of its queries. */
const underFault = (
  name: string,
  fault: Fault,
  expected: { readonly outcome: ReadonlyArray<string> | string; readonly transports: ReadonlyArray<"udp" | "tcp"> },
  timeout?: Duration.DurationInput
) =>
  concurrentTest(name, () =>
    Effect.gen(function* () {
      const { address, client, internet } = yield* setup(timeout)
      internet.script(server, fault)
      const outcome = yield* runQuery(client.query(address, question, purpose)).pipe(
        Effect.map(({ answers }) => answers.map(({ value }): string => value)),
        Effect.catchAll(({ reason }) => Effect.succeed<string>(reason))
      )
      const transports = internet.queries.map(({ transport }) => transport)
      expect<unknown>({ outcome, transports }).toEqual(expected)
    })
  )

/** Applies the fault to the first `count` queries. */
const first = (count: number, fault: Fault): Fault => {
  let received = 0
  return (query, correct) => (++received > count ? correct : fault(query, correct))
}

/** Sends other bytes before the correct response. */
const preceded =
  (noise: (query: Uint8Array) => Uint8Array): Fault =>
  ({ bytes, message, question }, correct) => [
    noise(bytes),
    encode({ ...emptyMessage, ...correct, id: message.id, questions: [question], response: true })
  ]

/** The correct response, padded with an additional record to 65,535 bytes. */
const longest: Fault = ({ message, question }, correct) => {
  const filled = (bytes: number) =>
    encode({
      ...emptyMessage,
      ...correct,
      id: message.id,
      questions: [question],
      response: true,
      additional: [{ name: ".", type: "TYPE65280", ttl: 300, data: `\\# ${bytes} ${"00".repeat(bytes)}` }]
    })
  return [filled(65_535 - filled(0).length)]
}

const onTcp =
  (fault: Fault): Fault =>
  (query, correct) =>
    query.transport === "tcp" ? fault(query, correct) : { ...correct, truncated: true }

const onlyUdp =
  (fault: Fault): Fault =>
  (query, correct) =>
    query.transport === "udp" ? fault(query, correct) : []

/** Answers over UDP once the query has arrived over TCP, where it is silent. */
const afterLastTry = (): Fault => {
  const lastTry = Promise.withResolvers<void>()
  return async ({ transport }, correct) => {
    if (transport === "tcp") lastTry.resolve()
    else await lastTry.promise
    return transport === "tcp" ? [] : correct
  }
}

const answered = ["192.0.2.1"]

describe("a query to an authoritative server", () => {
  underFault("is answered over UDP", (_, correct) => correct, { outcome: answered, transports: ["udp"] })

  underFault(
    "is sent again if the first packet is lost",
    first(1, drop),
    { outcome: answered, transports: ["udp", "udp"] },
    retryTimeout
  )

  underFault(
    "is sent a third time over TCP",
    dropUdp,
    { outcome: answered, transports: ["udp", "udp", "tcp"] },
    retryTimeout
  )

  underFault(
    "times out after three attempts",
    drop,
    { outcome: "timed_out", transports: ["udp", "udp", "tcp"] },
    retryTimeout
  )

  underFault(
    "accepts the late response of a slow server",
    afterLastTry(),
    { outcome: answered, transports: ["udp", "udp", "tcp"] },
    retryTimeout
  )

  underFault(
    "is sent over TCP if the response is truncated",
    onTcp((_, correct) => correct),
    {
      outcome: answered,
      transports: ["udp", "tcp"]
    }
  )

  underFault("accepts a response of the maximum size over TCP", onTcp(longest), {
    outcome: answered,
    transports: ["udp", "tcp"]
  })

  underFault("fails if the response is truncated and the server has no TCP", truncated, {
    outcome: "truncated",
    transports: ["udp", "tcp"]
  })

  underFault("fails if the response is truncated over TCP as well", (_, correct) => ({ ...correct, truncated: true }), {
    outcome: "truncated",
    transports: ["udp", "tcp"]
  })

  underFault("fails after SERVFAIL", servfail, { outcome: "server_failure", transports: ["udp"] })

  underFault("fails after REFUSED", refused, { outcome: "refused", transports: ["udp"] })

  underFault("is sent without EDNS if the server does not support it", withoutEdns, {
    outcome: answered,
    transports: ["udp", "udp"]
  })

  underFault(
    "is sent again without EDNS if the server drops it",
    droppingEdns,
    { outcome: answered, transports: ["udp", "udp"] },
    retryTimeout
  )

  underFault(
    "is sent over TCP without EDNS if the server drops it",
    (query, correct) => (query.transport === "udp" ? [] : droppingEdns(query, correct)),
    { outcome: answered, transports: ["udp", "udp", "tcp"] },
    retryTimeout
  )

  underFault("fails if the server understands it neither with nor without EDNS", () => replyOf("FORMERR"), {
    outcome: "format_error",
    transports: ["udp", "udp"]
  })

  live("is not sent to a forbidden address", () =>
    Effect.gen(function* () {
      const { client, internet } = yield* setup()
      const addresses = ["127.0.0.1", "169.254.169.254", "10.0.0.1", "::1", "fe80::1%eth0", "ns1.prov.net"]
      const outcomes = yield* Effect.forEach(addresses, (address) =>
        Effect.flip(runQuery(client.query(address, question, purpose)))
      )
      expect(outcomes.map(({ reason }) => reason)).toEqual(addresses.map(() => "address_not_reachable"))
      expect([...internet.strangers, ...internet.queries]).toEqual([])
    })
  )
})

describe("a server without a route", () => {
  /** The kernel refuses to send there at once, while a missing server only times out. */
  const broadcast = { host: "255.255.255.255", port: 53 }

  live("fails the query", () =>
    Effect.gen(function* () {
      const { client } = yield* setup()
      const outcome = yield* Effect.flip(runQuery(client.resolve(broadcast, question, requester)))
      expect(outcome.reason).toBe("no_route")
    })
  )

  live("takes no permit from other queries, however often it is queried", () =>
    Effect.gen(function* () {
      const { address, client } = yield* setup()
      yield* Effect.forEach(Array.from({ length: 500 }), () =>
        Effect.flip(runQuery(client.resolve(broadcast, question, requester)))
      )
      expect((yield* runQuery(client.query(address, question, purpose))).answers).toHaveLength(1)
    })
  )

  live("is skipped in favor of the next one", () =>
    Effect.gen(function* () {
      const { client, internet } = yield* setup()
      const resolvers = [{ host: "127.0.0.1", port: 1 }, broadcast, internet.dial(internet.resolver)] as const
      const answer = yield* runQuery(
        hedgeQueries(EffectArray.map(resolvers, (at) => client.resolve(at, question, requester)))
      )
      expect(answer.answers).toHaveLength(1)
    })
  )
})

/** A silent resolver, and a client that floods it on behalf of one requester, about as many registered domains. */
const setupFlood = (timeout: Duration.DurationInput) =>
  Effect.gen(function* () {
    const { internet } = yield* setup()
    internet.script("resolver.test", drop)
    const layer = DnsClient.layer({ allowed: [], dial: internet.dial, timeout })
    const client = yield* Effect.provide(DnsClient, layer)
    const flood = (count: number) =>
      Effect.forEach(
        Array.from({ length: count }, (_, nth) => ({ ...question, name: `h${nth}.example` })),
        (question) => Effect.flip(runQuery(client.resolve(internet.dial(internet.resolver), question, "app/flood"))),
        { concurrency: "unbounded" }
      )
    return { internet, client, flood }
  })

describe("the permits of the process", () => {
  live("are 400 for one requester", () =>
    Effect.gen(function* () {
      const { flood } = yield* setupFlood("10 minutes")
      const before = openFiles()
      const flooding = yield* Effect.fork(flood(1_000))
      yield* Effect.repeat(Effect.sleep("50 millis"), { until: () => openFiles() - before >= 400 })
      yield* Effect.sleep("200 millis")
      expect(openFiles() - before).toBe(400)
      yield* Fiber.interrupt(flooding)
    })
  )

  live("do not run out for a requester with few queries while another floods", () =>
    Effect.gen(function* () {
      const { client, flood, internet } = yield* setupFlood("30 seconds")
      const flooding = yield* Effect.fork(flood(1_000))
      yield* Effect.yieldNow()
      const answers = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => runQuery(client.query(internet.addressOf(server), question, purpose)),
        { concurrency: "unbounded" }
      )
      expect(answers).toHaveLength(20)
      expect(flooding.unsafePoll()).toBeNull()
      yield* Fiber.interrupt(flooding)
    })
  )
})

describe("a packet that does not answer the query", () => {
  const misdirected = [...malformedResponses.malformed, ...malformedResponses.misdirected].filter(
    ({ fromAnotherPort, type }) => type === "A" && fromAnotherPort === undefined
  )
  for (const answer of misdirected)
    underFault(`is dropped, and the response after it is accepted: ${answer.name}`, preceded(answer.bytes), {
      outcome: answered,
      transports: ["udp"]
    })

  const fromAnotherPort = malformedResponses.misdirected.find((answer) => answer.fromAnotherPort)
  if (fromAnotherPort !== undefined)
    underFault(
      "is dropped if it comes from another port",
      onlyUdp(malformedResponse(fromAnotherPort)),
      { outcome: "timed_out", transports: ["udp", "udp", "tcp"] },
      retryTimeout
    )

  live("is counted by reason", () =>
    Effect.gen(function* () {
      const { address, client, internet } = yield* setup()
      const before = yield* droppedAs("wrong_id")
      const answer = malformedResponses.misdirected.find(({ name }) => name === "another id")
      internet.script(server, preceded(answer?.bytes ?? ((bytes) => bytes)))
      yield* runQuery(client.query(address, question, purpose))
      expect((yield* droppedAs("wrong_id")) - before).toBe(1)
    })
  )

  underFault(
    "over TCP fails the query",
    onTcp(({ bytes }) => [bytes]),
    {
      outcome: "truncated",
      transports: ["udp", "tcp"]
    }
  )
})

describe("a query to the operator's resolver", () => {
  live("may be sent to any address and requests recursion", () =>
    Effect.gen(function* () {
      const { client, internet } = yield* setup()
      const answer = yield* runQuery(client.resolve(internet.dial(internet.resolver), question, requester))
      expect(answer.answers).toEqual([{ name: "example.com", type: "A", ttl: 300, value: "192.0.2.1" }])
    })
  )

  live("fails if the server there is not a resolver", () =>
    Effect.gen(function* () {
      const { address, client, internet } = yield* setup()
      const outcome = yield* Effect.flip(runQuery(client.resolve(internet.dial(address), question, requester)))
      expect(outcome.reason).toBe("lame")
    })
  )

  live("fails if no server is there", () =>
    Effect.gen(function* () {
      const { client } = yield* setup()
      const outcome = yield* Effect.flip(runQuery(client.resolve({ host: "127.0.0.1", port: 1 }, question, requester)))
      expect(outcome.reason).toBe("no_route")
    })
  )
})

describe("IPv6", () => {
  const hasIpv6Loopback = Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === "::1")
  )
  if (!hasIpv6Loopback) return
  live("works like IPv4", () =>
    Effect.gen(function* () {
      const { client } = yield* setup()
      const socket = yield* Effect.acquireRelease(
        Effect.promise(() => Bun.udpSocket({ hostname: "::1", socket: { data: respondNxdomain } })),
        (socket) => Effect.sync(() => socket.close())
      )
      const answer = yield* runQuery(client.resolve({ host: "::1", port: socket.port }, question, requester))
      expect(answer).toEqual({
        rcode: 3,
        aa: false,
        tc: false,
        ra: true,
        answers: [],
        authorities: [],
        additionals: []
      })
    })
  )
})

/** Responds with NXDOMAIN. */
const respondNxdomain = (socket: Bun.udp.Socket<"buffer">, query: Uint8Array, port: number, address: string) => {
  socket.send(encode({ ...decode(query), response: true, recursionAvailable: true, rcode: "NXDOMAIN" }), port, address)
}

describe("sockets", () => {
  live("are closed after a response, after a timeout and after an interruption", () =>
    Effect.gen(function* () {
      const { address, client, internet } = yield* setup(retryTimeout)
      yield* runQuery(client.query(address, question, purpose))
      const before = openFiles()
      yield* Effect.forEach(Array.from({ length: 50 }), () => runQuery(client.query(address, question, purpose)), {
        concurrency: 25
      })
      const resolver = internet.dial(internet.resolver)
      internet.script("resolver.test", drop)
      yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => Effect.flip(runQuery(client.resolve(resolver, question, requester))),
        {
          concurrency: "unbounded"
        }
      )
      const waiting = yield* Effect.fork(runQuery(client.resolve(resolver, question, requester)))
      yield* Effect.iterate(internet.queries.length, {
        while: (count) => count === internet.queries.length,
        body: (count) => Effect.as(Effect.yieldNow(), count)
      })
      yield* Fiber.interrupt(waiting)
      yield* Effect.iterate(openFiles(), {
        while: (open) => open > before,
        body: () => Effect.map(Effect.yieldNow(), openFiles)
      })
    })
  )
})

const openFiles = (): number => readdirSync("/dev/fd").length

const droppedAs = (reason: string): Effect.Effect<number> =>
  Effect.map(Metric.snapshot, (pairs) =>
    pairs
      .filter(({ metricKey }) => metricKey.name === "dcs_dns_answers_dropped")
      .filter(({ metricKey }) => metricKey.tags.some(({ value }) => value === reason))
      .reduce((sum, { metricState }) => sum + ("count" in metricState ? Number(metricState.count) : 0), 0)
  )
