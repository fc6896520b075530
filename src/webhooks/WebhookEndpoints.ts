import { Array, Context, DateTime, Effect, Layer, Option, type Redacted, Schema } from "effect"
import type { DetailCode } from "../domain/error/detailMeanings.ts"
import { Identifiers } from "../domain/values/Identifiers.ts"
import type { IdempotentRequest } from "../domain/access/IdempotentRequest.ts"
import type { PageRequest } from "../domain/values/PageRequest.ts"
import type { ApplicationId } from "../domain/access/Tenancy.ts"
import type { WebhookDelivery } from "../domain/webhook/WebhookDelivery.ts"
import {
  type EndpointStatus,
  endpointSettingsOf,
  WebhookEndpointId,
  type WebhookEndpointSettings,
  WebhookEventId
} from "../domain/webhook/WebhookEndpoint.ts"
import type { EachWebhookRate, WebhookRate, WebhookRateUse } from "../domain/webhook/WebhookRate.ts"
import { IdempotencyKeyReused, PreconditionFailed } from "../lifecycle/commands/commandErrors.ts"
import { QuotaExceeded } from "../limits/limitErrors.ts"
import type { StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import { type DeliveryFilter, WebhookDeliveryStore } from "../persistence/stores/webhooks/WebhookDeliveryStore.ts"
import type { StoredWebhookEndpoint } from "../persistence/stores/webhooks/StoredWebhookEndpoint.ts"
import {
  type WebhookEndpointChange,
  WebhookEndpointCreation,
  WebhookEndpointStore
} from "../persistence/stores/webhooks/WebhookEndpointStore.ts"
import { WebhookSecrets } from "../security/WebhookSecrets.ts"
import { ReceiverClient } from "./ReceiverClient.ts"
import { WebhookDeliveryNotFound, WebhookEndpointNotFound, WebhookUrlNotAllowed } from "./webhookErrors.ts"

/** An endpoint with the secret that its receiver verifies with, which is shown only now. */
interface EndpointWithSecret {
  readonly stored: StoredWebhookEndpoint
  readonly secret: Redacted.Redacted
  /** Whether an earlier request under the same idempotency key created it. */
  readonly isReplayed: boolean
}

/** Reads an endpoint for a change; `matches` is the precondition of the caller. */
interface EndpointSelection {
  readonly applicationId: ApplicationId
  readonly id: WebhookEndpointId
  readonly matches: (stored: StoredWebhookEndpoint) => boolean
}

interface EndpointUpdate {
  readonly settings: WebhookEndpointSettings
  readonly status: typeof EndpointStatus.Type
}

type ChangeError = WebhookEndpointNotFound | PreconditionFailed | StoreUnavailable

/** How many endpoints an application may have, and how many replays it may request; 0 for no limit. */
export interface WebhookLimits {
  readonly endpointsPerApplication: number
  readonly replaysPerHour: number
}

/** The webhook endpoints of an application, for its API keys, administrators and the command line. */
export class WebhookEndpoints extends Context.Tag("webhooks/WebhookEndpoints")<
  WebhookEndpoints,
  {
    readonly create: (
      applicationId: ApplicationId,
      settings: WebhookEndpointSettings,
      idempotency: Option.Option<IdempotentRequest>
    ) => Effect.Effect<
      EndpointWithSecret,
      WebhookUrlNotAllowed | QuotaExceeded | IdempotencyKeyReused | StoreUnavailable
    >
    readonly list: typeof WebhookEndpointStore.Service.list
    readonly find: (
      applicationId: ApplicationId,
      id: WebhookEndpointId
    ) => Effect.Effect<StoredWebhookEndpoint, WebhookEndpointNotFound | StoreUnavailable>
    /** Changes an endpoint by its current settings; one that the service paused goes on when it is enabled. */
    readonly update: <E = never>(
      selection: EndpointSelection,
      change: (current: StoredWebhookEndpoint) => Effect.Effect<EndpointUpdate, E>
    ) => Effect.Effect<StoredWebhookEndpoint, ChangeError | WebhookUrlNotAllowed | E>
    readonly setStatus: (
      selection: EndpointSelection,
      status: EndpointUpdate["status"]
    ) => Effect.Effect<StoredWebhookEndpoint, ChangeError>
    readonly remove: (selection: EndpointSelection) => Effect.Effect<void, ChangeError>
    readonly rotateSecret: (
      selection: EndpointSelection
    ) => Effect.Effect<Omit<EndpointWithSecret, "isReplayed">, ChangeError>
    /** Sends an event to this endpoint alone, whatever it filters. */
    readonly sendTest: (
      applicationId: ApplicationId,
      id: WebhookEndpointId
    ) => Effect.Effect<WebhookDelivery, WebhookEndpointNotFound | QuotaExceeded | StoreUnavailable>
    readonly listDeliveries: (
      applicationId: ApplicationId,
      id: WebhookEndpointId,
      filter: DeliveryFilter,
      page: PageRequest
    ) => Effect.Effect<ReadonlyArray<WebhookDelivery>, WebhookEndpointNotFound | StoreUnavailable>
    readonly replay: (
      applicationId: ApplicationId,
      id: WebhookEndpointId,
      eventId: WebhookEventId
    ) => Effect.Effect<
      WebhookDelivery,
      WebhookEndpointNotFound | WebhookDeliveryNotFound | QuotaExceeded | StoreUnavailable
    >
    /** Replays up to `limit` deliveries, oldest first, and returns the ids of their events. */
    readonly replayMany: (
      applicationId: ApplicationId,
      id: WebhookEndpointId,
      filter: DeliveryFilter,
      page: { readonly limit: number; readonly after?: string }
    ) => Effect.Effect<ReadonlyArray<string>, WebhookEndpointNotFound | QuotaExceeded | StoreUnavailable>
    readonly readRates: (
      applicationId: ApplicationId
    ) => Effect.Effect<EachWebhookRate<WebhookRateUse>, StoreUnavailable>
    /** How much of each an application may ask for in an hour; 0 for no limit. */
    readonly rateLimits: EachWebhookRate<number>
  }
>() {
  static readonly layer = ({ endpointsPerApplication, replaysPerHour }: WebhookLimits) =>
    Layer.effect(
      WebhookEndpoints,
      Effect.gen(function* () {
        const endpoints = yield* WebhookEndpointStore
        const deliveries = yield* WebhookDeliveryStore
        const secrets = yield* WebhookSecrets
        const receivers = yield* ReceiverClient
        const { next } = yield* Identifiers
        const limit = endpointsPerApplication === 0 ? 1_000_000 : endpointsPerApplication

        const requireAllowedUrl = (url: string) =>
          Option.match(receivers.findUrlFault(url), { onNone: () => Effect.void, onSome: WebhookUrlNotAllowed.of })

        const find = (applicationId: ApplicationId, id: WebhookEndpointId) =>
          Effect.flatMap(
            endpoints.find(applicationId, id),
            Option.match({ onNone: () => WebhookEndpointNotFound.error, onSome: Effect.succeed })
          )

        /** Repeats a change if another request came in between, unless the caller's precondition then fails. */
        const change = <A, E>(
          selection: EndpointSelection,
          write: (read: StoredWebhookEndpoint) => Effect.Effect<Option.Option<A>, E>
        ): Effect.Effect<A, E | ChangeError> =>
          Effect.gen(function* () {
            const read = yield* find(selection.applicationId, selection.id)
            if (!selection.matches(read)) return yield* changedMeanwhile
            const written = yield* write(read)
            return Option.isSome(written) ? written.value : yield* change(selection, write)
          })

        const rateLimits = { testEvents: testEventsPerHour, replays: replaysPerHour }
        const withinRate = <A, E>(
          applicationId: ApplicationId,
          rate: WebhookRate,
          use: (limitPerHour: number) => Effect.Effect<Option.Option<A>, E>
        ) =>
          Effect.gen(function* () {
            const limit = rateLimits[rate]
            const done = yield* use(limit)
            if (Option.isSome(done)) return done.value
            const { endsAt } = (yield* deliveries.readRates(applicationId))[rate]
            return yield* makeRateExceeded(rate, limit, secondsUntil(endsAt, yield* DateTime.now))
          })

        const replay = Effect.fnUntraced(function* (
          applicationId: ApplicationId,
          id: WebhookEndpointId,
          filter: DeliveryFilter,
          page: { readonly limit: number; readonly after?: string }
        ) {
          yield* find(applicationId, id)
          return yield* withinRate(applicationId, "replays", (limitPerHour) =>
            deliveries.replay(applicationId, id, filter, { ...page, limitPerHour })
          )
        })

        return {
          create: Effect.fnUntraced(function* (applicationId, settings, idempotency) {
            yield* requireAllowedUrl(settings.url)
            const id = WebhookEndpointId.make(yield* next("whe"))
            const secret = yield* secrets.generate
            const creation = yield* endpoints.create(
              { applicationId, id, settings, secret: yield* secrets.seal(ownerOf(applicationId, id), secret) },
              limit,
              idempotency
            )
            return yield* WebhookEndpointCreation.$match(creation, {
              Created: ({ stored }) => Effect.succeed({ stored, secret, isReplayed: false }),
              Replayed: ({ stored }) =>
                Effect.map(
                  Effect.flatMap(secrets.open(ownerOf(applicationId, stored.endpoint.id), stored.secrets), Array.head),
                  (secret) => ({ stored, secret, isReplayed: true })
                ).pipe(Effect.catchTag("NoSuchElementException", Effect.die)),
              KeyReused: () => IdempotencyKeyReused.error,
              Full: () =>
                makeExceeded(
                  `the application may have ${limit} webhook endpoints; delete those that are not needed, or ask the operator of the service to raise WEBHOOK_ENDPOINTS_PER_APPLICATION`,
                  { code: "webhook_endpoints_per_application", message: `${limit} of ${limit} are used` }
                )
            })
          }),
          list: endpoints.list,
          find,
          update: (selection, toChange) =>
            change(selection, (read) =>
              Effect.gen(function* () {
                const { settings, status } = yield* toChange(read)
                if (settings.url !== read.endpoint.url) yield* requireAllowedUrl(settings.url)
                return yield* endpoints.update(read, { settings, ...pauseReasonAfter(read, status) })
              })
            ),
          setStatus: (selection, status) =>
            change(selection, (read) =>
              endpoints.update(read, { settings: endpointSettingsOf(read.endpoint), ...pauseReasonAfter(read, status) })
            ),
          remove: (selection) =>
            change(selection, (read) =>
              Effect.map(endpoints.remove(read), (removed) => (removed ? Option.some(undefined) : Option.none()))
            ),
          rotateSecret: (selection) =>
            Effect.gen(function* () {
              const secret = yield* secrets.generate
              const sealed = yield* secrets.seal(ownerOf(selection.applicationId, selection.id), secret)
              return { stored: yield* change(selection, (read) => endpoints.rotateSecret(read, sealed)), secret }
            }),
          sendTest: Effect.fnUntraced(function* (applicationId, id) {
            const { endpoint } = yield* find(applicationId, id)
            const data = encodeTestData({ endpoint: { id, url: endpoint.url } })
            const event = { id: yield* next("evt"), data }
            return yield* withinRate(applicationId, "testEvents", (limitPerHour) =>
              deliveries.insertTest(applicationId, id, event, limitPerHour)
            )
          }),
          listDeliveries: (applicationId, id, filter, page) =>
            Effect.zipRight(find(applicationId, id), deliveries.list(id, filter, page)),
          replay: (applicationId, id, eventId) =>
            replay(applicationId, id, { eventId }, { limit: 1 }).pipe(
              Effect.zipRight(deliveries.list(id, { eventId }, { limit: 1 })),
              Effect.flatMap(Array.head),
              Effect.catchTag("NoSuchElementException", () => WebhookDeliveryNotFound.error)
            ),
          replayMany: replay,
          readRates: deliveries.readRates,
          rateLimits
        }
      })
    )
}

/** An endpoint that is paused already keeps its reason. */
const pauseReasonAfter = (
  { endpoint: { pauseReason = "requested" } }: StoredWebhookEndpoint,
  status: EndpointUpdate["status"]
): Pick<WebhookEndpointChange, "pauseReason"> => (status === "paused" ? { pauseReason } : {})

const encodeTestData = Schema.encodeSync(
  Schema.parseJson(Schema.Struct({ endpoint: Schema.Struct({ id: Schema.String, url: Schema.String }) }))
)

const changedMeanwhile = new PreconditionFailed({
  code: "precondition_failed",
  message: "the webhook endpoint has changed since the version that If-Match names"
})

const makeExceeded = (
  message: string,
  detail: { readonly code: DetailCode; readonly message: string },
  retry: Pick<QuotaExceeded, "retryAfterSeconds"> = {}
) => new QuotaExceeded({ code: "quota_exceeded", message, details: [{ pointer: "", ...detail }], ...retry })

/** How many test events an application may send in an hour. */
export const testEventsPerHour = 120

const rateTexts: EachWebhookRate<{ readonly code: DetailCode; readonly subject: string }> = {
  testEvents: { code: "test_events_per_hour", subject: "test events" },
  replays: { code: "replays_per_hour", subject: "replays of deliveries" }
}

const makeRateExceeded = (rate: WebhookRate, limit: number, retryAfterSeconds: number) => {
  const { code, subject } = rateTexts[rate]
  return makeExceeded(
    `the application may ask for ${limit} ${subject} an hour; GET /v1/usage tells when it ends`,
    { code, message: `there would be more than ${limit} within this hour` },
    { retryAfterSeconds }
  )
}

/** The seconds until the hour of a rate ends, by a clock that may differ from that of the database. */
const secondsUntil = (endsAt: DateTime.Utc, now: DateTime.Utc): number =>
  Math.min(Math.max(Math.ceil(DateTime.distance(now, endsAt) / 1_000), 1), 3_600)

const ownerOf = (applicationId: ApplicationId, endpointId: WebhookEndpointId) => ({ applicationId, endpointId })
