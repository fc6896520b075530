import { describe, expect } from "bun:test"
import { type Duration, Effect, Either, Fiber } from "effect"
import { DnsClient, type ResolvePurpose } from "../../../src/dns/transport/DnsClient.ts"
import { runQuery } from "../../../src/dns/transport/Query.ts"
import { live } from "../../support/effectTest.ts"
import { timeByTurns } from "../../support/timeByTurns.ts"
import { ScriptedInternet } from "../../support/lab/ScriptedInternet.ts"
import type { Fault } from "../../support/lab/dnsFaults.ts"

const server = "ns1.prov.net"
const zone = "example.com"

/** The records of both zones: there is every name below `any`, and below `alias` every name is an alias of none. */
const records = "@ A 192.0.2.1\n*.any A 192.0.2.1\n*.alias CNAME missing.example.net."

/** Answers like a resolver that has these zones. */
const asResolver: Fault = (_, correct) => ({ ...correct, authoritative: false, recursionAvailable: true })

/** A resolver that answers at once, and a client whose questions wait so long for it. */
const setup = Effect.fnUntraced(function* (timeout: Duration.DurationInput = "2 seconds") {
  yield* timeByTurns
  const internet = yield* ScriptedInternet.make({
    zones: Object.fromEntries([zone, "example.org"].map((name) => [name, { nameServers: [server], records }]))
  })
  internet.script(server, asResolver)
  const client = yield* Effect.provide(DnsClient, DnsClient.layer({ allowed: [], dial: internet.dial, timeout }))
  const endpoint = internet.dial(internet.addressOf(server))
  /** The outcomes of so many questions at the same time, about the names that `nameOf` makes. */
  const resolveMany = (
    count: number,
    requester: string,
    nameOf: (nth: number) => string,
    purpose: ResolvePurpose = "lookup"
  ) =>
    Effect.forEach(
      Array.from({ length: count }, (_, nth) => ({ name: nameOf(nth), type: "A" as const })),
      (question) =>
        Effect.map(
          Effect.either(runQuery(client.resolve(endpoint, question, requester, purpose))),
          Either.match({ onLeft: ({ reason }) => reason, onRight: () => "answered" })
        ),
      { concurrency: "unbounded" }
    )
  const countNames = () => new Set(internet.queries.map(({ name }) => name)).size
  return { resolveMany, countNames }
})

describe("a resolver", () => {
  for (const [which, below] of [
    ["invented names", zone],
    ["aliases that lead nowhere", `alias.${zone}`]
  ] as const)
    live(`gets a few dozen questions a second about a registered domain, from all requesters together: ${which}`, () =>
      Effect.gen(function* () {
        const { countNames, resolveMany } = yield* setup()
        const asked = yield* Effect.fork(
          Effect.forEach(
            Array.from({ length: 10 }, (_, nth) => nth),
            (tenant) => resolveMany(30, `app/tenant-${tenant}`, (nth) => `r${nth}-${tenant}.${below}`),
            { concurrency: "unbounded" }
          )
        )
        yield* Effect.sleep("900 millis")
        expect(countNames()).toBeLessThanOrEqual(36)
        const outcomes = (yield* Fiber.join(asked)).flat()
        // Those of the two seconds for which a query waits.
        expect(countNames()).toBeLessThanOrEqual(3 * 36)
        const answered = outcomes.filter((outcome) => outcome === "answered").length
        expect(answered).toBeGreaterThanOrEqual(36)
        // A question that was not sent is unknown, never absent.
        expect(outcomes.filter((outcome) => outcome === "busy")).toHaveLength(300 - answered)
      })
    )

  live("answers about other domains, existing names and cached ones while somebody invents names", () =>
    Effect.gen(function* () {
      const { resolveMany } = yield* setup("20 seconds")
      expect(yield* resolveMany(1, "app/honest", () => `missing.${zone}`)).toEqual(["answered"])
      const flood = yield* Effect.fork(resolveMany(700, "app/flood", (nth) => `r${nth}.${zone}`))
      yield* Effect.sleep("50 millis")
      const honest = yield* Effect.all(
        [
          resolveMany(30, "app/honest", (nth) => `r${nth}.example.org`),
          resolveMany(60, "app/existing", (nth) => `r${nth}.any.${zone}`),
          resolveMany(60, "app/cached", () => `missing.${zone}`)
        ],
        { concurrency: "unbounded" }
      )
      expect(new Set(honest.flat())).toEqual(new Set(["answered"]))
      expect(flood.unsafePoll()).toBeNull()
      yield* Fiber.interrupt(flood)
    })
  )

  live("shows a whole zone that its own servers have shown before, without a wait for permits", () =>
    Effect.gen(function* () {
      const { resolveMany } = yield* setup()
      const outcomes = yield* resolveMany(150, "app/reader", (nth) => `r${nth}.${zone}`, "read")
      expect(new Set(outcomes)).toEqual(new Set(["answered"]))
    })
  )
})
