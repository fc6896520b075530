import { expect } from "bun:test"
import { Effect, Layer, Option, Redacted } from "effect"
import { existsSync } from "node:fs"
import { Identifiers } from "../../src/domain/values/Identifiers.ts"
import { allKeyScopes, tenantKeyScopes } from "../../src/domain/access/Tenancy.ts"
import { DatabaseReadiness } from "../../src/persistence/postgres/DatabaseReadiness.ts"
import { ApiKeyStore } from "../../src/persistence/stores/access/ApiKeyStore.ts"
import { ApiKeys } from "../../src/security/ApiKeys.ts"
import { databaseProxy } from "../persistence/databaseProxy.ts"
import { emptyDatabase, freshDatabase, poolOn } from "../persistence/freshDatabase.ts"
import { masterKey } from "../support/masterKeys.ts"
import { temporaryDirectory, type TestDatabase } from "../support/TestPostgres.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import {
  databaseLineOf,
  embeddedLineOf,
  environmentOf,
  exitResult,
  holdDatabase,
  runCli,
  runCliHere,
  startCli
} from "./commandLine.ts"

const owner = ["--application", "my-app", "--tenant", "my-tenant"]

concurrentTest("keys create shows a key once, and keys list shows it without its secret", () =>
  Effect.gen(function* () {
    const environment = { DATA_DIR: temporaryDirectory() }
    yield* Effect.scoped(holdDatabase(environment.DATA_DIR))
    const created = yield* runCli(environment, "keys", "create", ...owner, "--name", "Billing job")
    const [, id = "", key = ""] = /^(key_\w{26})\n(dck_live_\w{49})\n/.exec(created.out) ?? []
    expect(created).toEqual(
      exitResult(0, `${id}\n${key}\n\nThe key is shown only this once.\n`, embeddedLineOf(environment.DATA_DIR))
    )
    expect(yield* runCli(environment, "keys", "list")).toEqual(
      exitResult(
        0,
        `${id}  ${key.slice(0, 12)}…  Billing job  my-app/my-tenant  ${tenantKeyScopes.join(",")}  valid  never used\n`,
        embeddedLineOf(environment.DATA_DIR)
      )
    )
  })
)

concurrentTest("a key that a script creates is valid until it is rotated, and its successor until it is revoked", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const keys = (...args: ReadonlyArray<string>) =>
      Effect.map(runCliHere(environmentOf(database), "keys", ...args, "--json"), ({ code, err, out }) => {
        expect([code, err]).toEqual([0, databaseLineOf(database)])
        return JSON.parse(out)
      })
    const first = yield* keys("create", ...owner, "--scopes", "tokens:issue", "--environment", "staging", "--name", "a")
    expect(first).toEqual({ id: expect.any(String), key: expect.stringMatching(/^dck_staging_/) })
    const tenancy = { applicationId: "my-app", tenantId: "my-tenant" }
    expect<unknown>(yield* callerOf(database, first.key)).toEqual({ id: first.id, tenancy, scopes: ["tokens:issue"] })
    const second = yield* keys("rotate", first.id, "--overlap-hours", "0")
    expect(second).toEqual({ id: expect.any(String), key: expect.stringMatching(/^dck_live_/) })
    expect(yield* callerOf(database, first.key)).toBeUndefined()
    expect<unknown>(yield* callerOf(database, second.key)).toEqual({
      id: second.id,
      tenancy,
      scopes: ["tokens:issue"]
    })
    expect(yield* keys("revoke", second.id)).toEqual({ id: second.id, revoked: true })
    expect(yield* callerOf(database, second.key)).toBeUndefined()
    const listed = yield* keys("list")
    expect(
      listed.map(({ expiresAt, id, name, revokedAt }: any) => [id, name, expiresAt !== null, revokedAt !== null])
    ).toEqual([
      [first.id, "a", true, false],
      [second.id, "a", false, true]
    ])
  })
)

concurrentTest("the keys of test mode are none of the live ones", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const keys = (...args: ReadonlyArray<string>) =>
      Effect.map(runCliHere(environmentOf(database), "keys", ...args, "--json"), ({ out }) => JSON.parse(out))
    const created = yield* keys("create", ...owner, "--environment", "test")
    expect(created).toEqual({ id: expect.any(String), key: expect.stringMatching(/^dck_test_/) })
    expect(yield* callerOf(database, created.key)).toBeUndefined()
    expect(yield* keys("list")).toEqual([])
    expect((yield* keys("list", "--environment", "test")).map(({ id }: { readonly id: string }) => id)).toEqual([
      created.id
    ])
    expect(yield* keys("revoke", created.id, "--environment", "test")).toEqual({ id: created.id, revoked: true })
  })
)

concurrentTest("concurrent commands share a data directory that another process uses", () =>
  Effect.gen(function* () {
    const environment = { DATA_DIR: temporaryDirectory() }
    const createKey = runCli(environment, "keys", "create", ...owner, "--json")
    yield* holdDatabase(environment.DATA_DIR)
    yield* runCli(environment, "migrate")
    const created = yield* Effect.all([createKey, createKey], { concurrency: 2 })
    const inUse = [0, embeddedLineOf(environment.DATA_DIR, "which another process has open")]
    expect(created.map(({ code, err }) => [code, err])).toEqual([inUse, inUse])
    const { out } = yield* runCli(environment, "keys", "list", "--json")
    expect(idsIn(out)).toEqual(idsIn(`[${created.map(({ out }) => out).join()}]`))
  })
)

concurrentTest("migrate updates an empty database to the current schema", () =>
  Effect.gen(function* () {
    const database = yield* emptyDatabase
    expect(yield* runCliHere(environmentOf(database), "migrate")).toEqual(
      exitResult(0, "The database is up to date.\n", databaseLineOf(database))
    )
    const readiness = DatabaseReadiness.layer.pipe(Layer.provide(poolOn(database)))
    expect(
      yield* Effect.provide(
        Effect.flatMap(DatabaseReadiness, ({ findProblems }) => findProblems),
        readiness
      )
    ).toEqual([])
  })
)

concurrentTest("keys revoke rejects an unknown id", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    expect(yield* runCliHere(environmentOf(database), "keys", "revoke", "key_missing")).toEqual(
      exitResult(1, "", `${databaseLineOf(database)}there is no valid API key with the id key_missing\n`)
    )
  })
)

concurrentTest("prints only the result on stdout, even if the database is unreachable at first", () =>
  Effect.gen(function* () {
    const proxy = yield* databaseProxy(yield* freshDatabase)
    const listing = yield* startCli(environmentOf(proxy.database), "keys", "list", "--json")
    yield* listing.firstOutput
    yield* proxy.open
    expect(yield* listing.result).toMatchObject({ code: 0, out: "[]\n" })
  })
)

for (const line of [
  "keys list",
  "admin-keys list",
  "admin-keys create",
  "applications list",
  "applications create my-app",
  "applications list --environment test",
  "ask-secrets list --application my-app",
  "webhooks list --application my-app",
  "keys create --application my-app --tenant my-tenant",
  "migrate",
  "credentials reseal"
]) {
  concurrentTest(`\`${line}\` creates no database of its own where no service has made one`, () =>
    Effect.gen(function* () {
      const environment = { DATA_DIR: `${temporaryDirectory()}/data`, MASTER_KEY: masterKey(1) }
      const { code, err, out } = yield* runCliHere(environment, ...line.split(" "))
      expect([code, out]).toEqual([1, ""])
      expect(err).toBe(
        `DATABASE_URL is not set, and there is no embedded database in ${environment.DATA_DIR}: set DATABASE_URL as for ` +
          "the service, or DATA_DIR to its data directory, or start the service first\n"
      )
      expect(existsSync(environment.DATA_DIR)).toBe(false)
    })
  )
}

concurrentTest("a command names its database without the password, and before it can fail to reach it", () =>
  Effect.gen(function* () {
    const environment = { DATABASE_URL: "postgresql://me:hunter2@127.0.0.1:1/service?sslmode=disable&password=hunter3" }
    const listing = yield* startCli(environment, "keys", "list")
    yield* listing.firstOutput
    const { code, err } = yield* listing.result
    expect(code).toBe(1)
    expect(err).toStartWith("Database: postgresql://me@127.0.0.1:1/service (DATABASE_URL)\n")
    expect(err).not.toContain("hunter")
  })
)

/** Invalid command lines, and the words that the line on stderr must contain. */
const mistakes: Readonly<Record<string, ReadonlyArray<string>>> = {
  "keys create --application my/app --tenant my-tenant": ["--application", "1 to 100 letters"],
  "keys create --application my-app --tenant my-tenant --scopes everything": ["--scopes", ...allKeyScopes],
  "keys create --application my-app --tenant my-tenant --environment Live": ["--environment", "letters"],
  "keys rotate key_1 --overlap-hours 169": ["--overlap-hours", "0", "168"],
  "keys rotate": ["key-id"]
}

for (const [line, words] of Object.entries(mistakes)) {
  concurrentTest(`reports the mistake in \`${line}\` in one line, and starts no database`, () =>
    Effect.gen(function* () {
      const environment = { DATA_DIR: `${temporaryDirectory()}/data` }
      const { code, err, out } = yield* runCliHere(environment, ...line.split(" "))
      expect([code, out]).toEqual([2, ""])
      expect(err.trim().split("\n")).toEqual([expect.any(String)])
      expect(words.filter((word) => !err.includes(word))).toEqual([])
      expect(existsSync(environment.DATA_DIR)).toBe(false)
    })
  )
}

concurrentTest("reports each invalid variable in one line", () =>
  Effect.gen(function* () {
    const environment = { DATABASE_URL: "mysql://me:secret@db.example/service", PORT: "http" }
    const lines = [
      "PORT must be a whole number from 0 to 65535",
      "DATABASE_URL must be a URL such as postgresql://user:password@host:5432/database, its password percent-encoded"
    ]
    expect(yield* runCli(environment, "keys", "list")).toEqual(exitResult(1, "", `${lines.join("\n")}\n`))
  })
)

/** The caller that the service authenticates with a key, if the key is valid. */
const callerOf = (database: TestDatabase, key: string) =>
  Effect.flatMap(ApiKeys, ({ authenticate }) => Effect.option(authenticate(Redacted.make(key), Option.none()))).pipe(
    Effect.map(Option.map(({ id, scopes, tenancy }) => ({ id, tenancy, scopes }))),
    Effect.map(Option.getOrUndefined),
    Effect.provide(
      ApiKeys.layer.pipe(
        Layer.provide(ApiKeyStore.layer),
        Layer.provide(Layer.merge(poolOn(database, 1), Identifiers.layer))
      )
    )
  )

const idsIn = (list: string): ReadonlyArray<string> =>
  JSON.parse(list)
    .map(({ id }: { readonly id: string }) => id)
    .toSorted()

concurrentTest("keys create ends a key by itself, and the successor of a rotation lives as long", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const run = (...args: ReadonlyArray<string>) => runCliHere(environmentOf(database), "keys", ...args)
    const created = yield* run(
      "create",
      "--application",
      "app",
      "--tenant",
      "tenant",
      "--expires-in-days",
      "10",
      "--json"
    )
    yield* run("rotate", JSON.parse(created.out).id)
    const keys: ReadonlyArray<{ readonly createdAt: string; readonly expiresAt: string }> = JSON.parse(
      (yield* run("list", "--json")).out
    )
    const days = keys.map(({ createdAt, expiresAt }) => (Date.parse(expiresAt) - Date.parse(createdAt)) / 86_400_000)
    expect(days.map(Math.round)).toEqual([1, 10])
  })
)
