import { describe, expect } from "bun:test"
import { Effect, Either, Layer, Option } from "effect"
import { DnsClient } from "../../../src/dns/transport/DnsClient.ts"
import { type KnownAnswer, KnownAnswers, ServerSilent } from "../../../src/dns/zone/KnownAnswers.ts"
import { digestAnswer } from "../../../src/dns/zone/digestAnswer.ts"
import { concurrentTest } from "../../support/concurrentTest.ts"
import { ScriptedInternet } from "../../support/lab/ScriptedInternet.ts"
import { replyOf } from "../../support/lab/Zone.ts"
import { drop, droppingEdns, dropUdp, type Fault, refused, servfail } from "../../support/lab/dnsFaults.ts"
import { emptyMessage, encode } from "../../support/lab/packet.ts"

const server = "ns1.prov.net"

const answer = (name: string, type: KnownAnswer["type"], data: string): KnownAnswer => ({
  name,
  type,
  digest: digestAnswer(data),
  zone: "example.com",
  requester: "app/tenant"
})

const alias = answer("shop.example.com", "CNAME", "CNAME  shops.example.net")
const texts = answer("info.example.com", "TXT", "TXT  one\nTXT  two")
const known = [alias, texts]

/** A server of `example.com` with these records, and what asks it again. */
const setup = Effect.gen(function* () {
  const internet = yield* ScriptedInternet.make({
    zones: {
      "example.com": {
        nameServers: [server],
        records: "shop CNAME shops.example.net.\ninfo TXT two\ninfo TXT one\n*.wild TXT any"
      }
    }
  })
  const client = DnsClient.layer({ allowed: [], dial: internet.dial, timeout: "1 second" })
  const layer = KnownAnswers.layer({
    allowed: [],
    dial: internet.dial,
    queriesPerSecond: 1_000,
    longestAgain: "1 second"
  })
  const { areStillGiven } = yield* Effect.provide(KnownAnswers, Layer.provide(layer, client))
  const address = internet.addressOf(server)
  return { internet, address, ask: (answers: ReadonlyArray<KnownAnswer>) => areStillGiven(address, answers) }
})

/** Defines a test of the answers that are found again while a server has a fault, and of how often it is asked. */
const underFault = (
  name: string,
  fault: Fault,
  expected: ReadonlyArray<boolean> | "silent",
  only: { readonly type?: string } = {}
) =>
  concurrentTest(name, () =>
    Effect.gen(function* () {
      const { address, ask, internet } = yield* setup
      internet.script(server, fault, only)
      const asked = yield* Effect.either(ask(known))
      expect(asked).toEqual(expected === "silent" ? Either.left(new ServerSilent({ address })) : Either.right(expected))
    })
  )

concurrentTest("where nothing is asked, nothing is waited for", () =>
  Effect.gen(function* () {
    const { ask } = yield* setup
    expect(yield* Effect.timeoutOption(ask([]), "10 seconds")).toEqual(Option.some([]))
  })
)

describe("a known answer", () => {
  concurrentTest("is found again by one question, whatever the order of the records, and for several who know it", () =>
    Effect.gen(function* () {
      const { ask, internet } = yield* setup
      expect(yield* ask([...known, { ...alias, requester: "app/other" }])).toEqual([true, true, true])
      const questions = internet.queries.map(({ name, transport, type }) => `${transport} ${name} ${type}`)
      expect(questions.toSorted()).toEqual(["udp info.example.com TXT", "udp shop.example.com CNAME"])
    })
  )

  concurrentTest("is another one once a record is changed, added, or gone", () =>
    Effect.gen(function* () {
      const { ask, internet } = yield* setup
      internet.write("example.com", "shop", "CNAME", ["others.example.net."])
      internet.write("example.com", "info", "TXT", ["one", "two", "three"])
      expect(yield* ask(known)).toEqual([false, false])
      internet.write("example.com", "shop", "CNAME", [])
      internet.write("example.com", "info", "TXT", ["one"])
      expect(yield* ask(known)).toEqual([false, false])
    })
  )

  concurrentTest("of no records is another one once there is one", () =>
    Effect.gen(function* () {
      const { ask, internet } = yield* setup
      const none = answer("info.example.com", "AAAA", "")
      expect(yield* ask([none])).toEqual([true])
      internet.write("example.com", "info", "AAAA", ["2001:db8::1"])
      expect(yield* ask([none])).toEqual([false])
    })
  )

  concurrentTest("of hundreds is found by as many questions", () =>
    Effect.gen(function* () {
      const { ask } = yield* setup
      const many = Array.from({ length: 300 }, (_, nth) => answer(`n${nth}.wild.example.com`, "TXT", "TXT  any"))
      expect(yield* ask([...many, answer("n1.wild.example.com", "CNAME", "CNAME  any")])).toEqual([
        ...many.map(() => true),
        false
      ])
    })
  )

  concurrentTest("is not waited for in a row of hundreds at a server that is slow over TCP, and needs it", () =>
    Effect.gen(function* () {
      const { ask, internet } = yield* setup
      internet.script(server, ({ transport }, correct) =>
        transport === "tcp" ? Bun.sleep(300).then(() => correct) : { ...correct, answers: [], truncated: true }
      )
      const many = Array.from({ length: 60 }, (_, nth) => answer(`n${nth}.wild.example.com`, "TXT", "TXT  any"))
      const given = yield* ask(many)
      expect([given.at(0), given.at(-1)]).toEqual([true, false])
      expect(internet.queries.filter(({ transport }) => transport === "tcp").length).toBeLessThan(many.length)
    })
  )

  underFault("is not found at a server that refuses it", refused, [false, false])
  underFault("is not found at a server that fails", servfail, [false, false])
  underFault("is not looked for any more once a server is silent", drop, "silent")
  underFault("is not found where only one question is answered", drop, [true, false], { type: "TXT" })
  underFault("is not found where the name is denied", () => replyOf("NXDOMAIN", { authoritative: true }), [
    false,
    false
  ])
  underFault("is not found in what a resolver remembers", (_, correct) => fromResolver(correct), [false, false])
  underFault("is found over TCP", dropUdp, [true, true])
  underFault("is found at a server that drops EDNS", droppingEdns, [true, true])
  underFault(
    "is found over TCP where it is too long",
    ({ transport }, correct) => (transport === "tcp" ? correct : { ...correct, answers: [], truncated: true }),
    [true, true]
  )
})

const fromResolver = (correct: Parameters<Fault>[1]) => ({
  ...correct,
  authoritative: false,
  recursionAvailable: true,
  answers: []
})

concurrentTest(
  "a forged response with a wrong id or question, or from another port, is dropped, and the right one counts",
  () =>
    Effect.gen(function* () {
      const { ask, internet } = yield* setup
      const sent: Array<string> = []
      internet.script(server, ({ message, transport }, correct) => {
        sent.push(transport)
        const reply = { ...emptyMessage, ...correct, questions: message.questions, response: true, id: message.id }
        const forged = { ...reply, answers: [] }
        return [
          encode({ ...forged, id: (message.id + 1) % 65_536 }),
          encode({ ...forged, questions: [{ name: "shop.example.org.", type: "CNAME", class: 1 }] }),
          encode(reply)
        ]
      })
      expect(yield* ask(known)).toEqual([true, true])
      internet.script(server, ({ bytes, message, transport }, correct) => {
        const reply = { ...emptyMessage, ...correct, questions: message.questions, response: true, id: message.id }
        return transport === "tcp" ? correct : { fromAnotherPort: [bytes, encode({ ...reply, answers: [] })] }
      })
      expect(yield* ask(known)).toEqual([true, true])
      expect(sent).toEqual(["udp", "udp"])
    })
)
