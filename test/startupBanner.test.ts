import { HttpServer } from "@effect/platform"
import { expect, test } from "bun:test"
import { Console, Effect, Fiber, Layer, Option, Redacted, TestClock } from "effect"
import { StoreUnavailable } from "../src/persistence/StoreUnavailable.ts"
import { ApiKeyStore, type NewApiKey } from "../src/persistence/stores/access/ApiKeyStore.ts"
import { ApiKeys } from "../src/security/ApiKeys.ts"
import { ApiKeyId } from "../src/domain/access/Tenancy.ts"
import { formatKeyCommand, startupBanner } from "../src/startupBanner.ts"
import { TestKeys } from "../src/testEnvironment.ts"
import { effect } from "./support/effectTest.ts"
import { sequentialIdentifiers } from "./support/sequentialIdentifiers.ts"
import { storesInMemory } from "./support/testApi.ts"

const variableFor = (url: string): string => variableIn(formatKeyCommand(Option.some(Redacted.make(url)), "/unused"))

const variableIn = (command: string): string => command.split(" node_modules/.bin/bun ")[0] ?? ""

test("the hint to create a key repeats the whole DATABASE_URL, without its passwords", () => {
  expect(variableFor("postgresql://app:secret@db.example:5433/connections?sslmode=require&connect_timeout=10")).toBe(
    "DATABASE_URL='postgresql://app:PASSWORD@db.example:5433/connections?sslmode=require&connect_timeout=10'"
  )
  expect(variableFor("postgres://app@localhost/connections?host=/run/postgresql")).toBe(
    "DATABASE_URL='postgres://app@localhost/connections?host=/run/postgresql'"
  )
  expect(variableFor("postgres://localhost/connections?user=app&password=secret&sslpassword=secret")).toBe(
    "DATABASE_URL='postgres://localhost/connections?user=app&password=PASSWORD&sslpassword=PASSWORD'"
  )
})

test("the hint is quoted so that a shell reads it as it is", async () => {
  const url = "postgres://o'brien@localhost/connections?options=-c%20a=$(id)&application_name=a'b"
  const shown = await Bun.$`sh -c ${`${variableFor(url)}; printf %s "$DATABASE_URL"`}`.text()
  expect(shown).toBe(new URL(url).href)
  const directory = variableIn(formatKeyCommand(Option.none(), "/srv/it's data"))
  expect(await Bun.$`sh -c ${`${directory}; printf %s "$DATA_DIR"`}`.text()).toBe("/srv/it's data")
})

effect("the first keys are printed, that of test mode first, although the database goes away while they are made", () =>
  Effect.gen(function* () {
    const failing = { list: 3, insert: 3 }
    const hesitate = <A>(call: keyof typeof failing, answer: Effect.Effect<A, StoreUnavailable>) =>
      Effect.suspend(() => {
        failing[call] -= 1
        return failing[call] < 0 ? answer : databaseAway
      })
    const keys = Layer.effect(
      ApiKeyStore,
      Effect.map(ApiKeyStore, (store) => ({
        ...store,
        list: hesitate("list", store.list),
        insert: (key: NewApiKey) => hesitate("insert", store.insert(key))
      }))
    ).pipe(Layer.provide(storesInMemory))
    const printed: Array<unknown> = []
    const started = yield* Effect.fork(
      startupBanner(embedded).pipe(
        Layer.provide(Layer.mergeAll(Layer.provide(ApiKeys.layer, keys), server, testKeys)),
        Layer.provide(sequentialIdentifiers),
        Layer.build,
        Effect.withConsole(consoleInto(printed))
      )
    )
    yield* TestClock.adjust("10 seconds")
    yield* Fiber.join(started)
    expect(printed.join()).toMatch(
      /Your API key for test mode, .*: dck_test_first\n.*live domains, .*: +dck_live_\w{49}\n.*only this once/
    )
  })
)

const testKeys = Layer.succeed(TestKeys, {
  issue: ({ environment }) =>
    Effect.succeed({ id: ApiKeyId.make("key_test"), key: Redacted.make(`dck_${environment}_first`) })
})

const databaseAway = new StoreUnavailable({ code: "unavailable", message: "the database is away" })

const embedded = {
  data: { path: "/unused", exists: false },
  databaseUrl: Option.none(),
  needsPublicUrl: false,
  needsTrustedProxies: false
}

const server = Layer.succeed(
  HttpServer.HttpServer,
  HttpServer.make({ address: { _tag: "TcpAddress", hostname: "127.0.0.1", port: 1 }, serve: () => Effect.void })
)

const consoleInto = (printed: Array<unknown>): Console.Console => {
  const print = (...args: ReadonlyArray<unknown>) => void printed.push(...args)
  const unsafe = { ...globalThis.console, log: print, error: print }
  const log = (...args: ReadonlyArray<unknown>) => Effect.sync(() => print(...args))
  return { ...Effect.runSync(Effect.console), log, error: log, unsafe }
}
