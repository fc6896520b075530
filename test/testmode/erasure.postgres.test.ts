import { expect } from "bun:test"
import { Effect } from "effect"
import { freshTestModeDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { issueTestAdminKey, issueTestKey, requesterWith, testModeService } from "./testModeService.ts"

concurrentTest("test mode erases a connection that has ended, and a tenant, as the live service does", () =>
  Effect.gen(function* () {
    const url = urlOf(yield* freshTestModeDatabase)
    yield* Effect.gen(function* () {
      const key = yield* issueTestKey(url)
      const { authorizeAndApprove, command, connect, send } = yield* requesterWith(key)
      const { id, applicationId, tenantId } = yield* connect("one-click.test")
      const path = `/v1/connections/${id}`
      yield* authorizeAndApprove(id, "active")
      const refused = yield* send("DELETE", path)
      expect([refused.status, refused.json.error.code]).toEqual([409, "state_conflict"])
      yield* command(id, "disconnect")
      yield* authorizeAndApprove(id, "disconnected")
      expect((yield* send("DELETE", path)).status).toBe(204)
      expect([(yield* send("GET", path)).status, (yield* send("DELETE", path)).status]).toEqual([404, 404])

      const admin = yield* requesterWith("")
      const headers = { "x-admin-key": yield* issueTestAdminKey(url) }
      const erasure = `/v1/admin/applications/${applicationId}/tenants/${tenantId}/erasure`
      const counted = yield* admin.send("GET", erasure, undefined, headers)
      expect(counted.json).toEqual({ erasure: { connections: 0, liveConnections: 0, apiKeys: 1 } })
      const erased = yield* admin.send("POST", erasure, { connections: 0 }, headers)
      expect(erased.json).toEqual({ erased: 0, remaining: 0 })
      expect((yield* send("GET", "/v1/connections")).status).toBe(401)
    }).pipe(Effect.provide(testModeService(url)))
  })
)
