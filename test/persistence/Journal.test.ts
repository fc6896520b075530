import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect, Fiber, Layer } from "effect"
import { DomainName } from "../../src/domain/DomainName.ts"
import { Identifiers } from "../../src/domain/Identifiers.ts"
import { ConnectionStore } from "../../src/persistence/ConnectionStore.ts"
import { Journal } from "../../src/persistence/Journal.ts"
import { LeaseStore } from "../../src/persistence/LeaseStore.ts"
import { concurrent } from "./concurrent.ts"
import { freshPool } from "./freshDatabase.ts"
import { create, somePlan } from "./someConnection.ts"
import { waitingSession } from "./waitingSession.ts"

for (const [end, written] of [
  ["commit", false],
  ["rollback", true]
] as const)
  concurrent(
    `a write waits for another claim on its lease, and is ${written ? "made" : "not made"} after its ${end}`,
    () =>
      Effect.gen(function* () {
        const { mark, open } = yield* Journal
        const sql = yield* SqlClient.SqlClient
        const claim = yield* Effect.flatten(Effect.flatMap(LeaseStore, ({ take }) => take("zone:a", "owner", 60)))
        const guards = [{ key: "zone:a", claim }] as const
        yield* open(guards, { ...run, connectionId: (yield* create()).id }, somePlan.changes)

        const other = yield* sql.reserve
        yield* other.executeRaw("begin", [])
        yield* other.executeRaw("update leases set claim = claim + 1, owner = 'other'", [])
        const marking = yield* Effect.fork(mark(guards, run.run, [0], "sent"))
        yield* waitingSession
        yield* other.executeRaw(end, [])
        expect(yield* Fiber.join(marking)).toBe(written)
      }).pipe(Effect.provide(storesOnFreshDatabase))
  )

const run = {
  run: "run",
  providerId: "acme-dns",
  zone: DomainName.make("example.com"),
  domain: DomainName.make("example.com"),
  direction: "connect",
  digest: somePlan.digest
} as const

const storesOnFreshDatabase = Layer.mergeAll(
  ConnectionStore.layer,
  LeaseStore.layer,
  Journal.layer,
  Identifiers.layer
).pipe(Layer.provideMerge(freshPool))
