import { HttpApiBuilder } from "@effect/platform"
import { DateTime, Effect } from "effect"
import { Quotas } from "../../lifecycle/quotas/Quotas.ts"
import { toTenantKey } from "../../domain/Tenancy.ts"
import { Api } from "../contract/Api.ts"
import { ServerCaller } from "../contract/securitySchemes.ts"
import { RateLimiter } from "../middleware/RateLimiter.ts"
import { OpenStreams } from "./OpenStreams.ts"
import { compileHandlers } from "../server/CompiledRoutes.ts"

/** Handles the usage of a tenant. */
export const UsageHandlers = HttpApiBuilder.group(
  Api,
  "usage",
  Effect.fnUntraced(function* (handlers) {
    const quotas = yield* Quotas
    const rateLimiter = yield* RateLimiter
    const streams = yield* OpenStreams

    return yield* handlers
      .handle(
        "usage",
        Effect.fnUntraced(function* () {
          const { tenancy } = yield* ServerCaller
          const counted = yield* quotas.readUsage(tenancy)
          const rate = rateLimiter.read("server", toTenantKey(tenancy))
          const quotaOf = (quota: keyof typeof counted) => ({
            ...toLimit(quotas.limits[quota]),
            used: counted[quota] ?? 0
          })
          return {
            rates: {
              server: {
                ...toLimit(rate.limit),
                used: rate.used,
                resetsAt: DateTime.add(yield* DateTime.now, { seconds: rate.resetSeconds })
              },
              browser: toLimit(rateLimiter.shareOf("browser"))
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
      )
      .pipe(compileHandlers)
  })
)

const toLimit = (limit: number) => (limit === 0 || limit === Infinity ? {} : { limit })
