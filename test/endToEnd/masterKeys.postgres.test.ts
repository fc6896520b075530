import { expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { ConfigProvider, Effect, Layer, Schedule } from "effect"
import { runService, serviceLayer } from "../../src/main.ts"
import { ServiceConfig } from "../../src/settings/Config.ts"
import { environmentOf, runCliHere, runHere, startProgram } from "../cli/commandLine.ts"
import { freshDatabase, poolOn } from "../persistence/freshDatabase.ts"
import { type TestDatabase, temporaryDirectory } from "../support/TestPostgres.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { masterKey } from "../support/masterKeys.ts"
import { sampleIntent, serviceUrl } from "../support/testApi.ts"

const wayOut = `if it is lost, see "A lost master key" in docs/operations.md\n`

/** Another key of version 1. */
const otherKey = `1:${masterKey(9).slice(2)}`

const wrongKey =
  "MASTER_KEY has another key under version 1 than this database was sealed with: set the right one, and give a new " +
  `key a new version; ${wayOut}`

concurrentTest("a master key that does not fit the database stops the start, and every command that needs it", () =>
  Effect.gen(function* () {
    const { environment, use } = yield* usedDatabase
    const refusals = [
      [otherKey, wrongKey],
      [`3:${masterKey(3).slice(2)},${otherKey}`, wrongKey],
      [
        masterKey(2),
        "MASTER_KEY has none of the keys that this database was sealed with (version 1): add the one that was used " +
          `last; ${wayOut}`
      ]
    ] as const
    for (const [key, sentence] of refusals)
      expect(yield* startRefused(environment, key)).toEqual({ code: 1, out: "", err: sentence })
    for (const command of [
      ["credentials", "reseal"],
      ["webhooks", "list", "--application", "app"],
      ["connections", "list"],
      ["domain-connect", "key", "list", "--application", "app"]
    ]) {
      const { code, err, out } = yield* runCliHere({ ...environment, MASTER_KEY: otherKey }, ...command)
      expect([code, out, err.split("\n").slice(1).join("\n")]).toEqual([1, "", wrongKey])
    }
    const listed = yield* runCliHere({ ...environment, MASTER_KEY: otherKey }, "keys", "list")
    expect(listed.code).toBe(0)
    yield* use(masterKey(1), ({ post }) =>
      Effect.gen(function* () {
        expect([(yield* post("once", sampleIntent)).status, (yield* post("once", otherIntent)).status]).toEqual([
          201, 422
        ])
      })
    )
  })
)

concurrentTest(
  "a database of the version before, which has no check value, refuses a key that opens none of its secrets",
  () =>
    Effect.gen(function* () {
      const { database, environment, use } = yield* usedDatabase
      yield* onDatabase(database, (sql) => sql`delete from master_keys`)
      expect(yield* startRefused(environment, otherKey)).toEqual({ code: 1, out: "", err: wrongKey })
      yield* onDatabase(database, (sql) => sql`delete from idempotency_keys`)
      expect(yield* startRefused(environment, otherKey)).toEqual({ code: 1, out: "", err: wrongKey })
      expect((yield* startRefused(environment, `2:${masterKey(2).slice(2)},${otherKey}`)).err).toBe(wrongKey)
      expect(yield* onDatabase(database, (sql) => sql`select version from master_keys`)).toEqual([])
      yield* onDatabase(
        database,
        (sql) => sql`update webhook_endpoints set ciphertext = '', idempotency_key = null, fingerprint = null`
      )
      yield* use(masterKey(1), ({ post }) =>
        Effect.gen(function* () {
          expect((yield* post("again", sampleIntent)).status).toBe(201)
        })
      )
      yield* onDatabase(database, (sql) => sql`delete from master_keys`)
      expect(yield* startRefused(environment, otherKey)).toEqual({
        code: 1,
        out: "",
        err:
          "this database still needs a master key that MASTER_KEY does not have, for 1 answer to a request that may be " +
          `repeated: add it after the others, and remove it a day after "credentials reseal" at the earliest; ${wayOut}`
      })
    })
)

concurrentTest(
  "secrets that the right key opens stay, although a wrong key was the first to store its check value",
  () =>
    Effect.gen(function* () {
      const { database, endpointId, environment, use } = yield* usedDatabase
      yield* onDatabase(database, (sql) => sql`create table saved as select id, ciphertext from webhook_endpoints`)
      yield* onDatabase(database, (sql) => sql`delete from idempotency_keys`)
      yield* onDatabase(database, (sql) => sql`delete from master_keys`)
      yield* onDatabase(database, (sql) => sql`update webhook_endpoints set ciphertext = ''`)
      yield* use(otherKey, () => Effect.void)
      yield* onDatabase(
        database,
        (sql) => sql`
        update webhook_endpoints as e set ciphertext = saved.ciphertext from saved where saved.id = e.id`
      )
      expect((yield* startRefused(environment, masterKey(1))).err).toBe(wrongKey)
      const discard = (key: string) =>
        runCliHere({ ...environment, MASTER_KEY: key }, "credentials", "discard-unreadable", "--confirm", "--json")
      expect(yield* discard(masterKey(1))).toMatchObject({
        code: 0,
        out: `{"keyVersions":[],"credentials":0,"oauthSessions":0,"webhookEndpoints":[],"domainConnectKeys":[],"answers":0,"discarded":true}\n`
      })
      yield* use(masterKey(1), () => Effect.void)
      expect(yield* discard(otherKey)).toMatchObject({
        code: 0,
        out: expect.stringContaining(`"webhookEndpoints":["${endpointId}"]`)
      })
    })
)

concurrentTest("removing a key that something needs stops the start, which names that and the version", () =>
  Effect.gen(function* () {
    const { environment, use } = yield* usedDatabase
    yield* use(masterKey(2, 1), () => Effect.void)
    const refused = yield* startRefused(environment, masterKey(2))
    expect([refused.code, refused.err]).toEqual([
      1,
      "this database still needs a master key that MASTER_KEY does not have (version 1), for 1 webhook endpoint, " +
        `1 answer to a request that may be repeated: add it after the others, and remove it a day after ` +
        `"credentials reseal" at the earliest; ${wayOut}`
    ])
  })
)

concurrentTest("credentials discard-unreadable counts first, deletes with --confirm, and lets a new key go on", () =>
  Effect.gen(function* () {
    const { database, endpointId, environment, use } = yield* usedDatabase
    const insertCredential = onDatabase(
      database,
      (sql) => sql`
        insert into credentials (connection_id, application_id, tenant_id, key_version, nonce, ciphertext, expires_at)
        select id, application_id, tenant_id, 1, '', '', now() + interval '1 hour' from connections limit 1
        on conflict do nothing`
    )
    yield* insertCredential
    const discard = (...args: ReadonlyArray<string>) =>
      runCliHere({ ...environment, MASTER_KEY: otherKey }, "credentials", "discard-unreadable", ...args)
    const counted = "1 credential, 1 webhook endpoint, 1 answer to a request that may be repeated."
    expect(yield* discard()).toMatchObject({
      code: 0,
      out:
        `Unreadable: ${counted}\nThese endpoints need a new secret: ${endpointId}\n` +
        "Nothing was changed. With --confirm this is deleted for good, and the customers concerned authorize again.\n"
    })
    expect((yield* startRefused(environment, otherKey)).err).toBe(wrongKey)
    yield* use(masterKey(1), () =>
      Effect.gen(function* () {
        const refused = yield* discard("--confirm")
        expect([refused.code, refused.err]).toEqual([
          1,
          expect.stringContaining("a process of the service runs on this database: stop every process first")
        ])
      })
    )
    // The service may have gone on with the connection meanwhile.
    yield* insertCredential
    expect(yield* discard("--confirm")).toMatchObject({
      code: 0,
      out:
        `Discarded: ${counted}\nThese endpoints need a new secret: ${endpointId}\n` +
        "The master keys of this command are now those of the database.\n"
    })
    expect(yield* discard("--json")).toMatchObject({
      code: 0,
      out: `{"keyVersions":[],"credentials":0,"oauthSessions":0,"webhookEndpoints":[],"domainConnectKeys":[],"answers":0,"discarded":false}\n`
    })
    yield* use(otherKey, ({ post }) =>
      Effect.gen(function* () {
        // Whether the body is the same can no longer be told; the first answer is repeated.
        const repeated = yield* post("once", sampleIntent)
        expect([repeated.status, repeated.headers.get("idempotent-replayed")]).toEqual([201, "true"])
        expect((yield* post("new", sampleIntent)).status).toBe(201)
      })
    )
    expect((yield* startRefused(environment, masterKey(1))).err).toBe(wrongKey)
    const rotated = yield* runCliHere(
      { ...environment, MASTER_KEY: otherKey },
      "webhooks",
      "rotate-secret",
      endpointId,
      "--application",
      "app",
      "--json"
    )
    expect([rotated.code, rotated.out]).toEqual([0, expect.stringContaining("whsec_")])
    const [credentials] = yield* onDatabase(database, (sql) => sql`select count(*)::int as count from credentials`)
    expect(credentials).toEqual({ count: 0 })
  })
)

concurrentTest("the lost key of a data directory is replaced in the same way, with the file named", () =>
  Effect.gen(function* () {
    const { environment } = yield* usedDatabase
    const { MASTER_KEY: _, ...withoutKey } = environment
    const directory = temporaryDirectory()
    const refused = yield* startProgram(main, [], { ...withoutKey, DATA_DIR: directory })
    expect((yield* refused.result).err).toBe(wrongKey.replace("MASTER_KEY", `${directory}/master.key`))
  })
)

const main = `${import.meta.dir}/../../src/main.ts`

const otherIntent = { ...sampleIntent, domain: "example.org" }

/** A database that a service has used with the first master key: it has a webhook endpoint, and the answer to a request. */
const usedDatabase = Effect.gen(function* () {
  const database = yield* freshDatabase
  const environment = {
    ...environmentOf(database),
    MASTER_KEY: masterKey(1),
    DATA_DIR: temporaryDirectory(),
    PORT: "0",
    DNS_RESOLVERS: "127.0.0.1:1",
    LOG_LEVEL: "none"
  }
  const cli = (...args: ReadonlyArray<string>) =>
    Effect.map(runCliHere(environment, ...args, "--application", "app", "--json"), ({ out }) => JSON.parse(out))
  const { key } = yield* cli("keys", "create", "--tenant", "tenant")
  const endpoint = yield* cli("webhooks", "create", "--url", "https://hooks.example.com/")
  /** Runs the service with these master keys meanwhile. */
  const use = <A, E>(keys: string, run: (api: RunningApi) => Effect.Effect<A, E>) =>
    Effect.scoped(
      Effect.gen(function* () {
        const url = yield* serviceUrl
        const post: RunningApi["post"] = (idempotencyKey, intent) =>
          Effect.promise(() =>
            fetch(`${url}/v1/connections`, {
              method: "POST",
              headers: { "x-api-key": key, "content-type": "application/json", "idempotency-key": idempotencyKey },
              body: JSON.stringify({ intent, allowDuplicate: true })
            })
          )
        return yield* run({ post })
      }).pipe(Effect.provide(serviceWith({ ...environment, MASTER_KEY: keys })))
    )
  yield* use(masterKey(1), createOnce)
  return { database, environment, endpointId: String(endpoint.id), use }
})

/** The service in this process. */
const serviceWith = (environment: Readonly<Record<string, string>>) =>
  Layer.unwrapEffect(
    Effect.map(
      Effect.withConfigProvider(ServiceConfig, ConfigProvider.fromMap(new Map(Object.entries(environment)))),
      (config) => serviceLayer(config)
    )
  )

interface RunningApi {
  readonly post: (idempotencyKey: string, intent: object) => Effect.Effect<Response>
}

/** A busy machine may open no connection to the database within the two seconds that the service allows. */
const createOnce = ({ post }: RunningApi) =>
  Effect.repeat(post("once", sampleIntent), { until: ({ status }) => status === 201, schedule: Schedule.spaced(100) })

/** Starts the service with these master keys, and waits for its end. */
const startRefused = (environment: Readonly<Record<string, string>>, keys: string) =>
  runHere(runService, { ...environment, MASTER_KEY: keys })

const onDatabase = <A, E>(database: TestDatabase, statement: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
  Effect.provide(Effect.flatMap(SqlClient.SqlClient, statement), poolOn(database, 1))
