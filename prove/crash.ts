import { countEach } from "./countEach.ts"
import { SqlClient } from "@effect/sql"
import { Effect, Exit, Fiber, Option } from "effect"
import { freePort } from "../test/support/freePort.ts"
import { Lab } from "../test/support/lab/Lab.ts"
import { labEnvironment, labPowerDns } from "../test/support/labService.ts"
import { type ServiceProcess, startService } from "../test/support/serviceProcess.ts"
import { makeApiClient } from "./ApiClient.ts"
import { findInconsistencies, observeConnection } from "./ConnectionObserver.ts"
import { type PowerDnsGate, startPowerDnsGate } from "./PowerDnsGate.ts"
import { createProofDatabase, type ProofDatabase } from "./ProofDatabase.ts"
import { expectNone, type ProofResult } from "./ProofResult.ts"
import { type BackendFault, backendFaults, findFailures, loseBackend } from "./backendFaults.ts"
import { installJournalPause } from "./journalPause.ts"
import { duplicateWrites, killAtStep, type WriteStep, writeSteps } from "./killPoints.ts"
import { createZones, dumpZone, recordsFor } from "./proofZones.ts"
import { seededRandom } from "./seededRandom.ts"

/**
 * Kills the service repeatedly, at random moments and at each step of a write, and single backends of its database,
 * while clients connect domains.
 */
export const crash = (seed: number): Effect.Effect<ProofResult, never, Lab> =>
  Effect.scoped(
    Effect.gen(function* () {
      const random = seededRandom(seed)
      const { pdns } = yield* Effect.tap(Lab, (lab) => createZones(lab, zones, lines))
      const before = new Map(
        yield* Effect.forEach(zones, (zone) => Effect.map(dumpZone(pdns, zone), (dump) => [zone, dump] as const))
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
      const kills: Array<KillPoint> = []
      const clientRuns = Effect.forEach(
        Array.from({ length: connections }, (_, nth) => nth),
        (nth) => {
          const zone = zones[nth % zones.length] ?? ""
          const domain = `c${Math.floor(nth / zones.length)}.${zone}`
          const desired = {
            idempotencyKey: domain,
            domain,
            records: recordsFor(domain),
            credential: { apiToken: pdns.key }
          }
          const isDue = Effect.sync(() => kills.length >= Math.floor((nth * minimumKills) / connections) - headStart)
          return waitUntil(isDue).pipe(
            Effect.zipRight(Effect.exit(observeConnection(api, zone, desired, timeoutSeconds)))
          )
        },
        { concurrency: clients }
      )
      const running = yield* Effect.fork(clientRuns)
      const lostBackends: Array<BackendFault> = []
      const losing = yield* Effect.fork(
        Effect.forever(loseBackends({ database, random: seededRandom(seed + 1), lostBackends }))
      )
      const missed: Array<KillPoint> = []
      const logged: Array<string> = []
      for (const point of killPoints()) {
        if (kills.length >= minimumKills && writeSteps.every((step) => kills.includes(step))) break
        const hit = yield* Effect.scoped(
          Effect.flatMap(startService(environment), (service) =>
            Effect.tap(killAt({ point, random, gate, database }, service), () => logged.push(...errorsIn(service)))
          )
        )
        kills.push(hit ? point : "random")
        if (!hit) missed.push(point)
      }
      const survivor = yield* startService(environment)
      const outcomes = yield* Fiber.join(running)
      yield* Fiber.interrupt(losing)
      const observed = outcomes.flatMap((outcome) => (Exit.isSuccess(outcome) ? [outcome.value] : []))
      const broken = outcomes.flatMap((outcome) => (Exit.isFailure(outcome) ? [String(outcome.cause)] : []))
      const found = yield* findInconsistencies(api, pdns, observed, before)
      const duplicates = duplicateWrites(gate)
      const failures = yield* findFailures(database)
      const [{ rows } = { rows: 0 }] = yield* database.run(rowCount)
      return {
        figures: {
          connections,
          acknowledged: observed.length,
          rows,
          kills: kills.length,
          killsByStep: countEach(kills),
          lostBackends: countEach(lostBackends),
          missedPoints: missed.length,
          writesAtProvider: gate.patches.filter(({ isDone }) => isDone).length,
          violations: [...broken, ...observed.flatMap(({ violations }) => violations)].slice(0, 20),
          failures: failures.slice(0, 20),
          writtenTwice: duplicates.slice(0, 20),
          wrongTimelines: found.wrongTimelines.slice(0, 20),
          zones: found.zones.slice(0, 3),
          logged: [...logged, ...errorsIn(survivor)].slice(0, 10)
        },
        targets: [
          expectNone("connections lost", found.lost),
          expectNone("clients that failed", broken),
          expectNone("surplus connections", Array.from({ length: rows - connections })),
          expectNone(
            "connections that returned to an earlier state or stopped",
            observed.flatMap(({ violations }) => violations)
          ),
          expectNone("failures of connections", failures),
          expectNone("connections whose states differ from the expected order", found.wrongTimelines),
          expectNone("record sets written twice", duplicates),
          expectNone("zones that differ from the plans", found.zones),
          { kind: "gate" as const, what: "kills", value: kills.length, atLeast: minimumKills },
          { kind: "gate" as const, what: "lost backends", value: lostBackends.length, atLeast: minimumLostBackends },
          expectNone(
            "steps at which the service was never killed",
            writeSteps.filter((step) => !kills.includes(step))
          )
        ]
      }
    }).pipe(Effect.orDie)
  )

const connections = 300
const clients = 48
const minimumKills = 60
const minimumLostBackends = 30
/** The number of kills by which the clients run ahead of their share. */
const headStart = 6
/** Longer than the two minutes after which a stalled phase is resumed. */
const timeoutSeconds = 400

const zones = Array.from({ length: 30 }, (_, nth) => `crash${nth}.com`)
const lines = Array.from({ length: 10 }, (_, nth) => `www.c${nth} A 192.0.2.10\nc${nth} TXT "kept"`).join("\n")

/** When the service is killed: at a random moment, or at a step of a write. */
type KillPoint = "random" | WriteStep

const killPoints = function* (): Generator<KillPoint> {
  for (let nth = 0; nth < 2 * minimumKills; nth += 1)
    yield nth % 2 === 0 ? "random" : (writeSteps[(nth >> 1) % writeSteps.length] ?? "random")
}

interface CrashKills {
  readonly point: KillPoint
  readonly random: () => number
  readonly gate: PowerDnsGate
  readonly database: ProofDatabase
}

/** Kills the service at a point; returns whether it was reached. */
const killAt = ({ point, database, gate, random }: CrashKills, service: ServiceProcess) =>
  Effect.gen(function* () {
    const kill = service.end("SIGKILL")
    if (point !== "random") return yield* killAtStep(point, { database, gate, kill, seconds: 5 })
    yield* Effect.sleep(100 + 2_400 * random())
    yield* kill
    return true
  })

/** Loses a backend in each of the ways, some seconds apart. */
const loseBackends = ({
  database,
  lostBackends,
  random
}: {
  readonly database: ProofDatabase
  readonly random: () => number
  readonly lostBackends: Array<BackendFault>
}) =>
  Effect.forEach(backendFaults, (fault) =>
    loseBackend(database, random, fault).pipe(
      Effect.delay(1_000 + 2_000 * random()),
      Effect.map((hit) => lostBackends.push(...Option.toArray(hit)))
    )
  )

const waitUntil = (condition: Effect.Effect<boolean>) =>
  Effect.repeat(Effect.delay(condition, "50 millis"), { until: (holds) => holds })

/** The errors in the log of the service, truncated. */
const errorsIn = ({ output }: ServiceProcess): ReadonlyArray<string> =>
  output()
    .split("\n")
    .filter((line) => line.includes('"logLevel":"ERROR"'))
    .map((line) => line.slice(0, 2_000))

const rowCount = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ readonly rows: number }>`select count(*)::int as rows from connections`
)
