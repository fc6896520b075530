import { FileSystem } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { Database, SQLiteError } from "bun:sqlite"
import { Context, Deferred, Effect, Layer, Redacted, Schedule } from "effect"
import { createHash } from "node:crypto"
import { connect } from "node:net"
import { closePostgresDirectory, openPostgresDirectory, type PostgresDirectory } from "./PostgresDirectory.ts"
import { installPostgres, type PostgresInstallation, postgresRole } from "./PostgresInstallation.ts"
import { EmbeddedPostgresUnavailable, postgresUser, spawnPostgres } from "./spawnPostgres.ts"

/**
 * A private PostgreSQL 18 in the data directory, behind a Unix socket and a password. It stops with the process that
 * started it, however that ends, and is restarted if it stops itself. A second process uses the server of the first
 * (`owner`); when that ends, which breaks all connections, it starts its own in the same place.
 */
export class EmbeddedPostgres extends Context.Tag("persistence/EmbeddedPostgres")<
  EmbeddedPostgres,
  {
    readonly socketDirectory: string
    readonly database: string
    readonly username: string
    readonly password: Redacted.Redacted
    readonly owner: "this process" | "another process"
  }
>() {
  static readonly layer = (settings: { readonly dataDirectory: string }) =>
    Layer.scoped(EmbeddedPostgres, open(settings.dataDirectory))
}

const database = "postgres"

const waitForServer = Schedule.exponential("5 millis", 1.3).pipe(
  Schedule.union(Schedule.spaced("250 millis")),
  Schedule.upTo("60 seconds")
)

const { directoryUnusable, startFailed } = EmbeddedPostgresUnavailable

const open = Effect.fnUntraced(
  function* (dataDirectory: string) {
    const home = yield* openPostgresDirectory(dataDirectory)
    const lock = yield* openLock(home)
    const owner = yield* findOwner(home, lock)
    yield* owner === "this process" ? serve(home) : Effect.forkScoped(takeOver(home, lock))
    const { password, socketDirectory } = home
    return { socketDirectory, database, username: postgresRole, password, owner }
  },
  (effect, dataDirectory) => {
    const unusable = ({ message }: PlatformError) =>
      directoryUnusable(`PostgreSQL cannot use the data directory ${dataDirectory}: ${message}`)
    return Effect.catchTags(effect, { SystemError: unusable, BadArgument: unusable })
  }
)

/** The lock is a SQLite transaction, because the kernel releases that when its process dies, however it died. */
const openLock = ({ directory }: PostgresDirectory) =>
  Effect.acquireRelease(
    Effect.try({ try: () => new Database(`${directory}/owner.lock`), catch: makeLockError }),
    (lock) => Effect.sync(() => lock.close())
  )

const tryLock = (lock: Database) =>
  Effect.try(() => lock.exec("begin exclusive")).pipe(
    Effect.as(true),
    Effect.catchAll(({ error }) =>
      error instanceof SQLiteError && error.code === "SQLITE_BUSY" ? Effect.succeed(false) : makeLockError(error)
    )
  )

const makeLockError = (cause: unknown) => directoryUnusable(`PostgreSQL's directory cannot be locked: ${cause}`)

/** This process runs the server if it gets the lock; else the process that holds the lock, once its server answers. */
const findOwner = Effect.fnUntraced(
  function* ({ directory, socketDirectory }: PostgresDirectory, lock: Database) {
    if (yield* tryLock(lock)) return "this process" as const
    if ((yield* requestSession(socketDirectory)) === "accepting") return "another process" as const
    return yield* startFailed(`Another process holds ${directory}, but its PostgreSQL does not accept connections`)
  },
  Effect.retry({ schedule: waitForServer, while: ({ reason }) => reason === "start_failed" })
)

/** Takes over the server of a process that dies, so that commands on one `DATA_DIR` go on; no library does this. */
const takeOver = Effect.fnUntraced(
  function* (home: PostgresDirectory, lock: Database) {
    yield* Effect.repeat(tryLock(lock), { until: (isLocked) => isLocked, schedule: Schedule.spaced("250 millis") })
    yield* Effect.logInfo("The process that ran PostgreSQL has ended; this process runs it from now on")
    yield* serve(home)
  },
  Effect.catchAll((error) => Effect.logError("Cannot take over PostgreSQL", error))
)

/** Runs the server while the scope is open, restarts it if it stops, and returns once it accepts connections. */
const serve = Effect.fnUntraced(function* (home: PostgresDirectory) {
  yield* closePostgresDirectory(home)
  const installation = yield* installPostgres(home)
  const accepting = yield* Deferred.make<void, EmbeddedPostgresUnavailable>()
  yield* run(installation, Deferred.succeed(accepting, undefined)).pipe(
    Effect.tapError((error) =>
      Effect.flatMap(Deferred.fail(accepting, error), (isFirst) =>
        isFirst ? Effect.void : Effect.logError("PostgreSQL stopped and is restarted", error)
      )
    ),
    Effect.retry(Schedule.spaced("1 second")),
    Effect.forkScoped
  )
  yield* Deferred.await(accepting)
})

const run = (at: PostgresInstallation, onAccepting: Effect.Effect<unknown>) =>
  Effect.gen(function* () {
    const environment = yield* endLeftover(at)
    yield* requirePassword(at, environment)
    const server = yield* spawnPostgres([`${at.program}/bin/postgres`, ...settings(at)], environment)
    const ended = Effect.flatMap(server.ended, ({ exitCode, lastLines }) =>
      startFailed(`PostgreSQL ended with code ${exitCode}: ${lastLines}`)
    )
    yield* Effect.raceFirst(ended, accepts(at.socketDirectory))
    yield* onAccepting
    return yield* ended
  }).pipe(Effect.scoped)

/** The server's settings. Its log may reach ours: only entries about the server, no contents of statements. */
const settings = ({ cluster, socketDirectory }: PostgresInstallation) =>
  [
    ["-D", cluster],
    ["-k", socketDirectory],
    ["-c", "listen_addresses="],
    ["-c", "log_min_messages=log"],
    ["-c", "log_checkpoints=off"]
  ].flat()

/**
 * Waits until a killed process's server has stopped, or stops it. Then the process id in its lock file means nothing,
 * even if another process has it: the returned variable, as pg_ctl sets it, makes PostgreSQL ignore it.
 */
const endLeftover = Effect.fnUntraced(function* (at: PostgresInstallation) {
  const fs = yield* FileSystem.FileSystem
  const lockFile = yield* Effect.orElseSucceed(fs.readFileString(`${at.cluster}/postmaster.pid`), () => "")
  const pid = Number.parseInt(lockFile, 10)
  if (!(pid > 0)) return {}
  yield* Effect.gen(function* () {
    if ((yield* requestSession(at.socketDirectory)) === "silent") return
    yield* Effect.ignore(signal(pid, "SIGINT"))
    return yield* startFailed(`The PostgreSQL that a killed process left behind (${pid}) does not stop`)
  }).pipe(Effect.retry(waitForServer))
  // The server removes the lock file last, after it has closed the socket.
  const isGone = Effect.flip(signal(pid, 0))
  yield* isGone.pipe(Effect.retry(Schedule.spaced("20 millis").pipe(Schedule.upTo("1 second"))), Effect.ignore)
  return { PG_GRANDPARENT_PID: `${pid}` }
})

const signal = (pid: number, name: "SIGINT" | 0) => Effect.try(() => process.kill(pid, name))

const accepts = (socketDirectory: string) =>
  Effect.gen(function* () {
    if ((yield* requestSession(socketDirectory)) === "accepting") return
    return yield* startFailed("PostgreSQL runs, but does not accept connections")
  }).pipe(Effect.retry(waitForServer))

/** Requests a session: the answer of the server begins with `R` if it would grant one to who knows the password. */
const requestSession = (socketDirectory: string) =>
  Effect.async<"accepting" | "refusing" | "silent">((resume) => {
    const socket = connect(`${socketDirectory}/.s.PGSQL.5432`, () => socket.write(startupMessage))
    socket.once("data", (answer) => {
      socket.destroy()
      resume(Effect.succeed(answer[0] === 0x52 ? "accepting" : "refusing"))
    })
    socket.once("close", () => resume(Effect.succeed("refusing")))
    socket.once("error", () => resume(Effect.succeed("silent")))
    return Effect.sync(() => socket.destroy())
  }).pipe(
    Effect.timeoutTo({ duration: "5 seconds", onSuccess: (state) => state, onTimeout: () => "refusing" as const })
  )

/** The startup message of protocol 3.0; the first four bytes are the length of the message. */
const startupMessage = Buffer.from(`\0\0\0\0\0\x03\0\0user\0${postgresRole}\0database\0${database}\0\0`)
startupMessage.writeUInt32BE(startupMessage.length)

/**
 * Makes a stopped server require the password. Clusters of older versions trusted everybody at the socket: they get one
 * before their start, and keep their data. `environment` is that of the server.
 */
const requirePassword = Effect.fnUntraced(
  function* ({ cluster, password, program }: PostgresInstallation, environment: Readonly<Record<string, string>>) {
    const fs = yield* FileSystem.FileSystem
    const rules = accessRules(password)
    const path = `${cluster}/pg_hba.conf`
    if ((yield* fs.readFileString(path)) === rules) return
    yield* setPassword(`${program}/bin/postgres`, cluster, {
      ...environment,
      STATEMENT: `alter role ${postgresRole} password '${Redacted.value(password)}'`
    })
    // The rules come last: until they are in place, the next start sets the password again.
    yield* fs.writeFileString(`${path}.new`, rules, { mode: 0o600 })
    if (postgresUser !== undefined) yield* fs.chown(`${path}.new`, postgresUser.uid, postgresUser.gid)
    yield* fs.rename(`${path}.new`, path)
  },
  Effect.catchTags({
    SystemError: ({ message }) => EmbeddedPostgresUnavailable.directoryUnusable(message),
    BadArgument: ({ message }) => EmbeddedPostgresUnavailable.directoryUnusable(message)
  })
)

/** The digest shows at the next start whether the role still has the password of the file. */
const accessRules = (password: Redacted.Redacted): string =>
  [
    "# Written by the service.",
    `# SHA-256 of the password: ${createHash("sha256").update(Redacted.value(password)).digest("hex")}`,
    "local all all scram-sha-256",
    ""
  ].join("\n")

/** Sets the password in single-user mode, in which nobody can connect. */
const setPassword = (postgres: string, cluster: string, environment: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const command = ["/bin/sh", "-c", singleUserMode, postgres, cluster]
    const { exitCode, lastLines } = yield* Effect.flatMap(spawnPostgres(command, environment), ({ ended }) => ended)
    if (exitCode === 0) return
    return yield* EmbeddedPostgresUnavailable.startFailed(
      `PostgreSQL cannot set its password and ended with code ${exitCode}: ${lastLines}`
    )
  }).pipe(Effect.scoped)

/** Reads the statement, which has the password, in a way that no log shows. */
const singleUserMode = `printf '%s\n' "$STATEMENT" |
  "$0" --single -D "$1" -c exit_on_error=on -c log_min_error_statement=panic postgres`
