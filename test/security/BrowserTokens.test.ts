import { describe, expect } from "bun:test"
import { DateTime, Duration, Effect, Layer, Option, Redacted, TestClock } from "effect"
import { type Connection, finalStates } from "../../src/domain/connection/Connection.ts"
import { Origin } from "../../src/domain/names/Origin.ts"
import type { ApiKeyId } from "../../src/domain/access/Tenancy.ts"
import { ApiKeyStore } from "../../src/persistence/stores/access/ApiKeyStore.ts"
import { BrowserTokenStore } from "../../src/persistence/stores/access/BrowserTokenStore.ts"
import { ApiKeys } from "../../src/security/ApiKeys.ts"
import { BrowserTokens } from "../../src/security/BrowserTokens.ts"
import {
  createConnection,
  failureDetails,
  foreignTenancies,
  moveToState,
  ownTenancy
} from "../persistence/connectionFixtures.ts"
import { effect } from "../support/effectTest.ts"
import { issueOwnKey, security, securityInMemory, unauthenticated } from "./securityInMemory.ts"

const origin = Origin.make("https://app.example.com")

describe("a browser token", () => {
  effect("consists of 43 random characters and is valid for fifteen minutes", () =>
    Effect.gen(function* () {
      const { token, expiresAt } = yield* issueFor(yield* createConnection())
      expect(Redacted.value(token)).toMatch(/^dct_[0-9A-Za-z]{43}$/)
      expect(DateTime.toEpochMillis(expiresAt)).toBe(Duration.toMillis("15 minutes"))
    }).pipe(Effect.provide(securityInMemory))
  )

  effect("for the hosted page is valid for fifteen minutes too", () =>
    Effect.gen(function* () {
      const { issueShareCode, redeemShareCode, verify } = yield* BrowserTokens
      const connection = yield* createConnection()
      const request = { connectionId: connection.id, apiKeyId: (yield* issueOwnKey()).id, role: "customer" } as const
      const code = yield* issueShareCode(ownTenancy, request)
      const { expiresAt, token } = yield* redeemShareCode(code.token, origin)
      expect(DateTime.toEpochMillis(expiresAt)).toBe(Duration.toMillis("15 minutes"))
      yield* TestClock.adjust("899 seconds")
      expect((yield* verify(token)).connection.id).toBe(connection.id)
      yield* TestClock.adjust("1 second")
      expect(yield* failureDetails(verify(token))).toBe(unauthenticated)
    }).pipe(Effect.provide(securityInMemory))
  )

  effect("gives access to its connection at its origin until it expires", () =>
    Effect.gen(function* () {
      const { verify } = yield* BrowserTokens
      const connection = yield* createConnection()
      const { token } = yield* issueFor(connection)
      yield* TestClock.adjust("899 seconds")
      const found = yield* verify(token)
      expect([found.tenancy, found.origin, found.connection.id]).toEqual([ownTenancy, origin, connection.id])
      yield* TestClock.adjust("1 second")
      expect(yield* failureDetails(verify(token))).toBe(unauthenticated)
    }).pipe(Effect.provide(securityInMemory))
  )

  effect("is unique, and an older one stays valid after a newer one is issued", () =>
    Effect.gen(function* () {
      const connection = yield* createConnection()
      const issued = yield* Effect.replicateEffect(issueFor(connection), 100)
      expect(new Set(issued.map(({ token }) => Redacted.value(token))).size).toBe(100)
      expect(yield* Effect.filter(issued, ({ token }) => isValid(token))).toHaveLength(100)
    }).pipe(Effect.provide(securityInMemory))
  )

  effect("is not issued for a connection that is missing, ended or of another tenant", () =>
    Effect.gen(function* () {
      const connection = yield* createConnection()
      for (const tenancy of foreignTenancies) {
        expect(yield* failureDetails(issueFor({ ...connection, ...tenancy }))).toBe(
          "ConnectionNotFound: there is no such connection: a key finds those of its own tenant and environment"
        )
      }
      const ended = yield* moveToState("canceled")
      expect(yield* failureDetails(issueFor(ended))).toBe(
        "ConnectionEnded: the connection is canceled, which is final: create a new connection of the domain, and use that one"
      )
    }).pipe(Effect.provide(securityInMemory))
  )

  effect("is rejected after its revocation, the end of its connection or the revocation of its key", () =>
    Effect.gen(function* () {
      const { revoke } = yield* BrowserTokens
      const keys = yield* ApiKeys
      const [firstKey, secondKey] = [yield* issueOwnKey(), yield* issueOwnKey()]
      const connection = yield* createConnection()
      const revoked = yield* issueFor(connection, firstKey.id)
      yield* revoke(ownTenancy, connection.id)
      expect(yield* isValid(revoked.token)).toBe(false)
      const [fromFirst, fromSecond] = [
        yield* issueFor(connection, firstKey.id),
        yield* issueFor(connection, secondKey.id)
      ]
      yield* keys.revoke(firstKey.id)
      expect([yield* isValid(fromFirst.token), yield* isValid(fromSecond.token)]).toEqual([false, true])
      yield* moveToState("expired")
      expect(yield* isValid(fromSecond.token)).toBe(false)
    }).pipe(Effect.provide(securityInMemory))
  )

  for (const state of finalStates)
    effect(`is rejected after its connection is ${state}, except for reading the final state from a stream`, () =>
      Effect.gen(function* () {
        const { isValid, revoke, verify } = yield* BrowserTokens
        const { token } = yield* issueFor(yield* createConnection())
        const { id } = yield* moveToState(state)
        expect(yield* failureDetails(verify(token))).toBe(unauthenticated)
        expect(yield* isValid(token)).toBe(true)
        yield* revoke(ownTenancy, id)
        expect(yield* isValid(token)).toBe(false)
      }).pipe(Effect.provide(securityInMemory))
    )

  effect("that is forged but well-formed is rejected", () =>
    Effect.gen(function* () {
      const { token } = yield* issueFor(yield* createConnection())
      const text = Redacted.value(token)
      const forged = text.slice(0, -1) + (text.endsWith("a") ? "b" : "a")
      expect(yield* isValid(Redacted.make(forged))).toBe(false)
      expect(yield* isValid(Redacted.make(text.toLowerCase()))).toBe(text === text.toLowerCase())
    }).pipe(Effect.provide(securityInMemory))
  )

  effect("that is truncated, padded or an API key is rejected without reading the store", () =>
    Effect.gen(function* () {
      const { key } = yield* Effect.provide(issueOwnKey(), securityInMemory)
      const token = `dct_${"a".repeat(43)}`
      const { verify } = yield* BrowserTokens
      for (const text of [
        "",
        token.slice(1),
        token.slice(0, -1),
        `${token}a`,
        `${token} `,
        `Bearer ${token}`,
        `${token}\n`
      ]) {
        expect(yield* failureDetails(verify(Redacted.make(text)))).toBe(unauthenticated)
      }
      expect(yield* failureDetails(verify(key))).toBe(unauthenticated)
    }).pipe(
      Effect.provide(
        Layer.provide(security, Layer.merge(Layer.mock(ApiKeyStore, {}), Layer.mock(BrowserTokenStore, {})))
      )
    )
  )

  effect("is not accepted as an API key", () =>
    Effect.gen(function* () {
      const { token } = yield* issueFor(yield* createConnection())
      const { authenticate } = yield* ApiKeys
      expect(yield* failureDetails(authenticate(token, Option.none()))).toBe(unauthenticated)
    }).pipe(Effect.provide(securityInMemory))
  )
})

/** Issues a token for a connection, by default with a new API key. */
const issueFor = (
  { applicationId, id, tenantId }: Pick<Connection, "applicationId" | "tenantId" | "id">,
  key?: ApiKeyId
) =>
  Effect.gen(function* () {
    const { issue } = yield* BrowserTokens
    const apiKeyId = key ?? (yield* issueOwnKey()).id
    return yield* issue({ applicationId, tenantId }, { connectionId: id, origin, apiKeyId })
  })

const isValid = (token: Redacted.Redacted) =>
  Effect.flatMap(BrowserTokens, ({ verify }) => Effect.isSuccess(verify(token)))
