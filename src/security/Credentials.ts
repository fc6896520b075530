import { Array, Chunk, Context, Data, Effect, Layer, Option, Schema, Stream } from "effect"
import type { ConnectionId } from "../domain/connection/Connection.ts"
import { Credential } from "../domain/provider/Credential.ts"
import type { SealedSecret, SecretOwner, StoredSecret } from "../domain/access/SealedSecret.ts"
import { MasterKeyMissing, type StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import { CredentialStore } from "../persistence/stores/access/CredentialStore.ts"
import { MasterKeys } from "./MasterKeys.ts"
import { identifyOwner } from "./identifyOwner.ts"
import { makeSealer } from "./makeSealer.ts"

/** A sealed credential cannot be read by anybody: it belongs to another owner, or it is no credential. */
class CredentialUnsealError extends Data.TaggedError("CredentialUnsealError")<{
  readonly connectionId: ConnectionId
  readonly keyVersion: number
  readonly reason: "not_authentic" | "not_a_credential"
}> {
  override get message() {
    return `the credential of ${this.connectionId} under key version ${this.keyVersion} cannot be read: ${this.reason}`
  }
}

/** How many credentials were sealed again, and with which key. */
export interface ResealResult {
  readonly resealed: number
  readonly keyVersion: number
}

/** Seals credentials with AES-256-GCM for storage. One opens for its connection and key version only. */
export class Credentials extends Context.Tag("security/Credentials")<
  Credentials,
  {
    readonly seal: (owner: SecretOwner, credential: Credential) => Effect.Effect<SealedSecret>
    readonly unseal: (
      owner: SecretOwner,
      sealed: SealedSecret
    ) => Effect.Effect<Credential, CredentialUnsealError | MasterKeyMissing>
    /** The stored credential; none if expired or unreadable. `MasterKeyMissing`: only another process can read it. */
    readonly load: (owner: SecretOwner) => Effect.Effect<Option.Option<Credential>, StoreUnavailable>
    /** Stores and returns the result of `renew` for the rest of the lifetime, or what another process stored. */
    readonly renew: <E>(
      owner: SecretOwner,
      renew: (current: Credential) => Effect.Effect<Credential, E>
    ) => Effect.Effect<Option.Option<Credential>, E | StoreUnavailable>
    /** Whether `load` has a credential, in this process or another one. */
    readonly isStored: (owner: SecretOwner) => Effect.Effect<boolean, StoreUnavailable>
    /** Seals credentials of other keys with the first one; skips those that change meanwhile or are unreadable. */
    readonly reseal: Effect.Effect<ResealResult, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    Credentials,
    Effect.gen(function* () {
      const store = yield* CredentialStore
      const keys = yield* MasterKeys

      const { open, seal } = makeSealer(keys, Credential, identifyOwner.credential)

      const unseal = (owner: SecretOwner, sealed: SealedSecret) =>
        Effect.catchTag(
          open(owner, sealed),
          "UnsealError",
          ({ keyVersion, reason }) =>
            new CredentialUnsealError({
              connectionId: owner.connectionId,
              keyVersion,
              reason: reason === "not_what_was_sealed" ? "not_a_credential" : reason
            })
        )

      const unsealStored = ({
        owner,
        sealed
      }: StoredSecret): Effect.Effect<Option.Option<Credential>, MasterKeyMissing> =>
        Effect.asSome(unseal(owner, sealed)).pipe(
          Effect.catchTag("CredentialUnsealError", ({ connectionId, keyVersion, reason }) =>
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
          : Option.map(yield* unsealStored({ owner, sealed: sealed.value }), (credential) => ({
              credential,
              read: { owner, sealed: sealed.value }
            }))
      })

      /** Tries again if the credential that was renewed has only been sealed again meanwhile. */
      const replaceRenewed = (
        current: Credential,
        renewed: Credential,
        read: StoredSecret
      ): Effect.Effect<Option.Option<Credential>, StoreUnavailable> =>
        Effect.gen(function* () {
          if (yield* store.replace(read, yield* seal(read.owner, renewed))) return Option.some(renewed)
          const found = yield* find(read.owner)
          return Option.isSome(found) && isSame(found.value.credential, current)
            ? yield* replaceRenewed(current, renewed, found.value.read)
            : Option.map(found, ({ credential }) => credential)
        })

      const resealOne = Effect.fnUntraced(function* (read: StoredSecret) {
        const credential = yield* Effect.orElseSucceed(unsealStored(read), Option.none)
        if (Option.isNone(credential)) return false
        return yield* store.replace(read, yield* seal(read.owner, credential.value))
      })

      const underOtherKeys = Stream.paginateChunkEffect(Option.none<ConnectionId>(), (after) =>
        Effect.map(store.findUnderOtherKeys(keys.sealing.version, pageSize, after), (page) => [
          Chunk.fromIterable(page),
          Option.map(Array.last(page), ({ owner }) => Option.some(owner.connectionId))
        ])
      )

      return {
        seal,
        unseal,
        load: (owner) =>
          Effect.map(
            find(owner),
            Option.map(({ credential }) => credential)
          ),
        isStored: (owner) =>
          Effect.map(find(owner), Option.isSome).pipe(
            Effect.catchIf(
              (error) => error instanceof MasterKeyMissing,
              () => Effect.succeed(true)
            )
          ),
        renew: Effect.fnUntraced(function* (owner, renew) {
          const found = yield* find(owner)
          if (Option.isNone(found)) return Option.none()
          const { credential: current, read } = found.value
          const renewed = yield* renew(current)
          return isSame(renewed, current) ? Option.some(current) : yield* replaceRenewed(current, renewed, read)
        }),
        reseal: Stream.runCount(Stream.filterEffect(underOtherKeys, resealOne)).pipe(
          Effect.map((resealed) => ({ resealed, keyVersion: keys.sealing.version })),
          Effect.withSpan("Credentials.reseal")
        )
      }
    })
  )
}

const pageSize = 100

const isSame = Schema.equivalence(Credential)
