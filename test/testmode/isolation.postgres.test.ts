import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect, Redacted, Schedule } from "effect"
import { freshDatabase, poolOn, urlOf } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { masterKey } from "../support/masterKeys.ts"
import { startCompiledService } from "../support/serviceProcess.ts"
import { jsonOf } from "../support/testApi.ts"
import { temporaryDirectory } from "../support/TestPostgres.ts"
import { makeDataDirectory } from "../support/dataDirectory.ts"

const intent = { domain: "one-click.test", records: [{ host: "shop", type: "CNAME", value: "shops.example.net" }] }

const request = (url: string, key: string) => () =>
  fetch(`${url}/v1/connections`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json", prefer: "wait=10" },
    body: JSON.stringify({ intent })
  })

concurrentTest(
  "a live key is told of test mode, whose phases have metrics apart from live ones, and no monitoring of their own",
  () =>
    Effect.gen(function* () {
      const { output, url } = yield* startCompiledService({ DATA_DIR: yield* makeDataDirectory })
      const [testKey = ""] = /dck_test_\w+/.exec(output()) ?? []
      const [liveKey = ""] = /dck_live_\w+/.exec(output()) ?? []
      expect((yield* Effect.promise(request(url, testKey))).status).toBe(201)
      const refused = yield* Effect.flatMap(Effect.promise(request(url, liveKey)), jsonOf)
      expect(refused.error.details).toMatchObject([{ pointer: "/intent/domain", code: "domain_of_test_mode" }])
      expect(refused.error.message).toContain("dck_test_")
      const read = (path: string) =>
        Effect.promise(async () => {
          const answer = await fetch(`${url}${path}`)
          return { status: answer.status, text: await answer.text() }
        })
      yield* Effect.repeat(read("/metrics"), {
        until: ({ text }) =>
          text.includes('dcs_phases_started_total{phase="discover",environment="test"} 1') &&
          text.includes("dcs_phases_waiting"),
        schedule: Schedule.spaced("100 millis")
      })
      const { text } = yield* read("/metrics")
      const started = text
        .split("\n")
        .filter((line) => line.startsWith("dcs_phases_started_total") && !line.endsWith(" 0"))
      expect(started).toEqual(['dcs_phases_started_total{phase="discover",environment="test"} 1'])
      const statuses = yield* Effect.forEach(["metrics", "healthz", "readyz"], (page) =>
        Effect.map(read(`/test-mode/${page}`), ({ status }) => status)
      )
      expect(statuses).toEqual([404, 404, 404])
    })
)

concurrentTest("test mode that cannot start is not started by every request, and leaves live requests alone", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const schemaOfNewerVersion = Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.all([
        sql`create schema domain_connection_test`,
        sql`create table domain_connection_test.migrations as
          select 999 as migration_id, 'of_a_newer_version' as name, now() as created_at`
      ])
    )
    yield* Effect.provide(schemaOfNewerVersion, poolOn(database))
    const { output, url } = yield* startCompiledService({
      DATA_DIR: temporaryDirectory(),
      DATABASE_URL: Redacted.value(urlOf(database)),
      MASTER_KEY: masterKey(1)
    })
    const statuses = yield* Effect.forEach(
      Array.from({ length: 20 }),
      () => Effect.promise(request(url, `dck_test_${"x".repeat(43)}`)),
      { concurrency: 5 }
    )
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([503]))
    const live = yield* Effect.promise(request(url, `dck_live_${"x".repeat(43)}`))
    expect(live.status).toBe(401)
    yield* Effect.repeat(Effect.sync(output), {
      until: (text) => text.includes("Test mode cannot be started"),
      schedule: Schedule.spaced("50 millis")
    })
    expect(output().match(/Test mode cannot be started/g)).toHaveLength(1)
  })
)
