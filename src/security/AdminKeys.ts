import { Context, type DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import { AdminKeyId, type AdminScope, allAdminScopes } from "../domain/access/AdminKey.ts"
import { Identifiers } from "../domain/values/Identifiers.ts"
import type { StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import { AdminKeyStore, type StoredAdminKey, type ValidAdminKey } from "../persistence/stores/access/AdminKeyStore.ts"
import { Unauthenticated } from "./ApiKeys.ts"
import { hasChecksum, randomKey, sha256, toStoredKey } from "./secrets.ts"

class AdminKeyNotFound extends Schema.TaggedError<AdminKeyNotFound>()("AdminKeyNotFound", { id: AdminKeyId }) {
  override get message() {
    return `there is no admin key with the id ${this.id}`
  }
}

/** A new admin key; `key` is shown to its owner now and can never be shown again. */
interface IssuedAdminKey {
  readonly id: AdminKeyId
  readonly key: Redacted.Redacted
}

/** The name of a new key, the environment whose applications it administers, what it may do, and when it ends. */
interface AdminKeyRequest {
  readonly name: Option.Option<string>
  readonly environment: AdminEnvironment
  /** All of them without it. */
  readonly scopes?: ReadonlyArray<AdminScope>
  /** When it ends by itself; without it, when it is revoked. */
  readonly expiresAt?: DateTime.Utc
}

export type AdminEnvironment = "live" | "test"

/**
 * Issues and checks the keys of administrators, who manage all applications: `dcka_<43 base62><6 base62 CRC-32>`, in
 * test mode `dcka_test_<…>`. Only the command line issues them: no admin key can make another one.
 */
export class AdminKeys extends Context.Tag("security/AdminKeys")<
  AdminKeys,
  {
    readonly issue: (request: AdminKeyRequest) => Effect.Effect<IssuedAdminKey, StoreUnavailable>
    /** Finds the key. A revoked one is refused from the next call on. */
    readonly authenticate: (key: Redacted.Redacted) => Effect.Effect<ValidAdminKey, Unauthenticated | StoreUnavailable>
    readonly list: Effect.Effect<ReadonlyArray<StoredAdminKey>, StoreUnavailable>
    readonly revoke: (id: AdminKeyId) => Effect.Effect<void, AdminKeyNotFound | StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    AdminKeys,
    Effect.map(Effect.all([AdminKeyStore, Identifiers]), ([store, identifiers]) => ({
      issue: Effect.fnUntraced(function* ({ environment, expiresAt, name, scopes = allAdminScopes }) {
        const id = AdminKeyId.make(yield* identifiers.next("adk"))
        const key = randomKey(environment === "test" ? testKeyPrefix : "dcka_")
        yield* store.insert({ id, ...toStoredKey(key), name, scopes, expiresAt: Option.fromNullable(expiresAt) })
        return { id, key: Redacted.make(key) }
      }),
      authenticate: Effect.fnUntraced(function* (key) {
        if (!isAdminKey(key)) return yield* Unauthenticated.error
        const found = yield* store.find(sha256(Redacted.value(key)))
        return Option.isSome(found) ? found.value : yield* Unauthenticated.error
      }),
      list: store.list,
      revoke: Effect.fnUntraced(function* (id) {
        if (!(yield* store.revoke(id))) return yield* new AdminKeyNotFound({ id })
      })
    }))
  )
}

/** Whether a text has the form of an admin key. The checksum refuses a mistyped or truncated key without a query. */
export const isAdminKey = (text: Redacted.Redacted): boolean => {
  const key = Redacted.value(text)
  return /^dcka_(test_)?[0-9A-Za-z]{49}$/.test(key) && hasChecksum(key)
}

/** Which applications a key of this form administers. */
export const environmentOfAdminKey = (key: Redacted.Redacted): AdminEnvironment =>
  Redacted.value(key).startsWith(testKeyPrefix) ? "test" : "live"

const testKeyPrefix = "dcka_test_"
