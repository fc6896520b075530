import { expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { existsSync } from "node:fs"
import { freshDatabase, poolOn } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { temporaryDirectory } from "../support/TestPostgres.ts"
import { databaseLineOf, environmentOf, exitResult, runCliHere } from "./commandLine.ts"

const secondLine = (text: string) => text.trim().split("\n").at(-1)

concurrentTest("applications are created, shown, changed setting by setting, listed and deleted", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const databaseLine = databaseLineOf(database)
    const run = (...args: ReadonlyArray<string>) =>
      Effect.map(runCliHere(environmentOf(database), "applications", ...args), ({ code, err, out }) => {
        expect([code, err]).toEqual([0, databaseLine])
        return out
      })
    yield* run("create", "shop", "--name", "The Shop", "--return-origins", "https://a.example, https://b.example")
    const changed = yield* run(
      "set",
      "shop",
      "--support-email",
      "help@shop.example",
      "--control-proof",
      "off",
      "--json"
    )
    const application = {
      id: "shop",
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      name: "The Shop",
      supportEmail: "help@shop.example",
      returnOrigins: ["https://a.example", "https://b.example"],
      controlProof: "off"
    }
    expect(JSON.parse(changed)).toEqual(application)
    const { name: _, ...unnamed } = application
    expect(JSON.parse(yield* run("set", "shop", "--name", "", "--json"))).toEqual(unnamed)
    expect(yield* run("show", "shop")).toContain(
      "returnOrigins: https://a.example,https://b.example\ncontrolProof: off\n"
    )
    yield* run("create", "blog", "--name", "The Blog")
    expect(yield* run("list")).toBe("blog  The Blog\nshop\n")
    expect(yield* run("delete", "shop", "--json")).toBe('{"id":"shop","deleted":true}\n')
    expect(JSON.parse(yield* run("list", "--json"))).toMatchObject([{ id: "blog" }])
  })
)

concurrentTest("applications obey the same rules as over HTTP", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const run = (...args: ReadonlyArray<string>) => runCliHere(environmentOf(database), ...args)
    const fails = (message: string) => exitResult(1, "", `${databaseLineOf(database)}${message}\n`)
    yield* run("keys", "create", "--application", "shop", "--tenant", "bakery")
    expect(yield* run("applications", "create", "shop")).toEqual(fails("there is an application shop already"))
    yield* insertConnections(database, 2, "active")
    expect(yield* run("applications", "delete", "shop")).toEqual(
      fails(
        "the application has 2 connections that have not ended, and so cannot be deleted: every connection must be ended first"
      )
    )
    expect(yield* run("applications", "show", "missing")).toEqual(fails("there is no application missing"))
    expect(yield* run("ask-secrets", "create", "--application", "missing")).toEqual(
      fails("there is no application missing")
    )
  })
)

/** Inserts connections of the tenant `bakery` of the application `shop`. */
const insertConnections = (database: Parameters<typeof poolOn>[0], count: number, state: string) =>
  Effect.provide(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`
        insert into connections (id, application_id, tenant_id, state, doc)
        select ${`con_${state}_`} || n, 'shop', 'bakery', ${state}, '{}' from generate_series(1, ${count}::int) as n`
    ),
    Layer.fresh(poolOn(database, 1))
  )

concurrentTest("an application with thousands of ended connections is deleted by one command", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const run = (...args: ReadonlyArray<string>) => runCliHere(environmentOf(database), ...args)
    yield* run("keys", "create", "--application", "shop", "--tenant", "bakery")
    yield* insertConnections(database, 2_100, "expired")
    expect((yield* run("applications", "delete", "shop")).out).toBe("shop is deleted\n")
    expect((yield* run("applications", "list")).out.trim()).toBe("")
  })
)

concurrentTest("erase-tenant counts first, and erases exactly what it has counted", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const run = (...args: ReadonlyArray<string>) =>
      runCliHere(environmentOf(database), "applications", "erase-tenant", "shop", "bakery", ...args)
    const fails = (message: string) => exitResult(1, "", `${databaseLineOf(database)}${message}\n`)
    yield* runCliHere(environmentOf(database), "keys", "create", "--application", "shop", "--tenant", "bakery")
    yield* insertConnections(database, 1_100, "canceled")
    expect((yield* run()).out).toBe(
      "bakery has 1100 ended connections, 0 live ones and 1 valid API keys. " +
        "Nothing is erased yet: add --connections 1100 to erase the tenant\n"
    )
    expect(JSON.parse((yield* run("--json")).out)).toEqual({ connections: 1_100, liveConnections: 0, apiKeys: 1 })
    expect(yield* run("--connections", "7")).toEqual(
      fails("the tenant has another number of connections to erase: 1100; confirm that number")
    )
    expect((yield* run("--connections", "1100")).out).toBe("bakery is erased, with 1100 connections\n")
    expect(JSON.parse((yield* run("--json")).out)).toEqual({ connections: 0, liveConnections: 0, apiKeys: 0 })
  })
)

concurrentTest("ask-secrets create shows a path once; it is listed without its secret, rotated and revoked", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    yield* runCliHere(environmentOf(database), "applications", "create", "shop")
    const run = (...args: ReadonlyArray<string>) =>
      Effect.map(
        runCliHere(environmentOf(database), "ask-secrets", ...args, "--application", "shop"),
        ({ code, out }) => {
          expect(code).toBe(0)
          return out
        }
      )
    const created = yield* run("create")
    const [, id = "", secret = ""] = /^(ask_\w{26})\n\/v1\/domains\/allowed\/(dcas_\w{49})\n/.exec(created) ?? []
    expect(secondLine(created)).toBe("The secret in the path is shown only this once.")
    expect(yield* run("list")).toBe(`${id}  ${secret.slice(0, 12)}…  valid\n`)
    const successor = JSON.parse(yield* run("rotate", id, "--json"))
    expect(successor.path).toBe(`/v1/domains/allowed/${successor.secret}`)
    expect(yield* run("list")).toMatch(new RegExp(`^${id}  .*  expires 2.*\n${successor.id}  .*  valid\n$`))
    expect(yield* run("revoke", id)).toBe(`${id} is revoked\n`)
    expect(JSON.parse(yield* run("list", "--json"))).toMatchObject([{ id: successor.id }])
  })
)

const mistakes: Readonly<Record<string, string>> = {
  "applications set shop --logo-url http://shop.example/": "--logo-url takes an https URL",
  "applications set shop --return-origins https://shop.example/": "--return-origins takes origins",
  "applications set shop --support-email help": "--support-email takes an e-mail address",
  "applications set shop --control-proof sometimes": "--control-proof takes required, challenge, when_contested, off",
  "applications create my/app": "1 to 100 letters",
  "applications list --environment staging": "Expected one of the following cases: live, test",
  "ask-secrets create --application my/app": "--application takes 1 to 100 letters",
  "ask-secrets revoke hello --application shop": "must be the id of an ask secret"
}

for (const [line, words] of Object.entries(mistakes)) {
  concurrentTest(`reports the mistake in \`${line}\`, and starts no database`, () =>
    Effect.gen(function* () {
      const environment = { DATA_DIR: `${temporaryDirectory()}/data` }
      const { code, err, out } = yield* runCliHere(environment, ...line.split(" "))
      expect([code, out]).toEqual([2, ""])
      expect(err).toContain(words)
      expect(existsSync(environment.DATA_DIR)).toBe(false)
    })
  )
}
