import { expect } from "bun:test"
import { Effect, Either, Layer, Option } from "effect"
import { DnsClient } from "../../../src/dns/transport/DnsClient.ts"
import { Delegations } from "../../../src/dns/zone/Delegations.ts"
import { Resolver } from "../../../src/dns/zone/Resolver.ts"
import { ZoneReader } from "../../../src/dns/zone/ZoneReader.ts"
import { DomainName, HostName } from "../../../src/domain/names/DomainName.ts"
import { parseNetwork } from "../../../src/domain/names/IpAddress.ts"
import { Lab } from "../../support/lab/Lab.ts"
import { describeLab } from "../../support/lab/describeLab.ts"
import { decode, encode, type LabQuestion, type LabRecord } from "../../support/lab/packet.ts"

const address = "127.10.7.1"
const domain = DomainName.make("victim.com")
const nameServers = Array.from({ length: 8 }, (_, nth) => `ns${nth}.victim.com`)

/**
 * A server on port 53 that counts its packets, and answers with the records that `answer` finds, or else with REFUSED. As
 * with a victim, it does not matter who sends a packet: the lab's resolver, or the service itself.
 */
const refusingServer = (answer: (question: LabQuestion) => ReadonlyArray<LabRecord>) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const count = { packets: 0 }
        const socket = await Bun.udpSocket({
          hostname: address,
          port: 53,
          socket: {
            // Who asked may have closed its socket.
            error: () => undefined,
            data: (socket, bytes, port, from) => {
              count.packets += 1
              const query = decode(bytes)
              const answers = query.questions.flatMap(answer)
              const rcode = answers.length > 0 ? "NOERROR" : "REFUSED"
              socket.send(encode({ ...query, response: true, authoritative: true, rcode, answers }), port, from)
            }
          }
        })
        return { count, socket }
      }),
      ({ socket }) => Effect.sync(() => socket.close())
    ),
    ({ count }) => count
  )

/** Serves the apex and the addresses of its own name servers, so that the delegation is found. */
const ownNames = ({ name, type }: LabQuestion): ReadonlyArray<LabRecord> => {
  const record = (data: string): LabRecord => ({ name, type, ttl: 300, data })
  if (type === "NS" && name === "victim.com.") return nameServers.map((server) => record(`${server}.`))
  return type === "A" && name.startsWith("ns") ? [record(address)] : []
}

/** What the largest creation sends: two hundred records at hosts of their own. */
const readVictim = Effect.gen(function* () {
  const { delegate, resolver } = yield* Lab
  yield* delegate(
    "victim.com",
    nameServers,
    nameServers.map((name) => `${name.replace(".com", "")} A ${address}`).join("\n")
  )
  const hosts = Array.from({ length: 200 }, (_, nth) => ({
    host: HostName.make(`h${nth}`),
    types: ["A", "AAAA", "CNAME", "TXT", "NS"] as const
  }))
  const services = Layer.mergeAll(Delegations.layer, ZoneReader.layer).pipe(
    Layer.provide(Resolver.layer([{ host: resolver, port: 53 }])),
    Layer.provide(DnsClient.layer({ allowed: Option.toArray(parseNetwork("127.10.0.0/16")) }))
  )
  return yield* Effect.gen(function* () {
    const delegation = yield* (yield* Delegations).find(domain)
    return yield* (yield* ZoneReader).read({ domain, delegation, hosts })
  }).pipe(
    Effect.either,
    Effect.map(Either.match({ onLeft: ({ _tag }) => _tag, onRight: () => "read" })),
    Effect.provide(services)
  )
})

describeLab("a real server that refuses", (live) => {
  live("every question gets a few dozen packets from a creation with two hundred records", () =>
    Effect.gen(function* () {
      const count = yield* refusingServer(() => [])
      const results = yield* Effect.replicateEffect(readVictim, 5)
      expect(new Set(results).difference(new Set(["ZoneNotFound", "DelegationTimedOut"])).size).toBe(0)
      expect(count.packets).toBeLessThanOrEqual(5 * 40)
    })
  )

  live("all but its delegation gets a few dozen packets as well, though it has eight names", () =>
    Effect.gen(function* () {
      const count = yield* refusingServer(ownNames)
      expect(yield* readVictim).toBe("ZoneReadTimedOut")
      expect(count.packets).toBeLessThanOrEqual(100)
    })
  )
})
