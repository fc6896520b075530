import { SqlClient, type SqlConnection } from "@effect/sql"
import { expect, test } from "bun:test"
import { Arbitrary, Effect, Either, FastCheck as fc, Fiber, Layer, Option, Schedule } from "effect"
import { Connection, ConnectionId } from "../../../../src/domain/connection/Connection.ts"
import type { IdempotentRequest } from "../../../../src/domain/access/IdempotentRequest.ts"
import { Identifiers } from "../../../../src/domain/values/Identifiers.ts"
import { Plan } from "../../../../src/domain/plan/Plan.ts"
import { severityIn } from "../../../../src/domain/plan/Warning.ts"
import { ApiKeyStore } from "../../../../src/persistence/stores/access/ApiKeyStore.ts"
import { CommitResult, ConnectionStore } from "../../../../src/persistence/stores/connections/ConnectionStore.ts"
import { ErasureStore } from "../../../../src/persistence/stores/erasure/ErasureStore.ts"
import { PhaseStore } from "../../../../src/persistence/stores/phases/PhaseStore.ts"
import { decodeConnection, encodeConnection } from "../../../../src/persistence/stores/connections/StoredConnection.ts"
import { createConnection, firstTransition, ownTenancy } from "../../connectionFixtures.ts"
import { freshPool } from "../../freshDatabase.ts"
import { findWaitingSession } from "../../tableLocks.ts"
import { keyOf } from "../apiKeyContract.ts"
import { concurrentTest } from "../../../support/concurrentTest.ts"

const known: IdempotentRequest = { route: "POST /v1/connections", key: "a key", fingerprints: ["k1:a body"] }
const elsewhere = { id: ConnectionId.make("con_elsewhere"), state: "requested" as const, doc: "{}", version: 1 }

concurrentTest("a creation waits for an open one under the same key, and replays it after its commit", () =>
  Effect.gen(function* () {
    const creation = yield* createMeanwhile("commit", () => findWaitingSession)
    expect(creation).toEqual(CommitResult.Replayed({ stored: elsewhere }))
  })
)

concurrentTest("a creation waits for an open one under the same key, and succeeds after its rollback", () =>
  Effect.gen(function* () {
    const creation = yield* createMeanwhile("rollback", () => findWaitingSession)
    expect(creation._tag).toBe("Done")
  })
)

concurrentTest(
  "a creation reports that it is in progress if an open one under the same key takes longer than two seconds",
  () =>
    Effect.gen(function* () {
      const creation = yield* createMeanwhile("commit", Fiber.await)
      expect(creation).toEqual(CommitResult.InProgress())
    })
)

for (const [end, outcome] of [
  ["commit", "ApiKeyInvalid"],
  ["rollback", "Done"]
] as const)
  concurrentTest(`a creation waits for the revocation of all API keys, and after its ${end} is ${outcome}`, () =>
    Effect.gen(function* () {
      const { create } = yield* ConnectionStore
      const apiKeyId = yield* insertKey
      const session = yield* openSession
      yield* session.executeRaw("select from api_keys where id = $1 for update", [apiKeyId])
      yield* session.executeRaw("update api_keys set revoked_at = now() where id = $1", [apiKeyId])
      const first = yield* firstTransition()
      const creating = yield* Effect.fork(Effect.either(create(ownTenancy, first, Option.none(), { apiKeyId })))
      yield* findWaitingSession
      yield* session.executeRaw(end, [])
      expect(Either.merge(yield* Fiber.join(creating))._tag).toBe(outcome)
    }).pipe(Effect.provide(storeOnFreshDatabase), Effect.scoped)
  )

concurrentTest("a creation does not wait while the use of its API key is noted", () =>
  Effect.gen(function* () {
    const { create } = yield* ConnectionStore
    const apiKeyId = yield* insertKey
    const session = yield* openSession
    yield* session.executeRaw("update api_keys set last_used_at = now() where id = $1", [apiKeyId])
    const creation = yield* create(ownTenancy, yield* firstTransition(), Option.none(), { apiKeyId })
    expect(creation._tag).toBe("Done")
  }).pipe(Effect.provide(storeOnFreshDatabase), Effect.scoped)
)

concurrentTest("the revocation of API keys waits for a creation, and an erasure then finds the connection", () =>
  Effect.gen(function* () {
    const { create } = yield* ConnectionStore
    const { revokeAll } = yield* ApiKeyStore
    const apiKeyId = yield* insertKey
    const session = yield* openSession
    yield* claimKey(session)
    const creation = create(ownTenancy, yield* firstTransition(), Option.some(known), { apiKeyId })
    const creating = yield* Effect.fork(creation)
    const waiting = yield* findWaitingSession
    const erasing = yield* Effect.fork(
      Effect.zipRight(
        revokeAll(ownTenancy),
        Effect.flatMap(ErasureStore, ({ count }) => count(ownTenancy))
      )
    )
    yield* findSessionBehind(waiting)
    yield* session.executeRaw("rollback", [])
    expect((yield* Fiber.join(creating))._tag).toBe("Done")
    expect(yield* Fiber.join(erasing)).toEqual({ liveConnections: 1, endedConnections: 0, apiKeys: 0 })
  }).pipe(Effect.provide(storeOnFreshDatabase), Effect.scoped)
)

concurrentTest("a phase locked by another session is skipped without waiting", () =>
  Effect.gen(function* () {
    const store = yield* PhaseStore
    const sql = yield* SqlClient.SqlClient
    const [locked, free] = [yield* createConnection(), yield* createConnection()]
    const session = yield* sql.reserve
    yield* session.executeRaw("begin", [])
    yield* session.executeRaw("update connections set attempt = attempt + 1 where id = $1", [locked.id])
    expect(yield* store.takeDue(10, 60)).toMatchObject([
      { ...ownTenancy, connectionId: free.id, phase: "discover", attempt: 1 }
    ])
    yield* session.executeRaw("rollback", [])
  }).pipe(Effect.provide(storeOnFreshDatabase))
)

test("every valid connection can be decoded from its document", () =>
  fc.assert(
    fc.property(Arbitrary.make(Connection), (connection) =>
      expect(decodeConnection(encodeConnection(connection))).toEqual(withWarningDetails(connection))
    ),
    { numRuns: 50 }
  ))

/** A document has one detail for each warning, with its severity. */
const withWarningDetails = (connection: Connection): Connection => {
  const { plan } = connection
  if (plan === undefined) return connection
  const known = new Map(plan.warningDetails?.map((detail) => [detail.code, detail]))
  const warningDetails = plan.warnings.map((code) => ({
    changes: [],
    ...known.get(code),
    code,
    severity: severityIn(plan, code)
  }))
  return Connection.make({ ...connection, plan: Plan.make({ ...plan, warningDetails }) })
}

/** Creates a connection while another session has claimed its key, and ends that session's transaction after `moment`. */
const createMeanwhile = <E, R>(
  end: "commit" | "rollback",
  moment: (creating: Fiber.RuntimeFiber<unknown, unknown>) => Effect.Effect<unknown, E, R>
) =>
  Effect.gen(function* () {
    const store = yield* ConnectionStore
    const first = yield* firstTransition()
    const session = yield* openSession
    yield* claimKey(session)
    const creating = yield* Effect.fork(store.create(ownTenancy, first, Option.some(known)))
    yield* moment(creating)
    yield* session.executeRaw(end, [])
    return yield* Fiber.join(creating)
  }).pipe(Effect.provide(storeOnFreshDatabase), Effect.scoped)

/** A session with an open transaction. */
const openSession = Effect.gen(function* () {
  const session = yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql.reserve)
  yield* session.executeRaw("begin", [])
  return session
})

/** Claims the idempotency key `known` in a session, so that creations under it wait for its end. */
const claimKey = (session: SqlConnection.Connection) =>
  session.executeRaw(
    `insert into idempotency_keys (application_id, tenant_id, route, key, fingerprint, connection_id, state, doc)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      ...Object.values(ownTenancy),
      known.route,
      known.key,
      known.fingerprints[0],
      elsewhere.id,
      elsewhere.state,
      elsewhere.doc
    ]
  )

/** Waits until a session waits for the lock of another one. */
const findSessionBehind = (pid: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.repeat(sql`select 1 as waits from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))`, {
      until: ({ length }) => length > 0,
      schedule: Schedule.spaced("5 millis")
    })
  )

const insertKey = Effect.gen(function* () {
  const key = keyOf("key_1")
  yield* Effect.flatMap(ApiKeyStore, ({ insert }) => insert(key))
  return key.id
})

const storeOnFreshDatabase = Layer.mergeAll(
  ApiKeyStore.layer,
  ConnectionStore.layer,
  ErasureStore.layer,
  Identifiers.layer,
  PhaseStore.layer
).pipe(Layer.provideMerge(freshPool))
