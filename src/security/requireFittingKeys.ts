import { Data, Effect, Layer, Schema } from "effect"
import type { SealedSecret } from "../domain/access/SealedSecret.ts"
import {
  type KnownKeys,
  MasterKeyStore,
  type SealedRow,
  type UnreadableCount
} from "../persistence/stores/access/MasterKeyStore.ts"
import { retryAtStart } from "../persistence/postgres/retryAtStart.ts"
import { MasterKeys, type EncryptionKey } from "./MasterKeys.ts"
import { fingerprintKeyIdOf } from "./RequestFingerprints.ts"
import { identifyOwner } from "./identifyOwner.ts"
import { hasSealed, makeSealer } from "./makeSealer.ts"

/** The master keys of this process do not fit the database; `message` says what to do, and contains no key. */
export class MasterKeyMismatch extends Data.TaggedError("MasterKeyMismatch")<{ readonly message: string }> {}

/**
 * Refuses the start if a version of a key has changed, no key is known to the database, or a needed one is missing. New
 * keys are registered beside a fitting one, or in a database that has none.
 */
export const fittingMasterKeysLayer = Layer.effectDiscard(Effect.suspend(() => retryAtStart(requireFittingKeys)))

const requireFittingKeys = Effect.gen(function* () {
  const keys = yield* MasterKeys
  const store = yield* MasterKeyStore
  yield* store.register((stored) =>
    Effect.flatMap(
      findUnknownKeys(keys, stored, store),
      Effect.forEach((key) => sealCheck(keys, key))
    )
  )
})

/** Fails as a start would if the keys do not fit the database, and changes nothing. */
export const checkFittingKeys = Effect.gen(function* () {
  const keys = yield* MasterKeys
  const store = yield* MasterKeyStore
  yield* findUnknownKeys(keys, yield* store.listChecks, store)
})

/** The keys of a process that are new to a database; it fails if the known ones do not fit. */
const findUnknownKeys = Effect.fnUntraced(function* (
  keys: Keys,
  stored: ReadonlyArray<SealedSecret>,
  store: typeof MasterKeyStore.Service
) {
  const { fitting, unknown, wrong } = yield* compareKeys(keys, stored, store)
  const [another] = wrong
  if (another !== undefined) return yield* mismatch(describeWrongKey(keys.source, another))
  if (fitting.length === 0 && stored.length > 0)
    return yield* mismatch(
      describeForeignKeys(
        keys.source,
        stored.map(({ keyVersion }) => keyVersion)
      )
    )
  const unreadable = yield* store.countUnreadable(yield* knownKeysOf(keys, keys.all))
  if (!isNothing(unreadable)) return yield* mismatch(describeMissingKeys(keys.source, unreadable))
  return unknown
})

type Keys = typeof MasterKeys.Service

/**
 * The keys by their check values: fitting, of other content, and without one. Earlier versions stored secrets without
 * check values: a key that opens none of those under its version does not fit.
 */
export const compareKeys = (
  keys: Keys,
  stored: ReadonlyArray<SealedSecret>,
  { findSealed }: Pick<typeof MasterKeyStore.Service, "findSealed">
) =>
  Effect.map(
    Effect.forEach(keys.all, (key) =>
      Effect.gen(function* () {
        const check = stored.find(({ keyVersion }) => keyVersion === key.version)
        if (check !== undefined)
          return { key, fits: yield* Effect.isSuccess(sealerWith(keys, key).open("check", check)) }
        const samples = yield* findSealed(key.version, sampleSize)
        const opened = yield* Effect.filter(samples, (row) => opens(key, row))
        return { key, fits: samples.length > 0 && opened.length === 0 ? false : undefined }
      })
    ),
    (compared) => {
      const listThose = (which: boolean | undefined) =>
        compared.flatMap(({ fits, key }) => (fits === which ? [key] : []))
      return { fitting: listThose(true), wrong: listThose(false), unknown: listThose(undefined) }
    }
  )

/** The secrets of each kind that are tried; one damaged secret proves nothing against a key. */
const sampleSize = 3

export const opens = (key: EncryptionKey, row: SealedRow): Effect.Effect<boolean> => hasSealed(key, ownerOf(row), row)

const ownerOf = (row: SealedRow): ReadonlyArray<string> => {
  if (row.kind === "webhookSecret") return identifyOwner.webhookSecret(row)
  if (row.kind === "domainConnectKey") return identifyOwner.domainConnectKey(row)
  return row.kind === "adminAnswer" ? identifyOwner.adminAnswer(row) : identifyOwner[row.kind](row)
}

/** The check value of one of the keys of a process. */
export const sealCheck = (keys: Keys, key: EncryptionKey): Effect.Effect<SealedSecret> =>
  sealerWith(keys, key).seal("check", "master key")

const sealerWith = (keys: Keys, sealing: EncryptionKey) =>
  makeSealer({ ...keys, sealing }, Schema.Literal("master key"), (owner: string) => ["master-key", owner])

/** The secrets that a process can open with some of its keys. Fingerprint keys are recognized by themselves. */
export const knownKeysOf = (
  { fingerprintKeys }: Keys,
  known: ReadonlyArray<EncryptionKey>,
  openedIds: ReadonlyArray<string> = []
): Effect.Effect<KnownKeys> =>
  Effect.map(Effect.forEach(fingerprintKeys, fingerprintKeyIdOf), (fingerprintKeyIds) => ({
    versions: known.map(({ version }) => version),
    fingerprintKeyIds,
    openedIds
  }))

export const isNothing = ({
  answers,
  credentials,
  domainConnectKeys,
  oauthSessions,
  webhookEndpoints
}: UnreadableCount): boolean =>
  answers + credentials + oauthSessions + webhookEndpoints.length + domainConnectKeys.length === 0

/** Lists the counts in words. */
export const describeUnreadable = ({
  answers,
  credentials,
  domainConnectKeys,
  oauthSessions,
  webhookEndpoints
}: UnreadableCount): string =>
  [
    countOf(credentials, "credential", "credentials"),
    countOf(oauthSessions, "customer at a provider", "customers at their providers"),
    countOf(webhookEndpoints.length, "webhook endpoint", "webhook endpoints"),
    countOf(domainConnectKeys.length, "key of Domain Connect", "keys of Domain Connect"),
    countOf(answers, "answer to a request that may be repeated", "answers to requests that may be repeated")
  ]
    .flat()
    .join(", ")

const countOf = (count: number, one: string, many: string): ReadonlyArray<string> =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]

const mismatch = (message: string) => new MasterKeyMismatch({ message })

const wayOut = `if it is lost, see "A lost master key" in docs/operations.md`

const describeWrongKey = (source: string, { version }: EncryptionKey) =>
  `${source} has another key under version ${version} than this database was sealed with: set the right one, and give a ` +
  `new key a new version; ${wayOut}`

const describeForeignKeys = (source: string, versions: ReadonlyArray<number>) =>
  `${source} has none of the keys that this database was sealed with (version ${versions.join(", ")}): add the one that ` +
  `was used last; ${wayOut}`

const describeMissingKeys = (source: string, unreadable: UnreadableCount) =>
  `this database still needs a master key that ${source} does not have` +
  (unreadable.keyVersions.length === 0 ? "" : ` (version ${unreadable.keyVersions.join(", ")})`) +
  `, for ${describeUnreadable(unreadable)}: add it after the others, and remove it a day after ` +
  `"credentials reseal" at the earliest; ${wayOut}`
