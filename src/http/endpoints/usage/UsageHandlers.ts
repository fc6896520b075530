import { HttpApiBuilder } from "@effect/platform"
import { DateTime, Effect } from "effect"
import { type Tenancy, toTenantKey } from "../../../domain/access/Tenancy.ts"
import type { WebhookRateUse } from "../../../domain/webhook/WebhookRate.ts"
import { Quotas } from "../../../limits/Quotas.ts"
import { WebhookEndpoints } from "../../../webhooks/WebhookEndpoints.ts"
import { Api } from "../Api.ts"
import { ServerCaller } from "../../contract/securitySchemes.ts"
import { RateLimiter } from "../../../limits/RateLimiter.ts"
import { serveEndpoints } from "../../pipeline/Endpoints.ts"
import { OpenStreams } from "../../../limits/OpenStreams.ts"

export const UsageHandlers = HttpApiBuilder.group(
  Api,
  "usage",
  Effect.fnUntraced(function* (handlers) {
    const readUsage = yield* makeTenantUsageReader

    return yield* handlers
      .handle("usage", () => Effect.flatMap(ServerCaller, ({ tenancy }) => readUsage(tenancy)))
      .pipe(serveEndpoints)
  })
)

/** Makes the function that reads the rates and quotas of a tenant, and what it has used of them. */
export const makeTenantUsageReader = Effect.gen(function* () {
  const quotas = yield* Quotas
  const rateLimiter = yield* RateLimiter
  const streams = yield* OpenStreams
  const webhooks = yield* WebhookEndpoints

  return Effect.fnUntraced(function* (tenancy: Tenancy) {
    const counted = yield* quotas.readUsage(tenancy)
    const { replays, testEvents } = yield* webhooks.readRates(tenancy.applicationId)
    const rate = rateLimiter.read("server", toTenantKey(tenancy))
    const quotaOf = (quota: keyof typeof counted) => ({ ...toLimit(quotas.limits[quota]), used: counted[quota] ?? 0 })
    return {
      rates: {
        server: {
          ...toLimit(rate.limit),
          used: rate.used,
          resetsAt: DateTime.add(yield* DateTime.now, { seconds: rate.resetSeconds })
        },
        browser: toLimit(rateLimiter.shareOf("browser")),
        testEvents: toHourlyRate(webhooks.rateLimits.testEvents, testEvents),
        replays: toHourlyRate(webhooks.rateLimits.replays, replays)
      },
      quotas: {
        connections: quotaOf("connections"),
        connectionsPerDomain: toLimit(quotas.limits.connectionsPerDomain),
        openDiscoveries: quotaOf("openDiscoveries"),
        storageBytes: quotaOf("storageBytes"),
        idempotencyBytes: quotaOf("idempotencyBytes"),
        streams: { ...toLimit(streams.limits.perTenant), used: streams.countOpen(tenancy) },
        streamsPerConnection: toLimit(streams.limits.perConnection)
      }
    }
  })
})

const toLimit = (limit: number) => (limit === 0 || limit === Infinity ? {} : { limit })

const toHourlyRate = (limit: number, { endsAt, used }: WebhookRateUse) => ({
  ...toLimit(limit),
  used,
  resetsAt: endsAt
})
