import { BunFileSystem } from "@effect/platform-bun"
import { PgClient } from "@effect/sql-pg"
import { expect } from "bun:test"
import { Context, Effect, Layer, Logger, Redacted, Schedule } from "effect"
import { spawn } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { EmbeddedPostgres } from "../../../src/persistence/postgres/EmbeddedPostgres.ts"
import { postgresUser } from "../../../src/persistence/postgres/spawnPostgres.ts"
import { testIfPossible } from "../../support/describeIfPossible.ts"
import { createDatabase, embeddedDatabase, temporaryDirectory, type TestDatabase } from "../../support/TestPostgres.ts"
import { live } from "../../support/effectTest.ts"

/** Most tests share this directory in sequence, because initializing an empty one takes half a second. */
const directory = temporaryDirectory()

live("starts a PostgreSQL with fsync that listens only on its socket", () =>
  Effect.gen(function* () {
    const opened = yield* open(directory)
    expect(opened).toEqual({
      socketDirectory: `${directory}/postgres/socket`,
      database: "postgres",
      username: "app",
      password: embeddedDatabase(directory).password,
      owner: "this process"
    })
    const settings = ["listen_addresses", "fsync", "server_encoding"].map(
      (name) => `current_setting('${name}') as ${name}`
    )
    expect(yield* query(opened, `select 1 as one, ${settings}`)).toEqual([
      { one: 1, listen_addresses: "", fsync: "on", server_encoding: "UTF8" }
    ])
  })
)

live("stops when its scope closes and keeps the data for the next start", () =>
  Effect.gen(function* () {
    yield* Effect.scoped(
      Effect.flatMap(open(directory), (opened) => query(opened, "create table kept as select 42 as answer"))
    )
    expect(existsSync(lockFile(directory))).toBe(false)
    expect(yield* query(yield* open(directory), "select answer from kept")).toEqual([{ answer: 42 }])
  })
)

live("a second process on the directory uses the server of the first", () =>
  Effect.gen(function* () {
    const opened = yield* open(directory)
    expect(yield* firstLine(yield* openElsewhere(directory))).toEqual({
      ...opened,
      password: Redacted.value(opened.password),
      owner: "another process"
    })
  })
)

live("two processes that start concurrently on an empty directory share one server", () =>
  Effect.gen(function* () {
    const empty = temporaryDirectory()
    const otherProcess = yield* openElsewhere(empty)
    const [here, there] = yield* Effect.all([open(empty), firstLine(otherProcess)], { concurrency: 2 })
    expect([here.owner, there.owner].toSorted()).toEqual(["another process", "this process"])
    expect(yield* query(here, "select 1 as one")).toEqual([{ one: 1 }])
  })
)

live("stops when the process that started it is killed", () =>
  Effect.gen(function* () {
    const holder = yield* openElsewhere(directory)
    yield* firstLine(holder)
    const server = serverIn(directory)
    yield* kill(holder)
    yield* until(() => !isAlive(server))
    expect(existsSync(lockFile(directory))).toBe(false)
  })
)

live("a second process starts its own server when the first one's ends", () =>
  Effect.gen(function* () {
    const holder = yield* openElsewhere(directory)
    yield* firstLine(holder)
    const opened = yield* open(directory)
    expect(opened.owner).toBe("another process")
    const first = serverIn(directory)
    yield* kill(holder)
    yield* until(() => isOtherServer(directory, first))
    expect(yield* Effect.retry(query(opened, "select 1 as one"), Schedule.spaced("20 millis"))).toEqual([{ one: 1 }])
  }).pipe(Effect.provide(Logger.remove(Logger.defaultLogger)))
)

live("takes over the directory of a killed process at once", () =>
  Effect.gen(function* () {
    const holder = yield* openElsewhere(directory)
    yield* firstLine(holder)
    yield* kill(holder)
    const opened = yield* open(directory)
    expect(opened.owner).toBe("this process")
    expect(yield* query(opened, "select 1 as one")).toEqual([{ one: 1 }])
  })
)

live("stops a server that outlived its process and the watcher", () =>
  Effect.gen(function* () {
    yield* openOnce(directory)
    const home = `${directory}/postgres`
    const [program] = readdirSync(home).filter((name) => name.startsWith("program-"))
    const orphan = yield* runAsServer([
      `${home}/${program}/bin/postgres`,
      "-D",
      `${home}/cluster`,
      "-k",
      `${home}/socket`
    ])
    yield* until(() => existsSync(`${home}/socket/.s.PGSQL.5432`))
    const opened = yield* open(directory)
    expect(isAlive(orphan)).toBe(false)
    expect(yield* query(opened, "select 1 as one")).toEqual([{ one: 1 }])
  })
)

live("starts despite a lock file whose process id now belongs to another process", () =>
  Effect.gen(function* () {
    const left = yield* Effect.scoped(Effect.map(open(directory), () => readFileSync(lockFile(directory), "utf8")))
    const bystander = yield* runAsServer(["sleep", "60"])
    writeFileSync(lockFile(directory), left.replace(/^\d+/, `${bystander}`))
    expect(yield* query(yield* open(directory), "select 1 as one")).toEqual([{ one: 1 }])
    expect(isAlive(bystander)).toBe(true)
  })
)

live("restarts the server if only the server is killed", () =>
  Effect.gen(function* () {
    const opened = yield* open(directory)
    const killed = serverIn(directory)
    process.kill(killed, "SIGKILL")
    yield* until(() => isOtherServer(directory, killed))
    const rows = yield* Effect.retry(query(opened, "select 1 as one"), Schedule.spaced("20 millis"))
    expect(rows).toEqual([{ one: 1 }])
  }).pipe(Effect.provide(Logger.remove(Logger.defaultLogger)))
)

for (const part of ["program", "cluster"]) {
  live(`recreates the ${part} that a killed first start left unfinished`, () =>
    Effect.gen(function* () {
      const home = `${temporaryDirectory()}/postgres`
      const unfinished = () => filesBelow(home).filter((path) => path.startsWith("unfinished-"))
      const holder = yield* openElsewhere(dirname(home))
      yield* until(() => unfinished().some((path) => path.includes(`/${part}`)))
      yield* kill(holder)
      expect(filesBelow(home)).not.toContain(part)
      expect(yield* query(yield* open(dirname(home)), "select 1 as one")).toEqual([{ one: 1 }])
    })
  )

  live(`removes the unfinished ${part} at the next start`, () =>
    Effect.gen(function* () {
      const home = `${temporaryDirectory()}/postgres`
      const unfinished = () => filesBelow(home).filter((path) => path.startsWith("unfinished-"))
      const holder = yield* openElsewhere(dirname(home))
      yield* until(() => unfinished().some((path) => path.includes(`/${part}`)))
      yield* kill(holder)
      // The killed initdb may still write files after the first start; the second start removes them.
      yield* openOnce(dirname(home))
      yield* openOnce(dirname(home))
      expect(unfinished()).toEqual([])
    })
  )
}

live("a directory path too long for a socket gets its socket in a private directory below /tmp", () =>
  Effect.gen(function* () {
    const long = `${temporaryDirectory()}/${"long".repeat(20)}`
    const opened = yield* open(long)
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(opened.socketDirectory, { recursive: true })))
    expect(opened.socketDirectory).toMatch(/^(\/private)?\/tmp\/postgres-[0-9a-f]{16}$/)
    expect(statSync(opened.socketDirectory).mode & 0o777).toBe(postgresUser === undefined ? 0o700 : 0o770)
    expect(yield* query(opened, "select 1 as one")).toEqual([{ one: 1 }])
  })
)

live("reports that the data directory cannot be created", () =>
  Effect.gen(function* () {
    const file = `${temporaryDirectory()}/file`
    writeFileSync(file, "")
    const { message, reason } = yield* refusal(file)
    expect(reason).toBe("directory_unusable")
    expect(message).toStartWith(`PostgreSQL cannot use the data directory ${file}: `)
  })
)

const notRoot = postgresUser === undefined ? "only root starts PostgreSQL as another user" : undefined

testIfPossible("reports that root's server cannot access the data directory", notRoot, () => {
  const closed = temporaryDirectory()
  chmodSync(closed, 0o700)
  return Effect.runPromise(refusal(closed)).then((refused) =>
    expect(refused).toEqual({
      reason: "directory_unusable",
      message:
        `${closed}/postgres is closed to uid 65534, as which PostgreSQL runs when root starts it: ` +
        "open the directories above it (chmod o+x), or choose another data directory"
    })
  )
})

live("reports that another major version created the cluster, and does not change it", () =>
  Effect.gen(function* () {
    const old = temporaryDirectory()
    const cluster = `${old}/postgres/cluster`
    mkdirSync(cluster, { recursive: true })
    writeFileSync(`${cluster}/PG_VERSION`, "17\n")
    expect(yield* refusal(old)).toEqual({
      reason: "wrong_version",
      message: `${cluster} was made by PostgreSQL 17, and 18.4.0-beta.17 cannot read it: move it by pg_dump and pg_restore`
    })
    expect(readdirSync(cluster)).toEqual(["PG_VERSION"])
  })
)

live("reports PostgreSQL's error if it does not start", () =>
  Effect.gen(function* () {
    const broken = temporaryDirectory()
    yield* openOnce(broken)
    writeFileSync(`${broken}/postgres/cluster/postgresql.auto.conf`, "shared_buffers = 'lots'\n")
    const { message, reason } = yield* refusal(broken)
    expect(reason).toBe("start_failed")
    expect(message).toContain('invalid value for parameter "shared_buffers": "lots"')
  })
)

live("a test database is a fresh copy of a template that is migrated once", () =>
  Effect.gen(function* () {
    const migrated: Array<TestDatabase> = []
    const migrate = (template: TestDatabase) => {
      migrated.push(template)
      return query(template, "create table visits (who text)")
    }
    const first = yield* createDatabase(migrate)
    const second = yield* createDatabase(migrate)
    yield* query(first, "insert into visits values ('first')")
    expect(yield* query(second, "select * from visits")).toEqual([])
    expect(migrated).toHaveLength(1)
  })
)

const open = (dataDirectory: string) =>
  EmbeddedPostgres.layer({ dataDirectory }).pipe(
    Layer.provide(BunFileSystem.layer),
    Layer.build,
    Effect.map(Context.get(EmbeddedPostgres))
  )

const openOnce = (dataDirectory: string) => Effect.scoped(open(dataDirectory))

const refusal = (dataDirectory: string) =>
  Effect.map(Effect.flip(openOnce(dataDirectory)), ({ message, reason }) => ({ reason, message }))

const query = ({ database, password, socketDirectory, username }: TestDatabase, statement: string) =>
  Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe(statement)).pipe(
    Effect.provide(PgClient.layer({ host: socketDirectory, database, username, password }))
  )

/** Opens the directory in a separate process, which keeps it open until it is killed. */
const openElsewhere = (dataDirectory: string) =>
  Effect.acquireRelease(
    Effect.sync(() => Bun.spawn([process.execPath, `${import.meta.dir}/../../support/holdPostgres.ts`, dataDirectory])),
    kill
  )

const kill = (holder: Bun.Subprocess) =>
  Effect.promise(() => {
    holder.kill("SIGKILL")
    return holder.exited
  })

const firstLine = (holder: Bun.Subprocess<"ignore", "pipe", "inherit">) =>
  Effect.promise(async () => {
    const { value } = await holder.stdout.getReader().read()
    return JSON.parse(new TextDecoder().decode(value))
  })

/** Starts a program as the server's user, which runs until the test ends; returns its process id. */
const runAsServer = ([program = "", ...args]: Array<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => spawn(program, args, { ...postgresUser, cwd: "/", env: {}, detached: true, stdio: "ignore" })),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  ).pipe(Effect.map(({ pid = 0 }) => pid))

const filesBelow = (home: string) => (existsSync(home) ? readdirSync(home, { recursive: true, encoding: "utf8" }) : [])

const until = (condition: () => boolean) =>
  Effect.sync(condition).pipe(
    Effect.filterOrFail((isTrue) => isTrue),
    Effect.retry(Schedule.spaced("5 millis").pipe(Schedule.upTo("2 minutes")))
  )

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const lockFile = (dataDirectory: string) => `${dataDirectory}/postgres/cluster/postmaster.pid`
const serverIn = (dataDirectory: string) => Number.parseInt(readFileSync(lockFile(dataDirectory), "utf8"), 10)

/** A server that starts removes the lock file of the former one, and writes its own a moment after it created it. */
const isOtherServer = (dataDirectory: string, former: number) => {
  try {
    const server = serverIn(dataDirectory)
    return server > 0 && server !== former
  } catch {
    return false
  }
}
