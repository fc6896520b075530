import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Array, Effect, Layer } from "effect"
import { DomainName } from "../../../../src/domain/names/DomainName.ts"
import { Identifiers } from "../../../../src/domain/values/Identifiers.ts"
import { HostHolderStore } from "../../../../src/persistence/stores/connections/HostHolderStore.ts"
import { ErasureStore } from "../../../../src/persistence/stores/erasure/ErasureStore.ts"
import { UsageStore } from "../../../../src/persistence/stores/usage/UsageStore.ts"
import { concurrentTest } from "../../../support/concurrentTest.ts"
import { tenancyOf } from "../../../support/testApi.ts"
import { connectionFor, createConnection, moveToState, ownTenancy } from "../../connectionFixtures.ts"
import { allStores, freshPool } from "../../freshDatabase.ts"

const otherTenancy = tenancyOf("app", "other")

const deepHosts = Array.makeBy(200, (nth) => `${"a.".repeat(110)}h${nth}`)

const createDeep = Effect.suspend(() => {
  const { effectiveIntent, intent } = connectionFor(
    "example.com",
    deepHosts.map((host) => `${host} 300 A 192.0.2.1`)
  )
  return createConnection(ownTenancy, { effectiveIntent, intent })
})

const countRows = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql`select 1 as host from requested_hosts`, ({ length }) => length)
)

const countBytes = Effect.gen(function* () {
  const { count, sumUpChanges } = yield* UsageStore
  yield* sumUpChanges(1_000)
  return (yield* count(ownTenancy, ["storageBytes"])).storageBytes ?? 0
})

const onFreshDatabase = (
  name: string,
  body: Effect.Effect<unknown, unknown, Layer.Layer.Success<typeof allStores> | Identifiers | SqlClient.SqlClient>
) =>
  concurrentTest(name, () =>
    Effect.provide(body, Layer.fresh(Layer.provideMerge(Layer.merge(allStores, Identifiers.layer), freshPool)))
  )

onFreshDatabase(
  "a host has a row for itself and for each name above it of two to six labels, which its tenant pays for, once",
  Effect.gen(function* () {
    const { eraseConnections, eraseTenant } = yield* ErasureStore
    const remembered = 200 * (1 + 4) + 1
    yield* createDeep
    expect(yield* countRows).toBe(remembered)
    const first = yield* countBytes
    yield* createDeep
    expect(yield* countRows).toBe(remembered)
    // The second has all that the first has, but for the hosts.
    expect(first - ((yield* countBytes) - first)).toBe(300 * remembered)
    yield* moveToState("canceled")
    yield* moveToState("canceled")
    yield* eraseConnections(ownTenancy, 10)
    expect(yield* countBytes).toBeGreaterThan(300 * remembered)
    expect(yield* eraseTenant(ownTenancy)).toBe(true)
    expect(yield* countBytes).toBeLessThan(10_000)
    expect(yield* countRows).toBe(remembered)
  })
)

onFreshDatabase(
  "a wildcard below more than six labels is requested by another who asked for anything below the last six",
  Effect.gen(function* () {
    const { isRequestedByAnother } = yield* HostHolderStore
    yield* createDeep
    for (const [host, isRequested] of [
      ["*.h1", true],
      ["*.a.a.a.h1", true],
      ["*.b.a.a.a.h1", true],
      ["*.b.a.a.h1", false],
      ["*.h200", false],
      ["b.a.a.a.h1", false]
    ] as const)
      expect([
        host,
        yield* isRequestedByAnother(otherTenancy, [DomainName.make(`${host}.example.com`)]),
        yield* isRequestedByAnother(ownTenancy, [DomainName.make(`${host}.example.com`)])
      ]).toEqual([host, isRequested, false])
  })
)
