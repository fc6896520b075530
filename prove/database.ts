import { Duration, Effect, Exit, Fiber, Option } from "effect"
import { median, roundToThreeDigits } from "../bench/Report.ts"
import { Lab } from "../test/support/lab/Lab.ts"
import { labEnvironment, labPowerDns } from "../test/support/labService.ts"
import { startService } from "../test/support/serviceProcess.ts"
import { makeApiClient, type RequestListener } from "./ApiClient.ts"
import { findInconsistencies, observeConnection } from "./ConnectionObserver.ts"
import { createProofDatabase, interruptDatabase, type ProofDatabase } from "./ProofDatabase.ts"
import { expectNone, type ProofResult } from "./ProofResult.ts"
import { backendFaults, findFailures, loseBackend } from "./backendFaults.ts"
import { createZones, dumpZone, recordsFor } from "./proofZones.ts"
import { seededRandom } from "./seededRandom.ts"

/**
 * Loses single backends of PostgreSQL, then restarts it every few seconds, alternating fast and immediate shutdown, and
 * then keeps it down for half a minute, while connections are created, read and written.
 */
export const database = (seed: number): Effect.Effect<ProofResult, never, Lab> =>
  Effect.scoped(
    Effect.gen(function* () {
      const random = seededRandom(seed)
      const { pdns } = yield* Effect.tap(Lab, (lab) => createZones(lab, zones, ""))
      const before = new Map(
        yield* Effect.forEach(zones, (zone) => Effect.map(dumpZone(pdns, zone), (dump) => [zone, dump] as const))
      )
      const database = yield* createProofDatabase
      const service = yield* startService(
        yield* labEnvironment([labPowerDns], { DATABASE_URL: database.url, ...withoutDomainLimit })
      )
      const log = makeResponseLog()
      const api = makeApiClient(service.url, database.key, log.record)
      const load = { isOn: true }
      const connect = (nth: number) => {
        const zone = zones[nth % zones.length] ?? ""
        const domain = `c${nth}.${zone}`
        const desired = {
          idempotencyKey: domain,
          domain,
          records: recordsFor(domain),
          credential: { apiToken: pdns.key }
        }
        return Effect.exit(observeConnection(api, zone, desired, timeoutSeconds))
      }
      let started = 0
      const client = Effect.iterate([] as ReadonlyArray<Effect.Effect.Success<ReturnType<typeof connect>>>, {
        while: () => load.isOn,
        body: (outcomes) => Effect.map(connect(started++), (outcome) => [...outcomes, outcome])
      })
      const probes = yield* Effect.fork(Effect.forever(Effect.delay(Effect.ignore(api.get("/readyz")), "25 millis")))
      const running = yield* Effect.fork(
        Effect.forEach(Array.from({ length: clients }), () => client, { concurrency: "unbounded" })
      )
      const outages: Array<Outage> = []
      const losses = yield* loseBackends(database, random, log)
      const restartsEndAt = performance.now() + restartingMillis
      while (performance.now() < restartsEndAt) {
        yield* Effect.sleep(5_000 + 5_000 * random())
        outages.push(yield* interruptDatabase(database, outages.length % 2 === 0 ? "SIGINT" : "SIGQUIT"))
      }
      yield* Effect.sleep("5 seconds")
      outages.push(yield* interruptDatabase(database, "SIGINT", longOutage))
      yield* Effect.sleep("5 seconds")
      load.isOn = false
      const outcomes = (yield* Fiber.join(running)).flat()
      yield* Fiber.interrupt(probes)
      const observed = outcomes.flatMap((outcome) => (Exit.isSuccess(outcome) ? [outcome.value] : []))
      const broken = outcomes.flatMap((outcome) => (Exit.isFailure(outcome) ? [String(outcome.cause)] : []))
      const found = yield* findInconsistencies(api, pdns, observed, before)
      const failures = yield* findFailures(database)
      const violations = observed.flatMap(({ violations }) => violations)
      const durations = outages.map(({ backAt, downAt }) => backAt - downAt)
      const recoveries = outages.map((outage) => log.readyAfter(outage))
      const { slowestRefusal, slowestWhileStopped } = log.refusalsSince([...losses, ...outages])
      return {
        figures: {
          connections: outcomes.length,
          lostBackends: losses.length,
          outages: outages.length,
          downMillis: {
            median: roundToThreeDigits(median(durations)),
            max: roundToThreeDigits(Math.max(...durations))
          },
          healthyAfterMillis: {
            median: roundToThreeDigits(median(recoveries)),
            max: roundToThreeDigits(Math.max(...recoveries))
          },
          answers: log.statuses(),
          slowestRefusalMillis: roundToThreeDigits(slowestRefusal),
          slowestRefusalMillisWhileStopped: roundToThreeDigits(slowestWhileStopped),
          unexpected: log.unexpected.slice(0, 10),
          failures: failures.slice(0, 20),
          violations: [...broken, ...violations].slice(0, 20),
          wrongTimelines: found.wrongTimelines.slice(0, 20),
          zones: found.zones.slice(0, 3)
        },
        targets: [
          expectNone("responses during an outage other than 503 with Retry-After", log.unexpected),
          { kind: "gate" as const, what: "ms until a refusal, at worst", value: slowestRefusal, atMost: 2_000 },
          {
            kind: "gate" as const,
            what: "ms until a refusal while one backend is stopped, at worst",
            value: slowestWhileStopped,
            atMost: 7_000
          },
          {
            kind: "gate" as const,
            what: "ms from back to healthy, at worst",
            value: Math.max(...recoveries),
            atMost: 3_000
          },
          expectNone("connections lost", found.lost),
          expectNone("clients that failed", broken),
          expectNone("failures of connections", failures),
          expectNone("connections that returned to an earlier state or stopped", violations),
          expectNone("connections whose states differ from the expected order", found.wrongTimelines),
          expectNone("zones that differ from the plans", found.zones)
        ]
      }
    }).pipe(Effect.orDie)
  )

/** How often a backend is lost in each of the ways. */
const lossesOfEach = 8
const restartingMillis = 120_000
const longOutage = Duration.seconds(30)
/** The faster the service, the more connections each zone gets. */
const withoutDomainLimit = { CONNECTIONS_PER_DOMAIN: "0" }

const clients = 12
const timeoutSeconds = 200
const zones = Array.from({ length: 12 }, (_, nth) => `base${nth}.com`)

/** When PostgreSQL was stopped and when it answered again, by `performance.now`. */
interface Outage {
  readonly downAt: number
  readonly backAt: number
}

/** Loses backends in each of the ways in turn, some seconds apart; returns when. */
const loseBackends = (database: ProofDatabase, random: () => number, log: ReturnType<typeof makeResponseLog>) =>
  Effect.gen(function* () {
    const faults = Array.from({ length: lossesOfEach }, () => backendFaults).flat()
    const losses = yield* Effect.forEach(faults, (fault) =>
      Effect.gen(function* () {
        yield* Effect.sleep(1_000 + 2_000 * random())
        const downAt = performance.now()
        const lose = loseBackend(database, random, fault)
        const hit = yield* fault === "stopped" ? log.whileStopped(lose) : lose
        return Option.isSome(hit) ? [{ downAt }] : []
      })
    )
    yield* Effect.sleep("5 seconds")
    return losses.flat()
  })

interface Refusal {
  readonly sentAt: number
  readonly refusedAt: number
}

/** Records the responses of the API, and when it was ready. */
const makeResponseLog = () => {
  const counts = new Map<string, number>()
  const unexpected: Array<string> = []
  const readyAt: Array<number> = []
  const refusals: Array<Refusal> = []
  const refusalsWhileStopped: Array<Refusal> = []
  let isStopped = false
  const record: RequestListener = ({ millis, path, response }) => {
    const status = response?.status ?? "none"
    counts.set(String(status), (counts.get(String(status)) ?? 0) + 1)
    const now = performance.now()
    if (path === "/readyz" && status === 200) readyAt.push(now)
    if (status === 503) (isStopped ? refusalsWhileStopped : refusals).push({ sentAt: now - millis, refusedAt: now })
    const isExpected = response !== undefined && (response.status < 500 || response.status === 503)
    const hasRetryAfter = path === "/readyz" || status !== 503 || response?.headers.has("retry-after") === true
    if (!isExpected || !hasRetryAfter) unexpected.push(`${path} ${status} ${JSON.stringify(response?.body)}`)
  }
  return {
    record,
    unexpected,
    statuses: () => Object.fromEntries(counts),
    /** Measured from the request, or from a later start of the outage, because a request may ask to wait. */
    refusalsSince: (faults: ReadonlyArray<Pick<Outage, "downAt">>) => {
      const slowest = (measured: ReadonlyArray<Refusal>) =>
        measured.reduce((millis, { refusedAt, sentAt }) => {
          const fault = faults.findLast(({ downAt }) => downAt <= refusedAt)
          return Math.max(millis, refusedAt - Math.max(sentAt, fault?.downAt ?? sentAt))
        }, 0)
      return { slowestRefusal: slowest(refusals), slowestWhileStopped: slowest(refusalsWhileStopped) }
    },
    /** Requests whose statement waits for a stopped backend are refused later than others. */
    whileStopped: <A, E, R>(stop: Effect.Effect<A, E, R>) =>
      Effect.acquireUseRelease(
        Effect.sync(() => void (isStopped = true)),
        () => Effect.zipLeft(stop, Effect.sleep("3 seconds")),
        () => Effect.sync(() => void (isStopped = false))
      ),
    readyAfter: ({ backAt }: Outage) => (readyAt.find((at) => at >= backAt) ?? Infinity) - backAt
  }
}
