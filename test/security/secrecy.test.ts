import { expect } from "bun:test"
import { Cause, Duration, Effect, Inspectable, Layer, Logger, LogLevel, Option, Redacted } from "effect"
import { Origin } from "../../src/domain/names/Origin.ts"
import { secretOwnerOf } from "../../src/domain/access/SealedSecret.ts"
import { CredentialStore } from "../../src/persistence/stores/access/CredentialStore.ts"
import { ApiKeys } from "../../src/security/ApiKeys.ts"
import { BrowserTokens } from "../../src/security/BrowserTokens.ts"
import { Credentials } from "../../src/security/Credentials.ts"
import { MasterKeys, parseMasterKeys } from "../../src/security/MasterKeys.ts"
import { createConnection, ownTenancy } from "../persistence/connectionFixtures.ts"
import { effect } from "../support/effectTest.ts"
import { masterKey, sealingLayer } from "../support/masterKeys.ts"
import { apiToken, storeSealed, withoutKeys } from "./credentialsInMemory.ts"
import { issueOwnKey, securityInMemory } from "./securityInMemory.ts"

effect("keys and tokens are unreadable in everything logged, printed, thrown or encoded", () => {
  const { logger, collect, textsWith } = collectTexts()
  return Effect.gen(function* () {
    const keys = yield* ApiKeys
    const tokens = yield* BrowserTokens
    const first = yield* issueOwnKey()
    const successor = yield* keys.rotate(first.id, Duration.zero, "live")
    const request = { connectionId: (yield* createConnection()).id, origin: Origin.make("https://app.example.com") }
    const token = yield* tokens.issue(ownTenancy, { ...request, apiKeyId: successor.id })
    const found = yield* keys.authenticate(successor.key, Option.none())
    const verified = yield* tokens.verify(token.token)
    const failures = yield* Effect.all([
      Effect.flip(Effect.sandbox(keys.authenticate(first.key, Option.none()))),
      Effect.flip(Effect.sandbox(tokens.verify(first.key)))
    ])
    yield* collect([first, successor, token, found, verified, yield* keys.list, ...failures])
    yield* Effect.logError("failed", ...failures)
    const secrets = [first.key, successor.key, token.token].map((secret) => Redacted.value(secret).slice(12))
    expect(textsWith(secrets)).toEqual([])
  }).pipe(Logger.withMinimumLogLevel(LogLevel.All), Effect.provide(Layer.merge(securityInMemory, logger)))
})

effect("credentials and master keys are unreadable too, in success and failure", () => {
  const { logger, collect, textsWith } = collectTexts()
  const [secret, secondSecret] = ["a-secret-of-a-customer", "another-secret-of-theirs"]
  return Effect.gen(function* () {
    const { load, reseal, seal, unseal } = yield* Credentials
    const [owner, stranger] = [secretOwnerOf(yield* createConnection()), secretOwnerOf(yield* createConnection())]
    const credential = apiToken(secret)
    const sealed = yield* storeSealed(owner, credential)
    const opened = yield* unseal(owner, sealed)
    const nameless = { _tag: "username_api_key", username: "", apiKey: Redacted.make(secondSecret) } as const
    const failures = yield* Effect.all([
      Effect.flip(Effect.sandbox(unseal(stranger, sealed))),
      Effect.flip(Effect.sandbox(unseal(owner, { ...sealed, keyVersion: 9 }))),
      Effect.flip(Effect.sandbox(seal(owner, nameless)))
    ])
    const old = yield* Effect.flatMap(Credentials, (older) => older.seal(owner, credential)).pipe(
      Effect.provide(sealingLayer(masterKey(1)))
    )
    yield* Effect.flatMap(CredentialStore, ({ replace }) => replace({ owner, sealed }, old))
    yield* collect([credential, sealed, opened, yield* load(owner), yield* reseal, yield* load(owner), ...failures])
    yield* collect([yield* MasterKeys, parseMasterKeys(masterKey(2, 1)), yield* CredentialStore])
    yield* Effect.logError("failed", ...failures)
    const keys = masterKey(2, 1).split(",")
    const texts = [secret, secondSecret, ...keys.map((key) => key.slice(2))]
    expect(textsWith(texts.flatMap((text) => [text, btoa(text), Buffer.from(text).toString("hex")]))).toEqual([])
  }).pipe(
    Logger.withMinimumLogLevel(LogLevel.All),
    Effect.provide(Layer.merge(Layer.provideMerge(sealingLayer(masterKey(2, 1)), withoutKeys), logger))
  )
})

/** Collects every text form of values and of all log entries. */
const collectTexts = () => {
  const collected: Array<string> = []
  const collectText = (value: unknown) =>
    collected.push(
      `${value}`,
      JSON.stringify(value),
      Bun.inspect(value, { depth: 9 }),
      Inspectable.toStringUnknown(value)
    )
  return {
    logger: Logger.replace(
      Logger.defaultLogger,
      Logger.make(({ annotations, cause, message }) => collectText([message, Cause.pretty(cause), [...annotations]]))
    ),
    /** Collects the text forms of these values, and logs them. */
    collect: (values: ReadonlyArray<unknown>) => {
      values.forEach(collectText)
      return Effect.log(values)
    },
    /** The collected texts that contain one of these secrets. */
    textsWith: (secrets: ReadonlyArray<string>) => {
      expect(collected.length).toBeGreaterThan(30)
      return collected.filter((text) => secrets.some((secret) => text.includes(secret)))
    }
  }
}
