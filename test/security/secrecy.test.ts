import { expect } from "bun:test"
import { Cause, Duration, Effect, Inspectable, Layer, Logger, LogLevel, Option, Redacted } from "effect"
import { Origin } from "../../src/domain/Origin.ts"
import { ApiKeys } from "../../src/security/ApiKeys.ts"
import { BrowserTokens } from "../../src/security/BrowserTokens.ts"
import { create, ours } from "../persistence/someConnection.ts"
import { effect } from "../support/effect.ts"
import { issueKey, securityInMemory } from "./securityInMemory.ts"

effect("no key and no token is readable in what is logged, printed, thrown or encoded", () => {
  const seen: Array<string> = []
  const see = (value: unknown) =>
    seen.push(`${value}`, JSON.stringify(value), Bun.inspect(value, { depth: 9 }), Inspectable.toStringUnknown(value))
  const everything = Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ annotations, cause, message }) => see([message, Cause.pretty(cause), [...annotations]]))
  )
  return Effect.gen(function* () {
    const keys = yield* ApiKeys
    const tokens = yield* BrowserTokens
    const first = yield* issueKey()
    const successor = yield* keys.rotate(first.id, Duration.zero, "live")
    const request = { connectionId: (yield* create()).id, origin: Origin.make("https://app.example.com") }
    const token = yield* tokens.issue(ours, { ...request, apiKeyId: successor.id })
    const found = yield* keys.authenticate(successor.key, Option.none())
    const verified = yield* tokens.verify(token.token)
    const failures = yield* Effect.all([
      Effect.flip(Effect.sandbox(keys.authenticate(first.key, Option.none()))),
      Effect.flip(Effect.sandbox(tokens.verify(first.key)))
    ])
    const everyValue = [first, successor, token, found, verified, yield* keys.list, ...failures]
    everyValue.forEach(see)
    yield* Effect.log(everyValue)
    yield* Effect.logError("failed", ...failures)
    const secrets = [first.key, successor.key, token.token].map((secret) => Redacted.value(secret).slice(12))
    expect(seen.length).toBeGreaterThan(30)
    expect(seen.filter((text) => secrets.some((secret) => text.includes(secret)))).toEqual([])
  }).pipe(Logger.withMinimumLogLevel(LogLevel.All), Effect.provide(Layer.merge(securityInMemory, everything)))
})
