import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Timestamp } from "../../../domain/values/Timestamp.ts"
import { unavailable } from "../../contract/operationErrors.ts"
import { allowServers } from "../../contract/securitySchemes.ts"

const OptionalLimit = Schema.optionalWith(
  Schema.Int.annotations({ description: "The most that is allowed; absent if nothing limits it." }),
  { exact: true }
)

const UsedAmount = Schema.Int.annotations({ description: "What the application and tenant have used." })

const RateUsage = Schema.Struct({ limit: OptionalLimit, used: UsedAmount, resetsAt: Timestamp }).annotations({
  identifier: "RateUsage",
  description: "Requests of the current minute, as the process that answers has counted them."
})

const HourlyRateUsage = Schema.Struct({
  limit: OptionalLimit,
  used: Schema.Int.annotations({ description: "What all tenants of the application have used." }),
  resetsAt: Timestamp
}).annotations({
  identifier: "HourlyRateUsage",
  description: "What the application has asked for in the hour that began with the first, in all processes."
})

const QuotaUsage = Schema.Struct({ limit: OptionalLimit, used: UsedAmount }).annotations({ identifier: "QuotaUsage" })

const StreamUsage = Schema.Struct({ limit: OptionalLimit, used: UsedAmount }).annotations({
  identifier: "StreamUsage",
  description: "Event streams and requests that wait for a plan, as they are open in the process that answers."
})

const PerConnectionLimit = Schema.Struct({ limit: OptionalLimit }).annotations({
  identifier: "UsageLimit",
  description: "A limit that each connection, or each registered domain, has for itself."
})

/** The rates and quotas of a tenant. */
export const UsageBody = Schema.Struct({
  rates: Schema.Struct({
    server: RateUsage,
    browser: PerConnectionLimit,
    testEvents: HourlyRateUsage,
    replays: HourlyRateUsage
  }),
  quotas: Schema.Struct({
    connections: QuotaUsage,
    connectionsPerDomain: PerConnectionLimit,
    openDiscoveries: QuotaUsage,
    storageBytes: QuotaUsage,
    idempotencyBytes: QuotaUsage,
    streams: StreamUsage,
    streamsPerConnection: PerConnectionLimit
  })
}).annotations({ identifier: "UsageBody", description: "The rates and quotas, and what is used of them." })

const usage = HttpApiEndpoint.get("usage", "/v1/usage")
  .addSuccess(UsageBody)
  .addError(unavailable)
  .pipe(allowServers("connections:read"))
  .annotate(OpenApi.Identifier, "getUsage")
  .annotate(OpenApi.Summary, "Read the limits and the usage")
  .annotate(
    OpenApi.Description,
    "The rates and quotas of the application and tenant of the API key that requests, connections and events use up, as they were at most a second ago."
  )

export class UsageApi extends HttpApiGroup.make("usage")
  .add(usage)
  .annotate(OpenApi.Title, "Usage")
  .annotate(OpenApi.Description, "The limits of a tenant, and what it uses of them.") {}
