import { Config, Duration, Option } from "effect"
import { declareInteger, declareSetting, parseInteger, parseList } from "./Setting.ts"
import { parseUnmappedNetwork } from "./domain/IpAddress.ts"
import type { QuotaLimits } from "./domain/Quota.ts"

/** Declares the settings that limit the rates of requests. */
export const declareRateSettings = () => ({
  rateLimitPerMinute: declareInteger(
    "RATE_LIMIT_PER_MINUTE",
    [0, 100_000_000],
    1_200,
    "Requests per minute of the servers of one application and tenant, where a body counts as one request for each 32 KiB; 0 is no limit. With CLUSTER each process allows its share, as for the next two."
  ),
  browserRateLimitPerMinute: declareInteger(
    "BROWSER_RATE_LIMIT_PER_MINUTE",
    [0, 100_000_000],
    120,
    "Requests per minute of the browsers of one connection; 0 is no limit."
  ),
  refusedCredentialsPerMinute: declareInteger(
    "REFUSED_CREDENTIALS_PER_MINUTE",
    [0, 100_000_000],
    60,
    "Requests per minute of one client address (IPv6: /64) with a well-formed credential that is refused; afterwards credentials that were not valid lately are checked five a second. Malformed ones may be 20 times as many. 0 is no limit."
  ),
  trustedProxies: declareSetting(
    {
      name: "TRUSTED_PROXIES",
      allowed: "networks in CIDR notation or single addresses, separated by commas",
      fallback: "none",
      meaning:
        "Proxies whose X-Forwarded-For names the client: its last address that is none of these. From others the header is ignored, and all their clients count as one: set it behind every proxy."
    },
    parseList(parseUnmappedNetwork),
    () => []
  )
})

/** Declares what an application may have of webhooks. */
export const declareWebhookLimits = () => ({
  endpointsPerApplication: declareInteger(
    "WEBHOOK_ENDPOINTS_PER_APPLICATION",
    [0, 10_000],
    20,
    "Webhook endpoints of one application; 0 is no limit."
  ),
  replaysPerHour: declareInteger(
    "WEBHOOK_REPLAYS_PER_HOUR",
    [0, 100_000_000],
    20_000,
    "Deliveries of webhooks that one application may have replayed in an hour; 0 is no limit."
  )
})

/** Declares how long rows are kept of which the operator decides. */
export const declareRetention = () => ({
  auditRetention: Config.map(
    declareInteger("AUDIT_RETENTION", [1, 36_500], 730, "How many days an entry of the audit log is kept."),
    Duration.days
  ),
  endedRetention: declareSetting(
    {
      name: "ENDED_RETENTION",
      allowed: "a whole number of days from 1 to 36500",
      fallback: "none",
      meaning:
        "After how many days a connection that has ended is erased; without it, connections stay until a request erases them."
    },
    (text) => Option.map(parseInteger(1, 36_500)(text), (days) => Option.some(Duration.days(days))),
    () => Option.none()
  )
})

/** Declares the settings that limit what each tenant may have. */
export const declareQuotas = (): Config.Config<QuotaLimits> =>
  Config.all({
    connections: declareInteger(
      "CONNECTIONS_PER_TENANT",
      [0, 100_000_000],
      10_000,
      "Connections of one application and tenant that have not ended; 0 is no limit, here and in the next four."
    ),
    connectionsPerDomain: declareInteger(
      "CONNECTIONS_PER_DOMAIN",
      [0, 1_000_000],
      100,
      "Those of them in one registered domain, such as example.co.uk with everything below it."
    ),
    openDiscoveries: declareInteger(
      "OPEN_DISCOVERIES_PER_TENANT",
      [0, 1_000_000],
      200,
      "Those of them that are created or retried and not yet discovered."
    ),
    storageBytes: declareMebibytes(
      "STORAGE_PER_TENANT_MIB",
      1_024,
      "Documents of all connections of one application and tenant, also of those that have ended, with their events, audit entries, journal and webhooks, and zones of test mode, in MiB."
    ),
    idempotencyBytes: declareMebibytes(
      "IDEMPOTENCY_PER_TENANT_MIB",
      64,
      "Answers that are kept for 24 hours under idempotency keys of one application and tenant, in MiB."
    )
  })

/** A setting that is a whole number of MiB, as bytes. */
const declareMebibytes = (name: string, fallback: number, meaning: string): Config.Config<number> =>
  Config.map(declareInteger(name, [0, 1_000_000], fallback, meaning), (count) => count * 1_048_576)

/** The settings of how many event streams may be open. */
export const declareStreamLimits = () =>
  Config.all({
    perConnection: declareInteger(
      "STREAMS_PER_CONNECTION",
      [1, 10_000],
      50,
      "Event streams of one connection, and requests that wait for its plan, that may be open in this process."
    ),
    perTenant: declareInteger(
      "STREAMS_PER_TENANT",
      [1, 1_000_000],
      5_000,
      "Those of one application and tenant that may be open in this process; a stream counts once for each 4 KiB of the document of its connection. A request beyond these limits is answered without waiting."
    )
  })

/** Declares how much work a process does at once. */
export const declareWorkLimits = () => ({
  databaseConnections: declareInteger(
    "DATABASE_CONNECTIONS",
    [6, 1_000],
    20,
    "How many connections to the database this process keeps open, half of them for requests and half for phases. CLUSTER needs one more, test mode six."
  ),
  phasesInFlight: declareInteger(
    "PHASES_IN_FLIGHT",
    [1, 1_000],
    64,
    "How many phases and domain checks this process runs at once, dealt to the tenants in turn."
  )
})
