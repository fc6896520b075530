import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Array, Effect, Layer, Number } from "effect"
import { PhaseStore } from "../../../../src/persistence/stores/phases/PhaseStore.ts"
import { buildTakeDueSql, firstTenant } from "../../../../src/persistence/stores/phases/buildTakeDueSql.ts"
import { withLayer } from "../../../support/effectTest.ts"
import { tenancyOf } from "../../../support/testApi.ts"
import { freshPool } from "../../freshDatabase.ts"

/** 100,000 phases of one tenant that have been due for an hour, 2,000 tenants of which none is due, and one more tenant. */
const manyDue = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // In batches, since a statement may take no longer than five seconds.
  const insert = (id: string, tenant: string, dueIn: string, count: number) =>
    Effect.forEach(Array.range(1, Math.ceil(count / batch)), (nth) =>
      insertBatch(`${id}${nth}_`, tenant, dueIn, Math.min(count, batch))
    )
  const insertBatch = (id: string, tenant: string, dueIn: string, count: number) => sql`
    insert into connections (id, application_id, tenant_id, state, phase, due_at, doc)
    select ${id} || n, 'app', replace(${tenant}, '#', n::text), 'requested', 'discover', now() + ${dueIn}::interval, '{}'
    from generate_series(1, ${count}::int) as n`
  yield* insert("con_busy_", "busy", "-1 hour", 100_000)
  yield* insert("con_calm_", "calm#", "1 day", 2_000)
  yield* insert("con_late_", "late", "0 seconds", 1)
  yield* sql`analyze connections`
})

const busy = tenancyOf("app", "busy")

/** The blocks that the first line with buffers names: those of the whole statement. */
const blocksIn = (line: string): ReadonlyArray<number> =>
  [...line.matchAll(/(?:hit|read)=(\d+)/g)].map(([, blocks]) => globalThis.Number(blocks))

const batch = 2_000

withLayer(
  "with 25,000 failed or degraded connections",
  Layer.effectDiscard(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.forEach(Array.range(1, 25), (nth) => {
        const [state, failure] = nth <= 20 ? ["failed", "provider_unavailable"] : ["degraded", "control_lost"]
        return sql`
          insert into connections (id, application_id, tenant_id, state, failure, doc)
          select 'con_' || ${nth}::int || '_' || n, 'app', 'tenant', ${state}, ${failure},
            jsonb_build_object('failure', jsonb_build_object('code', ${failure}::text))::text
          from generate_series(1, 1000) as n`
      })
    )
  ).pipe(Layer.provideMerge(PhaseStore.layer), Layer.provideMerge(freshPool)),
  (live) => {
    live("each is counted with its failure", () =>
      Effect.gen(function* () {
        const counts = yield* (yield* PhaseStore).countConnections
        expect(counts.filter(({ failure }) => failure !== null)).toEqual(
          expect.arrayContaining([
            { state: "failed", failure: "provider_unavailable", count: 20_000 },
            { state: "degraded", failure: "control_lost", count: 5_000 }
          ])
        )
      })
    )
  }
)

withLayer(
  "with 100,000 due phases of one tenant",
  Layer.effectDiscard(manyDue).pipe(Layer.provideMerge(PhaseStore.layer), Layer.provideMerge(freshPool)),
  (live) => {
    live("a statement that takes due phases reads a few thousand blocks through indexes, whatever is due", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`update connections set due_at = now() where tenant_id = 'late'`
        const request = { processId: "one", limit: 64, retrySeconds: 60, perTenant: 48, loads: [] }
        const rows = yield* sql<{ readonly "QUERY PLAN": string }>`
          explain (analyze, buffers) ${buildTakeDueSql(sql, request, firstTenant)}`
        const plan = rows.map((row) => row["QUERY PLAN"])
        expect(plan.filter((line) => line.includes("Seq Scan on connections"))).toEqual([])
        expect(Number.sumAll(plan.slice(0, 4).flatMap(blocksIn))).toBeLessThan(10_000)
      })
    )

    live("the phase of another tenant is taken at once, though thousands of tenants come before it", () =>
      Effect.gen(function* () {
        const { takeDue } = yield* PhaseStore
        const sql = yield* SqlClient.SqlClient
        yield* sql`update connections set due_at = now() where tenant_id = 'late'`
        const loads = [{ tenancy: busy, inFlight: 48, room: 0, lastTurn: 1 }]
        const taken = yield* takeDue(16, 60, { perTenant: 48, loads })
        expect(taken.map(({ tenantId }): string => tenantId)).toEqual(["late"])
      })
    )
  }
)
