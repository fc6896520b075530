import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { Identifiers } from "../../src/domain/Identifiers.ts"
import { secretOwnerOf } from "../../src/domain/SealedSecret.ts"
import { ConnectionStore } from "../../src/persistence/stores/ConnectionStore.ts"
import { CredentialStore } from "../../src/persistence/stores/CredentialStore.ts"
import { Credentials } from "../../src/security/Credentials.ts"
import { StoreFixture } from "../persistence/StoreFixture.ts"
import { createConnection } from "../persistence/connectionFixtures.ts"
import { freshDatabase, poolOn } from "../persistence/freshDatabase.ts"
import { apiToken, storeSealed } from "../security/credentialsInMemory.ts"
import { temporaryDirectory, type TestDatabase } from "../support/TestPostgres.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { masterKey, sealingLayer } from "../support/masterKeys.ts"
import { environmentOf, exitResult, holdDatabase, runCli } from "./commandLine.ts"

concurrentTest(
  "credentials reseal seals again with the newest key what an older one sealed, and says how much it was",
  () =>
    Effect.gen(function* () {
      const database = yield* freshDatabase
      const reseal = (key: string, ...args: ReadonlyArray<string>) =>
        runCli({ ...environmentOf(database), MASTER_KEY: key }, "credentials", "reseal", ...args)
      const owners = yield* Effect.replicateEffect(keepOne, 2).pipe(Effect.provide(sealedIn(database, masterKey(1))))
      expect(yield* reseal(masterKey(1), "--json")).toEqual(exitResult(0, `{"resealed":0,"keyVersion":1}\n`))
      expect(yield* reseal(masterKey(2, 1), "--json")).toEqual(exitResult(0, `{"resealed":2,"keyVersion":2}\n`))
      const read = yield* Effect.forEach(owners, (owner) =>
        Effect.flatMap(Credentials, ({ load: live }) => Effect.flatten(live(owner)))
      ).pipe(Effect.provide(sealedIn(database, masterKey(2))))
      expect(read.map(({ _tag }) => _tag)).toEqual(["api_token", "api_token"])
      yield* keepOne.pipe(Effect.provide(sealedIn(database, masterKey(2))))
      expect(yield* reseal(masterKey(3, 2))).toEqual(
        exitResult(0, "3 credentials were sealed again with key version 3\n")
      )
    })
)

concurrentTest("what cannot be read is told without its content, and the rest is sealed again", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    for (const version of [1, 2]) yield* keepOne.pipe(Effect.provide(sealedIn(database, masterKey(version))))
    const place = { ...environmentOf(database), MASTER_KEY: masterKey(3, 2) }
    const { code, err, out } = yield* runCli(place, "credentials", "reseal")
    expect([code, out]).toEqual([0, "1 credential was sealed again with key version 3\n"])
    expect(err).toContain("unknown_key_version")
    expect(err.trim().split("\n")).toHaveLength(1)
    expect(err).not.toContain("a token")
  })
)

concurrentTest("several of them make one key and one database in one directory, beside a process that holds it", () =>
  Effect.gen(function* () {
    const place = { DATA_DIR: `${temporaryDirectory()}/data` }
    const reseal = runCli(place, "credentials", "reseal", "--json")
    const holding = Effect.zipRight(holdDatabase(place.DATA_DIR), reseal)
    const done = exitResult(0, `{"resealed":0,"keyVersion":1}\n`, expect.any(String))
    expect(yield* Effect.all([reseal, holding, reseal], { concurrency: 3 })).toEqual([done, done, done])
    expect(readdirSync(place.DATA_DIR).toSorted()).toEqual(["master.key", "postgres"])
  })
)

concurrentTest("a wrong key stops it with what is allowed and without the key, before any database is started", () =>
  Effect.gen(function* () {
    const directory = temporaryDirectory()
    const wrong = yield* runCli({ DATA_DIR: `${directory}/data`, MASTER_KEY: "hunter2" }, "credentials", "reseal")
    expect([wrong.code, wrong.out]).toEqual([1, ""])
    expect(wrong.err).toStartWith("MASTER_KEY must be keys separated by commas, ")
    expect(wrong.err.includes("hunter2") || existsSync(`${directory}/data`)).toBe(false)
    writeFileSync(`${directory}/master.key`, masterKey(1), { mode: 0o644 })
    const open = yield* runCli({ DATA_DIR: directory }, "credentials", "reseal")
    expect([open.code, open.out, open.err.split(" (mode")[0]]).toEqual([
      1,
      "",
      `${directory}/master.key is open to others`
    ])
    expect(existsSync(`${directory}/postgres`)).toBe(false)
  })
)

/** Keeps a sealed credential for a new connection. */
const keepOne = Effect.gen(function* () {
  const owner = secretOwnerOf(yield* createConnection())
  yield* storeSealed(owner, apiToken("a token"))
  return owner
})

/** What the service has there, with these master keys. */
const sealedIn = (database: TestDatabase, masterKeys: string) =>
  sealingLayer(masterKeys).pipe(
    Layer.provideMerge(Layer.mergeAll(CredentialStore.layer, ConnectionStore.layer, StoreFixture.layerPostgres)),
    Layer.provide(poolOn(database, 1)),
    Layer.merge(Identifiers.layer)
  )
