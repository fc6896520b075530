import { expect } from "bun:test"
import { BunFileSystem } from "@effect/platform-bun"
import { SqlClient } from "@effect/sql"
import { Effect, Layer, Option, Redacted } from "effect"
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { Identifiers } from "../../src/domain/values/Identifiers.ts"
import { secretOwnerOf } from "../../src/domain/access/SealedSecret.ts"
import { ApplicationId } from "../../src/domain/access/Tenancy.ts"
import { WebhookEndpointId } from "../../src/domain/webhook/WebhookEndpoint.ts"
import { ConnectionStore } from "../../src/persistence/stores/connections/ConnectionStore.ts"
import { CredentialStore } from "../../src/persistence/stores/access/CredentialStore.ts"
import { WebhookEndpointStore } from "../../src/persistence/stores/webhooks/WebhookEndpointStore.ts"
import { MasterKeys, parseMasterKeys } from "../../src/security/MasterKeys.ts"
import { WebhookSecrets } from "../../src/security/WebhookSecrets.ts"
import { Credentials } from "../../src/security/Credentials.ts"
import { StoreFixture } from "../persistence/StoreFixture.ts"
import { createConnection } from "../persistence/connectionFixtures.ts"
import { freshDatabase, freshTestModeDatabase, poolOn } from "../persistence/freshDatabase.ts"
import { apiToken, storeSealed } from "../security/credentialsInMemory.ts"
import { temporaryDirectory, type TestDatabase } from "../support/TestPostgres.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { masterKey, sealingLayer } from "../support/masterKeys.ts"
import { databaseLineOf, environmentOf, exitResult, holdDatabase, runCli, runCliHere } from "./commandLine.ts"

concurrentTest("credentials reseal seals the credentials of other keys with the first key, and reports how many", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const reseal = (key: string, ...args: ReadonlyArray<string>) =>
      runCliHere({ ...environmentOf(database), MASTER_KEY: key }, "credentials", "reseal", ...args)
    const owners = yield* Effect.replicateEffect(storeCredential, 2).pipe(
      Effect.provide(sealedStoresIn(database, masterKey(1)))
    )
    expect(yield* reseal(masterKey(1), "--json")).toEqual(
      exitResult(
        0,
        `{"resealed":0,"keyVersion":1,"webhookEndpoints":0,"domainConnectKeys":0}\n`,
        databaseLineOf(database)
      )
    )
    expect(yield* reseal(masterKey(2, 1), "--json")).toEqual(
      exitResult(
        0,
        `{"resealed":2,"keyVersion":2,"webhookEndpoints":0,"domainConnectKeys":0}\n`,
        databaseLineOf(database)
      )
    )
    const read = yield* Effect.forEach(owners, (owner) =>
      Effect.flatMap(Credentials, ({ load }) => Effect.flatten(load(owner)))
    ).pipe(Effect.provide(sealedStoresIn(database, masterKey(2))))
    expect(read.map(({ _tag }) => _tag)).toEqual(["api_token", "api_token"])
    yield* storeCredential.pipe(Effect.provide(sealedStoresIn(database, masterKey(2))))
    expect(yield* reseal(masterKey(3, 2))).toEqual(
      exitResult(0, "3 credentials were sealed again with key version 3\n", databaseLineOf(database))
    )
  })
)

concurrentTest("credentials reseal seals both secrets of a webhook endpoint again, and they verify as before", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const applicationId = ApplicationId.make("app")
    const endpoint = { applicationId, endpointId: WebhookEndpointId.make("whe_1") }
    const made = yield* Effect.gen(function* () {
      const { generate, seal } = yield* WebhookSecrets
      const store = yield* WebhookEndpointStore
      const [previous, current] = [yield* generate, yield* generate]
      const created = yield* store.create(
        {
          applicationId,
          id: endpoint.endpointId,
          settings: { url: "https://hooks.example.com/" },
          secret: yield* seal(endpoint, previous)
        },
        1,
        Option.none()
      )
      if (created._tag !== "Created") return []
      yield* store.rotateSecret(created.stored, yield* seal(endpoint, current))
      return [current, previous]
    }).pipe(Effect.provide(webhookSecretsIn(database, masterKey(1))))
    const environment = { ...environmentOf(database), MASTER_KEY: masterKey(2, 1) }
    expect(yield* runCliHere(environment, "credentials", "reseal")).toMatchObject({
      code: 0,
      out: "0 credentials were sealed again with key version 2, and the secrets of 1 webhook endpoint\n"
    })
    const opened = yield* Effect.gen(function* () {
      const { open } = yield* WebhookSecrets
      const found = yield* Effect.flatMap(WebhookEndpointStore, (store) =>
        store.find(applicationId, endpoint.endpointId)
      )
      return yield* open(endpoint, Option.getOrThrow(found).secrets)
    }).pipe(Effect.provide(webhookSecretsIn(database, masterKey(2))))
    expect(opened.map(Redacted.value)).toEqual(made.map(Redacted.value))
  })
)

concurrentTest(
  "credentials reseal reports an unreadable credential without its content, and seals the others again",
  () =>
    Effect.gen(function* () {
      const database = yield* freshDatabase
      for (const key of [`2:${masterKey(1).slice(2)}`, masterKey(2)])
        yield* storeCredential.pipe(Effect.provide(sealedStoresIn(database, key)))
      const environment = { ...environmentOf(database), MASTER_KEY: masterKey(3, 2) }
      const { code, err, out } = yield* runCliHere(environment, "credentials", "reseal")
      expect([code, out]).toEqual([0, "1 credential was sealed again with key version 3\n"])
      expect(err).toContain("not_authentic")
      expect(err.trim().split("\n")).toEqual([databaseLineOf(database).trim(), expect.any(String)])
      expect(err).not.toContain("a token")
    })
)

concurrentTest("concurrent commands create one key in a directory that another process uses", () =>
  Effect.gen(function* () {
    const environment = { DATA_DIR: `${temporaryDirectory()}/data` }
    const reseal = runCli(environment, "credentials", "reseal", "--json")
    yield* holdDatabase(environment.DATA_DIR)
    const expected = exitResult(
      0,
      `{"resealed":0,"keyVersion":1,"webhookEndpoints":0,"domainConnectKeys":0}\n`,
      expect.any(String)
    )
    expect(yield* Effect.all([reseal, reseal, reseal], { concurrency: 3 })).toEqual([expected, expected, expected])
    expect(readdirSync(environment.DATA_DIR).toSorted()).toEqual(["master.key", "postgres"])
  })
)

concurrentTest(
  "an invalid master key stops the command before any database starts, with a message that names the valid form but not the key",
  () =>
    Effect.gen(function* () {
      const directory = temporaryDirectory()
      const invalid = yield* runCli({ DATA_DIR: `${directory}/data`, MASTER_KEY: "hunter2" }, "credentials", "reseal")
      expect([invalid.code, invalid.out]).toEqual([1, ""])
      expect(invalid.err).toStartWith("MASTER_KEY must be keys separated by commas, ")
      expect(invalid.err.includes("hunter2") || existsSync(`${directory}/data`)).toBe(false)
      writeFileSync(`${directory}/master.key`, masterKey(1), { mode: 0o644 })
      const readable = yield* runCli({ DATA_DIR: directory }, "credentials", "reseal")
      expect([readable.code, readable.out, readable.err.split(" (mode")[0]]).toEqual([
        1,
        "",
        `${directory}/master.key is open to others`
      ])
      expect(existsSync(`${directory}/postgres`)).toBe(false)
    })
)

concurrentTest(
  "credentials discard-unreadable of test mode is refused while a process of a cluster runs that had no test request",
  () =>
    Effect.gen(function* () {
      const database = yield* freshTestModeDatabase
      const discard = runCliHere(
        { ...environmentOf(database), MASTER_KEY: masterKey(1) },
        "credentials",
        "discard-unreadable",
        "--environment",
        "test",
        "--confirm"
      )
      const inLiveTables = <A, E>(statement: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
        Effect.provide(Effect.flatMap(SqlClient.SqlClient, statement), poolOn(database, 1))
      // A table of the same name that is none of the service's.
      yield* inLiveTables((sql) => sql`create schema "an other"; create table "an other".processes (id text)`)
      yield* inLiveTables(
        (sql) => sql`insert into processes (id, seen_at) values ('prc_1', now() + interval '1 minute')`
      )
      expect(yield* discard).toEqual(
        exitResult(
          1,
          "",
          expect.stringContaining("a process of the service runs on this database: stop every process first")
        )
      )
      yield* inLiveTables((sql) => sql`update processes set seen_at = now() - interval '6 seconds'`)
      expect((yield* discard).code).toBe(0)
    })
)

/** Stores a sealed credential for a new connection. */
const storeCredential = Effect.gen(function* () {
  const owner = secretOwnerOf(yield* createConnection())
  yield* storeSealed(owner, apiToken("a token"))
  return owner
})

/** The secrets of webhook endpoints in a database, with these master keys. */
const webhookSecretsIn = (database: TestDatabase, masterKeys: string) =>
  WebhookSecrets.layer.pipe(
    Layer.provide(
      MasterKeys.layer({
        configured: Option.some(Option.getOrThrow(parseMasterKeys(masterKeys))),
        dataDirectory: "/nowhere"
      })
    ),
    Layer.provideMerge(WebhookEndpointStore.layer),
    Layer.provide(poolOn(database, 1)),
    Layer.provide(BunFileSystem.layer)
  )

/** The stores of a database, with these master keys. */
const sealedStoresIn = (database: TestDatabase, masterKeys: string) =>
  sealingLayer(masterKeys).pipe(
    Layer.provideMerge(Layer.mergeAll(CredentialStore.layer, ConnectionStore.layer, StoreFixture.layerPostgres)),
    Layer.provide(poolOn(database, 1)),
    Layer.merge(Identifiers.layer)
  )
