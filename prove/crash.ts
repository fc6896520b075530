import { SqlClient } from "@effect/sql"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { freePort } from "../test/support/freePort.ts"
import { Lab } from "../test/support/lab/Lab.ts"
import { labEnvironment, labPowerDns } from "../test/support/labService.ts"
import { type ServiceProcess, startService } from "../test/support/serviceProcess.ts"
import { makeApiClient } from "./ApiClient.ts"
import { findInconsistencies, observeConnection } from "./ConnectionObserver.ts"
import { type PowerDnsGate, startPowerDnsGate } from "./PowerDnsGate.ts"
import { createProofDatabase, type ProofDatabase } from "./ProofDatabase.ts"
import { expectNone, type ProofResult } from "./ProofResult.ts"
import { clearJournalPause, installJournalPause, pauseAtStatus } from "./journalPause.ts"
import { createZones, dumpZone, recordsFor } from "./proofZones.ts"
import { seededRandom } from "./seededRandom.ts"

/** Kills the service again and again, at random and at each step of writing, while connections live their whole life. */
export const crash = (seed: number): Effect.Effect<ProofResult, never, Lab> =>
  Effect.scoped(
    Effect.gen(function* () {
      const random = seededRandom(seed)
      const { pdns } = yield* Effect.tap(Lab, (lab) => createZones(lab, zones, lines))
      const before = new Map(
        yield* Effect.forEach(zones, (zone) => Effect.map(dumpZone(pdns, zone), (held) => [zone, held] as const))
      )
      const database = yield* createProofDatabase
      yield* database.run(installJournalPause)
      const gate = yield* startPowerDnsGate(pdns.url)
      const port = freePort()
      const environment = yield* labEnvironment([{ ...labPowerDns, settings: { baseUrl: gate.url } }], {
        DATABASE_URL: database.url,
        PORT: String(port)
      })
      const api = makeApiClient(`http://127.0.0.1:${port}`, database.key)
      const deaths: Array<Aim> = []
      const lives = Effect.forEach(
        Array.from({ length: connections }, (_, nth) => nth),
        (nth) => {
          const zone = zones[nth % zones.length] ?? ""
          const domain = `c${Math.floor(nth / zones.length)}.${zone}`
          const wanted = {
            idempotencyKey: domain,
            domain,
            records: recordsFor(domain),
            credential: { apiToken: pdns.key }
          }
          const itsTurn = Effect.sync(() => deaths.length >= Math.floor((nth * leastDeaths) / connections) - headStart)
          return waitUntil(itsTurn).pipe(
            Effect.zipRight(Effect.exit(observeConnection(api, zone, wanted, patienceSeconds)))
          )
        },
        { concurrency: clients }
      )
      const living = yield* Effect.fork(lives)
      const missed: Array<Aim> = []
      const logged: Array<string> = []
      for (const aim of aims()) {
        if (deaths.length >= leastDeaths && goals.every((goal) => deaths.includes(goal))) break
        const hit = yield* Effect.scoped(
          Effect.flatMap(startService(environment), (service) =>
            Effect.tap(strike({ aim, random, gate, database }, service), () => logged.push(...errorsIn(service)))
          )
        )
        deaths.push(hit ? aim : "random")
        if (!hit) missed.push(aim)
      }
      const survivor = yield* startService(environment)
      const outcomes = yield* Fiber.join(living)
      const witnesses = outcomes.flatMap((outcome) => (Exit.isSuccess(outcome) ? [outcome.value] : []))
      const broken = outcomes.flatMap((outcome) => (Exit.isFailure(outcome) ? [String(outcome.cause)] : []))
      const found = yield* findInconsistencies(api, pdns, witnesses, before)
      const twice = writtenTwice(gate)
      const [{ rows } = { rows: 0 }] = yield* database.run(rowCount)
      return {
        figures: {
          connections,
          acknowledged: witnesses.length,
          rows,
          deaths: deaths.length,
          deathsByStep: Object.fromEntries(
            [...Map.groupBy(deaths, (aim) => aim)].map(([aim, all]) => [aim, all.length])
          ),
          missedAims: missed.length,
          writesAtProvider: gate.patches.filter(({ isDone: done }) => done).length,
          complaints: [...broken, ...witnesses.flatMap(({ violations }) => violations)].slice(0, 20),
          writtenTwice: twice.slice(0, 20),
          astray: found.astray.slice(0, 20),
          zones: found.zones.slice(0, 3),
          logged: [...logged, ...errorsIn(survivor)].slice(0, 10)
        },
        targets: [
          expectNone("connections lost", found.lost),
          expectNone("clients that were not served to the end", broken),
          expectNone("connections too many", Array.from({ length: rows - connections })),
          expectNone(
            "things that went backwards or stood still",
            witnesses.flatMap(({ violations }) => violations)
          ),
          expectNone("timelines that are not those of one click", found.astray),
          expectNone("record sets written twice", twice),
          expectNone("zones that are not as planned", found.zones),
          { kind: "gate" as const, what: "deaths", value: deaths.length, atLeast: leastDeaths },
          expectNone(
            "steps at which the service did not die",
            goals.filter((goal) => !deaths.includes(goal))
          )
        ]
      }
    }).pipe(Effect.orDie)
  )

const connections = 300
const clients = 48
const leastDeaths = 60
/** How many deaths the clients are ahead of their share. */
const headStart = 6
/** A phase that stopped moving is taken up again after two minutes. */
const patienceSeconds = 400

const zones = Array.from({ length: 30 }, (_, nth) => `crash${nth}.com`)
const lines = Array.from({ length: 10 }, (_, nth) => `www.c${nth} A 192.0.2.10\nc${nth} TXT "kept"`).join("\n")

/** When the service dies: at any moment, around a call to the provider, or as a change comes to a status. */
type Aim = "random" | "before_call" | "after_call" | "pending" | "sent" | "confirmed"

const goals: ReadonlyArray<Aim> = ["before_call", "after_call", "pending", "sent", "confirmed"]

const aims = function* (): Generator<Aim> {
  for (let nth = 0; nth < 2 * leastDeaths; nth += 1)
    yield nth % 2 === 0 ? "random" : (goals[(nth >> 1) % goals.length] ?? "random")
}

interface Strike {
  readonly aim: Aim
  readonly random: () => number
  readonly gate: PowerDnsGate
  readonly database: ProofDatabase
}

/** Kills the service at its aim, or if that is not met in some seconds, then; whether it was met. */
const strike = ({ aim, database, gate, random }: Strike, service: ServiceProcess) =>
  Effect.gen(function* () {
    const kill = service.end("SIGKILL")
    if (aim === "random") yield* Effect.sleep(100 + 2_400 * random())
    const hit = aim === "random" || (yield* meets(aim, { database, gate, kill }))
    yield* kill
    gate.interceptNext({})
    yield* clearJournalPause(database)
    return hit
  })

const meets = (
  aim: Exclude<Aim, "random">,
  {
    database,
    gate,
    kill
  }: { readonly database: ProofDatabase; readonly gate: PowerDnsGate; readonly kill: Effect.Effect<unknown> }
) =>
  Effect.gen(function* () {
    if (aim !== "before_call" && aim !== "after_call") return yield* pauseAtStatus(database, aim, aimSeconds)
    const met = yield* Deferred.make<void>()
    const dies = Effect.zipRight(kill, Deferred.succeed(met, undefined))
    gate.interceptNext(aim === "before_call" ? { before: Effect.zipRight(dies, Effect.never) } : { after: dies })
    return (yield* Effect.timeoutOption(Deferred.await(met), `${aimSeconds} seconds`))._tag === "Some"
  })

const aimSeconds = 5

const waitUntil = (condition: Effect.Effect<boolean>) =>
  Effect.repeat(Effect.delay(condition, "50 millis"), { until: (holds) => holds })

/** Record sets that more than one write brought to the provider: each belongs to one connection and one plan. */
const writtenTwice = ({ patches }: PowerDnsGate): ReadonlyArray<string> => {
  const sets = patches.filter(({ isDone: done }) => done).flatMap(({ sets }) => sets)
  return [...Map.groupBy(sets, (set) => set)].flatMap(([set, all]) =>
    all.length > 1 ? [`${all.length} × ${set}`] : []
  )
}

/** What the service logged as an error, each cut short. */
const errorsIn = ({ output }: ServiceProcess): ReadonlyArray<string> =>
  output()
    .split("\n")
    .filter((line) => line.includes('"logLevel":"ERROR"'))
    .map((line) => line.slice(0, 2_000))

const rowCount = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ readonly rows: number }>`select count(*)::int as rows from connections`
)
