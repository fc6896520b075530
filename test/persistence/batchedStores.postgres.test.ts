import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Cause, Effect, Exit, Layer, Option } from "effect"
import type { IdempotentRequest } from "../../src/domain/access/IdempotentRequest.ts"
import { Origin } from "../../src/domain/names/Origin.ts"
import { ApiKeyStore } from "../../src/persistence/stores/access/ApiKeyStore.ts"
import { BrowserTokenStore } from "../../src/persistence/stores/access/BrowserTokenStore.ts"
import { ConnectionStore } from "../../src/persistence/stores/connections/ConnectionStore.ts"
import { PhaseStore } from "../../src/persistence/stores/phases/PhaseStore.ts"
import { withLayer } from "../support/effectTest.ts"
import { sequentialIdentifiers } from "../support/sequentialIdentifiers.ts"
import { createConnection, firstTransition, ownTenancy, transitionInto } from "./connectionFixtures.ts"
import { allStores, freshPool } from "./freshDatabase.ts"
import { keyOf } from "./stores/apiKeyContract.ts"

const stores = Layer.mergeAll(allStores, sequentialIdentifiers).pipe(Layer.provideMerge(freshPool))

withLayer("what comes at the same time in PostgreSQL", stores, (live) => {
  live("creates connections together, and one that cannot be written fails alone", () =>
    Effect.gen(function* () {
      const { create } = yield* ConnectionStore
      const transitions = yield* Effect.replicateEffect(firstTransition(), creations)
      const first = transitions[0]
      if (first === undefined) return yield* Effect.dieMessage("no transition")
      const exits = yield* Effect.forEach(
        [...transitions, first],
        (transition) => Effect.exit(create(ownTenancy, transition, Option.none())),
        { concurrency: "unbounded" }
      )
      expect(exits.slice(1, creations).filter(Exit.isFailure)).toEqual([])
      const ofSameId = [exits[0], exits[creations]].filter((exit) => exit !== undefined)
      expect(ofSameId.filter(Exit.isSuccess)).toHaveLength(1)
      expect(ofSameId.filter(Exit.isFailure).map(({ cause }) => Cause.pretty(cause))).toEqual([
        expect.stringContaining("SqlError")
      ])
      expect(yield* countRows("connections")).toBe(creations)
      expect(yield* countRows("connection_events")).toBe(creations)
    })
  )

  live("one of the requests with the same idempotency key is written, and the others get its answer", () =>
    Effect.gen(function* () {
      const { create } = yield* ConnectionStore
      const before = yield* countRows("connections")
      const transitions = yield* Effect.replicateEffect(firstTransition(), creations)
      const commits = yield* Effect.forEach(
        transitions,
        (transition, nth) => create(ownTenancy, transition, Option.some(requestWithKey(`key ${nth % 5}`))),
        { concurrency: "unbounded" }
      )
      const written = commits.filter(({ _tag }) => _tag === "Done")
      expect(written).toHaveLength(5)
      expect(commits.filter(({ _tag }) => _tag === "Replayed")).toHaveLength(creations - 5)
      expect(new Set(commits.map((commit) => ("stored" in commit ? commit.stored.id : commit._tag))).size).toBe(5)
      expect(yield* countRows("connections")).toBe(before + 5)
    })
  )

  live("writes the transitions of phases together, and each claim that is lost is refused alone", () =>
    Effect.gen(function* () {
      const { find } = yield* ConnectionStore
      const phases = yield* PhaseStore
      const sql = yield* SqlClient.SqlClient
      yield* sql`update connections set due_at = null`
      yield* Effect.replicateEffect(createConnection(), creations)
      const taken = yield* phases.takeDue(creations, 60)
      const claims = yield* Effect.forEach(taken, ({ claim }) => claim)
      const lost = claims.filter((_, nth) => nth % 4 === 0)
      for (const [nth, { connection }] of lost.entries()) {
        const due = taken.find(({ connectionId }) => connectionId === connection.id)
        if (due !== undefined && nth % 2 === 0) yield* phases.claim(due, 60)
        else yield* sql`update connections set version = version + 1 where id = ${connection.id}`
      }
      // Two results of the same run: the first one counts.
      const results = [...claims, ...claims.slice(-3)]
      const saved = yield* Effect.forEach(
        results,
        (claim, nth) =>
          Effect.flatMap(transitionInto(claim, nth < creations ? "awaiting_manual" : "failed"), (transition) =>
            phases.save(claim, transition)
          ),
        { concurrency: "unbounded" }
      )
      expect(saved).toEqual(results.map((claim, nth) => nth < creations && !lost.includes(claim)))
      const states = yield* Effect.forEach(claims, ({ connection }) => find(ownTenancy, connection.id))
      expect(states.map(({ state }) => state)).toEqual(
        claims.map((claim) => (lost.includes(claim) ? "requested" : "awaiting_manual"))
      )
      const [row] = yield* sql<{ readonly count: number }>`
        select count(*)::int as count from connection_events where to_state in ('awaiting_manual', 'failed')`
      expect(row?.count).toBe(creations - lost.length)
    })
  )

  live("a transition that the database refuses fails alone", () =>
    Effect.gen(function* () {
      const phases = yield* PhaseStore
      const sql = yield* SqlClient.SqlClient
      yield* sql`update connections set due_at = null`
      yield* Effect.replicateEffect(createConnection(), creations)
      const taken = yield* phases.takeDue(creations, 60)
      const claims = yield* Effect.forEach(taken, ({ claim }) => claim)
      const [used] = yield* sql<{ readonly id: string }>`select id from connection_events limit 1`
      const exits = yield* Effect.forEach(
        claims,
        (claim, nth) =>
          Effect.flatMap(transitionInto(claim, "awaiting_manual"), (transition) =>
            Effect.exit(
              phases.save(
                claim,
                // An event of this id exists already.
                nth === 7 ? { ...transition, events: [{ id: used?.id ?? "", to: "failed" }] } : transition
              )
            )
          ),
        { concurrency: "unbounded" }
      )
      expect(exits.map(Exit.isSuccess)).toEqual(claims.map((_, nth) => nth !== 7))
    })
  )

  live("each key, connection and token is found as if it were looked up alone", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeyStore
      const tokens = yield* BrowserTokenStore
      const { create } = yield* ConnectionStore
      const connections = yield* Effect.replicateEffect(
        Effect.tap(firstTransition(), (transition) => create(ownTenancy, transition, Option.none())),
        3
      )
      const ids = connections.map(({ after }) => after.connection.id)
      const names = Array.from({ length: creations }, (_, nth) => `key_${nth}`)
      yield* Effect.forEach(names.slice(1), (name) => keys.insert(keyOf(name)), { discard: true })

      const found = yield* Effect.forEach(
        names,
        (name, nth) => keys.find(Buffer.from(`hash of ${name}`), Option.fromNullable(ids[nth % 4])),
        { concurrency: "unbounded" }
      )
      expect<unknown>(
        found.map(Option.map(({ connection, id }) => [id, Option.getOrUndefined(connection)?.id]))
      ).toEqual(names.map((name, nth) => (nth === 0 ? Option.none() : Option.some([name, ids[nth % 4]]))))

      const issued = yield* Effect.forEach(
        names,
        (name, nth) => {
          const connectionId = ids[nth % 3]
          return connectionId === undefined
            ? Effect.dieMessage("no connection")
            : Effect.exit(
                tokens.insert(ownTenancy, {
                  hash: Buffer.from(`token ${name}`),
                  connectionId,
                  apiKeyId: keyOf(name).id,
                  origin: Origin.make(`https://${nth}.example`),
                  role: "customer" as const,
                  lifetimeSeconds: 60 + nth
                })
              )
        },
        { concurrency: "unbounded" }
      )
      // The first key does not exist, so that the database refuses its token.
      expect(issued.map(Exit.isSuccess)).toEqual(names.map((_, nth) => nth > 0))
      const read = yield* Effect.forEach(names, (name) => tokens.find(Buffer.from(`token ${name}`)), {
        concurrency: "unbounded"
      })
      expect<unknown>(read.map(Option.map(({ connection, origin }) => [connection.id, origin]))).toEqual(
        names.map((_, nth) => (nth === 0 ? Option.none() : Option.some([ids[nth % 3], `https://${nth}.example`])))
      )
    })
  )
})

const creations = 40

const requestWithKey = (key: string): IdempotentRequest => ({
  route: "POST /v1/connections",
  key,
  fingerprints: ["1:f"]
})

const countRows = (table: "connections" | "connection_events") =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ readonly count: number }>`select count(*)::int as count from ${sql(table)}`
    return row?.count ?? 0
  })
