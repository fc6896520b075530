import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect, Fiber, Layer } from "effect"
import { DomainName } from "../../../../src/domain/names/DomainName.ts"
import { Identifiers } from "../../../../src/domain/values/Identifiers.ts"
import { ConnectionStore } from "../../../../src/persistence/stores/connections/ConnectionStore.ts"
import { JournalStore } from "../../../../src/persistence/stores/phases/JournalStore.ts"
import { LeaseStore } from "../../../../src/persistence/stores/phases/LeaseStore.ts"
import { concurrentTest } from "../../../support/concurrentTest.ts"
import { createConnection, samplePlan } from "../../connectionFixtures.ts"
import { findWaitingSession } from "../../tableLocks.ts"
import { freshPool } from "../../freshDatabase.ts"

for (const [end, written] of [
  ["commit", false],
  ["rollback", true]
] as const)
  concurrentTest(
    `a write waits for an open claim on its lease, and ${written ? "succeeds" : "fails"} after the ${end}`,
    () =>
      Effect.gen(function* () {
        const { setStatus, openRun } = yield* JournalStore
        const sql = yield* SqlClient.SqlClient
        const claim = yield* Effect.flatten(Effect.flatMap(LeaseStore, ({ acquire }) => acquire("zone:a", "owner", 60)))
        const guards = [{ key: "zone:a", claim }] as const
        yield* openRun(guards, { ...run, connectionId: (yield* createConnection()).id }, samplePlan.changes)

        const session = yield* sql.reserve
        yield* session.executeRaw("begin", [])
        yield* session.executeRaw("update leases set claim = claim + 1, owner = 'other'", [])
        const marking = yield* Effect.fork(setStatus(guards, run.run, [0], "sent"))
        yield* findWaitingSession
        yield* session.executeRaw(end, [])
        expect(yield* Fiber.join(marking)).toBe(written)
      }).pipe(Effect.provide(storesOnFreshDatabase))
  )

const run = {
  run: "run",
  providerId: "acme-dns",
  zone: DomainName.make("example.com"),
  domain: DomainName.make("example.com"),
  direction: "connect",
  digest: samplePlan.digest
} as const

const storesOnFreshDatabase = Layer.mergeAll(
  ConnectionStore.layer,
  LeaseStore.layer,
  JournalStore.layer,
  Identifiers.layer
).pipe(Layer.provideMerge(freshPool))
