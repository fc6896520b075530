import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Array, Effect, Layer, Option } from "effect"
import { lookKeyOf, lookKeysIn, slotsOf, slotsPerCycle } from "../../../../src/domain/connection/lookSchedule.ts"
import type { ConnectionState } from "../../../../src/domain/connection/Connection.ts"
import type { Transition, Watch } from "../../../../src/domain/connection/Transition.ts"
import { ConnectionViews } from "../../../../src/persistence/stores/connections/ConnectionViews.ts"
import { PhaseStore } from "../../../../src/persistence/stores/phases/PhaseStore.ts"
import { type TakenSlot, WatchStore } from "../../../../src/persistence/stores/phases/WatchStore.ts"
import { withLayer } from "../../../support/effectTest.ts"
import { sequentialIdentifiers } from "../../../support/sequentialIdentifiers.ts"
import { createConnection, moveToState, ownTenancy } from "../../connectionFixtures.ts"
import { allStores, freshPool } from "../../freshDatabase.ts"

const lookKey = lookKeyOf("example.com", 4)

const watch: Watch = {
  lookKey,
  zone: "example.com",
  servers: ["192.0.2.1", "2001:db8::1"],
  silentServers: ["192.0.2.2"],
  serversUntil: 4_000_000_000_000,
  answers: [{ name: "shop.example.com", type: "CNAME", digest: "digest" }]
}

const later = { next: Option.some({ phase: "verify" as const, inSeconds: 86_400 }), watch: Option.some(watch) }

/** Makes an active connection that is looked at. */
const createWatched = Effect.zipRight(createConnection(), moveToState("active", later))

/** Takes every slot that is due. */
const takeAll = Effect.flatMap(WatchStore, ({ takeSlots }) => takeSlots(2 * slotsPerCycle, 60))

const bySlot = (slots: ReadonlyArray<TakenSlot>) => slots.toSorted((one, other) => one.slot - other.slot)

const makeAllDue = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`update look_slots set due_at = now()`)

const findWatched = Effect.flatMap(WatchStore, (store) =>
  store.findWatched(slotsOf(lookKey).map((slot) => ({ slot, round: 1 })))
)

const nothing = { changed: [], silenced: [], renewed: [] }
const inAnHour = () => Date.now() + 3_600_000

withLayer(
  "looks at connections",
  Layer.mergeAll(sequentialIdentifiers, allStores).pipe(Layer.provideMerge(freshPool)),
  (live) => {
    live(
      "are dealt to processes by slots, each once in a round, and again after a minute if they are not settled",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const { settle, shorten, takeSlots } = yield* WatchStore
          yield* makeAllDue
          const takes = yield* Effect.replicateEffect(takeSlots(1_500, 60), 4).pipe(Effect.withConcurrency("unbounded"))
          const slots = [...takes.flat(), ...(yield* takeAll)]
          expect(new Set(slots.map(({ slot }) => slot)).size).toBe(slotsPerCycle)
          expect(slots).toHaveLength(slotsPerCycle)
          expect(yield* takeAll).toEqual([])
          yield* sql`update look_slots set due_at = due_at - interval '1 minute' where slot < 2`
          const again = bySlot(yield* takeAll)
          // The server whose turn it is has not been asked.
          expect(again).toEqual(bySlot(slots).slice(0, 2))
          // A process that was away settles nothing that another one has settled.
          const stale = again.map(({ round, slot }) => ({ slot, round: round - 1, nextTime: 0 }))
          yield* settle(stale, nothing)
          expect(yield* takeAll).toEqual([])
          yield* settle(
            again.map((slot) => ({ ...slot, nextTime: inAnHour() })),
            nothing
          )
          yield* shorten(3_700)
          expect(yield* takeAll).toEqual([])
          yield* shorten(3_500)
          expect(bySlot(yield* takeAll)).toEqual(again.map(({ round, slot }) => ({ slot, round: round + 1 })))
        })
    )

    live("find what a check of all servers kept, and write nothing to the connection", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { settle } = yield* WatchStore
        const { id } = yield* createWatched
        expect(yield* findWatched).toEqual([{ ...ownTenancy, ...watch, connectionId: id }])
        const before = yield* sql`select version, due_at, xmin from connections where id = ${id}`
        yield* makeAllDue
        const slots = (yield* takeAll).map((slot) => ({ ...slot, nextTime: inAnHour() }))
        const renewed = [{ connectionId: id, serversUntil: watch.serversUntil + 1_000 }]
        expect(yield* settle(slots, { ...nothing, renewed })).toBe(0)
        expect(yield* sql`select version, due_at, xmin from connections where id = ${id}`).toEqual(before)
        expect((yield* findWatched)[0]?.serversUntil).toBe(watch.serversUntil + 1_000)
        const { findObservations } = yield* ConnectionViews
        const { lastCheckedAt, nextCheckAt } = yield* findObservations(id)
        const [looked] = yield* sql`
          select looked_at, due_at from look_slots where slot = any(${slotsOf(lookKey)}) order by looked_at desc`
        expect([lastCheckedAt, nextCheckAt].map((time) => Option.getOrThrow(time).epochMillis)).toEqual(
          [looked?.["looked_at"], looked?.["due_at"]].map((time) => Number(time))
        )
        yield* endAll
      })
    )

    live("that find a change make the check of all servers due, of active connections only", () =>
      Effect.gen(function* () {
        const { settle } = yield* WatchStore
        const { takeDue } = yield* PhaseStore
        const { id } = yield* createWatched
        const other = yield* createConnection()
        yield* takeDue(1, 60)
        expect(yield* settle([], { ...nothing, changed: [id, other.id] })).toBe(1)
        expect(yield* settle([], { ...nothing, changed: [id] })).toBe(0)
        expect(yield* takeDue(9, 60)).toMatchObject([{ connectionId: id, phase: "verify" }])
        yield* endAll
      })
    )

    live("that find a silent server make the check of all due too, for which the connection is not verified", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { settle } = yield* WatchStore
        const [changed, silenced] = [yield* createWatched, yield* createWatched]
        const verifiedAt = "2026-11-01T00:00:00.000Z"
        yield* sql`update connections set progress = (progress::jsonb || ${JSON.stringify({ verifiedAt })}::jsonb)::text`
        const rest =
          yield* sql`select progress::jsonb - 'verifiedAt' as progress from connections where id = ${silenced.id}`
        expect(yield* settle([], { ...nothing, changed: [changed.id], silenced: [silenced.id] })).toBe(2)
        const [kept] =
          yield* sql`select progress::jsonb ->> 'verifiedAt' as at from connections where id = ${changed.id}`
        expect(kept).toEqual({ at: verifiedAt })
        expect(yield* sql`select progress::jsonb as progress from connections where id = ${silenced.id}`).toEqual(rest)
        yield* endAll
      })
    )

    for (const [name, state, changes] of [
      ["the connection is not active any more", "degraded", {}],
      ["a check of all servers keeps nothing", "active", { watch: Option.none() }]
    ] satisfies ReadonlyArray<readonly [string, ConnectionState, Partial<Transition>]>)
      live(`end when ${name}`, () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const { id } = yield* createWatched
          yield* sql`update connections set due_at = now() where id = ${id}`
          yield* moveToState(state, changes)
          expect(yield* findWatched).toEqual([])
          yield* endAll
        })
      )

    live("end when a version that knows no looks ends the state", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { id } = yield* createWatched
        yield* sql`update connections set doc = doc, state = 'active' where id = ${id}`
        expect(yield* findWatched).toHaveLength(1)
        yield* sql`update connections set state = 'authorized' where id = ${id}`
        expect(yield* findWatched).toEqual([])
        yield* endAll
      })
    )

    live("read as much for four slots of twenty thousand connections as for those of a thousand", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const blocksOfFour = Effect.map(
          sql<{ "QUERY PLAN": string }>`
            explain (analyze, buffers, timing off)
            select connection_id from watches where look_key = any(${Array.range(0, 3).flatMap(lookKeysIn)})`,
          (lines) => Math.max(...lines.map((line) => Number(/hit=(\d+)/.exec(line["QUERY PLAN"])?.[1] ?? 0)))
        )
        yield* insertWatched(1, 1_000)
        const few = yield* blocksOfFour
        yield* insertWatched(1_001, 20_000)
        const rows = (20_000 * 4) / slotsPerCycle
        // The rows themselves, and a few blocks of the index.
        expect(yield* blocksOfFour).toBeLessThan(few + 2 * rows)
      })
    )
  }
)

const endAll = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`update connections set state = 'disconnected', phase = null, due_at = null, taken_by = null`
)

const insertWatched = (from: number, to: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.forEach(
      Array.range(0, Math.ceil((to - from) / 10_000) - 1).map((nth) => from + nth * 10_000),
      (first) => sql`
        with made as (
          insert into connections (id, application_id, tenant_id, state, phase, doc)
          select 'con_many' || n, 'app', 'tenant', 'active', 'verify', '{}'
          from generate_series(${first}::int, ${Math.min(first + 9_999, to)}::int) as n returning id
        )
        insert into watches (connection_id, application_id, tenant_id, look_key, zone, servers, servers_until, answers)
        select id, 'app', 'tenant', abs(hashtext(id)) % ${slotsPerCycle}, id, '192.0.2.1', now(), '[]' from made`
    )
  ).pipe(Effect.zipRight(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`analyze watches`)))
