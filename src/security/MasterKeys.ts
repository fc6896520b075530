import { FileSystem } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { Array, Context, Data, Effect, Layer, Option, Redacted } from "effect"
import { generateMasterKey, type MasterKey, masterKeyFormat, type MasterKeyRing, parseMasterKeys } from "./MasterKey.ts"

/** A master key that is ready for use; its bytes cannot be taken out of it. */
export interface EncryptionKey {
  readonly version: number
  readonly key: CryptoKey
}

/**
 * The keys of AES-256-GCM under which credentials are kept: one to seal with, and all to read with; and what is derived
 * from them.
 */
export class MasterKeys extends Context.Tag("security/MasterKeys")<
  MasterKeys,
  {
    readonly newest: EncryptionKey
    readonly findByVersion: (version: number) => Option.Option<EncryptionKey>
    /** The keys of HMAC-SHA-256 by which requests are known again, one of each master key, the newest first. */
    readonly fingerprintKeys: Array.NonEmptyReadonlyArray<CryptoKey>
  }
>() {
  /** The configured keys, else those in the key file of the data directory, which is made if there is none. */
  static readonly layer = (settings: {
    readonly configured: Option.Option<MasterKeyRing>
    readonly dataDirectory: string
  }) =>
    Layer.effect(
      MasterKeys,
      Effect.gen(function* () {
        const ring = yield* Option.match(settings.configured, {
          onNone: () => loadMasterKeyFile(settings.dataDirectory),
          onSome: Effect.succeed
        })
        const keys = yield* Effect.forEach(ring, imported)
        return {
          newest: Array.headNonEmpty(keys),
          findByVersion: (wanted) => Array.findFirst(keys, ({ version }) => version === wanted),
          fingerprintKeys: yield* Effect.forEach(ring, fingerprintingKeyOf)
        }
      })
    )
}

const imported = (master: MasterKey): Effect.Effect<EncryptionKey> =>
  Effect.promise(() => crypto.subtle.importKey("raw", bytesOf(master), "AES-GCM", false, ["encrypt", "decrypt"])).pipe(
    Effect.map((key) => ({ version: master.version, key }))
  )

/** Derived (HKDF, RFC 5869), so that neither use says anything about the other. */
const fingerprintingKeyOf = (master: MasterKey): Effect.Effect<CryptoKey> =>
  Effect.promise(async () =>
    crypto.subtle.deriveKey(
      { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: new TextEncoder().encode("request fingerprints") },
      await crypto.subtle.importKey("raw", bytesOf(master), "HKDF", false, ["deriveKey"]),
      { name: "HMAC", hash: "SHA-256", length: 256 },
      false,
      ["sign"]
    )
  )

const bytesOf = ({ secret }: MasterKey) => Buffer.from(Redacted.value(secret), "base64")

/** The key file cannot be made or must not be used; `message` says why and what to do, and holds nothing of a key. */
export class MasterKeyFileError extends Data.TaggedError("MasterKeyFileError")<{ readonly message: string }> {}

/** The keys in `master.key` of a data directory; where there is no such file, one is made with a new key. */
export const loadMasterKeyFile = Effect.fn("masterKeyFile")(
  function* (dataDirectory: string) {
    const fs = yield* FileSystem.FileSystem
    const path = `${dataDirectory}/master.key`
    if (!(yield* fs.exists(path))) yield* make(dataDirectory, path)
    return yield* read(path)
  },
  (effect, dataDirectory) => {
    const unusable = ({ message }: PlatformError) =>
      new MasterKeyFileError({
        message: `the data directory ${dataDirectory} cannot hold the master key, so set MASTER_KEY: ${message}`
      })
    return Effect.catchTags(effect, { SystemError: unusable, BadArgument: unusable })
  }
)

/** The file is written aside and linked to its place, where it is whole at once; of two processes the first wins. */
const make = Effect.fnUntraced(function* (dataDirectory: string, path: string) {
  const fs = yield* FileSystem.FileSystem
  // Left open to others: the embedded PostgreSQL of root lives in there under another user.
  yield* fs.makeDirectory(dataDirectory, { recursive: true })
  const aside = yield* fs.makeTempDirectoryScoped({ directory: dataDirectory, prefix: "unfinished-" })
  const file = yield* fs.open(`${aside}/master.key`, { flag: "wx", mode: 0o600 })
  yield* file.writeAll(new TextEncoder().encode(`${Redacted.value(generateMasterKey())}\n`))
  yield* file.sync
  yield* fs.link(`${aside}/master.key`, path).pipe(
    Effect.zipRight(Effect.annotateLogs(Effect.logInfo("Master key made"), { path })),
    Effect.catchIf(
      (error) => error._tag === "SystemError" && error.reason === "AlreadyExists",
      () => Effect.void
    )
  )
  yield* (yield* fs.open(dataDirectory)).sync
}, Effect.scoped)

const read = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const { mode } = yield* fs.stat(path)
  if ((mode & 0o077) !== 0) {
    const permissions = (mode & 0o777).toString(8).padStart(4, "0")
    return yield* new MasterKeyFileError({
      message:
        `${path} is open to others (mode ${permissions}): close it by chmod 600, ` +
        "and put a new key into it if they may have read it"
    })
  }
  const keys = parseMasterKeys(yield* fs.readFileString(path))
  if (Option.isSome(keys)) return keys.value
  return yield* new MasterKeyFileError({
    message: `${path} must hold ${masterKeyFormat}; if the key is lost, remove the file and start again`
  })
})
