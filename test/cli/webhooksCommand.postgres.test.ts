import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { freshDatabase, poolOn, urlOf } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { masterKey } from "../support/masterKeys.ts"
import { temporaryDirectory, type TestDatabase } from "../support/TestPostgres.ts"
import { requesterWith, testModeService } from "../testmode/testModeService.ts"
import { startReceiver, verify } from "../webhooks/Receiver.ts"
import { databaseLineOf, environmentOf, exitResult, runCliHere } from "./commandLine.ts"

const withKeyIn = (database: TestDatabase) => ({ ...environmentOf(database), MASTER_KEY: masterKey(1) })

const hookUrl = "https://hooks.example.com/shop"

concurrentTest("webhooks shows a secret once, and lists, shows, changes, pauses, resumes and deletes endpoints", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const environment = withKeyIn(database)
    yield* runCliHere(environment, "applications", "create", "shop")
    const run = (...args: ReadonlyArray<string>) =>
      Effect.map(runCliHere(environment, "webhooks", ...args, "--application", "shop"), ({ code, err, out }) => {
        expect([code, err]).toEqual([0, databaseLineOf(database)])
        return out
      })
    const filters = ["--event-types", "connection.active,connection.degraded", "--tenants", "bakery,cafe"]
    const created = yield* run("create", "--url", hookUrl, "--description", "The shop", ...filters)
    const [, id = "", secret = ""] =
      /^(whe_\w+)\n(whsec_\S+)\n\nThe secret is shown only this once\.\n$/.exec(created) ?? []
    expect(yield* run("list")).toBe(`${id}  ${hookUrl}  connection.active,connection.degraded  bakery,cafe  enabled\n`)
    expect(yield* run("show", id)).toStartWith(
      `id: ${id}\nurl: ${hookUrl}\ndescription: The shop\neventTypes: connection.active,`
    )
    const rotated = JSON.parse(yield* run("rotate-secret", id, "--json"))
    expect(rotated).toEqual({ id, secret: expect.stringMatching(/^whsec_/) })
    expect(rotated.secret).not.toBe(secret)
    expect(yield* run("pause", id)).toBe(`${id} is paused\n`)
    expect(JSON.parse(yield* run("list", "--json"))).toMatchObject([
      {
        id,
        url: hookUrl,
        description: "The shop",
        eventTypes: ["connection.active", "connection.degraded"],
        tenantIds: ["bakery", "cafe"],
        status: "paused",
        pauseReason: "requested"
      }
    ])
    expect(JSON.parse(yield* run("resume", id, "--json"))).toEqual({ id, status: "enabled" })
    expect(yield* run("list")).toEndWith("  bakery,cafe  enabled\n")
    const { tenantIds: _, ...endpoint } = JSON.parse(yield* run("show", id, "--json"))
    const changed = { ...endpoint, url: `${hookUrl}/2`, description: "A shop", updatedAt: expect.any(String) }
    const changes = ["--url", `${hookUrl}/2`, "--description", "A shop", "--tenants", ""]
    expect(JSON.parse(yield* run("set", id, ...changes, "--json"))).toEqual(changed)
    expect(JSON.parse(yield* run("show", id, "--json"))).toEqual(changed)
    expect(yield* run("delete", id)).toBe(`${id} is deleted\n`)
    expect(yield* run("list", "--json")).toBe("[]\n")
    const entries = yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return yield* sql<{ readonly action: string }>`
        select action from audit_entries where actor_type = 'command_line' and action like 'webhook%' order by id`
    }).pipe(Effect.provide(poolOn(database, 1)))
    expect(entries.map(({ action }) => action.replace("webhook_endpoint.", ""))).toEqual([
      "created",
      "secret_rotated",
      "changed",
      "changed",
      "changed",
      "deleted"
    ])
  })
)

concurrentTest("webhooks list shows that an endpoint is left without a tenant after the erasure of its last one", () =>
  Effect.gen(function* () {
    const environment = withKeyIn(yield* freshDatabase)
    const run = (...args: ReadonlyArray<string>) => Effect.map(runCliHere(environment, ...args), ({ out }) => out)
    yield* run("applications", "create", "shop")
    yield* run("webhooks", "create", "--application", "shop", "--url", hookUrl, "--tenants", "bakery")
    yield* run("applications", "erase-tenant", "shop", "bakery", "--connections", "0")
    expect(yield* run("webhooks", "list", "--application", "shop")).toEndWith("  all events  no tenants  enabled\n")
  })
)

concurrentTest("webhooks obey the same rules as over HTTP", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const environment = { ...withKeyIn(database), WEBHOOK_ENDPOINTS_PER_APPLICATION: "1" }
    const run = (...args: ReadonlyArray<string>) => runCliHere(environment, ...args)
    const fails = (message: string) => exitResult(1, "", `${databaseLineOf(database)}${message}\n`)
    yield* run("applications", "create", "shop")
    const create = (application: string, url: string) =>
      run("webhooks", "create", "--application", application, "--url", url, "--json")
    expect(yield* create("missing", hookUrl)).toEqual(fails("there is no application missing"))
    expect(yield* run("webhooks", "list", "--application", "missing")).toEqual(fails("there is no application missing"))
    expect(yield* create("shop", "https://10.0.0.1/")).toEqual(fails("url must have a public address"))
    const { id } = JSON.parse((yield* create("shop", hookUrl)).out)
    expect((yield* create("shop", hookUrl)).err).toContain("the application may have 1 webhook endpoints")
    expect(yield* run("webhooks", "set", id, "--application", "shop", "--url", "https://10.0.0.1/")).toEqual(
      fails("url must have a public address")
    )
    for (const command of ["show", "set", "test", "rotate-secret", "pause", "resume", "delete"]) {
      expect(yield* run("webhooks", command, id, "--application", "other")).toEqual(
        fails("there is no such webhook endpoint")
      )
    }
    expect((yield* run("applications", "delete", "shop")).out).toBe("shop is deleted\n")
    yield* run("applications", "create", "shop")
    expect((yield* run("webhooks", "list", "--application", "shop", "--json")).out).toBe("[]\n")
  })
)

concurrentTest("an endpoint of test mode from the command line gets signed events, and test events", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const receiver = yield* startReceiver()
    const run = (...args: ReadonlyArray<string>) =>
      Effect.map(
        runCliHere(
          { ...withKeyIn(database), OUTBOUND_ALLOW: "127.0.0.0/8" },
          ...args,
          "--environment",
          "test",
          "--json"
        ),
        ({ out }) => JSON.parse(out)
      )
    const { key } = yield* run("keys", "create", "--application", "trial", "--tenant", "bakery")
    const asked = ["--application", "trial", "--url", receiver.url, "--event-types", "connection.created"]
    const { id: endpointId, secret } = yield* run("webhooks", "create", ...asked)
    yield* Effect.gen(function* () {
      const { connect } = yield* requesterWith(key)
      const { id } = yield* connect("one-click.test")
      const [request] = yield* receiver.awaitRequests(1)
      expect(request && verify(secret, request)).toMatchObject({
        type: "connection.created",
        data: { connection: { id } }
      })
      const { eventId } = yield* run("webhooks", "test", endpointId, "--application", "trial")
      const [, testEvent] = yield* receiver.awaitRequests(2)
      expect(testEvent?.headers["webhook-id"]).toBe(eventId)
      expect(testEvent && verify(secret, testEvent)).toMatchObject({
        type: "endpoint.test",
        data: { endpoint: { id: endpointId, url: receiver.url } }
      })
    }).pipe(Effect.provide(testModeService(urlOf(database))))
  })
)

concurrentTest("webhooks seal no secret with a key that the service does not have", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const directory = `${temporaryDirectory()}/data`
    const environment = { ...environmentOf(database), DATA_DIR: directory }
    expect(yield* runCliHere(environment, "webhooks", "create", "--application", "shop", "--url", hookUrl)).toEqual(
      exitResult(
        1,
        "",
        `MASTER_KEY is not set, and there is no ${directory}/master.key: set MASTER_KEY as for the service, or DATA_DIR ` +
          "to its data directory, or start the service first\n"
      )
    )
    expect(existsSync(directory)).toBe(false)
  })
)

const mistakes: Readonly<Record<string, string>> = {
  "webhooks create --application shop": "Expected to find option: '--url'",
  "webhooks create --application my/app --url https://a.example/": "--application takes 1 to 100 letters",
  "webhooks create --application shop --url https://a.example/ --event-types all":
    "--event-types takes types such as connection.active",
  "webhooks create --application shop --url https://a.example/ --tenants a/b":
    "--tenants takes ids, each 1 to 100 letters",
  "webhooks set whe_1 --application shop --event-types all": "--event-types takes types such as connection.active",
  "webhooks pause hello --application shop": "must be the id of a webhook endpoint",
  "webhooks list --application shop --environment staging": "Expected one of the following cases: live, test"
}

for (const [line, words] of Object.entries(mistakes)) {
  concurrentTest(`reports the mistake in \`${line}\`, and starts no database`, () =>
    Effect.gen(function* () {
      const environment = { DATA_DIR: `${temporaryDirectory()}/data`, MASTER_KEY: masterKey(1) }
      const { code, err, out } = yield* runCliHere(environment, ...line.split(" "))
      expect([code, out]).toEqual([2, ""])
      expect(err).toContain(words)
      expect(existsSync(environment.DATA_DIR)).toBe(false)
    })
  )
}
