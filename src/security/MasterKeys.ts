import { FileSystem } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { Array, Context, Data, Effect, Layer, Option, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { createSecretFile } from "../persistence/createSecretFile.ts"

/** An imported master key; its bytes cannot be exported. */
export interface EncryptionKey {
  readonly version: number
  readonly key: CryptoKey
}

/** The AES-256-GCM keys of sealed secrets (one seals, all open), and the fingerprint keys derived from them. */
export class MasterKeys extends Context.Tag("security/MasterKeys")<
  MasterKeys,
  {
    /** The key that seals, and all keys, which open; it is the first of them. */
    readonly sealing: EncryptionKey
    readonly all: Array.NonEmptyReadonlyArray<EncryptionKey>
    readonly findByVersion: (version: number) => Option.Option<EncryptionKey>
    /** The HMAC-SHA-256 keys that fingerprint requests, one for each master key, that of the sealing key first. */
    readonly fingerprintKeys: Array.NonEmptyReadonlyArray<CryptoKey>
    /** Where the keys are from, for the operator: the setting or the file. */
    readonly source: string
  }
>() {
  /** Uses the configured keys, or else those in the key file of the data directory, which it creates if necessary. */
  static readonly layer = (settings: {
    readonly configured: Option.Option<MasterKeyRing>
    readonly dataDirectory: string
    /** Whether the file must exist: the service could open nothing that a command next to it seals with a new key. */
    readonly isFileRequired?: boolean
  }) =>
    Layer.effect(
      MasterKeys,
      Effect.gen(function* () {
        const ring = yield* Option.match(settings.configured, {
          onNone: () => loadMasterKeyFile(settings.dataDirectory, settings.isFileRequired === true),
          onSome: Effect.succeed
        })
        const keys = yield* Effect.forEach(ring, importEncryptionKey)
        return {
          sealing: Array.headNonEmpty(keys),
          all: keys,
          findByVersion: (version) => Array.findFirst(keys, (key) => key.version === version),
          fingerprintKeys: yield* Effect.forEach(ring, deriveFingerprintKey),
          source: Option.match(settings.configured, {
            onNone: () => `${settings.dataDirectory}/${keyFileName}`,
            onSome: () => "MASTER_KEY"
          })
        }
      })
    )
}

const importEncryptionKey = (master: MasterKey): Effect.Effect<EncryptionKey> =>
  Effect.promise(() => crypto.subtle.importKey("raw", bytesOf(master), "AES-GCM", false, ["encrypt", "decrypt"])).pipe(
    Effect.map((key) => ({ version: master.version, key }))
  )

/** Derives a key by HKDF (RFC 5869), so that neither use reveals anything about the other. */
const deriveFingerprintKey = (master: MasterKey): Effect.Effect<CryptoKey> =>
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

/** The key file cannot be created or must not be used; `message` says why and what to do, and contains no key. */
class MasterKeyFileError extends Data.TaggedError("MasterKeyFileError")<{ readonly message: string }> {}

const keyFileName = "master.key"

/** Reads the keys in `master.key` of a data directory, and creates that file with a new key if it does not exist. */
const loadMasterKeyFile = Effect.fnUntraced(
  function* (dataDirectory: string, isRequired: boolean) {
    const fs = yield* FileSystem.FileSystem
    const path = `${dataDirectory}/${keyFileName}`
    if (!(yield* fs.exists(path)))
      yield* isRequired ? new MasterKeyFileError({ message: missingKeyMessage(path) }) : createKeyFile(dataDirectory)
    return yield* readKeyFile(path)
  },
  (effect, dataDirectory) => {
    const unusable = ({ message }: PlatformError) =>
      new MasterKeyFileError({
        message: `the data directory ${dataDirectory} cannot hold the master key, so set MASTER_KEY: ${message}`
      })
    return Effect.catchTags(effect, { SystemError: unusable, BadArgument: unusable })
  }
)

const missingKeyMessage = (path: string) =>
  `MASTER_KEY is not set, and there is no ${path}: set MASTER_KEY as for the service, or DATA_DIR to its data ` +
  "directory, or start the service first"

const createKeyFile = Effect.fnUntraced(function* (dataDirectory: string) {
  const fs = yield* FileSystem.FileSystem
  // Open to other users: the embedded PostgreSQL of root runs there as another user.
  yield* fs.makeDirectory(dataDirectory, { recursive: true })
  const isFirst = yield* createSecretFile(dataDirectory, keyFileName, `${Redacted.value(generateMasterKey())}\n`)
  if (isFirst)
    yield* Effect.annotateLogs(Effect.logInfo("Master key created"), { path: `${dataDirectory}/${keyFileName}` })
})

const readKeyFile = Effect.fnUntraced(function* (path: string) {
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

/** A key that seals secrets: 32 random bytes in base64, and the version that sealed secrets name. */
interface MasterKey {
  readonly version: number
  readonly secret: Redacted.Redacted
}

/** All keys that can open secrets. The first one seals new ones. */
export type MasterKeyRing = Array.NonEmptyReadonlyArray<MasterKey>

/** The text form of keys, in words. */
export const masterKeyFormat =
  "keys separated by commas, each version:base64 of 32 bytes, or base64 alone for version 1; the first one seals, all of " +
  "them open, and no two have the same version"

/** Parses keys from the environment or the key file. */
export const parseMasterKeys = (text: string): Option.Option<MasterKeyRing> =>
  Option.all(text.split(",").map((part) => parseMasterKey(part.trim()))).pipe(
    Option.filter((keys) => new Set(keys.map(({ version }) => version)).size === keys.length),
    Option.filter(Array.isNonEmptyArray)
  )

const generateMasterKey = (): Redacted.Redacted => Redacted.make(`1:${randomBytes(32).toString("base64")}`)

const parseMasterKey = (text: string): Option.Option<MasterKey> => {
  const [, version = "1", secret] = /^(?:([1-9]\d{0,8}):)?([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)$/.exec(text) ?? []
  return Option.map(Option.fromNullable(secret), (base64) => ({
    version: Number(version),
    secret: Redacted.make(base64)
  }))
}
