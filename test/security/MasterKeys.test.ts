import { FileSystem } from "@effect/platform"
import { BunFileSystem } from "@effect/platform-bun"
import { describe, expect } from "bun:test"
import { Effect, Layer, Logger, Option } from "effect"
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type EncryptionKey, masterKeyFormat, MasterKeys, parseMasterKeys } from "../../src/security/MasterKeys.ts"
import { failureDetails } from "../persistence/connectionFixtures.ts"
import { effect } from "../support/effectTest.ts"
import { masterKey } from "../support/masterKeys.ts"

describe("the key file", () => {
  effect("is created with a new key at the first start, readable by its owner only, and reused afterwards", () =>
    Effect.gen(function* () {
      const dataDirectory = join(yield* directory, "not", "there", "yet")
      const first = yield* keysIn(dataDirectory)
      const text = readFileSync(`${dataDirectory}/master.key`, "utf8")
      expect(text).toMatch(/^1:[A-Za-z0-9+/]{43}=\n$/)
      expect(statSync(`${dataDirectory}/master.key`).mode & 0o777).toBe(0o600)
      expect(readdirSync(dataDirectory)).toEqual(["master.key"])
      const second = yield* keysIn(dataDirectory)
      expect(readFileSync(`${dataDirectory}/master.key`, "utf8")).toBe(text)
      expect(second.sealing.version).toBe(1)
      expect(yield* isSame(first.sealing, second.sealing)).toBe(true)
    })
  )

  effect("differs between directories", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* keysIn(yield* directory), yield* keysIn(yield* directory)]
      expect(yield* isSame(first.sealing, second.sealing)).toBe(false)
    })
  )

  effect("is the same for all processes that start concurrently", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* directory
      const [first, ...others] = yield* Effect.replicateEffect(keysIn(dataDirectory), 30).pipe(
        Effect.withConcurrency("unbounded")
      )
      const same = yield* Effect.forEach(others, ({ sealing }) =>
        first === undefined ? Effect.succeed(false) : isSame(first.sealing, sealing)
      )
      expect(same).toEqual(others.map(() => true))
      expect(readdirSync(dataDirectory)).toEqual(["master.key"])
    })
  )

  effect("is not replaced by a process that checked for it before another one created it", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* directory
      const { sealing } = yield* keysIn(dataDirectory)
      const late = yield* keysIn(dataDirectory, undefined, findingNothing)
      expect(yield* isSame(sealing, late.sealing)).toBe(true)
      expect(readdirSync(dataDirectory)).toEqual(["master.key"])
    })
  )

  effect("may contain several keys, so that older credentials can be read", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* directory
      write(dataDirectory, `${masterKey(7, 3)}\n`)
      const { sealing, findByVersion } = yield* keysIn(dataDirectory)
      expect(sealing.version).toBe(7)
      expect([7, 3, 1].map((version) => Option.getOrUndefined(findByVersion(version))?.version)).toEqual([
        7,
        3,
        undefined
      ])
    })
  )

  for (const mode of [0o640, 0o604, 0o602, 0o666, 0o610]) {
    const permissions = `0${mode.toString(8)}`
    effect(`is rejected if other users can access it: mode ${permissions}`, () =>
      Effect.gen(function* () {
        const dataDirectory = yield* directory
        write(dataDirectory, masterKey(1), mode)
        expect(yield* failureDetails(keysIn(dataDirectory))).toBe(
          `MasterKeyFileError: ${dataDirectory}/master.key is open to others (mode ${permissions}): close it by ` +
            "chmod 600, and put a new key into it if they may have read it"
        )
        expect(readFileSync(`${dataDirectory}/master.key`, "utf8")).toBe(masterKey(1))
      })
    )
  }

  effect("seals with the key that it names first, so that another can be added for reading", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* directory
      write(dataDirectory, `${masterKey(1, 2)}\n`)
      const { all, sealing } = yield* keysIn(dataDirectory)
      expect([sealing.version, ...all.map(({ version }) => version)]).toEqual([1, 1, 2])
    })
  )

  for (const text of ["", "hunter2", Buffer.alloc(32, 1).toString("hex"), `${masterKey(1)},${masterKey(1)}`]) {
    effect(`is rejected without being shown if its content is invalid: "${text}"`, () =>
      Effect.gen(function* () {
        const dataDirectory = yield* directory
        write(dataDirectory, text)
        expect(yield* failureDetails(keysIn(dataDirectory))).toBe(
          `MasterKeyFileError: ${dataDirectory}/master.key must hold ${masterKeyFormat}; if the key is lost, remove the ` +
            "file and start again"
        )
      })
    )
  }

  effect("that cannot be created is reported with the directory and a remedy", () =>
    Effect.gen(function* () {
      const file = join(yield* directory, "a-file")
      writeFileSync(file, "")
      const refusal = yield* failureDetails(keysIn(file))
      expect(refusal).toStartWith(
        `MasterKeyFileError: the data directory ${file} cannot hold the master key, so set MASTER_KEY: `
      )
    })
  )

  effect("is not created if keys are configured", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* directory
      const { sealing } = yield* keysIn(dataDirectory, masterKey(2, 1))
      expect(sealing.version).toBe(2)
      expect(existsSync(`${dataDirectory}/master.key`)).toBe(false)
    })
  )
})

const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "master-key-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const write = (dataDirectory: string, text: string, mode = 0o600) => {
  writeFileSync(`${dataDirectory}/master.key`, text)
  chmodSync(`${dataDirectory}/master.key`, mode)
}

/** Loads the keys as a process does at its start. */
const keysIn = (dataDirectory: string, configured?: string, fileSystem = BunFileSystem.layer) =>
  Effect.provide(
    MasterKeys,
    MasterKeys.layer({
      configured: Option.flatMap(Option.fromNullable(configured), parseMasterKeys),
      dataDirectory
    }).pipe(Layer.provide(fileSystem), Layer.provide(Logger.remove(Logger.defaultLogger)))
  )

/** A file system that finds no file before opening it. */
const findingNothing = Layer.effect(
  FileSystem.FileSystem,
  Effect.map(FileSystem.FileSystem, (fs) => ({ ...fs, exists: () => Effect.succeed(false) }))
).pipe(Layer.provide(BunFileSystem.layer))

/** Whether one key can decrypt data encrypted by the other. */
const isSame = (first: EncryptionKey, second: EncryptionKey) =>
  Effect.promise(async () => {
    const algorithm = { name: "AES-GCM", iv: new Uint8Array(12) }
    const sealed = await crypto.subtle.encrypt(algorithm, first.key, Buffer.from("text"))
    return crypto.subtle.decrypt(algorithm, second.key, sealed).then(
      () => true,
      () => false
    )
  })
