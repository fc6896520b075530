import { SqlClient } from "@effect/sql"
import { HttpServer } from "@effect/platform"
import { expect } from "bun:test"
import { Effect } from "effect"
import { makeApiClient } from "../../prove/ApiClient.ts"
import { authorizeAndApprove, createPlannedConnection, waitForState } from "../../prove/connectionSteps.ts"
import { freshDatabase, poolOn, urlOf } from "../persistence/freshDatabase.ts"
import { live } from "../support/effectTest.ts"
import { desiredShopOf, scriptedService } from "../support/scriptedService.ts"
import { issueKey } from "../support/testApi.ts"

interface WrittenEvent {
  readonly id: string
  readonly from_state: string | null
  readonly to_state: string
}

interface WrittenEntry {
  readonly action: string
  readonly actor_type: string
  readonly actor_id: string
  readonly request_id: string | null
  readonly details: {
    readonly eventId?: string
    readonly from?: string
    readonly to?: string
    readonly control?: { readonly by: string }
  }
}

live("every entry of the timelines has exactly one entry in the audit log, with the request that caused it", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const domains = ["example.com", "example.org"]
    const { layer } = yield* scriptedService(urlOf(database), domains)
    yield* Effect.gen(function* () {
      const { id: keyId, key } = yield* issueKey()
      const url = yield* HttpServer.addressFormattedWith(Effect.succeed)
      const requestIds = new Set<string>()
      const api = makeApiClient(url, key, ({ response }) => {
        requestIds.add(response?.headers.get("x-request-id") ?? "")
      })
      for (const domain of domains) {
        const desired = desiredShopOf(domain)
        const planned = yield* createPlannedConnection(api, desired)
        yield* authorizeAndApprove(api, planned, desired)
        yield* waitForState(api, planned.id, ["active"])
        yield* api.post(`/v1/connections/${planned.id}/disconnect`, {})
      }
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const events = yield* sql<WrittenEvent>`select id, from_state, to_state from connection_events order by id`
        const audit = yield* sql<WrittenEntry>`
            select action, actor_type, actor_id, request_id, details from audit_entries order by id`
        expect(events.length).toBeGreaterThan(8)
        for (const { from_state, id, to_state } of events) {
          const telling = audit.filter(({ details }) => details.eventId === id)
          expect(telling).toHaveLength(1)
          expect([telling[0]?.details.from ?? null, telling[0]?.details.to]).toEqual([from_state, to_state])
        }
        for (const { action, actor_id, actor_type, request_id } of audit) {
          expect([action, actor_type === "api_key"]).toEqual([action, request_id !== null])
          if (actor_type === "api_key") expect([actor_id, requestIds.has(request_id ?? "")]).toEqual([keyId, true])
        }
        const actions = new Set(audit.map(({ action, actor_id }) => `${action} by ${actor_id}`))
        for (const action of ["connection.planned by discover", "connection.applied by provision"])
          expect(actions).toContain(action)
        expect(actions).toContain("connection.active by verify")
        const proofs = audit.flatMap(({ action, details }) => (details.control ? [[action, details.control.by]] : []))
        expect(proofs).toEqual(domains.map(() => ["connection.applied", "credential"]))
        expect(actions).toContain("credential.deleted by provision")
        const refused = yield* Effect.flip(sql`update audit_entries set action = 'connection.created'`)
        expect(String(refused.cause)).toContain("entries of the audit log never change")
      }).pipe(Effect.provide(poolOn(database, 1)))
    }).pipe(Effect.provide(layer))
  })
)
