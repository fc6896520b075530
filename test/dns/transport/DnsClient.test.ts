import { describe, expect } from "bun:test"
import { Effect, Array as EffectArray, Fiber, Metric } from "effect"
import { readdirSync } from "node:fs"
import { networkInterfaces } from "node:os"
import { DnsClient } from "../../../src/dns/transport/DnsClient.ts"
import { hedgeQueries, runQuery } from "../../../src/dns/transport/Query.ts"
import { live } from "../../support/effectTest.ts"
import { ScriptedInternet } from "../../support/lab/ScriptedInternet.ts"
import { replyOf } from "../../support/lab/Zone.ts"
import { delay, drop, dropUdp, type Fault, refused, servfail, truncated } from "../../support/lab/dnsFaults.ts"
import { malformedResponse, malformedResponses } from "../../support/lab/malformedResponses.ts"
import { decode, emptyMessage, encode } from "../../support/lab/packet.ts"

const server = "ns1.prov.net"
const question = { name: "example.com", type: "A" } as const

/** One server of `example.com`, and a client that waits 300 ms for it. */
const world = Effect.gen(function* () {
  const internet = yield* ScriptedInternet.make({
    zones: { "example.com": { nameServers: [server], records: "@ A 192.0.2.1" } }
  })
  const client = yield* Effect.provide(
    DnsClient,
    DnsClient.layer({ allowed: [], dial: internet.dial, timeout: "300 millis" })
  )
  return { internet, client, address: internet.addressOf(server) }
})

/** A test of what the client makes of a server's fault, and of how often it asks. */
const underFault = (
  name: string,
  fault: Fault,
  expected: { readonly outcome: ReadonlyArray<string> | string; readonly asked: ReadonlyArray<"udp" | "tcp"> }
) =>
  live(name, () =>
    Effect.gen(function* () {
      const { address, client, internet } = yield* world
      internet.script(server, fault)
      const outcome = yield* runQuery(client.query(address, question)).pipe(
        Effect.map(({ answers }) => answers.map(({ value }): string => value)),
        Effect.catchAll(({ reason }) => Effect.succeed<string>(reason))
      )
      const asked = internet.queries.map(({ transport }) => transport)
      expect<unknown>({ outcome, asked }).toEqual(expected)
    })
  )

/** Lets the first questions fail, so many of them. */
const first = (count: number, fault: Fault): Fault => {
  let seen = 0
  return (asked, honest) => (++seen > count ? honest : fault(asked, honest))
}

/** Sends something else before the honest answer. */
const preceded =
  (noise: (query: Uint8Array) => Uint8Array): Fault =>
  ({ bytes, message, question }, honest) => [
    noise(bytes),
    encode({ ...emptyMessage, ...honest, id: message.id, questions: [question], response: true })
  ]

/** The honest answer with a record behind it that brings it to 65,535 bytes. */
const longest: Fault = ({ message, question }, honest) => {
  const filled = (bytes: number) =>
    encode({
      ...emptyMessage,
      ...honest,
      id: message.id,
      questions: [question],
      response: true,
      additional: [{ name: ".", type: "TYPE65280", ttl: 300, data: `\\# ${bytes} ${"00".repeat(bytes)}` }]
    })
  return [filled(65_535 - filled(0).length)]
}

const onTcp =
  (fault: Fault): Fault =>
  (asked, honest) =>
    asked.transport === "tcp" ? fault(asked, honest) : { ...honest, truncated: true }

const onlyUdp =
  (fault: Fault): Fault =>
  (asked, honest) =>
    asked.transport === "udp" ? fault(asked, honest) : []

const answered = ["192.0.2.1"]

describe("a question to an authoritative server", () => {
  underFault("is answered over UDP", (_, honest) => honest, { outcome: answered, asked: ["udp"] })

  underFault("is asked again when the first packet is lost", first(1, drop), {
    outcome: answered,
    asked: ["udp", "udp"]
  })

  underFault("is asked a third time over TCP", dropUdp, { outcome: answered, asked: ["udp", "udp", "tcp"] })

  underFault("is given up after three tries", drop, { outcome: "timed_out", asked: ["udp", "udp", "tcp"] })

  underFault("is answered late by a slow server", delay(220), {
    outcome: answered,
    asked: ["udp", "udp", "tcp"]
  })

  underFault(
    "is asked over TCP when the answer is truncated",
    onTcp((_, honest) => honest),
    {
      outcome: answered,
      asked: ["udp", "tcp"]
    }
  )

  underFault("is answered over TCP in as many bytes as a message can have", onTcp(longest), {
    outcome: answered,
    asked: ["udp", "tcp"]
  })

  underFault("stays open when the answer is truncated and nobody talks TCP", truncated, {
    outcome: "truncated",
    asked: ["udp", "tcp"]
  })

  underFault(
    "stays open when the answer is truncated over TCP as well",
    (_, honest) => ({ ...honest, truncated: true }),
    {
      outcome: "truncated",
      asked: ["udp", "tcp"]
    }
  )

  underFault("stays open after SERVFAIL", servfail, { outcome: "server_failure", asked: ["udp"] })

  underFault("stays open after REFUSED", refused, { outcome: "refused", asked: ["udp"] })

  underFault(
    "is asked without EDNS when the server does not know it",
    ({ message }, honest) => (message.udpSize === undefined ? honest : replyOf("FORMERR")),
    { outcome: answered, asked: ["udp", "udp"] }
  )

  underFault("stays open when the server understands it in no form", () => replyOf("FORMERR"), {
    outcome: "format_error",
    asked: ["udp", "udp"]
  })

  live("is not sent to an address that the service may not reach", () =>
    Effect.gen(function* () {
      const { client, internet } = yield* world
      const addresses = ["127.0.0.1", "169.254.169.254", "10.0.0.1", "::1", "fe80::1%eth0", "ns1.prov.net"]
      const outcomes = yield* Effect.forEach(addresses, (address) =>
        Effect.flip(runQuery(client.query(address, question)))
      )
      expect(outcomes.map(({ reason }) => reason)).toEqual(addresses.map(() => "address_not_reachable"))
      expect([...internet.strangers, ...internet.queries]).toEqual([])
    })
  )
})

describe("a server to which there is no way at all", () => {
  /** The kernel refuses to send there at once, unlike where nobody answers. */
  const broadcast = { host: "255.255.255.255", port: 53 }

  live("leaves the question open", () =>
    Effect.gen(function* () {
      const { client } = yield* world
      const outcome = yield* Effect.flip(runQuery(client.resolve(broadcast, question)))
      expect(outcome.reason).toBe("no_route")
    })
  )

  live("takes no place from others, however often it is asked", () =>
    Effect.gen(function* () {
      const { address, client } = yield* world
      yield* Effect.forEach(Array.from({ length: 500 }), () =>
        Effect.flip(runQuery(client.resolve(broadcast, question)))
      )
      expect((yield* runQuery(client.query(address, question))).answers).toHaveLength(1)
    })
  )

  live("is passed over for the next one", () =>
    Effect.gen(function* () {
      const { client, internet } = yield* world
      const resolvers = [{ host: "127.0.0.1", port: 1 }, broadcast, internet.dial(internet.resolver)] as const
      const answer = yield* runQuery(hedgeQueries(EffectArray.map(resolvers, (at) => client.resolve(at, question))))
      expect(answer.answers).toHaveLength(1)
    })
  )
})

live("a question that waits for others to end is given up when its own time is over", () =>
  Effect.gen(function* () {
    const { address, client, internet } = yield* world
    internet.script(server, drop)
    const failures = yield* Effect.forEach(
      Array.from({ length: 1_000 }),
      () => Effect.flip(runQuery(client.query(address, question))),
      { concurrency: "unbounded" }
    )
    const reasons = failures.map(({ reason }) => reason)
    expect(reasons).toEqual([...Array(400).fill("timed_out"), ...Array(600).fill("busy")])
  })
)

describe("what is no answer to the question", () => {
  const misdirected = [...malformedResponses.malformed, ...malformedResponses.misdirected].filter(
    ({ fromAnotherPort, type }) => type === "A" && fromAnotherPort === undefined
  )
  for (const answer of misdirected)
    underFault(`is dropped, and the answer behind it taken: ${answer.name}`, preceded(answer.bytes), {
      outcome: answered,
      asked: ["udp"]
    })

  const fromAnotherPort = malformedResponses.misdirected.find((answer) => answer.fromAnotherPort)
  if (fromAnotherPort !== undefined)
    underFault("is dropped when it comes from another port", onlyUdp(malformedResponse(fromAnotherPort)), {
      outcome: "timed_out",
      asked: ["udp", "udp", "tcp"]
    })

  live("is counted by its reason", () =>
    Effect.gen(function* () {
      const { address, client, internet } = yield* world
      const before = yield* droppedAs("wrong_id")
      const answer = malformedResponses.misdirected.find(({ name }) => name === "another id")
      internet.script(server, preceded(answer?.bytes ?? ((bytes) => bytes)))
      yield* runQuery(client.query(address, question))
      expect((yield* droppedAs("wrong_id")) - before).toBe(1)
    })
  )

  underFault(
    "over TCP leaves the question open",
    onTcp(({ bytes }) => [bytes]),
    {
      outcome: "truncated",
      asked: ["udp", "tcp"]
    }
  )
})

describe("a question to the operator's resolver", () => {
  live("may go to any address and desires recursion", () =>
    Effect.gen(function* () {
      const { client, internet } = yield* world
      const answer = yield* runQuery(client.resolve(internet.dial(internet.resolver), question))
      expect(answer.answers).toEqual([{ name: "example.com", type: "A", ttl: 300, value: "192.0.2.1" }])
    })
  )

  live("stays open when the server there does not resolve", () =>
    Effect.gen(function* () {
      const { address, client, internet } = yield* world
      const outcome = yield* Effect.flip(runQuery(client.resolve(internet.dial(address), question)))
      expect(outcome.reason).toBe("lame")
    })
  )

  live("stays open when nobody is there", () =>
    Effect.gen(function* () {
      const { client } = yield* world
      const outcome = yield* Effect.flip(runQuery(client.resolve({ host: "127.0.0.1", port: 1 }, question)))
      expect(outcome.reason).toBe("no_route")
    })
  )
})

describe("IPv6", () => {
  const overLoopback = Object.values(networkInterfaces()).some((found) =>
    found?.some(({ address }) => address === "::1")
  )
  if (!overLoopback) return
  live("is spoken as IPv4 is", () =>
    Effect.gen(function* () {
      const { client } = yield* world
      const socket = yield* Effect.acquireRelease(
        Effect.promise(() => Bun.udpSocket({ hostname: "::1", socket: { data: answerWithout } })),
        (socket) => Effect.sync(() => socket.close())
      )
      const answer = yield* runQuery(client.resolve({ host: "::1", port: socket.port }, question))
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

/** Says that the name does not exist. */
const answerWithout = (socket: Bun.udp.Socket<"buffer">, query: Uint8Array, port: number, address: string) => {
  socket.send(encode({ ...decode(query), response: true, recursionAvailable: true, rcode: "NXDOMAIN" }), port, address)
}

describe("sockets", () => {
  live("are closed after the answer, after silence and after an interruption", () =>
    Effect.gen(function* () {
      const { address, client, internet } = yield* world
      yield* runQuery(client.query(address, question))
      const before = openFiles()
      yield* Effect.forEach(Array.from({ length: 50 }), () => runQuery(client.query(address, question)), {
        concurrency: 25
      })
      internet.script(server, drop)
      yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.flip(runQuery(client.query(address, question))), {
        concurrency: "unbounded"
      })
      const waiting = yield* Effect.fork(runQuery(client.query(address, question)))
      yield* Effect.iterate(internet.queries.length, {
        while: (asked) => asked === internet.queries.length,
        body: (asked) => Effect.as(Effect.yieldNow(), asked)
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
