import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Effect, Layer, Option } from "effect"
import type { Connection } from "../../../src/domain/connection/Connection.ts"
import { Origin } from "../../../src/domain/names/Origin.ts"
import { ApiKeyStore } from "../../../src/persistence/stores/access/ApiKeyStore.ts"
import { BrowserTokenStore, exchangeCodeOrigin } from "../../../src/persistence/stores/access/BrowserTokenStore.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { withLayer } from "../../support/effectTest.ts"
import { sequentialIdentifiers } from "../../support/sequentialIdentifiers.ts"
import { createConnection, ownTenancy } from "../connectionFixtures.ts"
import { freshPool } from "../freshDatabase.ts"
import { keyOf } from "./apiKeyContract.ts"

const rounds = 1_000

const stores = Layer.mergeAll(
  sequentialIdentifiers,
  Layer.effectDiscard(Effect.flatMap(ApiKeyStore, (keys) => keys.insert(keyOf("key")))).pipe(
    Layer.provideMerge(ApiKeyStore.layer)
  ),
  BrowserTokenStore.layer,
  ConnectionStore.layer
).pipe(Layer.provideMerge(freshPool))

withLayer("a revocation of the tokens of a connection in PostgreSQL", stores, (live) => {
  live(`is outlived by none of ${rounds} tokens that were redeemed at the same time`, () =>
    Effect.gen(function* () {
      const outcomes = yield* Effect.forEach(
        Array.from({ length: rounds }, (_, round) => round),
        (round) =>
          Effect.gen(function* () {
            const connection = yield* createConnection()
            yield* issueCode(connection, `code ${round}`)
            // The time between the two differs from round to round, so that they meet at every point.
            const pause = Effect.repeatN(Effect.yieldNow(), round % 20)
            const [redeemed] = yield* Effect.all(
              [redeem(`code ${round}`, `token ${round}`), Effect.zipRight(pause, revoke(connection))],
              { concurrency: 2 }
            )
            return { isRedeemed: Option.isSome(redeemed), isValid: yield* isValid(`token ${round}`) }
          }),
        { concurrency: 4 }
      )
      expect(outcomes.filter((outcome) => outcome.isValid)).toEqual([])
      expect(outcomes.filter((outcome) => outcome.isRedeemed).length).toBeGreaterThan(0)
    })
  )

  live("invalidates a token whose exchange commits after it", () =>
    Effect.gen(function* () {
      const connection = yield* createConnection()
      yield* issueCode(connection, "slow code")
      yield* beforeCommitOf(redeem("slow code", "slowly redeemed"), revoke(connection))
      expect(yield* isValid("slowly redeemed")).toBe(false)
    })
  )

  live("invalidates a token and a share code whose insertion commits after it", () =>
    Effect.gen(function* () {
      const connection = yield* createConnection()
      yield* beforeCommitOf(
        Effect.zipRight(issue(connection, "slowly issued"), issueCode(connection, "slowly issued code")),
        revoke(connection)
      )
      expect(yield* isValid("slowly issued")).toBe(false)
      expect(yield* redeem("slowly issued code", "of a slow code")).toEqual(Option.none())
    })
  )

  live("invalidates a token that an older program issued, which knows no generations, and leaves it valid before", () =>
    Effect.gen(function* () {
      const connection = yield* createConnection()
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        insert into browser_tokens (hash, connection_id, api_key_id, origin, expires_at)
        values (${Buffer.from("of an older program")}, ${connection.id}, ${keyOf("key").id}, ${origin},
          now() + interval '15 minutes')`
      expect(yield* isValid("of an older program")).toBe(true)
      yield* revoke(connection)
      expect(yield* isValid("of an older program")).toBe(false)
    })
  )

  live("leaves the tokens of another connection valid, and those that are issued later", () =>
    Effect.gen(function* () {
      const [connection, other] = [yield* createConnection(), yield* createConnection()]
      yield* issue(other, "other")
      yield* revoke(connection)
      yield* revoke(connection)
      yield* issue(connection, "later")
      yield* issueCode(connection, "later code")
      yield* redeem("later code", "redeemed later")
      expect(yield* Effect.filter(["other", "later", "redeemed later"], isValid)).toEqual([
        "other",
        "later",
        "redeemed later"
      ])
    })
  )
})

const origin = Origin.make("https://app.example.com")

const insert = (at: Origin) => (connection: Connection, token: string) =>
  Effect.flatMap(BrowserTokenStore, (tokens) =>
    tokens.insert(ownTenancy, {
      hash: Buffer.from(token),
      connectionId: connection.id,
      apiKeyId: keyOf("key").id,
      origin: at,
      role: "customer" as const,
      lifetimeSeconds: 900
    })
  )

const issue = insert(origin)

const issueCode = insert(exchangeCodeOrigin)

const redeem = (code: string, token: string) =>
  Effect.flatMap(BrowserTokenStore, (tokens) =>
    tokens.redeemCode(Buffer.from(code), { hash: Buffer.from(token), origin, lifetimeSeconds: 900 })
  )

const revoke = ({ id }: Connection) => Effect.flatMap(BrowserTokenStore, (tokens) => tokens.revokeAll(ownTenancy, id))

const isValid = (token: string) =>
  Effect.flatMap(BrowserTokenStore, (tokens) => Effect.map(tokens.find(Buffer.from(token)), Option.isSome))

/** Runs a write in a transaction, and another effect on other sessions before the transaction commits. */
const beforeCommitOf = <A, E, R, A2, E2, R2>(write: Effect.Effect<A, E, R>, meanwhile: Effect.Effect<A2, E2, R2>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const outside = yield* Effect.context<R2>()
    const onOtherSessions = Effect.mapInputContext<A2, E2, R2, never>(meanwhile, () => outside)
    return yield* sql.withTransaction(Effect.zipRight(write, onOtherSessions))
  })
