import { Context, Effect, Layer } from "effect"
import { MasterKeyStore, type UnreadableCount } from "../persistence/stores/access/MasterKeyStore.ts"
import type { StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import { type EncryptionKey, MasterKeys } from "./MasterKeys.ts"
import { compareKeys, knownKeysOf, MasterKeyMismatch, opens, sealCheck } from "./requireFittingKeys.ts"

/** The secrets of a database under master keys that are lost. */
export class UnreadableSecrets extends Context.Tag("security/UnreadableSecrets")<
  UnreadableSecrets,
  {
    readonly count: Effect.Effect<UnreadableCount, StoreUnavailable>
    /**
     * Deletes what no key of this process opens, and makes the keys of this process those of the database. No process
     * of the service may run: it could still have such a key, and seal with it.
     */
    readonly discard: Effect.Effect<void, MasterKeyMismatch | StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    UnreadableSecrets,
    Effect.gen(function* () {
      const keys = yield* MasterKeys
      const store = yield* MasterKeyStore
      const compare = Effect.flatMap(store.listChecks, (stored) => compareKeys(keys, stored, store))

      /** What keys open although the check values are not theirs: a wrong key may have been the first to store one. */
      const findOpened = (wrong: ReadonlyArray<EncryptionKey>) =>
        Effect.map(
          Effect.forEach(wrong, (key) =>
            Effect.flatMap(store.findSealed(key.version, Number.MAX_SAFE_INTEGER), (rows) =>
              Effect.filter(rows, (row) => opens(key, row))
            )
          ),
          (opened) => opened.flat().map(({ id }) => id)
        )
      return {
        count: Effect.gen(function* () {
          const { fitting, unknown, wrong } = yield* compare
          return yield* store.countUnreadable(
            yield* knownKeysOf(keys, [...fitting, ...unknown], yield* findOpened(wrong))
          )
        }),
        discard: Effect.gen(function* () {
          if (yield* store.isServiceRunning)
            return yield* new MasterKeyMismatch({
              message: "a process of the service runs on this database: stop every process first"
            })
          const { fitting, unknown, wrong } = yield* compare
          const checks = yield* Effect.forEach([...unknown, ...wrong], (key) => sealCheck(keys, key))
          yield* store.discardUnreadable(
            yield* knownKeysOf(keys, [...fitting, ...unknown], yield* findOpened(wrong)),
            keys.sealing.version,
            checks
          )
        })
      }
    })
  )
}
