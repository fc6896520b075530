import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Array, Effect, Exit, Layer, Option } from "effect"
import { Change, Plan } from "../../../../src/domain/plan/Plan.ts"
import { Origin } from "../../../../src/domain/names/Origin.ts"
import { ApiKeyStore } from "../../../../src/persistence/stores/access/ApiKeyStore.ts"
import { BrowserTokenStore } from "../../../../src/persistence/stores/access/BrowserTokenStore.ts"
import { PhaseStore } from "../../../../src/persistence/stores/phases/PhaseStore.ts"
import { encodeConnection } from "../../../../src/persistence/stores/connections/StoredConnection.ts"
import { withLayer } from "../../../support/effectTest.ts"
import { sequentialIdentifiers } from "../../../support/sequentialIdentifiers.ts"
import { createConnection, ownTenancy, samplePlan, transitionInto } from "../../connectionFixtures.ts"
import { allStores, freshPool } from "../../freshDatabase.ts"
import { keyOf } from "../apiKeyContract.ts"

const stores = Layer.mergeAll(allStores, sequentialIdentifiers).pipe(Layer.provideMerge(freshPool))

/** A connection whose document has about a megabyte. */
const createLong = createConnection(ownTenancy, {
  plan: Plan.make({
    ...samplePlan,
    changes: Array.makeBy(250, (nth) =>
      Change.make({
        action: "delete",
        before: { host: `h${nth}`, type: "TXT", value: "a".repeat(4_000), ttl: 300, optional: false },
        destructive: true
      })
    )
  })
})

withLayer("a document of a megabyte in PostgreSQL", stores, (live) => {
  live("is not in the statement that takes the due phases of all tenants, and is in the claim of its run", () =>
    Effect.gen(function* () {
      const { takeDue } = yield* PhaseStore
      const sql = yield* SqlClient.SqlClient
      const long = yield* createLong
      const short = yield* createConnection()
      const taken = yield* takeDue(2, 60)
      const claimOf = (id: string) =>
        Effect.flatMap(
          Array.findFirst(taken, ({ connectionId }) => connectionId === id),
          ({ claim }) => claim
        )
      // What was not in the answer of that statement is found nowhere any more.
      yield* sql`update connections set claim = claim + 1 where id in ${sql.in([long.id, short.id])}`
      expect((yield* claimOf(short.id)).connection).toEqual(short)
      expect(Exit.isFailure(yield* Effect.exit(claimOf(long.id)))).toBe(true)
      yield* sql`update connections set claim = claim - 1 where id in ${sql.in([long.id, short.id])}`
      expect((yield* claimOf(long.id)).connection).toEqual(long)
    })
  )

  live("is found with its key and its token, as any other", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeyStore
      const tokens = yield* BrowserTokenStore
      const { id, ...connection } = yield* createLong
      const stored = { id, state: "requested" as const, doc: encodeConnection({ id, ...connection }), version: 1 }
      yield* keys.insert(keyOf("key_1"))
      yield* tokens.insert(ownTenancy, {
        hash: Buffer.from("token"),
        connectionId: id,
        apiKeyId: keyOf("key_1").id,
        origin: Origin.make("https://shop.example"),
        role: "customer" as const,
        lifetimeSeconds: 60
      })
      const key = yield* Effect.flatten(keys.find(Buffer.from("hash of key_1"), Option.some(id)))
      expect(key.connection).toEqual(Option.some(stored))
      const token = yield* Effect.flatten(tokens.find(Buffer.from("token")))
      expect(token.connection).toEqual(stored)
    })
  )

  live("is written by statements of a few at a time", () =>
    Effect.gen(function* () {
      const { save, takeDue } = yield* PhaseStore
      const sql = yield* SqlClient.SqlClient
      yield* sql`update connections set due_at = null`
      yield* Effect.replicateEffect(createLong, 8)
      const claims = yield* Effect.forEach(yield* takeDue(8, 60), ({ claim }) => claim)
      const saved = yield* Effect.forEach(
        claims,
        (claim) => Effect.flatMap(transitionInto(claim, "awaiting_manual"), (transition) => save(claim, transition)),
        { concurrency: "unbounded" }
      )
      expect(saved).toEqual(claims.map(() => true))
    })
  )
})
