import { describe, expect } from "bun:test"
import { type Duration, Effect, Either, Fiber } from "effect"
import type { DestinationLimits } from "../../../src/limits/Destination.ts"
import { DnsClient } from "../../../src/dns/transport/DnsClient.ts"
import { runQuery } from "../../../src/dns/transport/Query.ts"
import { liveLabels, metrics } from "../../../src/runtime/metrics.ts"
import { live } from "../../support/effectTest.ts"
import { timeByTurns } from "../../support/timeByTurns.ts"
import { ScriptedInternet } from "../../support/lab/ScriptedInternet.ts"
import { replyOf } from "../../support/lab/Zone.ts"
import { delay, drop, droppingEdns, type Fault, lame, refused, withoutEdns } from "../../support/lab/dnsFaults.ts"
import { answerTimeout } from "../dnsFixture.ts"

const server = "ns1.prov.net"
const zone = "example.com"

/** One server of `example.com` and `example.org`, and a client that waits a second for it, where some wait in vain. */
const setup = (fault?: Fault, limits: Partial<DestinationLimits> = {}, timeout: Duration.DurationInput = "1 second") =>
  Effect.gen(function* () {
    yield* timeByTurns
    const internet = yield* ScriptedInternet.make({
      zones: Object.fromEntries(
        [zone, "example.org"].map((name) => [name, { nameServers: [server], records: "@ A 192.0.2.1" }])
      )
    })
    if (fault !== undefined) internet.script(server, fault)
    const client = yield* Effect.provide(
      DnsClient,
      DnsClient.layer({ allowed: [], dial: internet.dial, timeout, limits })
    )
    const address = internet.addressOf(server)
    /** The outcome of a question about a name in a zone. */
    const ask = (name: string, of = zone, requester = "app/tenant", trySpend = () => true) =>
      Effect.map(
        Effect.either(runQuery(client.query(address, { name, type: "A" }, { zone: of, requester, trySpend }))),
        Either.match({ onLeft: ({ reason }) => reason, onRight: () => "answered" })
      )
    const askMany = (count: number, of = zone, requester?: string) =>
      Effect.forEach(
        Array.from({ length: count }, (_, nth) => `h${nth}.${of}`),
        (name) => ask(name, of, requester),
        { concurrency: "unbounded" }
      )
    /** The outcomes of so many questions to the resolver at the same time, about as many registered domains. */
    const resolveMany = (count: number, requester: string) =>
      Effect.forEach(
        Array.from({ length: count }, (_, nth) => ({ name: `h${nth}.org`, type: "A" as const })),
        (question) =>
          Effect.map(
            Effect.either(runQuery(client.resolve(internet.dial(internet.resolver), question, requester))),
            Either.match({ onLeft: ({ reason }) => reason, onRight: () => "answered" })
          ),
        { concurrency: "unbounded" }
      )
    return { internet, ask, askMany, resolveMany }
  })

/** How many queries have waited for a permit in vain so far. */
const countRefusedAsBusy = () => metrics.dnsQueriesRefused.labeled("busy").unsafeValue(liveLabels).count

/** Ignores all queries for a zone. */
const dropFor =
  (ignored: string): Fault =>
  ({ question }, honest) =>
    question.name.endsWith(`${ignored}.`) ? [] : honest

const untilTrialIsAllowed = Effect.sleep("600 millis")

describe("a server that has not answered", () => {
  live("gets four queries at a time, each sent at most three times", () =>
    Effect.gen(function* () {
      const { askMany, internet } = yield* setup(drop)
      const reasons = yield* askMany(500)
      expect(new Set(reasons).difference(new Set(["timed_out", "busy"])).size).toBe(0)
      expect(internet.queries.length).toBeLessThanOrEqual(4 * 3)
    })
  )

  live("gets no query but one trial at a time while its silence is remembered", () =>
    Effect.gen(function* () {
      const { ask, askMany, internet } = yield* setup(drop)
      yield* ask("first.example.com")
      const before = internet.queries.length
      expect(new Set(yield* askMany(50))).toEqual(new Set(["timed_out"]))
      expect(internet.queries.length).toBe(before)
      yield* untilTrialIsAllowed
      expect(new Set(yield* askMany(50))).toEqual(new Set(["timed_out"]))
      expect(new Set(internet.queries.slice(before).map(({ name }) => name)).size).toBe(1)
    })
  )

  live("answers all queries again once a trial was answered, also those that waited for the trial", () =>
    Effect.gen(function* () {
      const { ask, askMany, internet } = yield* setup(drop)
      yield* ask("first.example.com")
      internet.heal()
      yield* untilTrialIsAllowed
      expect(new Set(yield* askMany(50))).toEqual(new Set(["answered"]))
    })
  )

  live("lets the next query be the trial if a trial is stopped", () =>
    Effect.gen(function* () {
      const { ask, internet } = yield* setup(drop)
      yield* ask("first.example.com")
      yield* untilTrialIsAllowed
      const trial = yield* Effect.fork(ask("trial.example.com"))
      yield* Effect.yieldNow()
      const next = yield* Effect.fork(ask("next.example.com"))
      yield* Effect.yieldNow()
      internet.heal()
      yield* Fiber.interrupt(trial)
      expect(yield* Fiber.join(next)).toBe("answered")
    })
  )

  live("is not taken for silent if it leaves one question of many without an answer", () =>
    Effect.gen(function* () {
      const { ask, askMany, internet } = yield* setup()
      internet.script(server, drop, { name: "silent.example.com" })
      const silent = yield* Effect.fork(ask("silent.example.com"))
      yield* Effect.sleep("50 millis")
      yield* askMany(10)
      expect(yield* Fiber.join(silent)).toBe("timed_out")
      expect(new Set(yield* askMany(10))).toEqual(new Set(["answered"]))
    })
  )
})

describe("a server that does not serve a zone", () => {
  for (const [reason, fault] of Object.entries<Fault>({
    refused,
    lame,
    format_error: () => replyOf("FORMERR")
  }))
    live(`gets a handful of packets for five hundred questions about it: ${reason}`, () =>
      Effect.gen(function* () {
        const { askMany, internet } = yield* setup(fault, {}, answerTimeout)
        expect(new Set(yield* askMany(500))).toEqual(new Set([reason]))
        expect(internet.queries.length).toBeLessThanOrEqual(4 * 2)
      })
    )

  live("is taken for refusing only for the requester of the query that it refused, even in the same zone", () =>
    Effect.gen(function* () {
      const { ask, internet } = yield* setup(undefined, {}, answerTimeout)
      internet.script(server, refused, { name: "odd.example.com" })
      expect(yield* ask("odd.example.com", zone, "app/stranger")).toBe("refused")
      expect(yield* ask("www.example.com", zone, "app/honest")).toBe("answered")
      expect(yield* ask("www.example.com", zone, "app/stranger")).toBe("refused")
    })
  )

  live("answers for its other zones at the same time", () =>
    Effect.gen(function* () {
      const { ask, internet } = yield* setup(undefined, {}, answerTimeout)
      internet.script(server, (query, honest) =>
        query.question.name.endsWith("example.com.") ? replyOf("REFUSED") : honest
      )
      expect(yield* ask("www.example.com")).toBe("refused")
      expect(yield* ask("www.example.com")).toBe("refused")
      expect(yield* ask("www.example.org", "example.org")).toBe("answered")
      expect(internet.queries.map(({ name }) => name)).toEqual(["www.example.com", "www.example.org"])
    })
  )

  live("is queried again after half a second, and a good answer clears its failure", () =>
    Effect.gen(function* () {
      const { ask, askMany, internet } = yield* setup(refused)
      yield* ask("www.example.com")
      internet.heal()
      expect(yield* ask("www.example.com")).toBe("refused")
      yield* untilTrialIsAllowed
      expect(new Set(yield* askMany(20))).toEqual(new Set(["answered"]))
    })
  )
})

describe("a server that does not understand EDNS", () => {
  live("gets a query once more without it only if the budget of the query allows it", () =>
    Effect.gen(function* () {
      const { ask, internet } = yield* setup(withoutEdns)
      const budget = [true, false]
      expect(yield* ask("www.example.com", zone, "app/tenant", () => budget.shift() ?? false)).toBe("answered")
      expect(yield* ask("www.example.com", zone, "app/tenant", () => budget.shift() ?? false)).toBe("budget_spent")
      expect(internet.queries).toHaveLength(3)
    })
  )

  live("gets it at once after it answered three queries only when they were repeated without it", () =>
    Effect.gen(function* () {
      const { ask, internet } = yield* setup(droppingEdns)
      for (const nth of [1, 2, 3]) expect(yield* ask(`h${nth}.example.com`)).toBe("answered")
      expect(internet.queries).toHaveLength(6)
      expect(yield* ask("www.example.com")).toBe("answered")
      expect(internet.queries).toHaveLength(7)
    })
  )

  live("gets it at its send time, like every other query", () =>
    Effect.gen(function* () {
      const { ask, internet } = yield* setup(withoutEdns, { unprovenPerSecond: 0.5 })
      expect(yield* ask("www.example.com")).toBe("busy")
      expect(internet.queries).toHaveLength(1)
    })
  )
})

describe("a server that is silent about a zone that it does not serve", () => {
  live("is taken for silent only for the requester of that zone", () =>
    Effect.gen(function* () {
      const { ask, internet } = yield* setup(dropFor("example.org"))
      expect(yield* ask("www.example.org", "example.org", "app/stranger")).toBe("timed_out")
      expect(yield* ask("www.example.com", zone, "app/honest")).toBe("answered")
      const before = internet.queries.length
      expect(yield* ask("other.example.org", "example.org", "app/stranger")).toBe("timed_out")
      expect(internet.queries.length).toBe(before)
    })
  )

  live("keeps its permits for the other requesters, since it answered them lately", () =>
    Effect.gen(function* () {
      const { ask, askMany, internet } = yield* setup(dropFor("example.org"), {
        maxInFlight: 8,
        maxUnprovenInFlight: 1
      })
      expect(yield* ask("www.example.com", zone, "app/honest")).toBe("answered")
      expect(yield* ask("www.example.org", "example.org", "app/stranger")).toBe("timed_out")
      internet.script(server, () => new Promise(() => {}))
      const before = internet.queries.length
      const waiting = yield* Effect.fork(askMany(8, zone, "app/honest"))
      yield* Effect.sleep("50 millis")
      expect(internet.queries.length - before).toBe(6)
      yield* Fiber.interrupt(waiting)
    })
  )

  live("answers a requester that is new to it, while many others try it", () =>
    Effect.gen(function* () {
      const { ask } = yield* setup(dropFor("example.org"))
      const strangers = Effect.forEach(
        Array.from({ length: 8 }, (_, nth) => `app/${nth}`),
        (requester) => ask("www.example.org", "example.org", requester),
        { concurrency: "unbounded" }
      )
      yield* strangers
      yield* untilTrialIsAllowed
      const trials = yield* Effect.fork(strangers)
      yield* Effect.sleep("50 millis")
      expect(yield* ask("www.example.com", zone, "app/honest")).toBe("answered")
      expect(trials.unsafePoll()).toBeNull()
      yield* Fiber.interrupt(trials)
    })
  )

  live("answers a requester while the trial of another one waits for a permit", () =>
    Effect.gen(function* () {
      const { ask, askMany, internet } = yield* setup(refused)
      expect(yield* ask("www.example.com", zone, "app/stranger")).toBe("refused")
      yield* untilTrialIsAllowed
      internet.script(server, dropFor("example.org"))
      const silent = yield* Effect.fork(askMany(20, "example.org", "app/stranger"))
      yield* Effect.sleep("50 millis")
      const trial = yield* Effect.fork(ask("www.example.com", zone, "app/stranger"))
      yield* Effect.sleep("50 millis")
      expect(yield* ask("www.example.com", zone, "app/honest")).toBe("answered")
      expect(silent.unsafePoll()).toBeNull()
      yield* Fiber.interruptAll([silent, trial])
    })
  )

  live("makes a requester wait once, however many others wait for it", () =>
    Effect.gen(function* () {
      const { ask, askMany } = yield* setup(drop)
      const others = yield* Effect.fork(
        Effect.forEach(
          Array.from({ length: 20 }, (_, nth) => `app/${nth}`),
          (requester) => ask("www.example.com", zone, requester),
          { concurrency: "unbounded" }
        )
      )
      yield* Effect.sleep("50 millis")
      expect(yield* ask("first.example.com", zone, "app/last")).toBe("busy")
      const waitedFor = countRefusedAsBusy()
      expect(new Set(yield* askMany(100, zone, "app/last"))).toEqual(new Set(["busy"]))
      expect(countRefusedAsBusy() - waitedFor).toBeLessThanOrEqual(1)
      yield* Fiber.interrupt(others)
    })
  )

  live("gets a few dozen packets a second, however many requesters ask", () =>
    Effect.gen(function* () {
      const { ask, internet } = yield* setup(drop)
      const started = performance.now()
      yield* Effect.forEach(
        Array.from({ length: 50 }, (_, nth) => `app/${nth}`),
        (requester) =>
          Effect.forEach(["a", "b", "c", "d"], (host) => ask(`${host}.example.com`, zone, requester), {
            concurrency: "unbounded"
          }),
        { concurrency: "unbounded" }
      )
      expect((internet.queries.length * 1_000) / (performance.now() - started)).toBeLessThan(40)
    })
  )
})

describe("a requester that stops its queries again and again", () => {
  live("takes no send times at an address from another one", () =>
    Effect.gen(function* () {
      const { ask } = yield* setup()
      yield* Effect.forEach(Array.from({ length: 200 }), () =>
        Effect.gen(function* () {
          const stopped = yield* Effect.fork(ask("www.example.com", zone, "app/stopping"))
          yield* Effect.yieldNow()
          yield* Fiber.interrupt(stopped)
        })
      )
      const started = performance.now()
      expect(yield* ask("www.example.com", zone, "app/other")).toBe("answered")
      // Those of the stopped queries would be sixteen seconds.
      expect(performance.now() - started).toBeLessThan(8_000)
    })
  )
})

describe("a requester that fills the queue of an address", () => {
  live("keeps no place in it from another one", () =>
    Effect.gen(function* () {
      const { ask, askMany } = yield* setup(delay(100), {}, answerTimeout)
      const flood = yield* Effect.fork(askMany(1_200, zone, "app/flood"))
      yield* Effect.yieldNow()
      // The first of them takes the permit that is reserved for requesters with few.
      const outcomes = yield* Effect.all(
        ["a", "b", "c", "d"].map((host) => ask(`${host}.example.com`, zone, "app/other")),
        { concurrency: "unbounded" }
      )
      expect(outcomes).toEqual(["answered", "answered", "answered", "answered"])
      expect(flood.unsafePoll()).toBeNull()
      yield* Fiber.interrupt(flood)
    })
  )
})

describe("a server that answers for some zones", () => {
  live(
    "gets a few dozen queries a second about others from all requesters together, and the rest at its full rate",
    () =>
      Effect.gen(function* () {
        const { ask, askMany, internet } = yield* setup()
        const receivedAt: Array<number> = []
        internet.script(server, ({ question }, honest) => {
          if (question.name.endsWith("example.com.")) return honest
          receivedAt.push(performance.now())
          return replyOf("REFUSED")
        })
        yield* ask("www.example.com")
        const floods = yield* Effect.fork(
          Effect.forEach(
            Array.from({ length: 800 }, (_, nth) => `z${nth}.net`),
            (name, nth) => Effect.repeatN(ask(`www.${name}`, name, `app/flood${nth % 8}`), 1),
            { concurrency: "unbounded" }
          )
        )
        yield* Effect.sleep("100 millis")
        for (let nth = 0; nth < 3; nth += 1) {
          expect(new Set(yield* askMany(100, zone, "app/other"))).toEqual(new Set(["answered"]))
        }
        yield* Fiber.join(floods)
        const inOneSecond = receivedAt.map(
          (start) => receivedAt.filter((at) => at >= start && at < start + 1_000).length
        )
        expect(Math.max(...inOneSecond)).toBeLessThanOrEqual(50)
        expect(receivedAt.length).toBeGreaterThan(36)
      })
  )

  live("gets no more of them from a requester that stops its queries as soon as they are sent", () =>
    Effect.gen(function* () {
      const { ask, internet } = yield* setup(dropFor("example.org"), {}, answerTimeout)
      yield* ask("www.example.com")
      yield* Effect.forEach(Array.from({ length: 100 }), (_, nth) =>
        Effect.timeoutOption(ask(`h${nth}.example.org`, "example.org", "app/stopping"), "2 millis")
      )
      expect(internet.queries.filter(({ name }) => name.endsWith("example.org")).length).toBeLessThanOrEqual(36)
      expect(yield* ask("www.example.com", zone, "app/other")).toBe("answered")
    })
  )
})

describe("a server that answers", () => {
  live("gets no more queries at a time than its permits, dealt round robin over requesters", () =>
    Effect.gen(function* () {
      let inFlight = 0
      let most = 0
      const slow: Fault = async (_, honest) => {
        inFlight += 1
        most = Math.max(most, inFlight)
        await Bun.sleep(20)
        inFlight -= 1
        return honest
      }
      const { ask, askMany, internet } = yield* setup(undefined, { maxInFlight: 8 }, answerTimeout)
      yield* ask("first.example.com")
      internet.script(server, slow)
      const flood = yield* Effect.fork(askMany(500, zone, "app/flood"))
      yield* Effect.yieldNow()
      expect(yield* askMany(4, zone, "app/other")).toEqual(["answered", "answered", "answered", "answered"])
      expect(flood.unsafePoll()).toBeNull()
      yield* Fiber.interrupt(flood)
      expect(most).toBeLessThanOrEqual(8)
    })
  )
})

describe("a resolver", () => {
  live(
    "gets as many queries of a requester as its limit admits in the time that a query waits, and all of another one",
    () =>
      Effect.gen(function* () {
        const { resolveMany } = yield* setup(undefined, { queriesPerSecond: 100 }, "1 second")
        const refusedBefore = countRefusedAsBusy()
        const [flood, few] = yield* Effect.all([resolveMany(1_000, "app/flood"), resolveMany(20, "app/few")], {
          concurrency: "unbounded"
        })
        expect(new Set(few)).toEqual(new Set(["answered"]))
        const answered = flood.filter((outcome) => outcome === "answered").length
        // A burst of 50, 100 in the second that a query waits, and those of the time in which the flood begins.
        expect(answered).toBeLessThan(400)
        expect(flood.filter((outcome) => outcome === "busy")).toHaveLength(countRefusedAsBusy() - refusedBefore)
        expect(answered + countRefusedAsBusy() - refusedBefore).toBe(1_000)
      })
  )
})
