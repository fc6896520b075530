import { SqlClient } from "@effect/sql"
import { expect, test } from "bun:test"
import { Arbitrary, Effect, FastCheck as fc, Fiber, Layer, Option } from "effect"
import { Connection, ConnectionId } from "../../../../src/domain/connection/Connection.ts"
import type { IdempotentRequest } from "../../../../src/domain/access/IdempotentRequest.ts"
import { Identifiers } from "../../../../src/domain/values/Identifiers.ts"
import { Plan } from "../../../../src/domain/plan/Plan.ts"
import { severityIn } from "../../../../src/domain/plan/Warning.ts"
import { CommitResult, ConnectionStore } from "../../../../src/persistence/stores/connections/ConnectionStore.ts"
import { PhaseStore } from "../../../../src/persistence/stores/phases/PhaseStore.ts"
import { decodeConnection, encodeConnection } from "../../../../src/persistence/stores/connections/StoredConnection.ts"
import { createConnection, firstTransition, ownTenancy } from "../../connectionFixtures.ts"
import { freshPool } from "../../freshDatabase.ts"
import { findWaitingSession } from "../../tableLocks.ts"
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
    const sql = yield* SqlClient.SqlClient
    const store = yield* ConnectionStore
    const first = yield* firstTransition()
    const session = yield* sql.reserve
    yield* session.executeRaw("begin", [])
    yield* session.executeRaw(
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
    const creating = yield* Effect.fork(store.create(ownTenancy, first, Option.some(known)))
    yield* moment(creating)
    yield* session.executeRaw(end, [])
    return yield* Fiber.join(creating)
  }).pipe(Effect.provide(storeOnFreshDatabase), Effect.scoped)

const storeOnFreshDatabase = Layer.mergeAll(Identifiers.layer, ConnectionStore.layer, PhaseStore.layer).pipe(
  Layer.provideMerge(freshPool)
)
