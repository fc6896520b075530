import { describe, expect } from "bun:test"
import { DateTime, Duration, Effect, Layer, Logger, Redacted, TestClock } from "effect"
import { Origin } from "../../src/domain/names/Origin.ts"
import { Identifiers } from "../../src/domain/values/Identifiers.ts"
import { DomainEntryTokens } from "../../src/security/DomainEntryTokens.ts"
import { failureDetails, ownTenancy } from "../persistence/connectionFixtures.ts"
import { effect } from "../support/effectTest.ts"
import { masterKey, securityWith } from "../support/masterKeys.ts"
import { storesInMemory } from "../support/testApi.ts"
import { issueOwnKey, unauthenticated } from "./securityInMemory.ts"

/** The keys and tokens of a service with this master key. */
const serviceWith = (version: number) =>
  Layer.provideMerge(Layer.provideMerge(securityWith(masterKey(version)), Identifiers.layer), storesInMemory)

const origin = Origin.make("https://app.example.com")

/** A token that a customer types a domain with, and what it holds. */
const issueEntry = Effect.gen(function* () {
  const { issue } = yield* DomainEntryTokens
  const entry = { tenancy: ownTenancy, apiKeyId: (yield* issueOwnKey()).id, origin, externalId: "shop 7" }
  return { entry, ...(yield* issue(entry)) }
})

describe("a token to type a domain", () => {
  effect("holds whose it is, and tells nobody, until it ends after fifteen minutes", () =>
    Effect.gen(function* () {
      const { verify } = yield* DomainEntryTokens
      const { entry, expiresAt, token } = yield* issueEntry
      expect(DateTime.toEpochMillis(expiresAt)).toBe(Duration.toMillis("15 minutes"))
      expect(Buffer.from(Redacted.value(token), "base64url").toString("latin1")).not.toContain("shop 7")
      yield* TestClock.adjust("899 seconds")
      expect(yield* verify(token)).toEqual(entry)
      yield* TestClock.adjust("1 second")
      expect(yield* failureDetails(verify(token))).toBe(unauthenticated)
    }).pipe(Effect.provide(serviceWith(1)))
  )

  effect("is worth nothing once a character of it is another one", () =>
    Effect.gen(function* () {
      const { verify } = yield* DomainEntryTokens
      const { token } = yield* issueEntry
      const text = Redacted.value(token)
      for (const place of [text.length - 1, text.lastIndexOf(".") + 1, text.indexOf(".") + 1]) {
        const other = `${text.slice(0, place)}${text[place] === "A" ? "B" : "A"}${text.slice(place + 1)}`
        expect(yield* failureDetails(verify(Redacted.make(other)))).toBe(unauthenticated)
      }
    }).pipe(Effect.provide(serviceWith(1)))
  )

  effect("opens at no service with another master key", () =>
    Effect.gen(function* () {
      const { token } = yield* issueEntry
      const verified = Effect.flatMap(DomainEntryTokens, ({ verify }) => verify(token))
      expect(yield* failureDetails(Effect.provide(verified, serviceWith(2)))).toBe(unauthenticated)
    }).pipe(Effect.provide(serviceWith(1)))
  )

  effect("that names a key nobody has warns no operator: anybody can write one", () =>
    Effect.gen(function* () {
      const told: Array<unknown> = []
      const logger = Logger.make(({ message }) => void told.push(message))
      const { verify } = yield* DomainEntryTokens
      const forged = Redacted.make(Redacted.value((yield* issueEntry).token).replace("entry_1.", "entry_77."))
      const refused = Effect.provide(failureDetails(verify(forged)), Logger.replace(Logger.defaultLogger, logger))
      expect(yield* refused).toBe(unauthenticated)
      expect(told).toEqual([])
    }).pipe(Effect.provide(serviceWith(1)))
  )
})
