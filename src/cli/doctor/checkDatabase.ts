import { SqlClient } from "@effect/sql"
import { Array, DateTime, Effect, identity, Layer, Option, type Redacted, Schema } from "effect"
import { readSqlErrorReason } from "../../persistence/StoreUnavailable.ts"
import { commandDatabaseAsFound } from "../../persistence/commandDatabase.ts"
import { tryWrite, type WriteProblem } from "../../persistence/postgres/DatabaseReadiness.ts"
import { findObstacles } from "../../persistence/postgres/sessionsInTheWay.ts"
import { listLiveVersions } from "../../persistence/postgres/LiveProcesses.ts"
import { checkUpgrade } from "../../persistence/postgres/migrate.ts"
import { MasterKeyStore } from "../../persistence/stores/access/MasterKeyStore.ts"
import { serviceInstance } from "../../runtime/serviceInstance.ts"
import { type MasterKeyRing, MasterKeys } from "../../security/MasterKeys.ts"
import { checkFittingKeys } from "../../security/requireFittingKeys.ts"
import { fail, type DoctorFinding, ok, warn } from "./DoctorFinding.ts"

interface DatabaseSettings {
  readonly databaseUrl: Option.Option<Redacted.Redacted>
  readonly dataDirectory: string
  readonly masterKeys: Option.Option<MasterKeyRing>
  readonly databaseConnections: number
  readonly isClustered: boolean
}

/** Checks the database as it is, the master key, and who works on it. It changes nothing. */
export const checkDatabase = (settings: DatabaseSettings) =>
  Effect.gen(function* () {
    const facts = yield* readFacts
    const writes = yield* checkWrites
    const locks = yield* checkLocks
    const tables = yield* checkTables
    const isCurrent = tables.status === "ok"
    return [
      ok("database", `PostgreSQL ${facts.version}, whose sessions are kept`),
      tables,
      checkRights(facts),
      writes,
      checkEncryption(facts),
      checkClock(facts),
      checkConnections(facts, settings),
      locks,
      ...(isCurrent ? [yield* checkKeys(settings), yield* checkProcesses] : [])
    ]
  }).pipe(
    Effect.provide(commandDatabaseAsFound(settings)),
    Effect.catchTags({
      NoDatabase: ({ message }) =>
        Effect.succeed([warn("database", message, "Start the service once, or set DATABASE_URL.")]),
      SqlError: (error) => Effect.succeed([unusable(readSqlErrorReason(error))])
    }),
    Effect.catchAll(({ message }) => Effect.succeed([unusable(message)]))
  )

const unusable = (reason: string) =>
  fail(
    "database",
    reason,
    // As a server says that begins no session because its disk is full.
    reason.includes("No space left on device")
      ? writeProblems.disk[1]
      : "Check DATABASE_URL, and that the server runs and lets this machine in."
  )

const DatabaseFacts = Schema.Struct({
  version: Schema.String,
  canCreateTables: Schema.Boolean,
  ownsTables: Schema.Boolean,
  canCreateTestSchema: Schema.Boolean,
  isEncrypted: Schema.Boolean,
  isLocal: Schema.Boolean,
  millis: Schema.Number,
  freeConnections: Schema.Int
})
type DatabaseFacts = typeof DatabaseFacts.Type & { readonly aheadMillis: number }

const readFacts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const sentAt = yield* DateTime.now
  const rows = yield* sql`
    select current_setting('server_version') as version,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as "canCreateTables",
      not exists (select from pg_tables where schemaname = current_schema() and tablename = 'connections'
        and not pg_has_role(tableowner, 'usage')) as "ownsTables",
      to_regnamespace('domain_connection_test') is not null
        or has_database_privilege(current_database(), 'create') as "canCreateTestSchema",
      coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as "isEncrypted",
      coalesce(inet_server_addr() <<= inet '127.0.0.0/8' or inet_server_addr() = inet '::1', true) as "isLocal",
      (extract(epoch from clock_timestamp()) * 1000)::float8 as millis,
      (select least(
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true)::int, 0) - count(*),
        (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
          - count(*) filter (where datname = current_database()),
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user)
          - count(*) filter (where usename = current_user))::int
        from pg_stat_activity where datid is not null) as "freeConnections"`
  const answeredAt = yield* DateTime.now
  const facts = Array.headNonEmpty(yield* decodeFacts(rows))
  return { ...facts, aheadMillis: facts.millis - (sentAt.epochMillis + answeredAt.epochMillis) / 2 }
})

const decodeFacts = (rows: unknown) => Effect.orDie(Schema.decodeUnknown(Schema.NonEmptyArray(DatabaseFacts))(rows))

const checkTables = checkUpgrade.pipe(
  Effect.map(({ newest, pending }) => {
    if (Option.isNone(newest))
      return warn("tables", "there are none yet", "Run `migrate`, or start the service, which makes them.")
    return pending.length === 0
      ? ok("tables", `up to date: ${newest.value}`)
      : warn(
          "tables",
          `${newest.value}, and ${pending.length} of this version are pending`,
          "Run `migrate --check`, then `migrate`."
        )
  }),
  Effect.catchTags({
    PostgresTooOld: ({ message }) => Effect.succeed(fail("tables", message, "Upgrade PostgreSQL.")),
    SchemaTooNew: ({ message }) =>
      Effect.succeed(fail("tables", message, "Use the newer version, or restore the backup from before the upgrade."))
  })
)

const checkRights = ({ canCreateTables, canCreateTestSchema, ownsTables }: DatabaseFacts): DoctorFinding => {
  if (!ownsTables)
    return fail("rights", "the tables belong to another role", "Connect as their owner: migrations change them.")
  if (!canCreateTables) return fail("rights", "the role may not create tables", "Grant the role CREATE on the schema.")
  return canCreateTestSchema
    ? ok("rights", "the role may create and change the tables")
    : warn("rights", "the role may not create the schema of test mode", "Grant the role CREATE on the database.")
}

/** Tries a write that leaves nothing behind. */
const checkWrites = Effect.scoped(
  Effect.flatMap(SqlClient.SqlClient, ({ reserve }) => Effect.flatMap(reserve, tryWrite))
).pipe(
  Effect.timeoutTo({
    duration: "4 seconds",
    onTimeout: (): Option.Option<WriteProblem> => Option.some("writes"),
    onSuccess: identity
  }),
  Effect.map(
    Option.match({
      onNone: () => ok("writes", "the database takes them"),
      onSome: (problem) => fail("writes", ...writeProblems[problem])
    })
  )
)

/** What is found, and the next step. */
const writeProblems: Readonly<Record<WriteProblem, readonly [found: string, next: string]>> = {
  disk: ["the disk of the database is full or broken", 'See "The database is full" in docs/runbook.md.'],
  read_only: ["the database accepts no writes", "Set DATABASE_URL to the primary server, or free its disk."],
  writes: ["writes do not end", "See whether its disk hangs, or its synchronous standby is down."]
}

const checkEncryption = ({ isEncrypted, isLocal }: DatabaseFacts): DoctorFinding =>
  isEncrypted || isLocal
    ? ok("encryption", isEncrypted ? "by TLS" : "none is needed on this machine")
    : warn("encryption", "the database is on another machine, without TLS", "Add sslmode=verify-full to DATABASE_URL.")

const checkClock = ({ aheadMillis }: DatabaseFacts): DoctorFinding =>
  Math.abs(aheadMillis) < maxAheadMillis
    ? ok("clock", "that of this machine agrees with the database's")
    : warn(
        "clock",
        `the database's is ${Math.round(aheadMillis / 1_000)} s ahead of that of this machine`,
        "Synchronize both by NTP: the service goes by the database's, certificates by the machine's."
      )

const maxAheadMillis = 5_000

const checkConnections = (
  { freeConnections }: DatabaseFacts,
  { databaseConnections, isClustered }: DatabaseSettings
): DoctorFinding => {
  // Those of test mode, and those that listen to the other processes, in each environment.
  const needed = databaseConnections + 6 + (isClustered ? 2 : 0)
  const found = `${Math.max(0, freeConnections)} are free, and a new process uses up to ${needed}`
  return freeConnections >= needed
    ? ok("connections to the database", found)
    : warn("connections to the database", found, "Raise max_connections, or lower DATABASE_CONNECTIONS.")
}

/** Looks for two seconds, since statements of the service wait for a second, and again a second later. */
const lookForObstacles = Effect.repeat(Effect.delay(findObstacles, "100 millis"), {
  times: 20,
  until: (sessions) => sessions.length > 0
})

const checkLocks = Effect.map(lookForObstacles, (sessions): DoctorFinding => {
  if (sessions.length === 0) return ok("locks", "no session waits for another one")
  const named = sessions.map(
    ({ application, pid, transactionStartedAt, user }) =>
      `${application} (pid ${pid}, user ${user}), whose transaction began at ${transactionStartedAt}`
  )
  return warn("locks", `sessions wait for ${named.join(", and for ")}`, "End what this program does, or the session.")
})

const checkKeys = ({ dataDirectory, masterKeys }: DatabaseSettings) =>
  Effect.zipRight(checkFittingKeys, MasterKeys).pipe(
    Effect.provide(
      Layer.merge(
        MasterKeyStore.layer,
        MasterKeys.layer({ configured: masterKeys, dataDirectory, isFileRequired: true })
      )
    ),
    Effect.map(({ source }) => ok("master key", `${source} fits the database`)),
    Effect.catchAll((error) =>
      Effect.succeed(fail("master key", error.message, "Set MASTER_KEY as for the service; see docs/operations.md."))
    )
  )

const checkProcesses = Effect.map(listLiveVersions, (live): DoctorFinding => {
  const versions = [...new Set(live.map(({ version }) => version ?? "unknown"))].toSorted()
  if (live.length === 0) return ok("processes", "none works on this database")
  const found = `${live.length} of version ${versions.join(", ")}`
  return versions.every((version) => version === serviceInstance.version)
    ? ok("processes", found)
    : warn("processes", found, `Finish the upgrade: this is version ${serviceInstance.version}.`)
})
