import { Array, Chunk, Context, Effect, Layer, Option, type Redacted, Schema, Stream } from "effect"
import { randomBytes } from "node:crypto"
import type { SealedSecret } from "../domain/access/SealedSecret.ts"
import type { SealedWebhookSecrets, WebhookSecretOwner } from "../domain/webhook/WebhookEndpoint.ts"
import { MasterKeyMissing, type StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import type { StoredWebhookEndpoint } from "../persistence/stores/webhooks/StoredWebhookEndpoint.ts"
import { WebhookEndpointStore } from "../persistence/stores/webhooks/WebhookEndpointStore.ts"
import { MasterKeys } from "./MasterKeys.ts"
import { identifyOwner } from "./identifyOwner.ts"
import { makeSealer } from "./makeSealer.ts"

/** The secrets with which the events of an endpoint are signed, `whsec_…`; they are stored sealed. */
export class WebhookSecrets extends Context.Tag("security/WebhookSecrets")<
  WebhookSecrets,
  {
    /** Makes a secret of 256 random bits. */
    readonly generate: Effect.Effect<Redacted.Redacted>
    readonly seal: (owner: WebhookSecretOwner, secret: Redacted.Redacted) => Effect.Effect<SealedSecret>
    /** The secrets that sign, the current one first, without unreadable ones. Fails if another process can read one. */
    readonly open: (
      owner: WebhookSecretOwner,
      sealed: SealedWebhookSecrets
    ) => Effect.Effect<ReadonlyArray<Redacted.Redacted>, MasterKeyMissing>
    /** The versions of the master key that this process can open. */
    readonly keyVersions: ReadonlyArray<number>
    /** Seals with the first key every secret under another one, and returns of how many endpoints. */
    readonly reseal: Effect.Effect<number, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    WebhookSecrets,
    Effect.gen(function* () {
      const store = yield* WebhookEndpointStore
      const keys = yield* MasterKeys
      const { open, seal } = makeSealer(keys, WebhookSecret, identifyOwner.webhookSecret)

      const openOne = (owner: WebhookSecretOwner, sealed: SealedSecret) =>
        Effect.asSome(open(owner, sealed)).pipe(
          Effect.catchTag("UnsealError", ({ keyVersion, reason }) =>
            Effect.logError("Webhook secret unreadable").pipe(
              Effect.annotateLogs({ endpointId: owner.endpointId, keyVersion, reason }),
              Effect.as(Option.none())
            )
          )
        )

      /** Leaves a secret that another process can read as it is. */
      const resealOne = (read: StoredWebhookEndpoint) =>
        Effect.catchIf(
          resealSecrets(read),
          (error) => error instanceof MasterKeyMissing,
          () => Effect.succeed(false)
        )

      const resealSecrets = Effect.fnUntraced(function* (read: StoredWebhookEndpoint) {
        const owner = { applicationId: read.applicationId, endpointId: read.endpoint.id }
        const { current, previous } = read.secrets
        const opened = yield* openOne(owner, current)
        if (Option.isNone(opened)) return false
        const openedPrevious = previous === undefined ? Option.none() : yield* openOne(owner, previous)
        return yield* store.replaceSecrets(read, {
          current: yield* seal(owner, opened.value),
          ...(Option.isNone(openedPrevious) ? {} : { previous: yield* seal(owner, openedPrevious.value) })
        })
      })

      const underOtherKeys = Stream.paginateChunkEffect("", (after) =>
        Effect.map(store.findUnderOtherKeys(keys.sealing.version, pageSize, after), (page) => [
          Chunk.fromIterable(page),
          Option.map(Array.last(page), ({ endpoint }): string => endpoint.id)
        ])
      )

      return {
        generate: Effect.sync(() => makeSecret(`whsec_${randomBytes(32).toString("base64")}`)),
        seal,
        open: (owner, { current, previous }) =>
          Effect.map(
            Effect.forEach([current, ...(previous === undefined ? [] : [previous])], (sealed) =>
              openOne(owner, sealed)
            ),
            Array.getSomes
          ),
        keyVersions: keys.all.map(({ version }) => version),
        reseal: Stream.runCount(Stream.filterEffect(underOtherKeys, resealOne))
      }
    })
  )
}

const WebhookSecret = Schema.Redacted(Schema.String)

const makeSecret = Schema.decodeSync(WebhookSecret)

const pageSize = 100
