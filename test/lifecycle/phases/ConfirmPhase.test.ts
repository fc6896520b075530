import { describe, expect } from "bun:test"
import { type Duration, Effect, Option, TestClock } from "effect"
import type { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { Connections } from "../../../src/lifecycle/commands/Connections.ts"
import { Dispatcher } from "../../../src/lifecycle/scheduler/Dispatcher.ts"
import { WorkSlots } from "../../../src/limits/WorkSlots.ts"
import { effect } from "../../support/effectTest.ts"
import type { ScriptedInternet } from "../../support/lab/ScriptedInternet.ts"
import { replyOf } from "../../support/lab/Zone.ts"
import { withScriptedInternet } from "../../support/lifecycleInMemory.ts"
import { type LifecycleServices, noOptions, readConnection, tenancy, withoutLogs } from "./scriptedProvider.ts"

const nameServers = ["ns1.prov.net", "ns2.prov.net"]

const records = `shop  300   CNAME shops.example.net.
                 info  300   TXT   "one"`

const wanted = [
  { host: "shop", type: "CNAME", value: "shops.example.net" },
  { host: "info", type: "TXT", value: "one" }
] as const

const runPhases = Effect.gen(function* () {
  const { tick } = yield* Dispatcher
  const { size } = yield* WorkSlots
  while ((yield* tick) > 0 || (yield* size) > 0)
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
})

const advanceTime = (duration: Duration.DurationInput) => Effect.zipRight(TestClock.adjust(duration), runPhases)

/** The questions that an effect causes, sorted, as `server name type`. */
const questionsDuring = <A, E, R>(internet: ScriptedInternet, run: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    internet.queries.length = 0
    return Effect.map(run, () =>
      internet.queries.map(({ name, server, type }) => `${server} ${name} ${type}`).toSorted()
    )
  })

/** How many checks of all servers an effect causes: only these find the delegation anew. */
const countFullChecks = <A, E, R>(internet: ScriptedInternet, run: Effect.Effect<A, E, R>) =>
  Effect.map(
    questionsDuring(internet, run),
    (questions) => questions.filter((question) => question === "a.gtld.test example.com NS").length
  )

const questionsAt = (server: string) => [`${server} info.example.com TXT`, `${server} shop.example.com CNAME`]

const stateOf = (id: ConnectionId) => Effect.map(readConnection(id), ({ state }) => state)

/** What DNS says of the delegation holds for so many seconds. */
const setTtl = (internet: ScriptedInternet, seconds: number) => {
  const targets = nameServers.map((server) => `${server}.`)
  internet.write("com", "example", "NS", targets, seconds)
  internet.write("example.com", "@", "NS", targets, seconds)
  for (const host of nameServers)
    internet.write("net", host.replace(".net", ""), "A", [internet.addressOf(host)], seconds)
}

/** A test about an active connection, in a zone with two name servers whose delegation may be kept for a day. */
const activeTest = (
  name: string,
  body: (internet: ScriptedInternet, id: ConnectionId) => Effect.Effect<unknown, unknown, LifecycleServices>
) =>
  effect(name, () =>
    withScriptedInternet({ zones: { "example.com": { nameServers, records } } }, (internet) =>
      Effect.gen(function* () {
        setTtl(internet, 86_400)
        const connections = yield* Connections
        const { stored } = yield* connections.create(
          tenancy,
          { domain: "example.com", records: wanted },
          Option.none(),
          {}
        )
        yield* runPhases
        expect(yield* stateOf(stored.id)).toBe("active")
        yield* body(internet, stored.id)
      })
    ).pipe(Effect.provide(withoutLogs))
  )

describe("the check of an active connection that all name servers showed lately", () => {
  activeTest("asks for each record set once, at one server in turn", (internet) =>
    Effect.gen(function* () {
      for (const server of ["ns1.prov.net", "ns2.prov.net", "ns1.prov.net"])
        expect(yield* questionsDuring(internet, advanceTime("1 hour"))).toEqual(questionsAt(server))
    })
  )

  activeTest("finds the delegation again once its TTL is over", (internet, id) =>
    Effect.gen(function* () {
      setTtl(internet, 5_400)
      yield* advanceTime("2 seconds")
      yield* Effect.flatMap(Connections, (connections) => connections.recheck(tenancy, id, noOptions))
      yield* runPhases
      expect((yield* questionsDuring(internet, advanceTime("1 hour"))).length).toBe(2)
      expect(yield* questionsDuring(internet, advanceTime("1 hour"))).toContain("a.gtld.test example.com NS")
    })
  )

  activeTest("is one of all servers once a day", (internet) =>
    Effect.gen(function* () {
      const checks = []
      for (let hour = 1; hour <= 50; hour += 1)
        if ((yield* countFullChecks(internet, advanceTime("1 hour"))) > 0) checks.push(hour)
      expect(checks).toEqual([24, 48])
    })
  )

  activeTest(
    "becomes one of all servers where one answers differently, which degrades after a second miss",
    (internet, id) =>
      Effect.gen(function* () {
        internet.write("example.com", "info", "TXT", ['"two"'])
        expect(yield* countFullChecks(internet, advanceTime("1 hour"))).toBe(1)
        expect(yield* stateOf(id)).toBe("active")
        expect(yield* countFullChecks(internet, advanceTime("5 minutes"))).toBe(1)
        expect(yield* stateOf(id)).toBe("degraded")
      })
  )

  activeTest("becomes one of all servers where one says that a name does not exist", (internet, id) =>
    Effect.gen(function* () {
      internet.write("example.com", "shop", "CNAME", [])
      yield* advanceTime("1 hour")
      yield* advanceTime("5 minutes")
      expect(yield* stateOf(id)).toBe("degraded")
    })
  )

  activeTest("finds within two checks a record that only one of two servers lacks", (internet, id) =>
    Effect.gen(function* () {
      internet.script("ns2.prov.net", (_, correct) => ({ ...correct, answers: [] }), { name: "info.example.com." })
      yield* advanceTime("1 hour")
      expect(yield* countFullChecks(internet, advanceTime("1 hour"))).toBe(1)
      yield* advanceTime("5 minutes")
      expect(yield* stateOf(id)).toBe("degraded")
    })
  )

  activeTest(
    "becomes one of all servers where one refuses, and changes nothing where the others show the records",
    (internet, id) =>
      Effect.gen(function* () {
        internet.script("ns1.prov.net", () => replyOf("REFUSED"))
        expect(yield* questionsDuring(internet, advanceTime("1 hour"))).toContain("a.gtld.test example.com NS")
        expect(yield* stateOf(id)).toBe("active")
      })
  )

  activeTest("asks all servers after a check that found a miss, until all show the records again", (internet, id) =>
    Effect.gen(function* () {
      internet.write("example.com", "info", "TXT", ['"two"'])
      yield* advanceTime("1 hour")
      internet.write("example.com", "info", "TXT", ['"one"'])
      expect(yield* countFullChecks(internet, advanceTime("5 minutes"))).toBe(1)
      expect(yield* questionsDuring(internet, advanceTime("1 hour"))).toHaveLength(2)
      expect(yield* stateOf(id)).toBe("active")
    })
  )

  activeTest(
    "of all servers asks for what shows the records, and for what a repair needs while one is lacking",
    (internet) =>
      Effect.gen(function* () {
        const needsRepair = (run: Effect.Effect<unknown, unknown, LifecycleServices>) =>
          Effect.map(questionsDuring(internet, run), (questions) =>
            questions.includes("ns1.prov.net shop.example.com A")
          )
        expect(yield* needsRepair(advanceTime("1 day"))).toBe(false)
        internet.write("example.com", "info", "TXT", ['"two"'])
        yield* advanceTime("1 hour")
        expect(yield* needsRepair(advanceTime("5 minutes"))).toBe(true)
        internet.write("example.com", "info", "TXT", ['"one"'])
        expect(yield* needsRepair(advanceTime("1 hour"))).toBe(true)
        expect(yield* needsRepair(advanceTime("2 days"))).toBe(false)
      })
  )

  activeTest("is one of all servers where a caller requests it", (internet, id) =>
    Effect.gen(function* () {
      const connections = yield* Connections
      yield* advanceTime("30 minutes")
      yield* connections.recheck(tenancy, id, noOptions)
      expect(yield* countFullChecks(internet, runPhases)).toBe(1)
    })
  )
})
