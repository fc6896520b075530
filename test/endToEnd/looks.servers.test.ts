import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import { toSocketUrl } from "../../src/persistence/postgres/databasePool.ts"
import { freshDatabase, poolOn } from "../persistence/freshDatabase.ts"
import { approvedInAdvance, createTestConnection } from "../support/TestConnection.ts"
import { Lab } from "../support/lab/Lab.ts"
import { describeLab } from "../support/lab/describeLab.ts"
import { labPowerDns, labService } from "../support/labService.ts"
import { get, issueKey, jsonOf } from "../support/testApi.ts"
import { eventually } from "../webhooks/Receiver.ts"

const zone = "looked-at.com"

describeLab("an active connection", (live) => {
  live("is looked at without a write to it, and degraded once one server lacks its record and two checks miss it", () =>
    Effect.gen(function* () {
      const { delegate, pdns } = yield* Lab
      yield* pdns.createZone(zone, "@ NS ns1.pdnsprov.net.\n@ NS ns2.pdnsprov.net.")
      yield* delegate(zone, ["ns1.pdnsprov.net", "ns2.pdnsprov.net"])
      const database = yield* freshDatabase
      const sql = yield* Effect.flatMap(Layer.build(poolOn(database, 1)), (pool) =>
        Effect.provide(SqlClient.SqlClient, pool)
      )
      const lookNow = sql`update look_slots set due_at = now()`
      const rowOf = (id: string) => sql`select xmin, version, due_at from connections where id = ${id}`

      yield* Effect.gen(function* () {
        const { key } = yield* issueKey()
        const records = [{ host: "shop", type: "CNAME", value: "shops.example.net" }]
        const { command, created, id, waitForState } = yield* createTestConnection(key, { domain: zone, records })
        const credential = { apiToken: pdns.key }
        yield* command("authorization", { method: "direct_credential", credential, ...approvedInAdvance(created.plan) })
        yield* waitForState("active")
        const readObservations = Effect.flatMap(get(`/v1/connections/${id}/records`, key), jsonOf)

        const first = yield* readObservations
        expect(Date.parse(first.nextCheckAt) - Date.now()).toBeLessThan(15 * 60_000)
        const before = yield* rowOf(id)
        yield* lookNow
        const looked = yield* eventually(
          Effect.filterOrFail(readObservations, ({ lastCheckedAt }) => lastCheckedAt > first.lastCheckedAt)
        )
        expect(looked.records).toEqual(first.records)
        expect(yield* rowOf(id)).toEqual(before)

        yield* pdns.patch(zone, [{ name: `shop.${zone}.`, type: "CNAME", changetype: "DELETE" }])
        yield* lookNow
        const degraded = yield* waitForState("degraded")
        expect(degraded.plan.changes.map(({ after }: any) => after.value)).toEqual(["shops.example.net"])
        expect(yield* sql`select connection_id from watches`).toEqual([])
      }).pipe(
        Effect.provide(
          labService([labPowerDns], { environment: { DATABASE_URL: toSocketUrl(database), SECOND_LOOK: "1" } })
        )
      )
    })
  )
})
