import { BunFileSystem } from "@effect/platform-bun"
import { PgClient } from "@effect/sql-pg"
import { expect } from "bun:test"
import { Context, Effect, Layer, Redacted, Schedule } from "effect"
import { spawnSync } from "node:child_process"
import { chmodSync, chownSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { EmbeddedPostgres } from "../../../src/persistence/postgres/EmbeddedPostgres.ts"
import { postgresUser } from "../../../src/persistence/postgres/spawnPostgres.ts"
import { runCli } from "../../cli/commandLine.ts"
import { testIfPossible } from "../../support/describeIfPossible.ts"
import { temporaryDirectory, type TestDatabase } from "../../support/TestPostgres.ts"
import { live } from "../../support/effectTest.ts"
import { startService } from "../../support/serviceProcess.ts"

/** Most tests share this directory in sequence, because initializing an empty one takes half a second. */
const dataDirectory = temporaryDirectory()
const home = `${dataDirectory}/postgres`
const passwordFile = `${home}/password`
const rulesFile = `${home}/cluster/pg_hba.conf`

live(
  "the embedded database asks every session for the random password in its directory, which only its owner can read",
  () =>
    Effect.gen(function* () {
      const opened = yield* open
      expect(Redacted.value(opened.password)).toMatch(/^[\w-]{43}$/)
      expect(readFileSync(passwordFile, "utf8")).toBe(`${Redacted.value(opened.password)}\n`)
      const { mode, uid } = statSync(passwordFile)
      expect([mode & 0o777, uid]).toEqual([0o600, process.getuid?.() ?? -1])
      expect(yield* query(opened, "select 1 as one")).toEqual([{ one: 1 }])
      yield* logIn(opened, Redacted.value(opened.password))
      for (const password of [undefined, "", "wrong", "app"])
        expect(yield* Effect.exit(logIn(opened, password))).toMatchObject({ _tag: "Failure" })
      const [other] = yield* query(opened, "select rolname from pg_roles where rolcanlogin and rolname <> 'app'")
      expect(other).toBeUndefined()
    })
)

live("the service and its commands use the password, at once and one after the other", () =>
  Effect.gen(function* () {
    const settings = { DATA_DIR: dataDirectory }
    const service = yield* startService(settings)
    const beside = yield* runCli(settings, "keys", "list", "--json")
    expect([beside.code, JSON.parse(beside.out)]).toEqual([
      0,
      [expect.objectContaining({ prefix: service.key.slice(0, 12) })]
    ])
    yield* service.end("SIGTERM")
    const alone = yield* runCli(settings, "keys", "list", "--json")
    expect([alone.code, alone.out]).toEqual([beside.code, beside.out])
  })
)

live(
  "a directory of an older version, which trusted everybody, gets a password at its next start and keeps its data",
  () =>
    Effect.gen(function* () {
      yield* Effect.scoped(
        Effect.flatMap(open, (opened) =>
          query(opened, "create table kept as select 42 as answer; alter role app password null")
        )
      )
      becomeOlderVersion()
      const opened = yield* open
      expect(yield* query(opened, "select answer from kept")).toEqual([{ answer: 42 }])
      expect(yield* Effect.exit(logIn(opened, undefined))).toMatchObject({ _tag: "Failure" })
      expect(readFileSync(rulesFile, "utf8")).not.toContain("trust")
    })
)

live("a lost password is replaced at the next start, also after a crash of the server", () =>
  Effect.gen(function* () {
    const lost = yield* Effect.scoped(
      Effect.gen(function* () {
        const opened = yield* open
        yield* query(opened, "create table saved as select 1 as one")
        process.kill(Number.parseInt(readFileSync(`${home}/cluster/postmaster.pid`, "utf8"), 10), "SIGKILL")
        return opened.password
      })
    )
    rmSync(passwordFile)
    const opened = yield* open
    expect(Redacted.value(opened.password)).not.toBe(Redacted.value(lost))
    expect(yield* query(opened, "select one from saved")).toEqual([{ one: 1 }])
    expect(yield* Effect.exit(logIn(opened, Redacted.value(lost)))).toMatchObject({ _tag: "Failure" })
  })
)

testIfPossible(
  "as root, another process of the server's user reaches neither the socket nor a file nor the process of the server",
  postgresUser === undefined ? "only root starts PostgreSQL as another user" : undefined,
  () =>
    Effect.gen(function* () {
      const { socketDirectory } = yield* open
      const pid = readFileSync(`${home}/cluster/postmaster.pid`, "utf8").split("\n")[0]
      const [program] = readdirSync(home).filter((name) => name.startsWith("program-"))
      const targets = [
        `${socketDirectory}/.s.PGSQL.5432`,
        passwordFile,
        rulesFile,
        `${home}/${program}/bin/postgres`,
        `/proc/${pid}/cwd/pg_hba.conf`,
        `/proc/${pid}/root/etc/hostname`,
        `/proc/${pid}/environ`,
        `/proc/${pid}/mem`
      ]
      for (const target of targets) {
        const { status, stderr } = readAsNobody(target)
        expect({ target, status, stderr }).toEqual({
          target,
          status: 1,
          stderr: `cat: ${target}: Permission denied\n`
        })
      }
    }).pipe(Effect.scoped, Effect.runPromise)
)

const open = EmbeddedPostgres.layer({ dataDirectory }).pipe(
  Layer.provide(BunFileSystem.layer),
  Layer.build,
  Effect.map(Context.get(EmbeddedPostgres))
)

const query = ({ database, password, socketDirectory, username }: TestDatabase, statement: string) =>
  Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe(statement)).pipe(
    Effect.provide(PgClient.layer({ host: socketDirectory, database, username, password })),
    Effect.retry(Schedule.intersect(Schedule.spaced("100 millis"), Schedule.recurs(300)))
  )

/** Opens a session with another password. */
const logIn = ({ database, socketDirectory, username }: TestDatabase, password: string | undefined) =>
  Layer.build(
    PgClient.layer({
      host: socketDirectory,
      database,
      username,
      ...(password === undefined ? {} : { password: Redacted.make(password) })
    })
  ).pipe(Effect.scoped)

/** Leaves the directory as a version without passwords would have: open, and trusting. */
const becomeOlderVersion = (): void => {
  rmSync(passwordFile)
  writeFileSync(rulesFile, "local all all trust\nlocal replication all trust\n")
  if (postgresUser === undefined) return
  chownSync(home, 0, 0)
  chmodSync(home, 0o755)
  chownSync(`${home}/socket`, postgresUser.uid, postgresUser.uid)
  chmodSync(`${home}/socket`, 0o700)
}

/** Reads a file as a process of the user that the server runs as, with the group of that user. */
const readAsNobody = (path: string) => {
  const { status, stderr } = spawnSync("cat", [path], {
    uid: 65_534,
    gid: 65_534,
    cwd: "/",
    encoding: "utf8",
    env: { LC_ALL: "C", PATH: process.env["PATH"] }
  })
  return { status, stderr }
}
