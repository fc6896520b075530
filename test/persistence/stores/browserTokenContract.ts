import { expect } from "bun:test"
import { Clock, Effect, Option } from "effect"
import type { BrowserRole } from "../../../src/domain/access/BrowserRole.ts"
import { type Connection, ConnectionId, finalStates } from "../../../src/domain/connection/Connection.ts"
import { Origin } from "../../../src/domain/names/Origin.ts"
import { ApiKeyStore } from "../../../src/persistence/stores/access/ApiKeyStore.ts"
import { BrowserTokenStore, exchangeCodeOrigin } from "../../../src/persistence/stores/access/BrowserTokenStore.ts"
import { encodeConnection } from "../../../src/persistence/stores/connections/StoredConnection.ts"
import { StoreFixture } from "../StoreFixture.ts"
import { createConnection, failureDetails, foreignTenancies, moveToState, ownTenancy } from "../connectionFixtures.ts"
import { keyOf } from "./apiKeyContract.ts"
import type { StoreTest } from "./storeContract.ts"

/** The contract of every `BrowserTokenStore`. */
export const browserTokenContract = (test: StoreTest): void => {
  issuing(test)
  ending(test)
  sharing(test)
}

const issuing = (test: StoreTest) => {
  test("a token gives access to its connection at its origin until it expires", () =>
    Effect.gen(function* () {
      const { advanceTime } = yield* StoreFixture
      const connection = yield* createConnection()
      const before = yield* Clock.currentTimeMillis
      const expiresAt = yield* issue(connection, "a token", 900)
      const issuedAt = expiresAt.epochMillis - 900_000
      expect(issuedAt >= before && issuedAt <= (yield* Clock.currentTimeMillis)).toBe(true)
      expect(yield* find("a token")).toEqual(
        Option.some({
          tenancy: ownTenancy,
          origin,
          role: "customer",
          apiKeyId: keyOf("a token").id,
          connection: { id: connection.id, state: "requested", doc: encodeConnection(connection), version: 1 }
        })
      )
      yield* advanceTime("14 minutes")
      expect(yield* isGood("a token")).toBe(true)
      yield* advanceTime("1 minute")
      expect(yield* isGood("a token")).toBe(false)
    }))

  test("an unknown token gives access to nothing", () =>
    Effect.gen(function* () {
      yield* issue(yield* createConnection(), "a token")
      expect(yield* find("another token")).toEqual(Option.none())
    }))

  test("a token shows the current connection", () =>
    Effect.gen(function* () {
      yield* issue(yield* createConnection(), "a token")
      const moved = yield* moveToState("active")
      const { connection } = yield* Effect.flatten(find("a token"))
      expect(connection).toEqual({ id: moved.id, state: "active", doc: encodeConnection(moved), version: 2 })
    }))

  test("no token is stored for a missing connection or one of another tenant", () =>
    Effect.gen(function* () {
      const connection = yield* createConnection()
      const targets = [
        { ...connection, id: ConnectionId.make("con_missing") },
        ...foreignTenancies.map((_) => ({ ...connection, ..._ }))
      ]
      for (const [index, target] of targets.entries()) {
        const refusal = yield* failureDetails(issue(target, `token ${index}`))
        expect(refusal).toBe(
          "ConnectionNotFound: there is no such connection: a key finds those of its own tenant and environment"
        )
        expect(yield* isGood(`token ${index}`)).toBe(false)
      }
    }))

  for (const state of finalStates) {
    test(`no token is stored for a connection that is ${state}`, () =>
      Effect.gen(function* () {
        yield* createConnection()
        const ended = yield* moveToState(state)
        expect(yield* failureDetails(issue(ended, "a token"))).toBe(
          `ConnectionEnded: the connection is ${state}, which is final: create a new connection of the domain, and use that one`
        )
        expect(yield* isGood("a token")).toBe(false)
      }))
  }
}

const ending = (test: StoreTest) => {
  test("a revocation invalidates every token of the connection, and tokens issued later are valid", () =>
    Effect.gen(function* () {
      const connection = yield* createConnection()
      const otherConnection = yield* createConnection()
      yield* issue(connection, "first")
      yield* issue(connection, "second")
      yield* issue(otherConnection, "other")
      yield* revoke(connection)
      yield* issue(connection, "later")
      expect(yield* goodOf("first", "second", "other", "later")).toEqual(["other", "later"])
    }))

  test("another tenant cannot revoke a connection's tokens", () =>
    Effect.gen(function* () {
      const connection = yield* createConnection()
      yield* issue(connection, "a token")
      for (const tenancy of foreignTenancies) yield* revoke({ ...connection, ...tenancy })
      expect(yield* isGood("a token")).toBe(true)
    }))

  for (const state of finalStates) {
    test(`a token is found with its connection if that is ${state}`, () =>
      Effect.gen(function* () {
        yield* issue(yield* createConnection(), "a token")
        yield* moveToState(state)
        expect(Option.map(yield* find("a token"), ({ connection }) => connection.state)).toEqual(Option.some(state))
      }))
  }

  test("a token becomes invalid together with the API key that issued it", () =>
    Effect.gen(function* () {
      const { advanceTime } = yield* StoreFixture
      const keys = yield* ApiKeyStore
      const connection = yield* createConnection()
      yield* issue(connection, "of a revoked key", 900, "key_1")
      yield* issue(connection, "of a rotated key", 900, "key_2")
      yield* issue(connection, "of a good key", 900, "key_3")
      yield* keys.revoke(keyOf("key_1").id)
      yield* keys.rotate(keyOf("key_2").id, keyOf("key_4"), 60)
      expect(yield* goodOf("of a revoked key", "of a rotated key")).toEqual(["of a rotated key"])
      yield* advanceTime("1 minute")
      expect(yield* goodOf("of a revoked key", "of a rotated key", "of a good key")).toEqual(["of a good key"])
    }))
}

const sharing = (test: StoreTest) => {
  test("a share code is exchanged for any number of tokens of its role", () =>
    Effect.gen(function* () {
      const connection = yield* createConnection()
      yield* issueCode(connection, "a code", "helper")
      for (const token of ["first", "second"]) {
        const redeemed = Option.map(yield* redeem("a code", token), ({ connectionId, role }) => [connectionId, role])
        expect(redeemed).toEqual(Option.some([connection.id, "helper"]))
        expect(Option.map(yield* find(token), ({ role }) => role)).toEqual(Option.some("helper"))
      }
    }))

  for (const state of ["active", ...finalStates] as const)
    test(`a share code is exchanged for nothing once the connection is ${state}`, () =>
      Effect.gen(function* () {
        yield* issueCode(yield* createConnection(), "a code")
        yield* moveToState(state)
        expect(yield* redeem("a code", "late")).toEqual(Option.none())
      }))

  test("revoking the share codes of a connection ends what they were exchanged for, and no other token", () =>
    Effect.gen(function* () {
      const connection = yield* createConnection()
      const otherConnection = yield* createConnection()
      yield* issue(connection, "own")
      yield* issueCode(connection, "a code")
      yield* issueCode(otherConnection, "other code")
      yield* redeem("a code", "opened")
      yield* redeem("other code", "opened elsewhere")
      const { revokeCodes } = yield* BrowserTokenStore
      for (const tenancy of foreignTenancies) yield* revokeCodes({ ...tenancy }, connection.id)
      expect(yield* isGood("opened")).toBe(true)
      yield* revokeCodes(ownTenancy, connection.id)
      expect(yield* goodOf("own", "opened", "opened elsewhere")).toEqual(["own", "opened elsewhere"])
      expect(yield* redeem("a code", "later")).toEqual(Option.none())
      yield* issueCode(connection, "another code")
      expect(Option.isSome(yield* redeem("another code", "newly opened"))).toBe(true)
    }))
}

const issueCode = ({ id }: ConnectionKey, code: string, role: BrowserRole = "customer") =>
  Effect.gen(function* () {
    const apiKeyId = keyOf(code).id
    yield* (yield* ApiKeyStore).insert(keyOf(code))
    const token = { connectionId: id, apiKeyId, role, lifetimeSeconds: 9_000 }
    yield* (yield* BrowserTokenStore).insert(ownTenancy, {
      ...token,
      hash: Buffer.from(code),
      origin: exchangeCodeOrigin
    })
  })

const redeem = (code: string, token: string) =>
  Effect.flatMap(BrowserTokenStore, (tokens) =>
    tokens.redeemCode(Buffer.from(code), { hash: Buffer.from(token), origin, lifetimeSeconds: 900 })
  )

const origin = Origin.make("https://app.example.com")

type ConnectionKey = Pick<Connection, "applicationId" | "tenantId" | "id">

/** Inserts a token, and before it the API key that issues it. */
const issue = ({ applicationId, id, tenantId }: ConnectionKey, token: string, lifetimeSeconds = 900, key = token) =>
  Effect.gen(function* () {
    const keys = yield* ApiKeyStore
    const tokens = yield* BrowserTokenStore
    yield* keys.insert(keyOf(key))
    return yield* tokens.insert(
      { applicationId, tenantId },
      { hash: Buffer.from(token), connectionId: id, apiKeyId: keyOf(key).id, origin, role: "customer", lifetimeSeconds }
    )
  })

const find = (token: string) => Effect.flatMap(BrowserTokenStore, (tokens) => tokens.find(Buffer.from(token)))

/** Whether a token gives access to its connection, by which it can be found. */
const isGood = (token: string) =>
  Effect.gen(function* () {
    const { isValid } = yield* BrowserTokenStore
    const isFound = Option.isSome(yield* find(token))
    expect(yield* isValid(Buffer.from(token))).toBe(isFound)
    return isFound
  })

const goodOf = (...tokens: ReadonlyArray<string>) => Effect.filter(tokens, isGood)

const revoke = ({ applicationId, id, tenantId }: ConnectionKey) =>
  Effect.flatMap(BrowserTokenStore, (tokens) => tokens.revokeAll({ applicationId, tenantId }, id))
