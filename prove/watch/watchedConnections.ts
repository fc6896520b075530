import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import { ApplicationSettings } from "../../src/domain/access/Application.ts"
import { ApplicationId } from "../../src/domain/access/Tenancy.ts"
import type { ConnectionState } from "../../src/domain/connection/Connection.ts"
import { ApplicationStore } from "../../src/persistence/stores/access/ApplicationStore.ts"
import { makeApiClient } from "../ApiClient.ts"
import type { ProofDatabase } from "../ProofDatabase.ts"
import { createConnection, waitForState } from "../connectionSteps.ts"
import { copiedName, copiedTenant } from "../upgrade/copiedConnection.ts"
import { multiplyConnection } from "../upgrade/multiplyConnections.ts"
import type { TimedTransition } from "./WatchRecording.ts"
import { desiredRecords } from "./WatchedServers.ts"

/** The zones of so many connections: that of the connection that the service makes, and those of its copies. */
export const listWatchedZones = (count: number): ReadonlyArray<string> =>
  Array.from(
    { length: count },
    (_, nth) => `${copiedName.replace(/\d+/, (digits) => String(nth).padStart(digits.length, "0"))}.com`
  )

/**
 * Connects the first zone through the service, and copies its active connection for the others. All are looked at: all
 * servers were asked a day ago, and are asked again in a day unless a look finds another answer.
 */
export const fillWithConnections = (database: ProofDatabase, url: string, count: number) =>
  Effect.gen(function* () {
    yield* vouchForCustomers(database)
    const api = makeApiClient(url, yield* database.issueKeyFor(copiedTenant))
    const domain = `${copiedName}.com`
    const desired = { idempotencyKey: domain, domain, records: desiredRecords, credential: {} }
    const { id } = yield* createConnection(api, desired)
    yield* waitForState(api, id, ["active"])
    yield* database.run(multiplyConnection(id, { from: 1, to: count - 1 }))
    yield* database.run(verifyADayAgo)
  })

const verifyADayAgo = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    update connections set due_at = now() + interval '1 day', progress = (progress::jsonb || jsonb_build_object(
      'verifiedAt', to_char(now() at time zone 'UTC' - interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::text`
)

/** How many connections are looked at, and not asked for at all servers each time. */
export const countLookedAt = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ readonly count: number }>`select count(*)::int as count from watches`, ([row]) => row?.count ?? 0)
)

/** The platform vouches for its customers: a connection whose records are there is active at once. */
const vouchForCustomers = (database: ProofDatabase) =>
  database.run(
    Effect.provide(
      Effect.gen(function* () {
        const { find, update } = yield* ApplicationStore
        const application = yield* Effect.flatten(find(ApplicationId.make("proof")))
        yield* Effect.flatten(
          update(application, ApplicationSettings.make({ ...application.settings, controlProof: "off" }))
        )
      }),
      ApplicationStore.layer
    )
  )

interface ZoneTimeline {
  readonly id: string
  readonly transitions: ReadonlyArray<TimedTransition>
}

/** Reads the timelines by zone, once no webhook is pending and no transition comes meanwhile. */
export const readSettledTimelines = (database: ProofDatabase): Effect.Effect<ReadonlyMap<string, ZoneTimeline>> =>
  Effect.gen(function* () {
    const before = yield* database.run(countTransitions)
    yield* Effect.repeat(Effect.delay(database.run(countPending), "500 millis"), { until: (pending) => pending === 0 })
    const timelines = yield* database.run(readTimelines)
    return { timelines, isSettled: (yield* database.run(countTransitions)) === before }
  }).pipe(
    Effect.repeat({ until: ({ isSettled }) => isSettled }),
    Effect.map(({ timelines }) => timelines)
  )

const countTransitions = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly count: number }>`select count(*)::int as count from connection_events`,
    ([row]) => row?.count
  )
)

const countPending = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly count: number }>`
      select count(*)::int as count from webhook_deliveries where status = 'pending'`,
    ([row]) => row?.count
  )
)

const readTimelines = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{
    readonly zone: string
    readonly id: string
    readonly from: ConnectionState | null
    readonly to: ConnectionState
    readonly at: number
  }>`
    select c.domain as zone, c.id, e.from_state as "from", e.to_state as "to",
      (extract(epoch from e.created_at) * 1000)::float8 as at
    from connections as c join connection_events as e on e.connection_id = c.id order by c.id, e.id`
  return new Map(
    [...Map.groupBy(rows, ({ zone }) => zone)].map(([zone, steps]): [string, ZoneTimeline] => [
      zone,
      {
        id: steps[0]?.id ?? "",
        transitions: steps.map(({ at, from, to }) => ({
          from: Option.getOrUndefined(Option.fromNullable(from)),
          to,
          at
        }))
      }
    ])
  )
})
