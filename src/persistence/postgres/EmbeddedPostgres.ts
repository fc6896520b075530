import { FileSystem } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { Database, SQLiteError } from "bun:sqlite"
import { Context, Deferred, Effect, Layer, Schedule } from "effect"
import { connect } from "node:net"
import { EmbeddedPostgresUnavailable } from "./EmbeddedPostgresUnavailable.ts"
import {
  installPostgres,
  type PostgresDirectory,
  type PostgresInstallation,
  postgresRole,
  preparePostgresDirectory
} from "./PostgresInstallation.ts"
import { spawnPostgres } from "./spawnPostgres.ts"

/**
 * A private PostgreSQL 18 in the data directory, reached by a Unix socket only. It stops with the process that started
 * it, however that ends, and is started again if it stops by itself. A second process on the same directory uses the
 * server of the first (`owner` says whose it is at first); when that one ends, which breaks all connections, it starts
 * its own at the same place.
 */
export class EmbeddedPostgres extends Context.Tag("persistence/EmbeddedPostgres")<
  EmbeddedPostgres,
  {
    readonly socketDirectory: string
    readonly database: string
    readonly username: string
    readonly owner: "this process" | "another process"
  }
>() {
  static readonly layer = (settings: { readonly dataDirectory: string }) =>
    Layer.scoped(EmbeddedPostgres, open(settings.dataDirectory))
}

const database = "postgres"

const patience = Schedule.exponential("5 millis", 1.3).pipe(
  Schedule.union(Schedule.spaced("250 millis")),
  Schedule.upTo("60 seconds")
)

const { directoryUnusable, startFailed } = EmbeddedPostgresUnavailable

const open = Effect.fn("EmbeddedPostgres.open")(
  function* (dataDirectory: string) {
    const home = yield* preparePostgresDirectory(dataDirectory)
    const lock = yield* openLock(home)
    const owner = yield* findOwner(home, lock)
    yield* owner === "this process" ? serve(home) : Effect.forkScoped(inherit(home, lock))
    return { socketDirectory: home.socketDirectory, database, username: postgresRole, owner }
  },
  (effect, dataDirectory) => {
    const unusable = ({ message }: PlatformError) =>
      directoryUnusable(`PostgreSQL cannot use the data directory ${dataDirectory}: ${message}`)
    return Effect.catchTags(effect, { SystemError: unusable, BadArgument: unusable })
  }
)

/** The lock is a transaction of SQLite because the kernel takes that from a dead process, however it died. */
const openLock = ({ directory }: PostgresDirectory) =>
  Effect.acquireRelease(
    Effect.try({ try: () => new Database(`${directory}/owner.lock`), catch: lockUnusable }),
    (lock) => Effect.sync(() => lock.close())
  )

const holds = (lock: Database) =>
  Effect.try(() => lock.exec("begin exclusive")).pipe(
    Effect.as(true),
    Effect.catchAll(({ error }) =>
      error instanceof SQLiteError && error.code === "SQLITE_BUSY" ? Effect.succeed(false) : lockUnusable(error)
    )
  )

const lockUnusable = (cause: unknown) => directoryUnusable(`PostgreSQL's directory cannot be locked: ${cause}`)

/** We serve the directory if we get the lock; else the process that holds it does, as soon as its server answers. */
const findOwner = Effect.fn("EmbeddedPostgres.findOwner")(
  function* ({ directory, socketDirectory }: PostgresDirectory, lock: Database) {
    if (yield* holds(lock)) return "this process" as const
    if ((yield* probe(socketDirectory)) === "accepting") return "another process" as const
    return yield* startFailed(`Another process holds ${directory}, but its PostgreSQL does not accept connections`)
  },
  Effect.retry({ schedule: patience, while: ({ reason }) => reason === "start_failed" })
)

const inherit = Effect.fn("EmbeddedPostgres.inherit")(
  function* (home: PostgresDirectory, lock: Database) {
    yield* Effect.repeat(holds(lock), { until: (held) => held, schedule: Schedule.spaced("250 millis") })
    yield* Effect.logInfo("The process that ran PostgreSQL has ended; this one runs it from now on")
    yield* serve(home)
  },
  Effect.catchAll((error) => Effect.logError("PostgreSQL cannot be taken over", error))
)

/** Runs the server while the scope lives, again when it stops by itself; returns as soon as it accepts connections. */
const serve = Effect.fn("EmbeddedPostgres.serve")(function* (home: PostgresDirectory) {
  const installation = yield* installPostgres(home)
  const accepting = yield* Deferred.make<void, EmbeddedPostgresUnavailable>()
  yield* run(installation, Deferred.succeed(accepting, undefined)).pipe(
    Effect.tapError((error) =>
      Effect.flatMap(Deferred.fail(accepting, error), (isFirst) =>
        isFirst ? Effect.void : Effect.logError("PostgreSQL stopped and is started again", error)
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
    const server = yield* spawnPostgres([`${at.program}/bin/postgres`, ...settings(at)], environment)
    const ended = Effect.flatMap(server.ended, ({ exitCode, lastLines }) =>
      startFailed(`PostgreSQL ended with code ${exitCode}: ${lastLines}`)
    )
    yield* Effect.raceFirst(ended, accepts(at.socketDirectory))
    yield* onAccepting
    return yield* ended
  }).pipe(Effect.scoped)

/** Its log may reach ours and must not show what statements carry: only what concerns the server as a whole. */
const settings = ({ cluster, socketDirectory }: PostgresInstallation) =>
  [
    ["-D", cluster],
    ["-k", socketDirectory],
    ["-c", "listen_addresses="],
    ["-c", "log_min_messages=log"],
    ["-c", "log_checkpoints=off"]
  ].flat()

/**
 * Waits for the server of a process that was killed, and stops it should its watcher have been killed too. Afterwards the
 * number in its lock file means nothing, even if another process bears it by now: the variable, which pg_ctl sets for its
 * own caller, makes PostgreSQL pass over it.
 */
const endLeftover = Effect.fn("EmbeddedPostgres.endLeftover")(function* (at: PostgresInstallation) {
  const fs = yield* FileSystem.FileSystem
  const lockFile = yield* Effect.orElseSucceed(fs.readFileString(`${at.cluster}/postmaster.pid`), () => "")
  const pid = Number.parseInt(lockFile, 10)
  if (!(pid > 0)) return {}
  yield* Effect.gen(function* () {
    if ((yield* probe(at.socketDirectory)) === "silent") return
    yield* Effect.ignore(signal(pid, "SIGINT"))
    return yield* startFailed(`The PostgreSQL that a killed process left behind (${pid}) does not stop`)
  }).pipe(Effect.retry(patience))
  // Its last act, after it has closed the socket, is to remove the lock file.
  const isGone = Effect.flip(signal(pid, 0))
  yield* isGone.pipe(Effect.retry(Schedule.spaced("20 millis").pipe(Schedule.upTo("1 second"))), Effect.ignore)
  return { PG_GRANDPARENT_PID: `${pid}` }
})

const signal = (pid: number, name: "SIGINT" | 0) => Effect.try(() => process.kill(pid, name))

const accepts = (socketDirectory: string) =>
  Effect.gen(function* () {
    if ((yield* probe(socketDirectory)) === "accepting") return
    return yield* startFailed("PostgreSQL runs, but does not accept connections")
  }).pipe(Effect.retry(patience))

/** Asks for a session: the server begins its answer with `R` if it would grant one. */
const probe = (socketDirectory: string) =>
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

/** A session by protocol 3.0; the first four bytes are the length of the whole. */
const startupMessage = Buffer.from(`\0\0\0\0\0\x03\0\0user\0${postgresRole}\0database\0${database}\0\0`)
startupMessage.writeUInt32BE(startupMessage.length)
