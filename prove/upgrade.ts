import { SqlClient } from "@effect/sql"
import { Effect, Redacted, Schedule, Scope } from "effect"
import { execFileSync } from "node:child_process"
import { roundToThreeDigits, type Target } from "../bench/Report.ts"
import { databasePoolAt, toSocketUrl } from "../src/persistence/postgres/databasePool.ts"
import { Lab } from "../test/support/lab/Lab.ts"
import { labEnvironment, labPowerDns } from "../test/support/labService.ts"
import { startService, startServiceOf } from "../test/support/serviceProcess.ts"
import { createDatabase, type TestDatabase } from "../test/support/TestPostgres.ts"
import { type ApiClient, makeApiClient } from "./ApiClient.ts"
import { authorizeAndApprove, ConnectionStepFailed, type DesiredConnection, waitForState } from "./connectionSteps.ts"
import { gateAtMost } from "./responsive/ProbeSummary.ts"
import type { ProofOptions } from "./ProofOptions.ts"
import { expectNone, type ProofResult } from "./ProofResult.ts"
import { createZones, recordsFor, typicalLines } from "./proofZones.ts"
import { copiedName, copiedTenant } from "./upgrade/copiedConnection.ts"
import { multiplyConnection } from "./upgrade/multiplyConnections.ts"
import { checkOutOlderVersion, type OlderVersion } from "./upgrade/OlderVersion.ts"
import { type LoadFigures, startRequestLoad } from "./upgrade/RequestLoad.ts"

export const upgradeHelp = "upgrade [--from=<tag or commit>] [--short]"

const domain = `${copiedName}.com`

/**
 * Upgrades a process of an older version that serves requests to this version, as an operator does without a pause: the new
 * one starts beside it, then the old one stops. Once alone, and once while a session holds the locks of a dump.
 */
export const upgrade = ({ from, isShort, seed }: ProofOptions): Effect.Effect<ProofResult, never, Lab> =>
  Effect.scoped(
    Effect.gen(function* () {
      const lab = yield* Lab
      yield* createZones(lab, [domain], typicalLines)
      const older = yield* checkOutOlderVersion(from)
      const connections = isShort ? 2_000 : 200_000
      const context = yield* Effect.context<Lab>()
      const fill = (database: TestDatabase) =>
        Effect.provide(fillDatabase(older, database, connections), context).pipe(Effect.scoped)
      const alone = yield* Effect.scoped(upgradeUnderLoad(older, yield* createDatabase(fill), seed, Effect.void))
      const database = yield* createDatabase(fill)
      const besideDump = yield* Effect.scoped(upgradeUnderLoad(older, database, seed, holdLocksOfDump(database)))
      return {
        figures: { from: older.description, connections, alone, besideDump },
        targets: [
          ...targetsOf("alone", alone),
          ...targetsOf("beside a dump", besideDump),
          expectNone("dumps that the log did not name", besideDump.namesDump ? [] : ["pg_dump"])
        ]
      }
    })
  ).pipe(Effect.orDie)

const targetsOf = (when: string, { pendingAfterwards, replacing, starting }: UpgradeFigures): ReadonlyArray<Target> => [
  expectNone(`requests that failed twice, ${when}`, [...starting.failed, ...replacing.failed]),
  gateAtMost(`longest wait of a request while the new version starts, ${when}, ms`, starting.longestMillis, 1_000),
  gateAtMost(`longest wait of a request while the old one is replaced, ${when}, ms`, replacing.longestMillis, 1_000),
  expectNone(`migrations that are pending afterwards, ${when}`, pendingAfterwards)
]

interface UpgradeFigures {
  readonly pendingBefore: number
  readonly pendingAfterwards: ReadonlyArray<string>
  /** From the start of the new process until it answers. */
  readonly startSeconds: number
  readonly before: LoadFigures
  /** While only the old process served requests, and the new one started. */
  readonly starting: LoadFigures
  /** While both did, and then the new one alone. */
  readonly replacing: LoadFigures
  readonly namesDump: boolean
}

const upgradeUnderLoad = (
  older: OlderVersion,
  database: TestDatabase,
  seed: number,
  disturbance: Effect.Effect<void, unknown, Scope.Scope>
) =>
  Effect.gen(function* () {
    const environment = yield* environmentOn(database)
    const old = yield* startServiceOf(older.directory)(environment)
    const load = yield* startRequestLoad({
      urls: [old.url],
      key: createKey(older.directory, environment),
      seed,
      ids: yield* findIds(database),
      domain
    })
    yield* Effect.sleep("5 seconds")
    yield* load.takeFigures
    yield* Effect.sleep("15 seconds")
    const before = yield* load.takeFigures
    const { pending } = yield* check(environment)
    yield* disturbance
    const startedAt = performance.now()
    const current = yield* startService({ ...environment, LOG_LEVEL: "warning" })
    const starting = yield* load.takeFigures
    const startSeconds = roundToThreeDigits((performance.now() - startedAt) / 1_000)
    yield* load.sendTo([old.url, current.url])
    yield* Effect.sleep("5 seconds")
    yield* load.sendTo([current.url])
    yield* Effect.sleep("1 second")
    yield* old.end("SIGTERM")
    yield* Effect.sleep("10 seconds")
    const replacing = yield* load.takeFigures
    const figures: UpgradeFigures = {
      pendingBefore: pending.length,
      pendingAfterwards: (yield* check(environment)).pending,
      startSeconds,
      before,
      starting,
      replacing,
      namesDump: current.output().includes("pg_dump")
    }
    return figures
  })

const environmentOn = (database: TestDatabase) =>
  labEnvironment([labPowerDns], {
    DATABASE_URL: toSocketUrl(database),
    CLUSTER: "true",
    CONNECTIONS_PER_DOMAIN: "100000",
    CONNECTIONS_PER_TENANT: "100000",
    // The load creates faster than a busy machine discovers.
    OPEN_DISCOVERIES_PER_TENANT: "0"
  })

/** The tables of the older version, with copies of two connections that it has made: one active, one that waits. */
const fillDatabase = (older: OlderVersion, database: TestDatabase, connections: number) =>
  Effect.gen(function* () {
    const { pdns } = yield* Lab
    const environment = yield* environmentOn(database)
    const service = yield* startServiceOf(older.directory)(environment)
    const api = makeApiClient(service.url, createKey(older.directory, environment))
    const desired = {
      domain,
      idempotencyKey: "active",
      records: recordsFor(domain),
      credential: { apiToken: pdns.key }
    }
    const active = yield* requestConnection(api, desired)
    yield* authorizeAndApprove(api, active, desired)
    yield* waitForState(api, active.id, ["active"])
    const waiting = yield* requestConnection(api, {
      ...desired,
      idempotencyKey: "waiting",
      records: [{ host: "later", type: "CNAME", value: "web.hostprov.net" }]
    })
    yield* service.end("SIGTERM")
    const half = connections / 2
    yield* on(
      database,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* multiplyConnection(active.id, { from: 1, to: half })
        yield* multiplyConnection(waiting.id, { from: half + 1, to: connections })
        yield* sql.unsafe("vacuum analyze")
      })
    )
  })

/** Requests a connection as every version allows it, and waits for its plan. */
const requestConnection = (api: ApiClient, { domain, idempotencyKey, records }: DesiredConnection) =>
  api.post("/v1/connections", { intent: { domain, records } }, { "idempotency-key": idempotencyKey }).pipe(
    Effect.filterOrFail(
      ({ status }) => status === 201,
      ({ body }) => new ConnectionStepFailed({ at: "create", response: body })
    ),
    Effect.flatMap(({ body }) => waitForState(api, body.connection.id, ["awaiting_authorization"]))
  )

const on = <A, E>(database: TestDatabase, effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(effect, databasePoolAt(Redacted.make(toSocketUrl(database)), 2))

const findIds = (database: TestDatabase) =>
  Effect.map(
    on(
      database,
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql<{ readonly id: string }>`
          select id from connections where tenant_id = ${copiedTenant} order by md5(id) limit 200`
      )
    ),
    (rows) => rows.map(({ id }) => id)
  )

/** Locks all tables as `pg_dump` does while it reads them: for twenty seconds, and again five seconds later. */
const holdLocksOfDump = (database: TestDatabase) =>
  Effect.forkScoped(
    on(
      database,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const session = yield* sql.reserve
        const dump = Effect.gen(function* () {
          const tables = yield* sql<{ readonly name: string }>`
            select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`
          const names = tables.map(({ name }) => name).join(", ")
          yield* session.executeRaw(
            `begin isolation level repeatable read, read only; set local application_name = pg_dump;
            lock table ${names} in access share mode; select 1`,
            []
          )
          yield* Effect.sleep("20 seconds")
          yield* session.executeRaw("commit", [])
        })
        yield* Effect.repeat(dump, Schedule.spaced("5 seconds"))
      }).pipe(Effect.scoped)
    )
  ).pipe(Effect.zipRight(Effect.sleep("1 second")))

type ServiceEnvironment = Readonly<Record<string, string>>

const runCommand = (directory: string, environment: ServiceEnvironment, args: ReadonlyArray<string>): string =>
  execFileSync(process.execPath, ["run", `${directory}/src/cli.ts`, ...args], {
    env: { PATH: process.env["PATH"], ...environment },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"]
  })

const createKey = (directory: string, environment: ServiceEnvironment): string =>
  JSON.parse(
    runCommand(directory, environment, ["keys", "create", "--application", "proof", "--tenant", copiedTenant, "--json"])
  ).key

/** What `migrate --check` of this version says, beside the service. */
const check = (environment: ServiceEnvironment) =>
  Effect.tryPromise(async () => {
    const command = Bun.spawn(
      [process.execPath, "run", `${import.meta.dir}/../src/cli.ts`, "migrate", "--check", "--json"],
      {
        env: { PATH: process.env["PATH"] ?? "", ...environment },
        stderr: "ignore"
      }
    )
    const found: { readonly pending: ReadonlyArray<string> } = JSON.parse(await new Response(command.stdout).text())
    return found
  })
