import { Effect } from "effect"
import type { Target } from "../../bench/Report.ts"
import { type Attack, type AttackContext, expectAnswers, oneRecord, serverHeaders } from "./Attack.ts"
import { attackerZone } from "./attackZones.ts"
import type { AttackRequest, Flood } from "./attackTrafficProcess.ts"
import {
  chainedDomain,
  hugeDomain,
  type NameServerBehaviour,
  type ReceivedPackets,
  refusingDomain,
  silentDomains
} from "./HostileNameServers.ts"
import { gateAtMost } from "./ProbeSummary.ts"

/** Makes the request that creates a connection. */
const makeCreationRequest = (key: string, domain: string, records: ReadonlyArray<object>): AttackRequest => ({
  method: "POST",
  path: "/v1/connections",
  headers: serverHeaders(key),
  body: JSON.stringify({ intent: { domain, records }, allowDuplicate: true })
})

/** Makes the request that checks a domain. */
const makeCheckRequest = (key: string, domain: string): AttackRequest => ({
  ...makeCreationRequest(key, domain, []),
  path: "/v1/domains/check",
  body: JSON.stringify({ domain, records: oneRecord })
})

/** Makes the gate that the attacker's name servers were really queried. */
const expectPackets = ({ fromResolver, fromService }: ReceivedPackets): Target => ({
  kind: "gate",
  what: "packets at the attacker's name servers",
  value: fromService + fromResolver,
  atLeast: 1
})

/** Makes the gate that no address receives more than a few dozen packets a second. */
const expectFewPacketsPerSecond = (...all: ReadonlyArray<ReceivedPackets>): Target =>
  gateAtMost(
    "packets in one second to one address",
    Math.max(...all.map(({ peakPerSecondAtOneAddress }) => peakPerSecondAtOneAddress)),
    50
  )

/** Name servers that would make one discovery send many packets. */
interface PacketTrap {
  /** A domain with these servers, another one for each number. */
  readonly domainOf: (number: number) => string
  readonly records: ReadonlyArray<object>
  /** The servers that receive the packets. */
  readonly behaviours: ReadonlyArray<NameServerBehaviour["_tag"]>
}

/** Prepares one creation, whose packets are counted, and then two a second. */
const preparePacketTrap =
  ({ behaviours, domainOf, records }: PacketTrap): Attack["prepare"] =>
  ({ attacker, millis, nameServers, service, traffic }: AttackContext) => {
    const received = nameServers.received(...behaviours)
    const first = attacker.api
      .post(
        "/v1/connections",
        { intent: { domain: domainOf(0), records }, allowDuplicate: true },
        { prefer: "wait=20" }
      )
      .pipe(
        Effect.map(({ body, status }) => `first ${status} ${body?.connection?.state ?? body?.error?.code}`),
        Effect.orElseSucceed(() => "first unanswered")
      )
    const requests = Array.from({ length: 60 }, (_, nth) =>
      makeCreationRequest(attacker.key, domainOf(nth + 1), records)
    )
    return Effect.succeed({
      play: Effect.gen(function* () {
        yield* nameServers.reset
        const outcome = yield* first
        const perDiscovery = yield* received
        yield* nameServers.reset
        const result = yield* traffic("flood", { url: service.attackers.url, requests, perSecond: 2, millis })
        const total = yield* received
        return {
          answers: { ...result.answers, [outcome]: 1 },
          figures: { perDiscovery, total },
          targets: [
            expectAnswers("creations", result, ["201"]),
            expectPackets(perDiscovery),
            gateAtMost("packets of one discovery", perDiscovery.fromService + perDiscovery.fromResolver, 500),
            expectFewPacketsPerSecond(perDiscovery, total)
          ]
        }
      })
    })
  }

/** Floods the service with requests about domains with silent name servers, and counts what those received. */
const playFlood = (
  { nameServers, traffic }: Pick<AttackContext, "nameServers" | "traffic">,
  flood: Flood,
  what: string,
  status: string
) =>
  Effect.gen(function* () {
    yield* nameServers.reset
    const result = yield* traffic("flood", flood)
    const received = yield* nameServers.received("Silent", "SilentOnHosts")
    return {
      answers: result.answers,
      figures: { received },
      targets: [expectAnswers(what, result, [status]), expectPackets(received), expectFewPacketsPerSecond(received)]
    }
  })

/** Attacks by domains that make discoveries slow, or that make them send packets to others. */
export const discoveryAttacks: ReadonlyArray<Attack> = [
  {
    name: "silent-servers",
    what: "20 creations a second for domains whose name servers never answer, or only about themselves",
    prepare: ({ attacker, millis, nameServers, service, traffic }) => {
      const requests = silentDomains.map((domain) => makeCreationRequest(attacker.key, domain, oneRecord))
      const flood = { url: service.attackers.url, requests, perSecond: 20, millis, graceMillis: 1_000 }
      return Effect.succeed({ play: playFlood({ nameServers, traffic }, flood, "creations", "201") })
    }
  },
  {
    name: "domain-checks",
    what: "40 checks a second of domains with silent and with healthy name servers",
    prepare: ({ attacker, millis, nameServers, service, traffic }) => {
      const requests = silentDomains.flatMap((domain, nth) => [
        makeCheckRequest(attacker.key, domain),
        makeCheckRequest(attacker.key, `c${nth}.${attackerZone}`)
      ])
      const flood = { url: service.attackers.url, requests, perSecond: 40, millis, graceMillis: 3_000 }
      return Effect.succeed({ play: playFlood({ nameServers, traffic }, flood, "checks", "200") })
    }
  },
  {
    name: "refusing-servers",
    what: "connections of 200 hosts at sixteen addresses that refuse every question",
    prepare: preparePacketTrap({
      domainOf: () => refusingDomain,
      records: Array.from({ length: 200 }, (_, nth) => ({ host: `a.h${nth}`, type: "TXT", value: "a" })),
      behaviours: ["Refusing"]
    })
  },
  {
    name: "huge-answers",
    what: "two creations a second of 60 hosts at name servers that answer each question with 64 KB over TCP",
    prepare: ({ attacker, millis, nameServers, service, traffic }) => {
      const request = makeCreationRequest(
        attacker.key,
        hugeDomain,
        Array.from({ length: 60 }, (_, nth) => ({ host: `h${nth}`, type: "CNAME", value: "web.hostprov.net" }))
      )
      const requests = Array.from({ length: 60 }, () => request)
      return Effect.succeed({
        play: Effect.gen(function* () {
          yield* nameServers.reset
          const flood = { url: service.attackers.url, requests, perSecond: 2, millis }
          const result = yield* traffic("flood", flood)
          const received = yield* nameServers.received("Huge")
          return {
            answers: result.answers,
            figures: { received },
            targets: [expectAnswers("creations", result, ["201"]), expectPackets(received)]
          }
        })
      })
    }
  },
  {
    name: "delegation-chain",
    what: "domains below twenty delegations to twenty name servers each that do not exist (NXNSAttack)",
    prepare: preparePacketTrap({
      domainOf: (number) => `a${number}.${chainedDomain}`,
      records: oneRecord,
      behaviours: ["Referring", "Target"]
    })
  }
]
