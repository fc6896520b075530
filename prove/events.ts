import { SqlClient } from "@effect/sql"
import { type Duration, Effect, Exit, Fiber } from "effect"
import { freePort } from "../test/support/freePort.ts"
import { Lab } from "../test/support/lab/Lab.ts"
import { labEnvironment, labPowerDns } from "../test/support/labService.ts"
import { startCompiledService } from "../test/support/serviceProcess.ts"
import {
  type ApiClient,
  type ApiResponse,
  makeApiClient,
  retryUntilAnswered,
  type UnansweredRequest
} from "./ApiClient.ts"
import { createProofDatabase, type ProofDatabase } from "./ProofDatabase.ts"
import type { ProofOptions } from "./ProofOptions.ts"
import { expectNone, type ProofResult } from "./ProofResult.ts"
import { countEach } from "./countEach.ts"
import { type FaultyReceiver, type ReceiverFault, startFaultyReceiver } from "./events/FaultyReceiver.ts"
import { type EventFaults, findEventFaults, type TimelineStep } from "./events/findEventFaults.ts"
import { createZones } from "./proofZones.ts"
import { seededRandom } from "./seededRandom.ts"

/**
 * Kills the service at random moments while connections change their states and one of two receivers fails at random:
 * no event is lost, and the version tells the order of the events of a connection.
 */
export const events = ({ isShort, seed }: ProofOptions): Effect.Effect<ProofResult, never, Lab> =>
  Effect.scoped(
    Effect.gen(function* () {
      const scale = isShort ? short : full
      const random = seededRandom(seed)
      yield* Effect.flatMap(Lab, (lab) => createZones(lab, zones, lines))
      const database = yield* createProofDatabase
      const steady = yield* startFaultyReceiver(() => undefined)
      const faulty = yield* startFaultyReceiver((attempt) => chooseFault(random(), attempt, scale))
      const port = freePort()
      const environment = yield* labEnvironment([labPowerDns], {
        DATABASE_URL: database.url,
        PORT: String(port),
        OUTBOUND_ALLOW: "127.0.0.0/8",
        CONNECTIONS_PER_TENANT: "0",
        CONNECTIONS_PER_DOMAIN: "0",
        OPEN_DISCOVERIES_PER_TENANT: "0",
        IDEMPOTENCY_PER_TENANT_MIB: "0",
        STORAGE_PER_TENANT_MIB: "0"
      })
      const api = makeApiClient(`http://127.0.0.1:${port}`, database.key)
      yield* Effect.scoped(
        Effect.zipRight(
          startCompiledService(environment),
          Effect.forEach([steady, faulty], (receiver) => createEndpoint(api, receiver))
        )
      )
      const running = yield* Effect.fork(
        Effect.forEach(
          Array.from({ length: scale.connections }, (_, nth) => nth),
          (nth) => Effect.exit(playConnection(api, nth)),
          { concurrency: clients }
        )
      )
      const countAttempts = () => steady.attempts.length + faulty.attempts.length
      let kills = 0
      while (kills < scale.minimumKills || (yield* Fiber.poll(running))._tag === "None") {
        // By what has come, so that each process gets something done on a slow machine too.
        const due = countAttempts() + Math.ceil(random() * scale.mostAttemptsPerLife)
        const hasCome = Effect.repeat(Effect.delay(Effect.sync(countAttempts), "5 millis"), {
          until: (now) => now >= due
        })
        yield* Effect.scoped(
          Effect.zipRight(startCompiledService(environment), Effect.timeoutOption(hasCome, scale.longestLife))
        )
        kills += 1
        yield* Effect.logInfo("Killed").pipe(Effect.annotateLogs({ kills, attempts: countAttempts() }))
      }
      yield* startCompiledService(environment)
      const outcomes = yield* Fiber.join(running)
      const broken = outcomes.flatMap((outcome) => (Exit.isFailure(outcome) ? [String(outcome.cause)] : []))
      const ids = outcomes.flatMap((outcome) => (Exit.isSuccess(outcome) ? [outcome.value] : []))
      yield* Effect.repeat(Effect.delay(countPending(database), "500 millis"), { until: (pending) => pending === 0 })
      const timelines = new Map(yield* Effect.forEach(ids, (id) => readTimeline(api, id), { concurrency: 16 }))
      const faultsPerReceiver = [steady, faulty].map((receiver) => findEventFaults(timelines, receiver.events))
      const foundIn = (kind: keyof EventFaults) => faultsPerReceiver.flatMap((faults) => faults[kind])
      const failed = yield* countFailed(database)
      const transitions = [...timelines.values()].reduce((sum, steps) => sum + steps.length, 0)
      return {
        figures: {
          transitions,
          kills,
          steady: summarize(steady),
          faulty: summarize(faulty),
          lost: foundIn("lost").slice(0, 10),
          surplus: foundIn("surplus").slice(0, 10),
          disordered: foundIn("disordered").slice(0, 10),
          misleading: foundIn("misleading").slice(0, 10),
          broken: broken.slice(0, 5)
        },
        targets: [
          expectNone("events lost", foundIn("lost")),
          expectNone("events of no transition", foundIn("surplus")),
          expectNone("connections whose versions do not tell the order", foundIn("disordered")),
          expectNone("connections of which the last event by version is not the last", foundIn("misleading")),
          expectNone("requests with a wrong signature", [...steady.unsigned, ...faulty.unsigned]),
          expectNone("clients that failed", broken),
          expectNone("deliveries that were given up", Array.from({ length: failed })),
          { kind: "gate" as const, what: "transitions", value: transitions, atLeast: 3 * scale.connections },
          { kind: "gate" as const, what: "kills", value: kills, atLeast: scale.minimumKills }
        ]
      }
    }).pipe(Effect.orDie)
  )

interface ProofScale {
  /** Each makes three transitions with an event. */
  readonly connections: number
  readonly minimumKills: number
  /** After how many attempts at the receivers a process is killed at most. */
  readonly mostAttemptsPerLife: number
  /** When it is killed without as many too: on a busy machine starting and taking over takes seconds of each life. */
  readonly longestLife: Duration.DurationInput
  /** How often a first attempt fails, by the fault. */
  readonly firstFaults: Readonly<Record<ReceiverFault, number>>
  /** How often a second one fails, after which the next one comes in five minutes. */
  readonly secondFault: number
}

const full: ProofScale = {
  connections: 3_334,
  minimumKills: 60,
  mostAttemptsPerLife: 600,
  longestLife: "60 seconds",
  firstFaults: { status: 0.05, cut: 0.03, silence: 0.002 },
  secondFault: 0.01
}

/** Without what costs minutes: receivers that do not answer, and second failures. */
const short: ProofScale = {
  connections: 150,
  minimumKills: 4,
  mostAttemptsPerLife: 200,
  longestLife: "20 seconds",
  firstFaults: { status: 0.05, cut: 0.03, silence: 0 },
  secondFault: 0
}

const clients = 48

const zones = Array.from({ length: 10 }, (_, nth) => `events${nth}.com`)

const lines = "www A 192.0.2.10"

const chooseFault = (
  at: number,
  attempt: number,
  { firstFaults, secondFault }: ProofScale
): ReceiverFault | undefined => {
  if (attempt === 2) return at < secondFault ? "status" : undefined
  if (attempt > 2) return undefined
  const { cut, silence, status } = firstFaults
  if (at < status) return "status"
  if (at < status + cut) return "cut"
  return at < status + cut + silence ? "silence" : undefined
}

/** Lets a receiver get every event. */
export const createEndpoint = (api: ApiClient, receiver: FaultyReceiver) =>
  Effect.map(api.post("/v1/webhook-endpoints", { url: receiver.url }), ({ body }) => receiver.useSecret(body.secret))

/** On a busy machine a process may be killed several times before it has answered a request. */
const persist = (request: Effect.Effect<ApiResponse, UnansweredRequest>) => retryUntilAnswered(request, "10 minutes")

/** Creates a connection, of which each second domain is not registered, and cancels it once it waits or has failed. */
const playConnection = (api: ApiClient, nth: number) =>
  Effect.gen(function* () {
    const domain = nth % 2 === 0 ? `c${nth}.${zones[(nth / 2) % zones.length]}` : `unregistered-${nth}.com`
    const intent = { domain, records: [{ host: "shop", type: "CNAME", value: "web.hostprov.net" }] }
    // The answer comes with the plan, unless the service is killed meanwhile: polling would take most of its processor time.
    const created = yield* persist(
      api.post("/v1/connections", { intent }, { "idempotency-key": domain, prefer: "wait=10" })
    )
    const { id, state } = created.body.connection
    if (state === "requested")
      yield* persist(api.get(`/v1/connections/${id}`)).pipe(
        Effect.delay("1 second"),
        Effect.repeat({ until: ({ body }) => body.connection.state !== "requested" })
      )
    yield* persist(api.post(`/v1/connections/${id}/cancel`, {}, { "idempotency-key": `${domain}-cancel` }))
    return String(id)
  })

const readTimeline = (api: ApiClient, id: string) =>
  Effect.map(
    persist(api.get(`/v1/connections/${id}/events?limit=100`)),
    ({ body }) => [id, body.events as ReadonlyArray<TimelineStep>] as const
  )

/** How many deliveries are not over. */
export const countPending = (database: ProofDatabase) =>
  database.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ readonly count: number }>`
        select count(*)::int as count from webhook_deliveries where status = 'pending'`
    ).pipe(Effect.map(([row]) => row?.count))
  )

const countFailed = (database: ProofDatabase) =>
  database.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ readonly count: number }>`
        select count(*)::int as count from webhook_deliveries where status = 'failed'`
    ).pipe(Effect.map(([row]) => row?.count ?? 0))
  )

/** The figures of a receiver: delays are from the commit of the transition to the first attempt. */
const summarize = ({ attempts }: FaultyReceiver) => {
  const delays = attempts
    .filter(({ attempt }) => attempt === 1)
    .map(({ delayMillis }) => delayMillis)
    .toSorted((first, second) => first - second)
  const percentile = (share: number) => delays[Math.ceil(share * delays.length) - 1]
  const ids = new Set(attempts.map(({ webhookId }) => webhookId))
  return {
    events: ids.size,
    attempts: attempts.length,
    faults: countEach(attempts.flatMap(({ fault }) => fault ?? [])),
    repetitions: attempts.length - ids.size,
    firstAttemptMillis: { p50: percentile(0.5), p99: percentile(0.99), max: delays.at(-1) }
  }
}
