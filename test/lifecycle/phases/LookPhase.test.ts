import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { DnsClient } from "../../../src/dns/transport/DnsClient.ts"
import { KnownAnswers } from "../../../src/dns/zone/KnownAnswers.ts"
import { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { digestAnswer } from "../../../src/dns/zone/digestAnswer.ts"
import { type Look, LookPhase } from "../../../src/lifecycle/phases/LookPhase.ts"
import { concurrentTest } from "../../support/concurrentTest.ts"
import { ScriptedInternet } from "../../support/lab/ScriptedInternet.ts"
import { replyOf } from "../../support/lab/Zone.ts"
import { drop } from "../../support/lab/dnsFaults.ts"
import { scriptedDns } from "../../support/scriptedDns.ts"
import { tenancyOf } from "../../support/testApi.ts"
import { timeByTurns } from "../../support/timeByTurns.ts"

const nameServers = ["ns1.prov.net", "ns2.prov.net"]

/** A zone at two servers, and looks at it by connections of two tenants. */
const setup = Effect.gen(function* () {
  yield* timeByTurns
  const internet = yield* ScriptedInternet.make({
    zones: {
      "example.com": { nameServers, records: "shop CNAME shops.example.net." },
      "moved.com": { nameServers: ["ns3.other.net"], records: "shop CNAME shops.example.net." }
    }
  })
  const known = KnownAnswers.layer({ allowed: [], dial: internet.dial, queriesPerSecond: 1_000 })
  const client = DnsClient.layer({ allowed: [], dial: internet.dial, timeout: "1 second" })
  const layer = Layer.provide(LookPhase.layer, Layer.merge(Layer.provide(known, client), scriptedDns(internet)))
  const { run } = yield* Effect.provide(LookPhase, layer)
  const look = (id: string, more: Partial<Look> = {}): Look => ({
    ...tenancyOf("app", id),
    connectionId: ConnectionId.make(`con_${id}`),
    lookKey: 0,
    zone: "example.com",
    servers: nameServers.map((server) => internet.addressOf(server)),
    silentServers: [],
    serversUntil: Date.now() + 60_000,
    answers: [{ name: "shop.example.com", type: "CNAME", digest: digestAnswer("CNAME  shops.example.net") }],
    turn: 0,
    ...more
  })
  const changedBy = (...looks: ReadonlyArray<Look>) => Effect.map(run(looks), ({ changed }) => changed)
  const silencedBy = (...looks: ReadonlyArray<Look>) => Effect.map(run(looks), ({ silenced }) => silenced)
  return { internet, look, run, changedBy, silencedBy }
})

describe("a look", () => {
  concurrentTest("asks one server, in turn, and once for all connections that want the same", () =>
    Effect.gen(function* () {
      const { changedBy, internet, look } = yield* setup
      expect(yield* changedBy(look("one"), look("other"))).toEqual([])
      expect(yield* changedBy(look("one", { turn: 1 }))).toEqual([])
      const questions = internet.queries.map(({ name, server, type }) => `${server} ${name} ${type}`)
      expect(questions).toEqual(nameServers.map((server) => `${server} shop.example.com CNAME`))
    })
  )

  concurrentTest("finds each connection whose answer is another one, or none", () =>
    Effect.gen(function* () {
      const { changedBy, internet, look, silencedBy } = yield* setup
      const former = look("former", {
        answers: [
          ...look("former").answers,
          { name: "shop.example.com", type: "TXT", digest: digestAnswer("TXT  old") }
        ]
      })
      expect(yield* changedBy(look("same"), former)).toEqual([former.connectionId])
      internet.script("ns2.prov.net", drop)
      const silent = look("silent", { turn: 1 })
      expect(yield* silencedBy(look("same"), silent)).toEqual([silent.connectionId])
    })
  )

  concurrentTest(
    "asks another server in place of one that is still silent, and finds another answer once it is back",
    () =>
      Effect.gen(function* () {
        const { changedBy, internet, look, silencedBy } = yield* setup
        const [first = "", second = ""] = look("any").servers
        const lonely = look("lonely", { servers: [first], silentServers: [second], turn: 1 })
        internet.script("ns2.prov.net", drop)
        expect(yield* changedBy(lonely)).toEqual([])
        const asked = internet.queries.map(({ server }) => server)
        expect([asked.at(0), asked.at(-1)]).toEqual(["ns2.prov.net", "ns1.prov.net"])
        internet.script("ns1.prov.net", drop)
        expect(yield* silencedBy(lonely)).toEqual([lonely.connectionId])
        internet.script("ns2.prov.net", () => replyOf("NXDOMAIN", { authoritative: true }))
        internet.script("ns1.prov.net", (_, correct) => correct)
        expect(yield* changedBy(lonely)).toEqual([lonely.connectionId])
      })
  )

  concurrentTest("finds the delegation again once its TTL is over, for all connections of the tenant in the zone", () =>
    Effect.gen(function* () {
      const { internet, look, run } = yield* setup
      const expired = [look("one", { serversUntil: 1 }), look("one", { serversUntil: 1, turn: 1 })]
      const { changed, renewed } = yield* run(expired)
      expect(changed).toEqual([])
      expect(renewed.map(({ connectionId, serversUntil }) => [connectionId, serversUntil > Date.now()])).toEqual(
        expired.map(({ connectionId }) => [connectionId, true])
      )
      expect(internet.queries.filter(({ name, type }) => `${name} ${type}` === "example.com NS")).not.toEqual([])
    })
  )

  concurrentTest("finds a zone that has moved to other servers once the TTL is over, or that is not found", () =>
    Effect.gen(function* () {
      const { look, run } = yield* setup
      const moved = look("moved", { zone: "moved.com", serversUntil: 1 })
      const gone = look("gone", { zone: "unregistered.com", serversUntil: 1 })
      const { changed, silenced } = yield* run([moved, gone])
      expect([changed, silenced]).toEqual([[moved.connectionId], [gone.connectionId]])
    })
  )
})
