import { SqlClient } from "@effect/sql"
import { Duration, Effect, Exit, Fiber, Schedule } from "effect"
import { readFileSync, renameSync } from "node:fs"
import { median, roundToThreeDigits } from "../bench/Report.ts"
import { Lab } from "../test/support/lab/Lab.ts"
import { labEnvironment, labPowerDns } from "../test/support/labService.ts"
import { startService } from "../test/support/serviceProcess.ts"
import { makeApiClient, type RequestListener } from "./ApiClient.ts"
import { findInconsistencies, observeConnection } from "./ConnectionObserver.ts"
import { createProofDatabase, type ProofDatabase } from "./ProofDatabase.ts"
import { expectNone, type ProofResult } from "./ProofResult.ts"
import { createZones, dumpZone, recordsFor } from "./proofZones.ts"
import { seededRandom } from "./seededRandom.ts"

/**
 * Restarts PostgreSQL every few seconds, now gently, now by force, and then keeps it down for half a minute, while
 * connections are made, read and written.
 */
export const database = (seed: number): Effect.Effect<ProofResult, never, Lab> =>
  Effect.scoped(
    Effect.gen(function* () {
      const random = seededRandom(seed)
      const { pdns } = yield* Effect.tap(Lab, (lab) => createZones(lab, zones, ""))
      const before = new Map(
        yield* Effect.forEach(zones, (zone) => Effect.map(dumpZone(pdns, zone), (held) => [zone, held] as const))
      )
      const database = yield* createProofDatabase
      const service = yield* startService(yield* labEnvironment([labPowerDns], { DATABASE_URL: database.url }))
      const diary = newDiary()
      const api = makeApiClient(service.url, database.key, diary.note)
      const load = { isOn: true }
      const life = (nth: number) => {
        const zone = zones[nth % zones.length] ?? ""
        const domain = `c${nth}.${zone}`
        const wanted = {
          idempotencyKey: domain,
          domain,
          records: recordsFor(domain),
          credential: { apiToken: pdns.key }
        }
        return Effect.exit(observeConnection(api, zone, wanted, patienceSeconds))
      }
      let begun = 0
      const client = Effect.iterate([] as ReadonlyArray<Effect.Effect.Success<ReturnType<typeof life>>>, {
        while: () => load.isOn,
        body: (lived) => Effect.map(life(begun++), (last) => [...lived, last])
      })
      const probes = yield* Effect.fork(Effect.forever(Effect.delay(Effect.ignore(api.get("/readyz")), "25 millis")))
      const living = yield* Effect.fork(
        Effect.forEach(Array.from({ length: clients }), () => client, { concurrency: "unbounded" })
      )
      const outages: Array<Outage> = []
      const restartsEndAt = performance.now() + restartingMillis
      while (performance.now() < restartsEndAt) {
        yield* Effect.sleep(5_000 + 5_000 * random())
        outages.push(yield* outage(database, outages.length % 2 === 0 ? "SIGINT" : "SIGQUIT"))
      }
      yield* Effect.sleep("5 seconds")
      outages.push(yield* outage(database, "SIGINT", absence))
      yield* Effect.sleep("5 seconds")
      load.isOn = false
      const outcomes = (yield* Fiber.join(living)).flat()
      yield* Fiber.interrupt(probes)
      const witnesses = outcomes.flatMap((outcome) => (Exit.isSuccess(outcome) ? [outcome.value] : []))
      const broken = outcomes.flatMap((outcome) => (Exit.isFailure(outcome) ? [String(outcome.cause)] : []))
      const found = yield* findInconsistencies(api, pdns, witnesses, before)
      const complaints = witnesses.flatMap(({ violations }) => violations)
      const absences = outages.map(({ backAt, downAt }) => backAt - downAt)
      const recoveries = outages.map((one) => diary.readyAfter(one))
      const slowestRefusal = diary.slowestRefusal(outages)
      return {
        figures: {
          connections: outcomes.length,
          outages: outages.length,
          downMillis: { median: roundToThreeDigits(median(absences)), max: roundToThreeDigits(Math.max(...absences)) },
          healthyAfterMillis: {
            median: roundToThreeDigits(median(recoveries)),
            max: roundToThreeDigits(Math.max(...recoveries))
          },
          answers: diary.statuses(),
          slowestRefusalMillis: roundToThreeDigits(slowestRefusal),
          unfit: diary.unfit.slice(0, 10),
          complaints: [...broken, ...complaints].slice(0, 20),
          astray: found.astray.slice(0, 20),
          zones: found.zones.slice(0, 3)
        },
        targets: [
          expectNone("answers while it is down that are not 503 with Retry-After", diary.unfit),
          { kind: "gate" as const, what: "ms until a refusal, at worst", value: slowestRefusal, atMost: 2_000 },
          {
            kind: "gate" as const,
            what: "ms from back to healthy, at worst",
            value: Math.max(...recoveries),
            atMost: 3_000
          },
          expectNone("connections lost", found.lost),
          expectNone("clients that were not served to the end", broken),
          expectNone("things that went backwards or stood still", complaints),
          expectNone("timelines that are not those of one click", found.astray),
          expectNone("zones that are not as planned", found.zones)
        ]
      }
    }).pipe(Effect.orDie)
  )

const restartingMillis = 120_000
const absence = Duration.seconds(30)
const clients = 12
const patienceSeconds = 200
const zones = Array.from({ length: 12 }, (_, nth) => `base${nth}.com`)

/** When PostgreSQL was told to go, and when it answered again, by `performance.now`. */
interface Outage {
  readonly downAt: number
  readonly backAt: number
}

/** Ends the server; whoever runs it starts it again after a second, and in vain while its files are away. */
const outage = ({ run: ask }: ProofDatabase, signal: "SIGINT" | "SIGQUIT", filesAway = Duration.zero) =>
  Effect.gen(function* () {
    const { directory, pid } = yield* ask(postmaster)
    const downAt = performance.now()
    yield* Effect.sync(() => process.kill(pid, signal))
    if (Duration.greaterThan(filesAway, Duration.zero)) {
      renameSync(directory, `${directory}.away`)
      yield* Effect.sleep(filesAway)
      renameSync(`${directory}.away`, directory)
    }
    const another = Effect.filterOrFail(Effect.sandbox(ask(postmaster)), (now) => now.pid !== pid)
    yield* Effect.retry(another, Schedule.spaced("20 millis")).pipe(Effect.timeout("30 seconds"))
    return { downAt, backAt: performance.now() }
  })

/** The server, by its process and its files. */
const postmaster = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly directory: string }>`select current_setting('data_directory') as directory`
  const directory = row?.directory ?? ""
  return { directory, pid: Number.parseInt(readFileSync(`${directory}/postmaster.pid`, "utf8"), 10) }
})

/** All that the API answered, and when it was ready. */
const newDiary = () => {
  const counts = new Map<string, number>()
  const unfit: Array<string> = []
  const readyAt: Array<number> = []
  const refusals: Array<{ readonly askedAt: number; readonly refusedAt: number }> = []
  const note: RequestListener = ({ answer, millis, path }) => {
    const status = answer?.status ?? "none"
    counts.set(String(status), (counts.get(String(status)) ?? 0) + 1)
    const now = performance.now()
    if (path === "/readyz" && status === 200) readyAt.push(now)
    if (status === 503) refusals.push({ askedAt: now - millis, refusedAt: now })
    const isFit = answer !== undefined && (answer.status < 500 || answer.status === 503)
    const isTimed = path === "/readyz" || status !== 503 || answer?.headers.has("retry-after") === true
    if (!isFit || !isTimed) unfit.push(`${path} ${status} ${JSON.stringify(answer?.body)}`)
  }
  return {
    note,
    unfit,
    statuses: () => Object.fromEntries(counts),
    /** From the request, or from the outage where that came later: a request may wait by its own wish. */
    slowestRefusal: (outages: ReadonlyArray<Outage>) =>
      Math.max(
        ...refusals.map(({ askedAt, refusedAt }) => {
          const during = outages.findLast(({ downAt }) => downAt <= refusedAt)
          return refusedAt - Math.max(askedAt, during?.downAt ?? askedAt)
        })
      ),
    readyAfter: ({ backAt }: Outage) => (readyAt.find((at) => at >= backAt) ?? Infinity) - backAt
  }
}
