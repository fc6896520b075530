import { expect } from "bun:test"
import { Effect } from "effect"
import { freshDatabase } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { databaseLineOf, environmentOf, exitResult, runCliHere } from "./commandLine.ts"

concurrentTest("admin-keys create shows a key once; list shows it without its secret, and revoke ends it", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const run = (...args: ReadonlyArray<string>) => runCliHere(environmentOf(database), "admin-keys", ...args)
    const databaseLine = databaseLineOf(database)
    const created = yield* run("create", "--name", "the console")
    const [, id = "", key = ""] = /^(adk_\w{26})\n(dcka_\w{49})\n/.exec(created.out) ?? []
    const once = "The key, which administers every application, is shown only this once."
    expect(created).toEqual(exitResult(0, `${id}\n${key}\n\n${once}\n`, databaseLine))
    const line = `${id}  ${key.slice(0, 12)}…  the console`
    expect(yield* run("list")).toEqual(exitResult(0, `${line}  valid  never used\n`, databaseLine))
    expect(yield* run("revoke", id, "--json")).toEqual(exitResult(0, `{"id":"${id}","revoked":true}\n`, databaseLine))
    expect((yield* run("list")).out).toStartWith(`${line}  revoked 2`)
    expect(yield* run("revoke", "adk_missing")).toEqual(
      exitResult(1, "", `${databaseLine}there is no admin key with the id adk_missing\n`)
    )
  })
)

concurrentTest("admin-keys create reports a name that is too long in one line", () =>
  Effect.gen(function* () {
    const { code, err } = yield* runCliHere(
      { DATABASE_URL: "postgresql://nowhere" },
      "admin-keys",
      "create",
      "--name",
      "x".repeat(101)
    )
    expect(code).toBe(2)
    expect(err.trim().split("\n")).toEqual([expect.stringContaining("--name takes 1 to 100 characters")])
  })
)

concurrentTest("admin-keys create limits what a key may do, and until when", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const run = (...args: ReadonlyArray<string>) => runCliHere(environmentOf(database), "admin-keys", ...args)
    yield* run("create", "--scopes", "admin:read,connections:act", "--expires-in-days", "30")
    const [key] = JSON.parse((yield* run("list", "--json")).out)
    expect(key.scopes).toEqual(["admin:read", "connections:act"])
    expect(Date.parse(key.expiresAt) - Date.parse(key.createdAt)).toBeCloseTo(30 * 86_400_000, -5)
    expect((yield* run("list")).out).toContain(`admin:read,connections:act  expires ${key.expiresAt}`)
    expect(yield* run("create", "--scopes", "everything")).toMatchObject({ code: 2 })
  })
)
