import { Context, Data, Effect, Layer, Option, type Redacted, Schema } from "effect"
import type { DomainConnectKey, DomainConnectKeyId } from "../domain/access/DomainConnectKey.ts"
import { generateSigningKey, publicKeyOf, spkiOf } from "../domainConnect/signature.ts"
import { MasterKeyMissing, type StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import {
  DomainConnectKeyStore,
  type StoredDomainConnectKey
} from "../persistence/stores/access/DomainConnectKeyStore.ts"
import { MasterKeys } from "./MasterKeys.ts"
import { identifyOwner } from "./identifyOwner.ts"
import { makeSealer } from "./makeSealer.ts"

/** How many keys an application may have: a discovery asks the DNS for each of them. */
export const maxSigningKeys = 10

export class TooManySigningKeys extends Data.TaggedError("TooManySigningKeys") {
  override readonly message = `the application may have ${maxSigningKeys} keys of Domain Connect; delete those that sign no links any more`
}

/** The keys with which links of Domain Connect are signed. Their private halves are stored sealed, and never shown. */
export class DomainConnectKeys extends Context.Tag("security/DomainConnectKeys")<
  DomainConnectKeys,
  {
    /** Makes a new key pair; none if the application has one of this label already. */
    readonly create: (
      id: DomainConnectKeyId
    ) => Effect.Effect<Option.Option<DomainConnectKey>, TooManySigningKeys | StoreUnavailable>
    readonly list: typeof DomainConnectKeyStore.Service.list
    readonly remove: typeof DomainConnectKeyStore.Service.remove
    /** The private key in PEM; none if there is no such key, or nobody can read it any more. */
    readonly open: (id: DomainConnectKeyId) => Effect.Effect<Option.Option<Redacted.Redacted>, StoreUnavailable>
    /** Seals with the first master key every private key under another one, and returns how many. */
    readonly reseal: Effect.Effect<number, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    DomainConnectKeys,
    Effect.gen(function* () {
      const store = yield* DomainConnectKeyStore
      const keys = yield* MasterKeys
      const { open, seal } = makeSealer(keys, Schema.Redacted(Schema.String), identifyOwner.domainConnectKey)

      const openStored = ({ key, sealed }: StoredDomainConnectKey) =>
        Effect.asSome(open(key, sealed)).pipe(
          Effect.catchTag("UnsealError", ({ keyVersion, reason }) =>
            Effect.logError("Domain Connect key unreadable").pipe(
              Effect.annotateLogs({ applicationId: key.applicationId, label: key.label, keyVersion, reason }),
              Effect.as(Option.none())
            )
          )
        )

      /** Leaves a key that another process can read as it is. */
      const resealOne = Effect.fnUntraced(
        function* (read: StoredDomainConnectKey) {
          const opened = yield* openStored(read)
          return Option.isSome(opened) && (yield* store.replace(read, yield* seal(read.key, opened.value)))
        },
        Effect.catchIf(
          (error) => error instanceof MasterKeyMissing,
          () => Effect.succeed(false)
        )
      )

      return {
        // Concurrent creations may exceed the limit by their number.
        create: Effect.fnUntraced(function* (id) {
          const present = yield* store.list(id.applicationId)
          if (present.some(({ domain, label }) => domain === id.domain && label === id.label)) return Option.none()
          if (present.length >= maxSigningKeys) return yield* new TooManySigningKeys()
          const privateKey = generateSigningKey()
          const publicKey = yield* Effect.orDie(Option.map(publicKeyOf(privateKey), spkiOf))
          const key = { ...id, publicKey }
          return (yield* store.insert({ key, sealed: yield* seal(id, privateKey) })) ? Option.some(key) : Option.none()
        }),
        list: store.list,
        remove: store.remove,
        open: Effect.fnUntraced(function* (id) {
          const stored = yield* store.find(id)
          return Option.isNone(stored) ? Option.none() : yield* openStored(stored.value)
        }),
        reseal: Effect.gen(function* () {
          const others = yield* store.findUnderOtherKeys(keys.sealing.version)
          return (yield* Effect.filter(others, resealOne)).length
        })
      }
    })
  )
}
