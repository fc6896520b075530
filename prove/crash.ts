import { SqlClient } from "@effect/sql"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { freePort } from "../test/support/freePort.ts"
import { Lab } from "../test/support/lab/Lab.ts"
import { labEnvironment, labPowerDns } from "../test/support/serviceOnTheLab.ts"
import { type ServiceProcess, startService } from "../test/support/serviceProcess.ts"
import { apiClient } from "./ApiClient.ts"
import { aimless, installPause, metAt } from "./journalPause.ts"
import { type PatchGate, patchGate } from "./PatchGate.ts"
import { openDatabase, type ProofDatabase } from "./ProofDatabase.ts"
import { seeded } from "./seeded.ts"
import { none, type Verdict } from "./Verdict.ts"
import { afterwards, witness } from "./Witness.ts"
import { dumpOf, makeZones, recordsFor } from "./zones.ts"

/** Kills the service again and again, at random and at each step of writing, while connections live their whole life. */
export const crash = (seed: number): Effect.Effect<Verdict, never, Lab> =>
  Effect.scoped(
    Effect.gen(function* () {
      const random = seeded(seed)
      const { pdns } = yield* Effect.tap(Lab, (lab) => makeZones(lab, zones, lines))
      const before = new Map(
        yield* Effect.forEach(zones, (zone) => Effect.map(dumpOf(pdns, zone), (held) => [zone, held] as const))
      )
      const database = yield* openDatabase
      yield* database.ask(installPause)
      const gate = yield* patchGate(pdns.url)
      const port = freePort()
      const environment = yield* labEnvironment([{ ...labPowerDns, settings: { baseUrl: gate.url } }], {
        DATABASE_URL: database.url,
        PORT: String(port)
      })
      const api = apiClient(`http://127.0.0.1:${port}`, database.key)
      const deaths: Array<Aim> = []
      const lives = Effect.forEach(
        Array.from({ length: connections }, (_, nth) => nth),
        (nth) => {
          const zone = zones[nth % zones.length] ?? ""
          const domain = `c${Math.floor(nth / zones.length)}.${zone}`
          const wanted = { mark: domain, domain, records: recordsFor(domain), credential: { apiToken: pdns.key } }
          const itsTurn = Effect.sync(() => deaths.length >= Math.floor((nth * leastDeaths) / connections) - headStart)
          return waitUntil(itsTurn).pipe(Effect.zipRight(Effect.exit(witness(api, zone, wanted, patienceSeconds))))
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
      const found = yield* afterwards(api, pdns, witnesses, before)
      const twice = writtenTwice(gate)
      const [{ rows } = { rows: 0 }] = yield* database.ask(rowCount)
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
          writesAtProvider: gate.patches.filter(({ done }) => done).length,
          complaints: [...broken, ...witnesses.flatMap(({ complaints }) => complaints)].slice(0, 20),
          writtenTwice: twice.slice(0, 20),
          astray: found.astray.slice(0, 20),
          zones: found.zones.slice(0, 3),
          logged: [...logged, ...errorsIn(survivor)].slice(0, 10)
        },
        targets: [
          none("connections lost", found.lost),
          none("clients that were not served to the end", broken),
          none("connections too many", Array.from({ length: rows - connections })),
          none(
            "things that went backwards or stood still",
            witnesses.flatMap(({ complaints }) => complaints)
          ),
          none("timelines that are not those of one click", found.astray),
          none("record sets written twice", twice),
          none("zones that are not as planned", found.zones),
          { kind: "gate" as const, what: "deaths", value: deaths.length, atLeast: leastDeaths },
          none(
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
  readonly gate: PatchGate
  readonly database: ProofDatabase
}

/** Kills the service at its aim, or if that is not met in some seconds, then; whether it was met. */
const strike = ({ aim, database, gate, random }: Strike, service: ServiceProcess) =>
  Effect.gen(function* () {
    const kill = service.end("SIGKILL")
    if (aim === "random") yield* Effect.sleep(100 + 2_400 * random())
    const hit = aim === "random" || (yield* meets(aim, { database, gate, kill }))
    yield* kill
    gate.meddle({})
    yield* aimless(database)
    return hit
  })

const meets = (
  aim: Exclude<Aim, "random">,
  {
    database,
    gate,
    kill
  }: { readonly database: ProofDatabase; readonly gate: PatchGate; readonly kill: Effect.Effect<unknown> }
) =>
  Effect.gen(function* () {
    if (aim !== "before_call" && aim !== "after_call") return yield* metAt(database, aim, aimSeconds)
    const met = yield* Deferred.make<void>()
    const dies = Effect.zipRight(kill, Deferred.succeed(met, undefined))
    gate.meddle(aim === "before_call" ? { before: Effect.zipRight(dies, Effect.never) } : { after: dies })
    return (yield* Effect.timeoutOption(Deferred.await(met), `${aimSeconds} seconds`))._tag === "Some"
  })

const aimSeconds = 5

const waitUntil = (condition: Effect.Effect<boolean>) =>
  Effect.repeat(Effect.delay(condition, "50 millis"), { until: (holds) => holds })

/** Record sets that more than one write brought to the provider: each belongs to one connection and one plan. */
const writtenTwice = ({ patches }: PatchGate): ReadonlyArray<string> => {
  const sets = patches.filter(({ done }) => done).flatMap(({ sets }) => sets)
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
