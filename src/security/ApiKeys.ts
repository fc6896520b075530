import { Array, Context, Duration, Effect, Layer, Option, Redacted, Schedule, Schema } from "effect"
import { crc32 } from "node:zlib"
import type { ConnectionId } from "../domain/Connection.ts"
import { Identifiers } from "../domain/Identifiers.ts"
import { ApiKeyId, type KeyScope, type Tenancy } from "../domain/Tenancy.ts"
import type { StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import { ApiKeyStore, type ApiKeyWithConnection, type StoredApiKey } from "../persistence/stores/ApiKeyStore.ts"
import { randomBase62, sha256, toBase62 } from "./secrets.ts"

/** No credential, or one that is not good: from outside these are the same. */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>()("Unauthenticated", {
  code: Schema.Literal("unauthenticated"),
  message: Schema.String
}) {
  static readonly error = new Unauthenticated({
    code: "unauthenticated",
    message: "a valid credential is required: an API key in x-api-key, or where allowed a browser token as Bearer"
  })
}

/** There is no good key of this id. */
export class ApiKeyNotFound extends Schema.TaggedError<ApiKeyNotFound>()("ApiKeyNotFound", { id: ApiKeyId }) {
  override get message() {
    return `there is no good API key with the id ${this.id}`
  }
}

/** A key that was just made; `key` is shown to its owner now and can never be shown again. */
export interface IssuedApiKey {
  readonly id: ApiKeyId
  readonly key: Redacted.Redacted
}

/** What a key is made for. `environment` (lower-case letters) tells a key of a test system from one of production. */
export interface ApiKeyRequest {
  readonly tenancy: Tenancy
  readonly scopes: ReadonlyArray<KeyScope>
  readonly environment: string
}

/** How long the old key of a rotation may stay good. */
export const maxRotationOverlap = Duration.days(7)

/** The keys by which a platform's servers prove who they are: `dck_<environment>_<43 base62><6 base62 CRC-32>`. */
export class ApiKeys extends Context.Tag("security/ApiKeys")<
  ApiKeys,
  {
    readonly issue: (request: ApiKeyRequest) => Effect.Effect<IssuedApiKey, StoreUnavailable>
    /** Who calls, and the connection of this id if it is theirs. A revoked key is refused from the next call on. */
    readonly authenticate: (
      key: Redacted.Redacted,
      connectionId: Option.Option<ConnectionId>
    ) => Effect.Effect<ApiKeyWithConnection, Unauthenticated | StoreUnavailable>
    readonly list: Effect.Effect<ReadonlyArray<StoredApiKey>, StoreUnavailable>
    /** Issues a successor; the old key stays good for `overlap`, at most seven days. */
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
      const used = new Set<ApiKeyId>()

      const noteUse = Effect.suspend(() => {
        const ids = Array.fromIterable(used)
        used.clear()
        return ids.length === 0 ? Effect.void : store.recordUse(ids)
      }).pipe(Effect.catchTag("StoreUnavailable", () => Effect.void))
      yield* Effect.forkScoped(Effect.repeat(noteUse, Schedule.spaced(useNotedEvery)))
      yield* Effect.addFinalizer(() => noteUse)

      const newKey = (environment: string) =>
        Effect.map(identifiers.next("key"), (id) => ({ id: ApiKeyId.make(id), key: randomKey(environment) }))

      return {
        issue: Effect.fn("ApiKeys.issue")(function* ({ environment, scopes, tenancy }) {
          const { id, key } = yield* newKey(environment)
          yield* store.insert({ id, ...kept(key), tenancy, scopes })
          return { id, key: Redacted.make(key) }
        }),
        authenticate: Effect.fnUntraced(function* (key, connectionId) {
          const text = Redacted.value(key)
          if (!isWellFormed(text)) return yield* Unauthenticated.error
          const found = yield* store.find(sha256(text), connectionId)
          if (Option.isNone(found)) return yield* Unauthenticated.error
          used.add(found.value.id)
          return found.value
        }),
        list: store.list,
        rotate: Effect.fn("ApiKeys.rotate")(function* (id, overlap, environment) {
          const successor = yield* newKey(environment)
          const seconds = Duration.toSeconds(
            Duration.clamp(overlap, { minimum: Duration.zero, maximum: maxRotationOverlap })
          )
          const replaced = yield* store.rotate(id, { id: successor.id, ...kept(successor.key) }, seconds)
          if (Option.isNone(replaced)) return yield* new ApiKeyNotFound({ id })
          return { id: successor.id, key: Redacted.make(successor.key) }
        }),
        revoke: Effect.fn("ApiKeys.revoke")(function* (id) {
          if (!(yield* store.revoke(id))) return yield* new ApiKeyNotFound({ id })
        })
      }
    })
  )
}

/** `last_used_at` is for people who tidy up: a request must not pay a write for it. */
const useNotedEvery = Duration.seconds(10)

const randomKey = (environment: string): string => {
  const body = `dck_${environment}_${randomBase62(43)}`
  return body + checksum(body)
}

const checksum = (body: string): string => toBase62(crc32(body), 6)

const kept = (key: string) => ({ hash: sha256(key), prefix: key.slice(0, 12) })

/** A mistyped or cut key is refused without a look into the database. */
const isWellFormed = (key: string): boolean =>
  /^dck_[a-z]{1,10}_[0-9A-Za-z]{49}$/.test(key) && checksum(key.slice(0, -6)) === key.slice(-6)
