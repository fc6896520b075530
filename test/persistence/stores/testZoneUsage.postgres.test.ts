import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import type { TestRecordSet } from "../../../src/domain/testmode/TestZone.ts"
import { ExpiredRows } from "../../../src/persistence/stores/erasure/ExpiredRows.ts"
import { TestZoneStore } from "../../../src/persistence/stores/testmode/TestZoneStore.ts"
import { UsageStore } from "../../../src/persistence/stores/usage/UsageStore.ts"
import { concurrentTest } from "../../support/concurrentTest.ts"
import { foreignTenancies, ownTenancy } from "../connectionFixtures.ts"
import { freshPool } from "../freshDatabase.ts"

const stores = Layer.mergeAll(ExpiredRows.layer, TestZoneStore.layer, UsageStore.layer)

const onFreshDatabase = (
  name: string,
  body: Effect.Effect<unknown, unknown, ExpiredRows | TestZoneStore | UsageStore | SqlClient.SqlClient>
) => concurrentTest(name, () => Effect.provide(body, Layer.fresh(Layer.provideMerge(stores, freshPool))))

const setsOf = (characters: number): ReadonlyArray<TestRecordSet> => [
  { name: "shop.one-click.test", type: "TXT", ttl: 300, records: [{ content: "x".repeat(characters) }] }
]

const countBytes = Effect.gen(function* () {
  const { count, sumUpChanges } = yield* UsageStore
  yield* sumUpChanges(1_000)
  return (yield* count(ownTenancy, ["storageBytes"])).storageBytes ?? 0
})

onFreshDatabase(
  "what a tenant keeps in test zones counts in its storage, once for each zone, until the zone is deleted",
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { save } = yield* TestZoneStore
    const write = (version: number, sets: number, former: number) =>
      save(ownTenancy, "one-click.test", { sets: setsOf(sets), former: setsOf(former), calls: 0, version })
    expect(yield* countBytes).toBe(0)
    expect(yield* write(0, 10_000, 0)).toBe(true)
    const first = yield* countBytes
    expect(first).toBeGreaterThan(10_000)
    expect(first).toBeLessThan(11_000)
    expect(yield* write(1, 30_000, 10_000)).toBe(true)
    expect((yield* countBytes) - first).toBe(30_000)
    expect([yield* write(0, 90_000, 0), yield* write(1, 90_000, 0)]).toEqual([false, false])
    expect((yield* countBytes) - first).toBe(30_000)
    expect(yield* write(2, 1_000, 0)).toBe(true)
    expect((yield* countBytes) - first).toBe(-9_000)

    yield* sql`update test_zones set used_at = now() - interval '2 days', checked_at = now() - interval '2 days'`
    expect(yield* (yield* ExpiredRows).deleteTestZones(10)).toBe(1)
    expect(yield* countBytes).toBe(0)
  })
)

onFreshDatabase(
  "writers of a test zone at the same time count what was written, and nothing else",
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { save } = yield* TestZoneStore
    yield* Effect.forEach(
      Array.from({ length: 60 }, (_, nth) => nth),
      (nth) =>
        save(ownTenancy, "one-click.test", {
          sets: setsOf(nth * 100),
          former: [],
          calls: 0,
          version: Math.floor(nth / 6)
        }),
      { concurrency: 6 }
    )
    const rows = yield* sql`
      select 200 + octet_length(sets) + octet_length(former) as bytes from test_zones where version > 1`
    expect(rows).toEqual([{ bytes: yield* countBytes }])
  })
)

onFreshDatabase(
  "a test zone is deleted when no living connection of its tenant has used it for a day",
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { deleteTestZones } = yield* ExpiredRows
    const { save } = yield* TestZoneStore
    const [stranger = ownTenancy] = foreignTenancies
    const zones = ["living.test", "ended.test", "never.test", "strangers.test", "lately.test"]
    const connect = (id: string, { applicationId, tenantId } = ownTenancy, zone: string, state: string) => sql`
      insert into connections (id, application_id, tenant_id, state, domain, registered_domain, doc)
      values (${id}, ${applicationId}, ${tenantId}, ${state}, ${`shop.${zone}`}, ${zone}, '{}')`
    yield* Effect.forEach(zones, (zone) =>
      save(ownTenancy, zone, { sets: setsOf(10), former: setsOf(10), calls: 0, version: 0 })
    )
    yield* connect("con_1", ownTenancy, "living.test", "active")
    yield* connect("con_2", ownTenancy, "ended.test", "disconnected")
    yield* connect("con_3", stranger, "strangers.test", "active")
    yield* connect("con_4", ownTenancy, "lately.test", "active")
    const passHours = (hours: number) => sql`
      update test_zones set used_at = used_at - ${hours} * interval '1 hour',
        checked_at = checked_at - ${hours} * interval '1 hour'`
    const left = Effect.map(sql`select zone from test_zones order by zone`, (rows) => rows.map(({ zone }) => zone))

    yield* passHours(23)
    expect(yield* deleteTestZones(10)).toBe(0)
    yield* sql`update connections set state = 'canceled' where id = 'con_4'`
    yield* passHours(3)
    expect(yield* deleteTestZones(10)).toBe(3)
    expect(yield* left).toEqual(["lately.test", "living.test"])
    yield* passHours(21)
    expect(yield* deleteTestZones(10)).toBe(0)
    yield* passHours(3)
    expect(yield* deleteTestZones(10)).toBe(1)
    expect(yield* left).toEqual(["living.test"])
    expect(yield* deleteTestZones(10)).toBe(0)
  })
)
