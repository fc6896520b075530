import { Clock, DateTime, Effect, Layer, Option } from "effect"
import type { AuditAction, AuditDetails } from "../../../src/domain/access/AuditEntry.ts"
import type { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import type { PageRequest } from "../../../src/domain/values/PageRequest.ts"
import type { ApplicationId, TenantId } from "../../../src/domain/access/Tenancy.ts"
import { maxAttempts, type WebhookDelivery } from "../../../src/domain/webhook/WebhookDelivery.ts"
import {
  failingDaysUntilPause,
  type PauseReason,
  type WebhookEndpointId,
  secretOverlapSeconds,
  WebhookEventId
} from "../../../src/domain/webhook/WebhookEndpoint.ts"
import type { WebhookEventType } from "../../../src/domain/webhook/WebhookEvent.ts"
import {
  type DeliveryFilter,
  WebhookDeliveryStore
} from "../../../src/persistence/stores/webhooks/WebhookDeliveryStore.ts"
import {
  WebhookEndpointCreation,
  listChangedEndpointSettings,
  WebhookEndpointStore
} from "../../../src/persistence/stores/webhooks/WebhookEndpointStore.ts"
import { isRetryOf } from "../../../src/persistence/stores/connections/isRetryOf.ts"
import { pageOf } from "./pageOf.ts"
import { writeAuditAction } from "./auditStoreInMemory.ts"
import { type WebhookDeliveryRow, Tables, type WebhookEndpointRow, type WebhookEventRow } from "./Tables.ts"
import { insertDelivery, insertEvent } from "./webhookOutboxInMemory.ts"
import { consumeWebhookRate, readWebhookRates } from "./webhookRatesInMemory.ts"

const day = 24 * 60 * 60 * 1_000

export const webhookEndpointStoreInMemory = Layer.effect(
  WebhookEndpointStore,
  Effect.map(Tables, (tables) => {
    const rows = tables.webhookEndpoints
    const unchanged = ({ endpoint: { id }, version }: ReturnType<typeof toStored>) => {
      const row = rows.get(id)
      return row?.version === version ? Option.some(row) : Option.none()
    }
    const ofApplication = (applicationId: ApplicationId) =>
      [...rows.values()].filter((row) => row.applicationId === applicationId)
    const change = (
      action: AuditAction,
      read: ReturnType<typeof toStored>,
      assign: (row: WebhookEndpointRow, now: number) => void,
      details: AuditDetails = {}
    ) =>
      Effect.map(Clock.currentTimeMillis, (now) =>
        Option.map(unchanged(read), (row) => {
          assign(row, now)
          row.version += 1
          row.updatedAt = now
          return toStored(row, now)
        })
      ).pipe(Effect.tap((written) => (Option.isSome(written) ? auditEndpoint(action, read, details) : Effect.void)))
    const auditEndpoint = (
      action: AuditAction,
      { applicationId, endpoint: { id } }: ReturnType<typeof toStored>,
      details: AuditDetails = {}
    ) => writeAuditAction(tables, { applicationId }, action, { endpointId: id, ...details })
    return {
      create: ({ applicationId, id, secret, settings }, limit, idempotency) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const earlier = Option.flatMap(idempotency, (request) =>
            Option.fromNullable(
              ofApplication(applicationId).find(
                ({ createdAt, idempotency }) => idempotency?.key === request.key && createdAt > now - day
              )
            ).pipe(Option.map((row) => ({ request, row })))
          )
          if (Option.isSome(earlier)) {
            const { request, row } = earlier.value
            return (yield* isRetryOf(request, row.idempotency?.fingerprints[0] ?? ""))
              ? WebhookEndpointCreation.Replayed({ stored: toStored(row, now) })
              : WebhookEndpointCreation.KeyReused()
          }
          if (ofApplication(applicationId).length >= limit) return WebhookEndpointCreation.Full()
          const row: WebhookEndpointRow = {
            applicationId,
            id,
            settings,
            secret,
            version: 1,
            createdAt: now,
            updatedAt: now,
            ...Option.match(idempotency, { onNone: () => ({}), onSome: (idempotency) => ({ idempotency }) })
          }
          rows.set(id, row)
          return WebhookEndpointCreation.Created({ stored: toStored(row, now) })
        }).pipe(
          Effect.tap(({ _tag }) =>
            _tag === "Created"
              ? writeAuditAction(tables, { applicationId }, "webhook_endpoint.created", { endpointId: id })
              : Effect.void
          )
        ),
      list: (applicationId, window = {}) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          pageOf(ofApplication(applicationId), window, {
            id: ({ id }) => id,
            createdAt: ({ createdAt }) => createdAt
          }).map((row) => toStored(row, now))
        ),
      find: (applicationId, id) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          Option.fromNullable(ofApplication(applicationId).find((row) => row.id === id)).pipe(
            Option.map((row) => toStored(row, now))
          )
        ),
      update: (read, next) =>
        change(
          "webhook_endpoint.changed",
          read,
          (row) => {
            const { pauseReason, settings } = next
            row.settings = settings
            if (row.pauseReason !== undefined && pauseReason === undefined) delete row.failingSince
            if (pauseReason === undefined) delete row.pauseReason
            else row.pauseReason = pauseReason
          },
          { settings: listChangedEndpointSettings(read, next) }
        ),
      rotateSecret: (read, secret) =>
        change("webhook_endpoint.secret_rotated", read, (row, now) => {
          row.previous = { secret: row.secret, until: now + secretOverlapSeconds * 1_000 }
          row.secret = secret
        }),
      remove: (read) =>
        Effect.gen(function* () {
          const row = unchanged(read)
          if (Option.isNone(row)) return false
          yield* auditEndpoint("webhook_endpoint.deleted", read)
          rows.delete(row.value.id)
          for (const [key, { endpointId }] of tables.webhookDeliveries)
            if (endpointId === row.value.id) tables.webhookDeliveries.delete(key)
          return true
        }),
      findUnderOtherKeys: (keyVersion, limit, after) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          [...rows.values()]
            .map((row) => toStored(row, now))
            .filter(
              ({ endpoint, secrets: { current, previous } }) =>
                endpoint.id > after &&
                (current.keyVersion !== keyVersion || (previous !== undefined && previous.keyVersion !== keyVersion))
            )
            .slice(0, limit)
        ),
      replaceSecrets: (read, { current, previous }) =>
        Effect.sync(() => {
          const row = rows.get(read.endpoint.id)
          if (row === undefined || row.secret !== read.secrets.current) return false
          row.secret = current
          if (previous === undefined) delete row.previous
          else if (row.previous !== undefined) row.previous = { ...row.previous, secret: previous }
          return true
        })
    }
  })
)

const toStored = (row: WebhookEndpointRow, now: number) => ({
  applicationId: row.applicationId,
  version: row.version,
  endpoint: {
    id: row.id,
    ...row.settings,
    status: row.pauseReason === undefined ? ("enabled" as const) : ("paused" as const),
    ...(row.pauseReason === undefined ? {} : { pauseReason: row.pauseReason }),
    ...(row.failingSince === undefined ? {} : { failingSince: DateTime.unsafeMake(row.failingSince) }),
    createdAt: DateTime.unsafeMake(row.createdAt),
    updatedAt: DateTime.unsafeMake(row.updatedAt)
  },
  secrets: {
    current: row.secret,
    ...(row.previous === undefined || row.previous.until <= now ? {} : { previous: row.previous.secret })
  }
})

export const webhookDeliveryStoreInMemory = Layer.effect(
  WebhookDeliveryStore,
  Effect.map(Tables, (tables) => {
    const auditEndpoint = (action: AuditAction, endpointId: WebhookEndpointId, details: AuditDetails = {}) => {
      const endpoint = tables.webhookEndpoints.get(endpointId)
      if (endpoint === undefined) return Effect.void
      const { applicationId } = endpoint
      return writeAuditAction(tables, { applicationId }, action, { endpointId, ...details })
    }
    const auditReplay = (endpointId: WebhookEndpointId, details: AuditDetails) =>
      auditEndpoint("webhook_endpoint.replayed", endpointId, details)
    const matching = (
      endpointId: string,
      { eventId, statuses }: DeliveryFilter,
      page: Partial<PageRequest>,
      now: number
    ) => {
      const rows = [...tables.webhookDeliveries.values()].filter(
        (row) =>
          row.endpointId === endpointId &&
          row.event.createdAt > now - 30 * day &&
          (eventId === undefined || row.event.id === eventId) &&
          (statuses === undefined || statuses.includes(row.status))
      )
      return pageOf(rows, page, { id: ({ event }) => event.id, createdAt: ({ event }) => event.createdAt })
    }
    return {
      claim: ({ inFlight, inFlightOf, keyVersions, leaseSeconds, limit, perApplication, perEndpoint, ...sizes }) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const dealt = [...tables.webhookEndpoints.values()]
            .filter(({ pauseReason }) => pauseReason === undefined)
            .filter(({ previous, secret }) =>
              [secret, ...(previous === undefined || previous.until <= now ? [] : [previous.secret])].every(
                ({ keyVersion }) => keyVersions.includes(keyVersion)
              )
            )
            .flatMap((endpoint) =>
              [...tables.webhookDeliveries.values()]
                .filter((row) => row.endpointId === endpoint.id && row.status === "pending" && row.dueAt <= now)
                .toSorted((left, right) => left.dueAt - right.dueAt)
                .slice(
                  0,
                  Math.max(0, (endpoint.failingSince === undefined ? perEndpoint : 1) - (inFlight[endpoint.id] ?? 0))
                )
                .map((row, nth) => ({ endpoint, row, nth }))
            )
          const places = new Map(Object.entries(inFlightOf))
          const sizesOf = new Map(Object.entries({ ...sizes.bytesInFlight, ...sizes.bytesInFlightOf }))
          const isWithin = (owner: string, bytes: number, most: number) => {
            const before = sizesOf.get(owner) ?? 0
            sizesOf.set(owner, before + bytes)
            return before < most
          }
          let total = 0
          return dealt
            .toSorted((left, right) => left.nth - right.nth || left.row.dueAt - right.row.dueAt)
            .filter(({ endpoint: { applicationId } }) => {
              const place = (places.get(applicationId) ?? 0) + 1
              places.set(applicationId, place)
              return place <= perApplication
            })
            .slice(0, limit)
            .filter(({ endpoint: { id }, row: { event } }) => isWithin(id, event.data.length, sizes.bytesPerEndpoint))
            .filter(({ endpoint: { applicationId }, row: { event } }) =>
              isWithin(applicationId, event.data.length, sizes.bytesPerApplication)
            )
            .filter(({ row: { event } }) => {
              const before = total
              total += event.data.length
              return before < sizes.bytes
            })
            .map(({ endpoint, row }) => {
              row.claim += 1
              row.dueAt = now + leaseSeconds * 1_000
              const { createdAt, data, id, type } = row.event
              return {
                applicationId: endpoint.applicationId,
                endpointId: endpoint.id,
                url: endpoint.settings.url,
                secrets: toStored(endpoint, now).secrets,
                event: { id, type, data, occurredAt: new Date(createdAt) },
                attempts: row.attempts,
                claim: row.claim
              }
            })
        }),
      renew: (claims, leaseSeconds) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          for (const { claim, endpointId, event } of claims) {
            const row = tables.webhookDeliveries.get(`${endpointId} ${event.id}`)
            if (row?.claim === claim) row.dueAt = now + leaseSeconds * 1_000
          }
        }),
      settle: ({ claim, endpointId, event }, { error, isGone, millis, pauseEventId, retryInSeconds, status }) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const row = tables.webhookDeliveries.get(`${endpointId} ${event.id}`)
          const endpoint = tables.webhookEndpoints.get(endpointId)
          if (row === undefined || row.claim !== claim || endpoint === undefined) return false
          row.claim += 1
          row.attempts += 1
          row.last = {
            at: now,
            millis: Math.round(millis),
            ...(status === undefined ? {} : { status }),
            ...(error === undefined ? {} : { error })
          }
          row.dueAt = now + retryInSeconds * 1_000
          row.status = error === undefined ? "delivered" : row.attempts >= maxAttempts ? "failed" : "pending"
          if (error === undefined) {
            delete endpoint.failingSince
            return false
          }
          const since = endpoint.failingSince
          endpoint.failingSince ??= now
          const isPausing = isGone || (since !== undefined && since <= now - failingDaysUntilPause * day)
          if (!isPausing || endpoint.pauseReason !== undefined) return false
          const pauseReason: PauseReason = isGone ? "gone" : "failing"
          endpoint.pauseReason = pauseReason
          endpoint.version += 1
          endpoint.updatedAt = now
          const data = JSON.stringify({ endpoint: { id: endpoint.id, url: endpoint.settings.url, pauseReason } })
          const type: WebhookEventType = "endpoint.paused"
          insertEvent(
            tables,
            { id: pauseEventId, applicationId: endpoint.applicationId, type, data, createdAt: now },
            endpointId
          )
          return true
        }).pipe(
          Effect.tap((isPaused) => (isPaused ? auditEndpoint("webhook_endpoint.paused", endpointId) : Effect.void))
        ),
      list: (endpointId, filter, page) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          matching(endpointId, filter, { order: "desc", ...page }, now).map(toDelivery)
        ),
      replay: (applicationId, endpointId, filter, { limitPerHour, ...page }) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const chosen = matching(endpointId, filter, page, now)
          if (
            !consumeWebhookRate(
              tables,
              { applicationId, rate: "replays", uses: chosen.length, limit: limitPerHour },
              now
            )
          )
            return Option.none()
          return Option.some(chosen.map((row) => makeDue(row, now).event.id))
        }).pipe(
          Effect.tap((replayed) => {
            const count = Option.match(replayed, { onNone: () => 0, onSome: ({ length }) => length })
            const { eventId } = filter
            return count === 0
              ? Effect.void
              : auditReplay(endpointId, { ...(eventId === undefined ? {} : { eventId }), replayed: count })
          })
        ),
      insertTest: (applicationId, endpointId, event, limitPerHour) =>
        Effect.map(Clock.currentTimeMillis, (createdAt) => {
          if (
            !consumeWebhookRate(tables, { applicationId, rate: "testEvents", uses: 1, limit: limitPerHour }, createdAt)
          )
            return Option.none()
          const row: WebhookEventRow = { ...event, type: "endpoint.test", applicationId, createdAt }
          tables.webhookEvents.set(row.id, row)
          return Option.some(toDelivery(insertDelivery(tables, endpointId, row)))
        }),
      readRates: (applicationId) =>
        Effect.map(Clock.currentTimeMillis, (now) => readWebhookRates(tables, applicationId, now)),
      measureBacklog: Effect.succeed({ waiting: 0, oldestSeconds: 0, paused: 0 })
    }
  })
)

const toDelivery = ({ attempts, dueAt, event, last, status }: WebhookDeliveryRow): WebhookDelivery => ({
  eventId: WebhookEventId.make(event.id),
  type: event.type,
  ...(event.tenantId === undefined ? {} : { tenantId: event.tenantId as TenantId }),
  ...(event.connectionId === undefined ? {} : { connectionId: event.connectionId as ConnectionId }),
  status,
  attempts,
  ...(status === "pending" ? { nextAttemptAt: DateTime.unsafeMake(dueAt) } : {}),
  ...(last === undefined ? {} : { lastAttempt: { ...last, at: DateTime.unsafeMake(last.at) } }),
  createdAt: DateTime.unsafeMake(event.createdAt)
})

const makeDue = (row: WebhookDeliveryRow, now: number) =>
  Object.assign(row, { status: "pending", attempts: 0, claim: row.claim + 1, dueAt: now })
