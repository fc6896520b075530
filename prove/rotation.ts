import { SqlClient } from "@effect/sql"
import { Effect, Exit, Fiber, Ref } from "effect"
import { startProgram } from "../test/cli/commandLine.ts"
import { freePort } from "../test/support/freePort.ts"
import { Lab } from "../test/support/lab/Lab.ts"
import { labEnvironment, labPowerDns } from "../test/support/labService.ts"
import { masterKey } from "../test/support/masterKeys.ts"
import { bearerTokenProxy } from "../test/support/bearerTokenProxy.ts"
import { startOAuthServer } from "../test/support/TestOAuthServer.ts"
import { makeApiClient, type RequestListener } from "./ApiClient.ts"
import { createProofDatabase, type ProofDatabase } from "./ProofDatabase.ts"
import { expectNone, type ProofResult } from "./ProofResult.ts"
import { countEach } from "./countEach.ts"
import { startFaultyReceiver } from "./events/FaultyReceiver.ts"
import { createZones } from "./proofZones.ts"
import { type Customer, journeyOf } from "./rotation/customerJourneys.ts"
import { startLoadBalancer } from "./rotation/loadBalancer.ts"
import { startRotatingProcess } from "./rotation/RotatingProcess.ts"

/**
 * Rotates the master key of three processes as `docs/operations.md` says, and then carelessly, while customers connect by
 * credentials and OAuth: no customer has to authorize again, no event is lost, and no request fails.
 */
export const rotation: Effect.Effect<ProofResult, never, Lab> = Effect.scoped(
  Effect.gen(function* () {
    const lab = yield* Lab
    yield* createZones(lab, zones, "www A 192.0.2.10")
    const database = yield* createProofDatabase
    const receiver = yield* startFaultyReceiver(() => undefined)
    const publicUrl = `http://127.0.0.2:${freePort()}`
    const oauth = yield* startOAuthServer({ redirectUri: `${publicUrl}/v1/oauth/callback` })
    const { url: proxyUrl } = yield* bearerTokenProxy(oauth, lab.pdns)
    const oauthProvider = {
      ...labPowerDns,
      id: "lab-oauth",
      name: "PowerDNS with OAuth",
      nameServers: ["glued.com"],
      settings: { baseUrl: proxyUrl },
      oauth: oauth.settings
    }
    const environment = yield* labEnvironment([labPowerDns, oauthProvider], {
      DATABASE_URL: database.url,
      CLUSTER: "true",
      PUBLIC_URL: publicUrl,
      OUTBOUND_ALLOW: "127.0.0.0/8",
      CONNECTIONS_PER_TENANT: "0",
      CONNECTIONS_PER_DOMAIN: "0",
      OPEN_DISCOVERIES_PER_TENANT: "0",
      IDEMPOTENCY_PER_TENANT_MIB: "0",
      STORAGE_PER_TENANT_MIB: "0"
    })
    const processes = yield* Effect.replicateEffect(startRotatingProcess(environment, masterKey(1)), 3)
    yield* startLoadBalancer(
      publicUrl,
      processes.map(({ url }) => url)
    )

    const statuses: Array<string> = []
    const listen: RequestListener = ({ path, response }) => {
      if (response === undefined || response.status >= 500)
        statuses.push(
          response?.status === 503
            ? "503"
            : `${response?.status ?? "no answer"} ${response?.body?.error?.code} ${path.replace(/con_\w+/, "id")}`
        )
    }
    const api = makeApiClient(publicUrl, database.key, listen)
    const { body } = yield* api.post("/v1/webhook-endpoints", { url: receiver.url })
    receiver.useSecret(body.secret)

    const step = yield* Ref.make("before")
    const isOver = yield* Ref.make(false)
    const ended = yield* Ref.make(0)
    /** The step in which the current journey of each client began. */
    const underWay = new Map<number, string>()
    const customer = (client: number): Customer => ({ api, publicUrl, credential: { apiToken: lab.pdns.key }, client })
    const play = (client: number) =>
      Effect.gen(function* () {
        const journeys: Array<PlayedJourney> = []
        for (let nth = 0; !(yield* Ref.get(isOver)); nth += 1) {
          const startedIn = yield* Ref.get(step)
          const startedAt = performance.now()
          underWay.set(client, startedIn)
          const exit = yield* Effect.exit(
            Effect.tapErrorCause(journeyOf(customer(client), nth, zones), (cause) => Effect.logWarning(cause))
          )
          yield* Ref.update(ended, (count) => count + 1)
          journeys.push({ startedIn, exit, millis: performance.now() - startedAt })
        }
        return journeys
      })
    const playing = yield* Effect.fork(
      Effect.forEach(
        Array.from({ length: clients }, (_, nth) => nth),
        play,
        { concurrency: "unbounded" }
      )
    )
    /** Makes a change, after which customers of each kind have to get through. */
    const during = (name: string, change: Effect.Effect<unknown>) =>
      Effect.gen(function* () {
        yield* Ref.set(step, name)
        yield* Effect.logInfo(name)
        yield* change
        const awaited = (yield* Ref.get(ended)) + journeysPerStep
        yield* Effect.repeat(Effect.delay(Ref.get(ended), "100 millis"), { until: (count) => count >= awaited })
      })
    const rollOut = (keys: string) => Effect.forEach(processes, ({ restart }) => restart(keys))
    const reseal = (keys: string) =>
      runProgramIn("../src/cli.ts", ["credentials", "reseal"], { ...environment, MASTER_KEY: keys })
    const startWith = (keys: string) =>
      runProgramIn("../src/main.ts", [], { ...environment, PORT: "0", MASTER_KEY: keys })

    yield* during("the first key alone", Effect.void)
    yield* during("the second key for reading", rollOut(masterKey(1, 2)))
    yield* during("the second key seals", rollOut(masterKey(2, 1)))
    yield* during("resealed", reseal(masterKey(2, 1)))
    const tooEarly = yield* startWith(masterKey(2))
    const hasNobodyOfBefore = Effect.sync(() => [...underWay.values()].every((startedIn) => startedIn === "resealed"))
    yield* Effect.repeat(Effect.delay(hasNobodyOfBefore, "200 millis"), { until: (isSo) => isSo })
    yield* during("the first key removed", Effect.zipRight(letDayPass(database), rollOut(masterKey(2))))
    // The careless order: the first process seals with a key that the others do not have for a while.
    const [first, ...others] = processes
    yield* during("a third key seals in one process", first?.restart(masterKey(3, 2)) ?? Effect.void)
    yield* during(
      "the third key seals everywhere",
      Effect.forEach(others, ({ restart }) => restart(masterKey(3, 2)))
    )
    yield* Ref.set(isOver, true)
    const journeys = (yield* Fiber.join(playing)).flat()
    yield* Effect.repeat(Effect.delay(countPending(database), "500 millis"), { until: (pending) => pending === 0 })
    const events = yield* listEvents(database)
    const received = new Set(receiver.attempts.map(({ webhookId }) => webhookId))
    const failures = journeys.flatMap(({ exit, startedIn }) =>
      Exit.isFailure(exit) ? [`${startedIn}: ${String(exit.cause)}`] : []
    )
    const lost = events.filter((id) => !received.has(id))
    const askedAgain = yield* listAskedAgain(database)
    const errors = statuses.filter((status) => status !== "503")
    const perStep = countEach(journeys.map(({ startedIn }) => startedIn))
    return {
      figures: {
        journeys: journeys.length,
        perStep,
        slowestMillis: Object.fromEntries(
          [...Map.groupBy(journeys, ({ startedIn }) => startedIn)].map(([name, played]) => [
            name,
            Math.round(Math.max(...played.map(({ millis }) => millis)))
          ])
        ),
        askedToTryAgain: statuses.length - errors.length,
        events: events.length,
        refusedStart: tooEarly.err.trim().split("\n").at(-1),
        failures: failures.slice(0, 5),
        errors: countEach(errors),
        askedAgain
      },
      targets: [
        expectNone("customers whose connection failed", failures),
        expectNone("customers who had to authorize again", askedAgain),
        expectNone("requests with another error than 503", errors),
        expectNone("events lost", lost),
        expectNone("requests with a wrong signature", receiver.unsigned),
        {
          kind: "gate" as const,
          what: "starts without a key that is still needed",
          value: tooEarly.code === 1 ? 0 : 1,
          atMost: 0
        },
        {
          kind: "gate" as const,
          what: "customers in all steps",
          value: journeys.length,
          atLeast: 7 * journeysPerStep
        }
      ]
    }
  }).pipe(Effect.orDie)
)

interface PlayedJourney {
  /** The step of the rotation in which it began. */
  readonly startedIn: string
  readonly exit: Exit.Exit<void, unknown>
  readonly millis: number
}

const clients = 4

/** How many journeys end after each step before the next one: some of each kind that began before it, and some after it. */
const journeysPerStep = 12

const zones = Array.from({ length: 6 }, (_, nth) => `rotation${nth}.com`)

const runProgramIn = (program: string, args: ReadonlyArray<string>, environment: Readonly<Record<string, string>>) =>
  Effect.scoped(
    Effect.flatMap(startProgram(`${import.meta.dir}/${program}`, args, environment), ({ result }) => result)
  )

/** What was kept for a day under the first key becomes older than that. */
const letDayPass = (database: ProofDatabase) =>
  database.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`
        update idempotency_keys set created_at = created_at - interval '25 hours'
        where split_part(fingerprint, ':', 1) <> (
          select split_part(fingerprint, ':', 1) from idempotency_keys order by created_at desc limit 1)`
    )
  )

const countPending = (database: ProofDatabase) =>
  Effect.map(
    database.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql<{ readonly count: number }>`
          select count(*)::int as count from webhook_deliveries where status = 'pending'`
      )
    ),
    ([row]) => row?.count
  )

const listEvents = (database: ProofDatabase) =>
  Effect.map(
    database.run(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql<{ readonly id: string }>`select id from webhook_events`)
    ),
    (rows) => rows.map(({ id }) => id)
  )

/** The connections that waited for an authorization more than once. */
const listAskedAgain = (database: ProofDatabase) =>
  Effect.map(
    database.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql<{ readonly id: string }>`
          select connection_id as id from connection_events where to_state = 'awaiting_authorization'
          group by connection_id having count(*) > 1`
      )
    ),
    (rows) => rows.map(({ id }) => id)
  )
