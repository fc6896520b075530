import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Array, Effect, Layer } from "effect"
import { makeApiClient } from "../../prove/ApiClient.ts"
import { authorizeAndApprove, createPlannedConnection } from "../../prove/connectionSteps.ts"
import { live } from "../support/effectTest.ts"
import { desiredShopOf, scriptedService } from "../support/scriptedService.ts"
import { issueKey, serviceUrl } from "../support/testApi.ts"
import { freshDatabase, poolOn, urlOf } from "./freshDatabase.ts"
import { withLockedTable } from "./tableLocks.ts"

/** More connections than the phases have to the database. */
const domains = Array.makeBy(16, (nth) => `customer-${nth}.com`)

/** The statements that wait for a lock: by their sessions, and since when. */
const findWaiting = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly statement: string }>`
      select pid || ' ' || query_start as statement from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' order by 1`,
    Array.map(({ statement }) => statement)
  )
)

/** Those of all connections of the phases; the tenth one holds the lock of the instance. */
const awaitNineWaiting = Effect.repeat(Effect.delay(findWaiting, "10 millis"), { until: ({ length }) => length === 9 })

const isSameList = Array.getEquivalence<string>((one, other) => one === other)

live("requests are served while every database connection of the phases waits", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const { layer } = yield* scriptedService(urlOf(database), domains)
    const readWhilePhasesWait = Effect.gen(function* () {
      const { key } = yield* issueKey()
      const api = makeApiClient(yield* serviceUrl, key)
      const desired = domains.map(desiredShopOf)
      const planned = yield* Effect.forEach(desired, (one) => createPlannedConnection(api, one), { concurrency: 8 })
      // Nothing is written to a zone without the journal. Leases are taken together, in three connections at most.
      return yield* withLockedTable(
        "journal",
        Effect.gen(function* () {
          yield* Effect.forEach(Array.zip(planned, desired), ([connection, one]) =>
            authorizeAndApprove(api, connection, one)
          )
          const readWhileNoneEnds = Effect.gen(function* () {
            const before = yield* awaitNineWaiting
            const reads = yield* Effect.forEach(planned, ({ id }) => api.get(`/v1/connections/${id}`), {
              concurrency: "unbounded"
            })
            const hasNoneEnded = isSameList(before, yield* findWaiting)
            return { hasNoneEnded, statuses: reads.map(({ status }) => status) }
          })
          // After two seconds a statement gives up, and leaves its connection to others.
          return yield* Effect.repeat(readWhileNoneEnds, { until: ({ hasNoneEnded }) => hasNoneEnded, times: 10 })
        })
      )
    })
    const result = yield* Effect.provide(readWhilePhasesWait, Layer.merge(layer, poolOn(database, 2)))
    expect(result).toEqual({ hasNoneEnded: true, statuses: domains.map(() => 200) })
  })
)
