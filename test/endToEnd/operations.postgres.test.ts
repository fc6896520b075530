import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { makeApiClient } from "../../prove/ApiClient.ts"
import { authorizeAndApprove, createPlannedConnection, waitForState } from "../../prove/connectionSteps.ts"
import { runCliHere } from "../cli/commandLine.ts"
import type { RetryOutcome } from "../../src/domain/connection/ConnectionInspection.ts"
import { freshDatabase, poolOn, urlOf } from "../persistence/freshDatabase.ts"
import { live } from "../support/effectTest.ts"
import { masterKey } from "../support/masterKeys.ts"
import { desiredShopOf, scriptedService } from "../support/scriptedService.ts"
import { issueAdminKey, issueKey, issueScopedAdminKey, jsonOf, send, serviceUrl } from "../support/testApi.ts"

const admin = (path: string, method = "GET", body?: object) =>
  Effect.gen(function* () {
    const key = yield* issueAdminKey
    const response = yield* send(`/v1/admin/connections${path}`, {
      method,
      headers: { "x-admin-key": key, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: response.status, body: yield* jsonOf(response) }
  })

const idsOf = (query: string) =>
  Effect.map(admin(query), ({ body }) => body.connections.map(({ id }: { readonly id: string }) => id))

/** One active connection, one that waits for its customer, and one whose domain is not there. */
const threeConnections = Effect.gen(function* () {
  const { key } = yield* issueKey()
  const api = makeApiClient(yield* serviceUrl, key)
  const shop = desiredShopOf("example.com")
  const active = yield* createPlannedConnection(api, shop)
  yield* authorizeAndApprove(api, active, shop)
  yield* waitForState(api, active.id, ["active"])
  const waiting = yield* createPlannedConnection(api, desiredShopOf("example.org"))
  return { active: active.id, waiting: waiting.id, failed: yield* failedConnection }
})

/** One more connection whose domain is not there. */
const failedConnection = Effect.gen(function* () {
  const { key } = yield* issueKey()
  const api = makeApiClient(yield* serviceUrl, key)
  const created = yield* api.post("/v1/connections", {
    intent: { domain: "missing.com", records: [{ host: "www", type: "A", value: "192.0.2.1" }] },
    allowDuplicate: true
  })
  const failed = yield* waitForState(api, created.body.connection.id, ["failed"])
  return failed.id
})

const withService = <A, E, R>(test: (environment: Readonly<Record<string, string>>) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const { layer } = yield* scriptedService(urlOf(database), ["example.com", "example.org"])
    const environment = { DATABASE_URL: Redacted.value(urlOf(database)), MASTER_KEY: masterKey(1) }
    return yield* Effect.provide(test(environment), layer)
  })

live("an operator finds connections of all tenants, and sees what one waits for and who can end that", () =>
  withService(() =>
    Effect.gen(function* () {
      const { active, failed, waiting } = yield* threeConnections
      expect(yield* idsOf("")).toEqual([failed, waiting, active])
      expect(yield* idsOf("?state=active,failed")).toEqual([failed, active])
      expect(yield* idsOf("?state=failed")).toEqual([failed])
      expect(yield* idsOf("?provider=acme-dns")).toEqual([waiting, active])
      expect(yield* idsOf("?domain=example.net")).toEqual([])
      expect(yield* idsOf("?domain=example.org&applicationId=app&tenantId=tenant")).toEqual([waiting])
      expect(yield* idsOf("?stuckSeconds=60")).toEqual([])
      const first = yield* admin("?limit=2")
      expect(yield* idsOf(`?limit=2&cursor=${first.body.nextCursor}`)).toEqual([active])
      const [{ failure }] = (yield* admin("?state=failed")).body.connections
      expect(yield* idsOf(`?failure=${failure}`)).toEqual([failed])

      const { inspection } = (yield* admin(`/${active}`)).body
      expect(inspection).toMatchObject({
        summary: { id: active, state: "active", providerId: "acme-dns", phase: "verify" },
        waitsFor: "next_check",
        mayAct: ["service"],
        allowedActions: ["recheck"],
        nextCheckAt: expect.any(String),
        connection: { id: active },
        records: { records: [{ status: "present", observed: expect.any(Array) }] }
      })
      expect(inspection.timeline.map(({ to }: { readonly to: string }) => to).at(-1)).toBe("active")
      expect(inspection.providerCalls).toMatchObject([
        { providerId: "acme-dns", action: "create", host: "shop", type: "A", status: "confirmed" }
      ])
      const actions = inspection.audit.map(({ action }: { readonly action: string }) => action)
      expect([actions[0], actions.at(-1)]).toEqual(["connection.active", "connection.created"])
      expect((yield* admin(`/${waiting}`)).body.inspection).toMatchObject({
        waitsFor: "authorization",
        mayAct: ["customer", "platform"],
        allowedActions: ["cancel"]
      })
      expect((yield* admin("/con_missing")).status).toBe(404)
    })
  )
)

live(
  "what an operator does is audited as theirs, and needs the scope to act; a bulk retry takes the oldest first",
  () =>
    withService(() =>
      Effect.gen(function* () {
        const { active, failed, waiting } = yield* threeConnections
        expect((yield* admin(`/${active}/recheck`, "POST")).body.connection.id).toBe(active)
        expect((yield* admin(`/${active}/cancel`, "POST")).status).toBe(409)
        expect((yield* admin(`/${waiting}/cancel`, "POST")).body.connection.state).toBe("canceled")
        const would = yield* admin("/retry", "POST", { dryRun: true })
        const retryable = (yield* admin(`/${failed}`)).body.inspection.connection.failure.retryable
        expect(would.body.connections).toMatchObject([{ id: failed, outcome: retryable ? "would_retry" : "refused" }])
        expect((yield* admin(`/${failed}`)).body.inspection.summary.state).toBe("failed")
        yield* failedConnection
        const first = yield* admin("/retry", "POST", { dryRun: true, limit: 1 })
        expect(first.body.connections).toMatchObject([{ id: failed }])
        const did = yield* admin("/retry", "POST", { limit: 1 })
        expect(did.body.connections).toMatchObject([{ id: failed, outcome: retryable ? "retried" : "refused" }])
        const { audit } = (yield* admin(`/${waiting}`)).body.inspection
        expect(audit[0]).toMatchObject({ action: "connection.canceled", actor: { type: "admin_key" } })

        const reader = yield* issueScopedAdminKey(["admin:read"])
        const refused = yield* send(`/v1/admin/connections/${active}/recheck`, {
          method: "POST",
          headers: { "x-admin-key": reader }
        })
        expect([refused.status, (yield* jsonOf(refused)).error.code]).toEqual([403, "insufficient_scope"])
      })
    )
)

live("a bulk retry leaves out what no retry can help, however old, unless it names the failure", () =>
  withService((environment) =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const api = makeApiClient(yield* serviceUrl, key)
      const permanent: Array<string> = []
      for (const value of ["one.example.net", "two.example.net", "three.example.net"]) {
        const intent = { domain: "example.com", records: [{ host: "@", type: "CNAME", value }] }
        const { body } = yield* api.post("/v1/connections", { intent, allowDuplicate: true })
        permanent.push((yield* waitForState(api, body.connection.id, ["failed"])).id)
      }
      const failed = yield* failedConnection
      const retried = (body: object) =>
        Effect.map(admin("/retry", "POST", body), ({ body }) =>
          body.connections.map(({ id, outcome }: RetryOutcome) => [id, outcome])
        )
      expect(yield* retried({ dryRun: true, limit: 2 })).toEqual([[failed, "would_retry"]])
      const [{ failure }] = (yield* admin(`?domain=example.com`)).body.connections
      expect(yield* retried({ dryRun: true, limit: 2, failure })).toEqual(
        permanent.slice(0, 2).map((id) => [id, "refused"])
      )
      const { out } = yield* runCliHere(environment, "connections", "retry", "--dry-run")
      expect(out).toMatch(/would_retry\n\nThis asked no quota/)
      expect(yield* retried({ limit: 1 })).toEqual([[failed, "retried"]])
    })
  )
)

live("the command line does the same, also while no process runs, and finds what is stuck then", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const { layer } = yield* scriptedService(urlOf(database), ["example.com", "example.org"])
    const { active, failed, waiting } = yield* Effect.provide(threeConnections, layer)
    const run = (...args: ReadonlyArray<string>) =>
      runCliHere({ DATABASE_URL: Redacted.value(urlOf(database)), MASTER_KEY: masterKey(1) }, "connections", ...args)
    const json = (...args: ReadonlyArray<string>) => Effect.map(run(...args, "--json"), ({ out }) => JSON.parse(out))
    expect((yield* run("list", "--provider", "acme-dns")).out.split("\n")).toEqual([
      expect.stringContaining(`${waiting}  example.org  awaiting_authorization  acme-dns  app/tenant`),
      expect.stringContaining(`${active}  example.com  active  acme-dns  app/tenant`),
      ""
    ])
    const { out } = yield* run("show", active)
    expect(out).toContain("Waits for: next_check.")
    expect(out).toContain("acme-dns  create A shop: confirmed")
    expect((yield* json("show", active)).summary.id).toBe(active)

    expect((yield* run("recheck", active)).code).toBe(0)
    expect((yield* run("list", "--stuck")).out).toBe("no connection fits\n")
    // As an hour later: nobody has taken the check.
    yield* Effect.provide(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`update connections set due_at = due_at - interval '1 hour' where phase = 'verify'`
      ),
      poolOn(database, 1)
    )
    const [stuck] = yield* json("list", "--stuck")
    expect([stuck.id, stuck.overdueSeconds >= 3_600]).toEqual([active, true])
    expect((yield* run("show", active)).out).toContain("Waits for: free_process.")

    const [{ outcome }] = yield* json("retry", failed, "--dry-run")
    expect(["would_retry", "refused"]).toContain(outcome)
    expect((yield* json("cancel", waiting)).state).toBe("canceled")
    expect((yield* run("show", waiting)).out).toContain("connection.canceled  command_line command_line")
    expect(yield* run("show", "con_missing")).toMatchObject({
      code: 1,
      err: expect.stringContaining("there is no such connection")
    })
  })
)
