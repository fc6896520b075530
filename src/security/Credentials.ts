import { Array, Chunk, Context, Data, Effect, Layer, Option, Schema, Stream } from "effect"
import type { ConnectionId } from "../domain/Connection.ts"
import { Credential } from "../domain/Credential.ts"
import type { SealedSecret, SecretOwner, StoredSecret } from "../domain/SealedSecret.ts"
import type { StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import { CredentialStore } from "../persistence/stores/CredentialStore.ts"
import { MasterKeys } from "./MasterKeys.ts"
import { makeSealer } from "./makeSealer.ts"

/** A sealed credential does not open for an owner: there is no such key, it was not sealed for them, or it is none. */
export class CredentialUnsealError extends Data.TaggedError("CredentialUnsealError")<{
  readonly connectionId: ConnectionId
  readonly keyVersion: number
  readonly reason: "unknown_key_version" | "not_authentic" | "not_a_credential"
}> {
  override get message() {
    return `the credential of ${this.connectionId} under key version ${this.keyVersion} cannot be read: ${this.reason}`
  }
}

/** How many credentials were sealed again, and under which key. */
export interface ResealResult {
  readonly resealed: number
  readonly keyVersion: number
}

/**
 * The credentials of customers, which leave this room for the database only under AES-256-GCM. What was sealed for one
 * connection opens for no other, and under no other key version than it names.
 */
export class Credentials extends Context.Tag("security/Credentials")<
  Credentials,
  {
    readonly seal: (owner: SecretOwner, credential: Credential) => Effect.Effect<SealedSecret>
    readonly unseal: (owner: SecretOwner, sealed: SealedSecret) => Effect.Effect<Credential, CredentialUnsealError>
    /** The credential that is kept for a connection; none if expired or unreadable, and the customer is asked again. */
    readonly load: (owner: SecretOwner) => Effect.Effect<Option.Option<Credential>, StoreUnavailable>
    /**
     * Puts what `renew` makes of the kept credential in its place, for the time that is left, and gives it; gives what
     * somebody else put there meanwhile, if that is so. None if there is none.
     */
    readonly renew: <E>(
      owner: SecretOwner,
      renew: (held: Credential) => Effect.Effect<Credential, E>
    ) => Effect.Effect<Option.Option<Credential>, E | StoreUnavailable>
    /** Seals with the newest key what is kept under older ones, but not what changes meanwhile or is unreadable. */
    readonly reseal: Effect.Effect<ResealResult, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    Credentials,
    Effect.gen(function* () {
      const store = yield* CredentialStore
      const keys = yield* MasterKeys

      const { open, seal } = makeSealer(keys, Credential, ({ applicationId, connectionId, tenantId }: SecretOwner) => [
        applicationId,
        tenantId,
        connectionId
      ])

      const unseal = Effect.fn("Credentials.unseal")((owner: SecretOwner, sealed: SealedSecret) =>
        Effect.mapError(
          open(owner, sealed),
          ({ keyVersion, reason }) =>
            new CredentialUnsealError({
              connectionId: owner.connectionId,
              keyVersion,
              reason: reason === "not_what_was_sealed" ? "not_a_credential" : reason
            })
        )
      )

      const readable = ({ owner, sealed }: StoredSecret): Effect.Effect<Option.Option<Credential>> =>
        Effect.asSome(unseal(owner, sealed)).pipe(
          Effect.catchAll(({ connectionId, keyVersion, reason }) =>
            Effect.logWarning("Credential unreadable").pipe(
              Effect.annotateLogs({ connectionId, keyVersion, reason }),
              Effect.as(Option.none())
            )
          )
        )

      const find = Effect.fnUntraced(function* (owner: SecretOwner) {
        const sealed = yield* store.find(owner, owner.connectionId)
        return Option.isNone(sealed)
          ? Option.none()
          : Option.map(yield* readable({ owner, sealed: sealed.value }), (credential) => ({
              credential,
              read: { owner, sealed: sealed.value }
            }))
      })

      /** What was only sealed again meanwhile is still the one that was renewed. */
      const put = (
        held: Credential,
        credential: Credential,
        read: StoredSecret
      ): Effect.Effect<Option.Option<Credential>, StoreUnavailable> =>
        Effect.gen(function* () {
          if (yield* store.replace(read, yield* seal(read.owner, credential))) return Option.some(credential)
          const now = yield* find(read.owner)
          return Option.isSome(now) && isSame(now.value.credential, held)
            ? yield* put(held, credential, now.value.read)
            : Option.map(now, (other) => other.credential)
        })

      const isResealed = Effect.fnUntraced(function* (read: StoredSecret) {
        const credential = yield* readable(read)
        if (Option.isNone(credential)) return false
        return yield* store.replace(read, yield* seal(read.owner, credential.value))
      })

      const outdated = Stream.paginateChunkEffect(Option.none<ConnectionId>(), (after) =>
        Effect.map(store.findOutdated(keys.newest.version, pageSize, after), (page) => [
          Chunk.fromIterable(page),
          Option.map(Array.last(page), ({ owner }) => Option.some(owner.connectionId))
        ])
      )

      return {
        seal: Effect.fn("Credentials.seal")(seal),
        unseal,
        load: Effect.fn("Credentials.load")((owner) =>
          Effect.map(
            find(owner),
            Option.map(({ credential }) => credential)
          )
        ),
        renew: Effect.fn("Credentials.renew")(function* (owner, renew) {
          const found = yield* find(owner)
          if (Option.isNone(found)) return Option.none()
          const { credential: held, read } = found.value
          const renewed = yield* renew(held)
          return isSame(renewed, held) ? Option.some(held) : yield* put(held, renewed, read)
        }),
        reseal: Stream.runCount(Stream.filterEffect(outdated, isResealed)).pipe(
          Effect.map((resealed) => ({ resealed, keyVersion: keys.newest.version })),
          Effect.withSpan("Credentials.reseal")
        )
      }
    })
  )
}

const pageSize = 100

const isSame = Schema.equivalence(Credential)
