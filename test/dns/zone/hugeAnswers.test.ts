import { describe, expect } from "bun:test"
import { Effect, Either } from "effect"
import { makeAnswerMemory, ProcessAnswerMemory } from "../../../src/dns/transport/AnswerMemory.ts"
import { Requester } from "../../../src/limits/RequestSource.ts"
import { DomainName, HostName } from "../../../src/domain/names/DomainName.ts"
import { live } from "../../support/effectTest.ts"
import type { Fault } from "../../support/lab/dnsFaults.ts"
import { replyOf } from "../../support/lab/Zone.ts"
import { dnsFixture, withoutDeadline } from "../dnsFixture.ts"

const domain = DomainName.make("evil.com")
const nameServers = ["ns1.evil.com", "ns2.evil.com"]

const hugeTexts = Array.from(
  { length: 390 },
  (_, nth) => `"${`\\${200 + (nth % 50)}`.repeat(149)}\\${100 + Math.floor(nth / 50)}"`
)

/** Answers every question about a host over TCP with 390 texts of 150 bytes that are no characters. */
const huge: Fault = ({ question, transport }, honest) => {
  if (!question.name.startsWith("h")) return honest
  if (transport === "udp") return { ...honest, answers: [], truncated: true }
  const answers = hugeTexts.map((data) => ({ name: question.name, type: "TXT", ttl: 300, data }))
  return replyOf("NOERROR", { answers, authoritative: true })
}

const setup = Effect.gen(function* () {
  const { delegations, internet, zones } = yield* dnsFixture({
    zones: { "evil.com": { nameServers, records: "www A 192.0.2.1" } }
  })
  nameServers.forEach((name) => internet.script(name, huge))
  const delegation = yield* delegations.find(domain)
  const read = (hosts: ReadonlyArray<string>) =>
    Effect.either(
      zones.read({
        domain,
        delegation,
        hosts: hosts.map((host) => ({ host: HostName.make(host), types: ["A", "AAAA", "TXT"] as const }))
      })
    )
  return { internet, read }
})

const hostile = Array.from({ length: 60 }, (_, nth) => `h${nth}`)

describe("answers as long as a message can be", () => {
  live("leave the zone unknown once they take eight megabytes, and the servers get no further questions", () =>
    Effect.gen(function* () {
      const { internet, read } = yield* setup
      const result = yield* withoutDeadline(read(hostile))
      const reasons = Either.match(result, {
        onLeft: ({ servers }) => [...new Set(servers.map(({ reason }) => reason))],
        onRight: () => ["read"]
      })
      expect(reasons).toEqual(["budget_spent"])
      // An answer takes 500 KB. Some questions are in flight when the budget ends.
      expect(internet.queries.filter(({ transport }) => transport === "tcp").length).toBeLessThanOrEqual(16 + 128)
    })
  )

  live("of one tenant leave memory for the surveys of another", () =>
    Effect.gen(function* () {
      const { read } = yield* setup
      const memory = makeAnswerMemory({ guaranteed: 64 * 1024, inAll: 4 * 1024 * 1024 })
      const as = (requester: string, hosts: ReadonlyArray<string>) =>
        read(hosts).pipe(
          Effect.provideService(Requester, requester),
          Effect.provideService(ProcessAnswerMemory, memory)
        )
      const [healthy, ...hostileResults] = yield* withoutDeadline(
        Effect.all([as("app/healthy", ["www"]), ...[0, 1, 2, 3].map(() => as("app/hostile", hostile))], {
          concurrency: "unbounded"
        })
      )
      expect(Either.isRight(healthy)).toBe(true)
      expect(hostileResults.map(Either.isRight)).toEqual([false, false, false, false])
      // What the surveys kept is free again.
      const all = memory.open("app/later", 2 * 1024 * 1024)
      const answer = { rcode: 0, aa: true, tc: false, ra: false, authorities: [], additionals: [] }
      const answers = [{ name: "evil.com", type: "TXT", ttl: 300, value: "a".repeat(1024 * 1000) }]
      expect(all.tryKeep({ ...answer, answers })).toBe(true)
    })
  )
})
