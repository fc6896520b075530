import { expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Layer, Redacted } from "effect"
import { makeApiClient } from "../../prove/ApiClient.ts"
import { authorizeAndApprove, createPlannedConnection, waitForState } from "../../prove/connectionSteps.ts"
import { freshDatabase, poolOn, urlOf } from "../persistence/freshDatabase.ts"
import type { TestDatabase } from "../support/TestPostgres.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { masterKey } from "../support/masterKeys.ts"
import { desiredShopOf, scriptedService } from "../support/scriptedService.ts"
import { issueKey, serviceUrl } from "../support/testApi.ts"
import { runCli, runCliHere } from "./commandLine.ts"

/** A database on which the service has made a connection active, and sent a webhook event that nobody took. */
const usedDatabase = Effect.gen(function* () {
  const database = yield* freshDatabase
  const receiver = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(undefined, { status: 500 }) })
  yield* Effect.addFinalizer(() => Effect.promise(() => receiver.stop(true)))
  const { layer } = yield* scriptedService(urlOf(database), ["canary-domain.com"], { OUTBOUND_ALLOW: "127.0.0.0/8" })
  const used = yield* Effect.provide(
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const api = makeApiClient(yield* serviceUrl, key)
      const endpoint = yield* api.post("/v1/webhook-endpoints", { url: `http://127.0.0.1:${receiver.port}/` })
      const shop = desiredShopOf("canary-domain.com")
      const planned = yield* createPlannedConnection(api, shop)
      yield* authorizeAndApprove(api, planned, shop)
      yield* waitForState(api, planned.id, ["active"])
      return { key, endpointId: endpoint.body.endpoint.id, secret: endpoint.body.secret, connectionId: planned.id }
    }),
    layer
  )
  const environment = { DATABASE_URL: Redacted.value(urlOf(database)), MASTER_KEY: masterKey(1) }
  return { ...used, database, run: (...args: ReadonlyArray<string>) => runCliHere(environment, ...args), environment }
})

concurrentTest("webhooks deliveries lists what an endpoint got, and replay makes it due again", () =>
  Effect.gen(function* () {
    const { endpointId, run } = yield* usedDatabase
    const webhooks = (...args: ReadonlyArray<string>) => run("webhooks", ...args, "--application", "app", "--json")
    const listed = JSON.parse((yield* webhooks("deliveries", endpointId)).out)
    const types = listed.map(({ type }: { readonly type: string }) => type)
    expect([types[0], types.at(-1)]).toEqual(["connection.active", "connection.created"])
    expect(yield* webhooks("deliveries", endpointId, "--status", "delivered")).toMatchObject({ out: "[]\n" })
    const one = yield* webhooks("replay", endpointId, "--event", listed[0].eventId)
    expect(JSON.parse(one.out)).toEqual({ replayed: 1 })
    expect(JSON.parse((yield* webhooks("replay", endpointId)).out)).toEqual({ replayed: listed.length })
    const [replayed] = JSON.parse((yield* webhooks("deliveries", endpointId)).out)
    expect([replayed.status, replayed.attempts]).toEqual(["pending", 0])
    expect(yield* webhooks("replay", endpointId, "--event", "evt_missing")).toMatchObject({ code: 1 })
  })
)

concurrentTest("audit export prints the log of an application, the oldest first, and goes on after an entry", () =>
  Effect.gen(function* () {
    const { connectionId, run } = yield* usedDatabase
    const exported = (...args: ReadonlyArray<string>) =>
      Effect.map(run("audit", "export", "--application", "app", ...args), ({ out }) =>
        out
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line))
      )
    const all = yield* exported()
    expect(all[0]).toMatchObject({ action: "application.created" })
    const ofConnection = all.filter((entry) => entry.connectionId === connectionId)
    expect(ofConnection.map(({ action }) => action)).toContain("connection.active")
    expect(yield* exported("--after", all[2].id)).toEqual(all.slice(3))
    expect(yield* exported("--after", all.at(-1).id)).toEqual([])
    expect(yield* run("audit", "export", "--after", "third")).toMatchObject({ code: 2 })
    const missing = yield* run("audit", "export", "--application", "app", "--after", "aud_999")
    expect([missing.code, missing.out]).toEqual([1, ""])
    expect(missing.err).toMatch(/the log has no entry aud_999; .*: export again without --after aud_999\n$/)
  })
)

concurrentTest("audit export says up to when entries are complete, also beside an idle transaction", () =>
  Effect.gen(function* () {
    const { database, run } = yield* usedDatabase
    const sql = yield* Effect.provide(SqlClient.SqlClient, yield* Layer.build(poolOn(database, 1)))
    yield* sql`begin`
    const [row] = yield* sql`select to_char(date_trunc('milliseconds', now()) at time zone 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as begun`
    const { code, err } = yield* run("audit", "export", "--application", "app")
    expect([code, err]).toEqual([0, expect.stringContaining(`complete up to ${String(row?.["begun"])}`)])
  })
)

/** The work of a live process on a connection, which no command may take over. */
const takenWork = (database: TestDatabase, id: string) =>
  Effect.gen(function* () {
    const sql = yield* Effect.provide(SqlClient.SqlClient, yield* Layer.build(poolOn(database, 1)))
    yield* sql`insert into processes (id) values ('prc_live')`
    yield* sql`update connections set taken_by = 'prc_live' where id = ${id}`
    const read = Effect.map(
      sql`select (select max(id) from processes) as process, taken_by as "takenBy" from connections where id = ${id}`,
      ([row]) => row
    )
    return { read }
  })

concurrentTest("support-bundle has settings, findings and queues, and no secret, domain or value of a record", () =>
  Effect.gen(function* () {
    const { connectionId, database, environment, key, secret } = yield* usedDatabase
    const work = yield* takenWork(database, connectionId)
    const { code, out } = yield* runCli(
      {
        ...environment,
        OUTBOUND_PROXY: "http://canary-user:canary-password@proxy.example:3128",
        OTEL_EXPORTER_OTLP_ENDPOINT: "https://canary-token@collector.example",
        DNS_RESOLVERS: "127.0.0.1:9"
      },
      "support-bundle"
    )
    expect([code, yield* work.read]).toEqual([0, { process: "prc_live", takenBy: "prc_live" }])
    const bundle = JSON.parse(out)
    expect(bundle).toMatchObject({
      service: { bun: Bun.version },
      connections: [{ state: "active", count: 1 }],
      phaseBacklog: { waiting: expect.any(Number) },
      webhookBacklog: { waiting: expect.any(Number) },
      stuck: expect.any(Array),
      failed: []
    })
    expect(bundle.settings).toContainEqual({ name: "MASTER_KEY", value: "***", isDefault: false })
    const password = Redacted.value(database.password)
    for (const hidden of ["canary", key, secret, "acme-token", masterKey(1).slice(4), password, "11.44.0.1"])
      expect([hidden, out.includes(hidden)]).toEqual([hidden, false])
  })
)

concurrentTest("support-bundle says what it can without a database", () =>
  Effect.gen(function* () {
    const { code, out } = yield* runCli(
      { DATABASE_URL: "postgresql://canary:canary@127.0.0.1:9/none" },
      "support-bundle"
    )
    expect([code, JSON.parse(out).connections]).toEqual([0, undefined])
    expect(JSON.parse(out).findings).toContainEqual(expect.objectContaining({ status: "fail" }))
  })
)
