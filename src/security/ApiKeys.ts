import { Array, Context, type DateTime, Duration, Effect, Layer, Option, Redacted, Schedule, Schema } from "effect"
import type { ConnectionId } from "../domain/connection/Connection.ts"
import { Identifiers } from "../domain/values/Identifiers.ts"
import { ApiKeyId, type ApplicationId, type KeyScope, type Tenancy } from "../domain/access/Tenancy.ts"
import type { StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import { ApiKeyStore, type ApiKeyWithConnection, type StoredApiKey } from "../persistence/stores/access/ApiKeyStore.ts"
import { hasChecksum, randomKey, sha256, toStoredKey } from "./secrets.ts"

/** The request has no credential, or an invalid one: a caller cannot tell these apart. */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>()("Unauthenticated", {
  code: Schema.Literal("unauthenticated"),
  message: Schema.String
}) {
  static readonly error = new Unauthenticated({
    code: "unauthenticated",
    message: "a valid credential is required"
  })
}

export class ApiKeyNotFound extends Schema.TaggedError<ApiKeyNotFound>()("ApiKeyNotFound", {
  code: Schema.Literal("api_key_not_found"),
  message: Schema.String
}) {
  static readonly of = (id: ApiKeyId): ApiKeyNotFound =>
    new ApiKeyNotFound({ code: "api_key_not_found", message: `there is no valid API key with the id ${id}` })
}

/** A new key; `key` is shown to its owner now and can never be shown again. */
export interface IssuedApiKey {
  readonly id: ApiKeyId
  readonly key: Redacted.Redacted
}

/** A new key's tenant, scopes, name, end and environment (lower case), which tells test keys from live ones. */
interface ApiKeyRequest {
  readonly tenancy: Tenancy
  readonly scopes: ReadonlyArray<KeyScope>
  readonly environment: string
  readonly name?: string
  /** When it ends by itself; without it, when it is revoked. */
  readonly expiresAt?: DateTime.Utc
}

/** How long the old key may stay valid after a rotation. */
export const maxRotationOverlap = Duration.days(7)

/** Issues and checks the keys of a platform's servers: `dck_<environment>_<43 base62><6 base62 CRC-32>`. */
export class ApiKeys extends Context.Tag("security/ApiKeys")<
  ApiKeys,
  {
    readonly issue: (request: ApiKeyRequest) => Effect.Effect<IssuedApiKey, StoreUnavailable>
    /** Finds the caller, and the connection of this id if it is theirs. A revoked key is refused at once. */
    readonly authenticate: (
      key: Redacted.Redacted,
      connectionId: Option.Option<ConnectionId>
    ) => Effect.Effect<ApiKeyWithConnection, Unauthenticated | StoreUnavailable>
    readonly list: Effect.Effect<ReadonlyArray<StoredApiKey>, StoreUnavailable>
    readonly listOf: typeof ApiKeyStore.Service.listOf
    /** Finds a key of an application, valid or not. */
    readonly findOf: (
      applicationId: ApplicationId,
      id: ApiKeyId
    ) => Effect.Effect<StoredApiKey, ApiKeyNotFound | StoreUnavailable>
    /** Revokes every valid key of a tenant, and returns how many there were. */
    readonly revokeAll: (tenancy: Tenancy) => Effect.Effect<number, StoreUnavailable>
    /** Issues a successor with the same tenant, scopes and name; the old key stays valid for `overlap`, at most seven days. */
    readonly rotate: (
      id: ApiKeyId,
      overlap: Duration.Duration,
      environment: string
    ) => Effect.Effect<IssuedApiKey, ApiKeyNotFound | StoreUnavailable>
    readonly revoke: (id: ApiKeyId) => Effect.Effect<void, ApiKeyNotFound | StoreUnavailable>
  }
>() {
  static readonly layer = Layer.scoped(
    ApiKeys,
    Effect.gen(function* () {
      const store = yield* ApiKeyStore
      const identifiers = yield* Identifiers
      const usedKeys = new Set<ApiKeyId>()

      const recordUse = Effect.suspend(() => {
        const ids = Array.fromIterable(usedKeys)
        usedKeys.clear()
        return ids.length === 0 ? Effect.void : store.recordUse(ids)
      }).pipe(Effect.catchTag("StoreUnavailable", () => Effect.void))
      yield* Effect.forkScoped(Effect.repeat(recordUse, Schedule.spaced(recordUseInterval)))
      yield* Effect.addFinalizer(() => recordUse)

      const newKey = (environment: string) =>
        Effect.map(identifiers.next("key"), (id) => ({ id: ApiKeyId.make(id), key: randomKey(`dck_${environment}_`) }))

      return {
        issue: Effect.fnUntraced(function* ({ environment, ...request }) {
          const { id, key } = yield* newKey(environment)
          yield* store.insert({ id, ...toStoredKey(key), ...request })
          return { id, key: Redacted.make(key) }
        }),
        authenticate: (key, connectionId) =>
          isApiKey(key)
            ? Effect.flatMap(store.find(sha256(Redacted.value(key)), connectionId), (found) => {
                if (Option.isNone(found)) return Unauthenticated.error
                usedKeys.add(found.value.id)
                return Effect.succeed(found.value)
              })
            : Unauthenticated.error,
        list: store.list,
        listOf: store.listOf,
        findOf: Effect.fnUntraced(function* (applicationId, id) {
          const found = yield* store.findOf(applicationId, id)
          return Option.isSome(found) ? found.value : yield* ApiKeyNotFound.of(id)
        }),
        revokeAll: store.revokeAll,
        rotate: Effect.fnUntraced(function* (id, overlap, environment) {
          const successor = yield* newKey(environment)
          const seconds = Duration.toSeconds(
            Duration.clamp(overlap, { minimum: Duration.zero, maximum: maxRotationOverlap })
          )
          const rotated = yield* store.rotate(id, { id: successor.id, ...toStoredKey(successor.key) }, seconds)
          if (Option.isNone(rotated)) return yield* ApiKeyNotFound.of(id)
          return { id: successor.id, key: Redacted.make(successor.key) }
        }),
        revoke: Effect.fnUntraced(function* (id) {
          if (!(yield* store.revoke(id))) return yield* ApiKeyNotFound.of(id)
        })
      }
    })
  )
}

/** `last_used_at` helps operators find unused keys; no request waits for its write. */
const recordUseInterval = Duration.seconds(10)

/** Whether a text has the form of a key. The checksum refuses a mistyped or truncated key without a query. */
export const isApiKey = (text: Redacted.Redacted): boolean => {
  const key = Redacted.value(text)
  return /^dck_[a-z]{1,10}_[0-9A-Za-z]{49}$/.test(key) && hasChecksum(key)
}
