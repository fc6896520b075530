import { maxSurveyBytes, processAnswerLimits } from "../dns/transport/AnswerMemory.ts"
import { processQueryLimits } from "../dns/transport/DnsClient.ts"
import { maxQueries } from "../dns/zone/ResolutionContext.ts"
import { surveyLimits } from "../dns/zone/SurveyBudget.ts"
import { maxBodyBytes } from "../http/contract/bodyLimits.ts"
import { permitsForOwnStatements, permitsForSharedStatements, queueOf } from "../limits/ConcurrencyLimiter.ts"
import { defaultLimits } from "../limits/Destination.ts"
import { largeZonesAtOnce } from "../limits/LargeZones.ts"
import { makeSlotLimits } from "../limits/RunSlots.ts"
import { jsonZoneLimits, maxZoneRecords } from "../providers/zoneLimits.ts"
import { maxSigningKeys } from "../security/DomainConnectKeys.ts"
import { deliveryBounds } from "../webhooks/DeliveryLoop.ts"
import { testEventsPerHour } from "../webhooks/WebhookEndpoints.ts"

/** A limit, in the words of `src/limits/README.md`, whose table is generated from `limitTable`. */
export interface Limit {
  readonly counted: string
  /** Whose things are counted together. */
  readonly per: string
  /** How many of these others may have, in words. */
  readonly share?: string
  readonly howMany: number
  readonly unit?: "bytes" | "MiB"
  /** The time in which they are counted. */
  readonly howLong: "in a second" | "in a minute" | "in an hour" | "at a time" | "in one piece" | "while kept"
  readonly atLimit: string
  /** The variable that changes the number, its lowest and highest value (0 is no limit), and what else it means. */
  readonly setting?: { readonly name: string; readonly range: readonly [number, number]; readonly note?: string }
}

const slots = makeSlotLimits(64)

/** Every limit of the service that takes turns or refuses. */
export const limitTable = {
  requestsOfServers: {
    counted: "Requests of servers, of which a body counts as one for each 32 KiB",
    per: "application and tenant",
    howMany: 1_200,
    howLong: "in a minute",
    atLimit: "429 `rate_limited`",
    setting: {
      name: "RATE_LIMIT_PER_MINUTE",
      range: [0, 100_000_000],
      note: "With CLUSTER each process allows its share, as for the next two."
    }
  },
  requestsOfBrowsers: {
    counted: "Requests of browsers",
    per: "connection",
    howMany: 120,
    howLong: "in a minute",
    atLimit: "429 `rate_limited`",
    setting: { name: "BROWSER_RATE_LIMIT_PER_MINUTE", range: [0, 100_000_000] }
  },
  refusedCredentials: {
    counted: "Requests with a well-formed credential that is refused",
    per: "client address (IPv6: /64)",
    howMany: 60,
    howLong: "in a minute",
    atLimit: "credentials that were not valid lately are checked five a second; 429 `rate_limited` once twenty wait",
    setting: {
      name: "REFUSED_CREDENTIALS_PER_MINUTE",
      range: [0, 100_000_000],
      note: "Above it, credentials that were not valid lately are checked five a second. Malformed ones may be 20 times as many."
    }
  },
  bodyBytes: {
    counted: "Bytes of a body",
    per: "request",
    howMany: maxBodyBytes,
    unit: "bytes",
    howLong: "in one piece",
    atLimit: "413 `body_too_large`"
  },
  requestsWithOwnStatements: {
    counted: "Requests at work whose statements are not shared",
    per: "process",
    share: `application and tenant: ${permitsForOwnStatements.tenant}`,
    howMany: permitsForOwnStatements.all,
    howLong: "at a time",
    atLimit: "they wait, and tenants take turns"
  },
  requestsWithSharedStatements: {
    counted: "Requests at work whose statements are shared",
    per: "process",
    share: `application and tenant: ${permitsForSharedStatements.tenant}`,
    howMany: permitsForSharedStatements.all,
    howLong: "at a time",
    atLimit: "they wait, and tenants take turns"
  },
  waitingRequests: {
    counted: "Requests of servers that wait",
    per: "application and tenant",
    share: `browsers of a connection: ${queueOf.browser}`,
    howMany: queueOf.server,
    howLong: "at a time",
    atLimit: "429 `rate_limited`"
  },
  streamsPerConnection: {
    counted: "Open event streams, and requests that wait for a plan",
    per: "connection and process",
    howMany: 50,
    howLong: "at a time",
    atLimit: "429 `too_many_streams`; a request is answered without waiting",
    setting: { name: "STREAMS_PER_CONNECTION", range: [1, 10_000] }
  },
  streamsPerTenant: {
    counted: "The same, of which a stream counts once for each 4 KiB of the document of its connection",
    per: "application, tenant and process",
    howMany: 5_000,
    howLong: "at a time",
    atLimit: "429 `too_many_streams`; a request is answered without waiting",
    setting: {
      name: "STREAMS_PER_TENANT",
      range: [1, 1_000_000],
      note: "A request beyond these limits is answered without waiting."
    }
  },
  connections: {
    counted: "Connections that have not ended",
    per: "application and tenant",
    howMany: 10_000,
    howLong: "at a time",
    atLimit: "429 `quota_exceeded`",
    setting: { name: "CONNECTIONS_PER_TENANT", range: [0, 100_000_000] }
  },
  connectionsPerDomain: {
    counted: "Those in one registered domain, such as example.co.uk with everything below it",
    per: "application and tenant",
    howMany: 100,
    howLong: "at a time",
    atLimit: "429 `quota_exceeded`",
    setting: { name: "CONNECTIONS_PER_DOMAIN", range: [0, 1_000_000] }
  },
  openDiscoveries: {
    counted: "Those that are created or retried and not yet discovered",
    per: "application and tenant",
    howMany: 200,
    howLong: "at a time",
    atLimit: "429 `too_many_open_discoveries`",
    setting: { name: "OPEN_DISCOVERIES_PER_TENANT", range: [0, 1_000_000] }
  },
  storage: {
    counted:
      "Documents of all connections, also of those that have ended, with their events, audit entries, journal and webhooks, requested hosts, and zones of test mode",
    per: "application and tenant",
    howMany: 1_024,
    unit: "MiB",
    howLong: "while kept",
    atLimit: "429 `quota_exceeded`",
    setting: { name: "STORAGE_PER_TENANT_MIB", range: [0, 1_000_000] }
  },
  idempotency: {
    counted: "Answers under idempotency keys, which are kept for 24 hours",
    per: "application and tenant",
    howMany: 64,
    unit: "MiB",
    howLong: "while kept",
    atLimit: "429 `quota_exceeded`",
    setting: { name: "IDEMPOTENCY_PER_TENANT_MIB", range: [0, 1_000_000] }
  },
  webhookEndpoints: {
    counted: "Webhook endpoints",
    per: "application",
    howMany: 20,
    howLong: "at a time",
    atLimit: "429 `quota_exceeded`",
    setting: { name: "WEBHOOK_ENDPOINTS_PER_APPLICATION", range: [0, 10_000] }
  },
  signingKeys: {
    counted: "Keys of Domain Connect",
    per: "application",
    howMany: maxSigningKeys,
    howLong: "at a time",
    atLimit: "429 `quota_exceeded`"
  },
  webhookReplays: {
    counted: "Replayed deliveries of webhooks",
    per: "application",
    howMany: 20_000,
    howLong: "in an hour",
    atLimit: "429 `quota_exceeded`",
    setting: { name: "WEBHOOK_REPLAYS_PER_HOUR", range: [0, 100_000_000] }
  },
  testEvents: {
    counted: "Test events of webhooks",
    per: "application",
    howMany: testEventsPerHour,
    howLong: "in an hour",
    atLimit: "429 `quota_exceeded`"
  },
  deliveries: {
    counted: "Attempts of deliveries",
    per: "process",
    share: `application: ${deliveryBounds.perApplication}; endpoint: ${deliveryBounds.perEndpoint}`,
    howMany: deliveryBounds.total,
    howLong: "at a time",
    atLimit: "they stay due"
  },
  databaseConnections: {
    counted: "Connections to the database, half of them for requests and half for phases",
    per: "process",
    howMany: 20,
    howLong: "at a time",
    atLimit: "statements wait",
    setting: {
      name: "DATABASE_CONNECTIONS",
      range: [6, 1_000],
      note: "Beside them CLUSTER needs two, test mode six, and a command three."
    }
  },
  phases: {
    counted: "Phases and domain checks",
    per: "process",
    share: "application and tenant, while others wait: three quarters",
    howMany: slots.slots,
    howLong: "at a time",
    atLimit: "phases stay due; checks wait for 3 seconds, then 503 `busy`",
    setting: { name: "PHASES_IN_FLIGHT", range: [1, 1_000], note: "What waits for other servers does not count." }
  },
  waitingPhases: {
    counted: "Phases and domain checks that wait for other servers",
    per: "process",
    share: `application and tenant: ${slots.waitingPerTenant}`,
    howMany: slots.waiting,
    howLong: "at a time",
    atLimit: "they keep their slots"
  },
  largeZones: {
    counted: "Operations that hold a large zone of a provider",
    per: "process",
    share: "application and tenant: 1",
    howMany: largeZonesAtOnce,
    howLong: "at a time",
    atLimit: "they wait for 30 seconds, and begin anew later"
  },
  zoneBytes: {
    counted: `Bytes of a zone as its provider sends it, with at most ${maxZoneRecords.toLocaleString("en")} records`,
    per: "zone",
    howMany: jsonZoneLimits.maxBytes / 1_048_576,
    unit: "MiB",
    howLong: "in one piece",
    atLimit: "the connection fails with `zone_too_large`"
  },
  queries: {
    counted: "DNS queries",
    per: "process",
    share: `application and tenant, while others wait: ${processQueryLimits.maxPerKey}`,
    howMany: processQueryLimits.permits,
    howLong: "at a time",
    atLimit: "they wait for 2 seconds, then the answer is unknown"
  },
  queriesToAddress: {
    counted: "DNS queries that have no useful answer yet, or ended without one in the last second",
    per: "address that answers, or registered domain asked of resolvers",
    share: `other address: ${defaultLimits.maxUnprovenInFlight}`,
    howMany: defaultLimits.maxInFlight,
    howLong: "at a time",
    atLimit: "they wait for 2 seconds, then the answer is unknown"
  },
  queriesPerSecond: {
    counted: "DNS queries",
    per: "name server address that answers, tenant at a resolver, and registered domain asked of all resolvers",
    howMany: defaultLimits.queriesPerSecond,
    howLong: "in a second",
    atLimit: "they wait for 2 seconds, then the answer is unknown",
    setting: {
      name: "DNS_QUERIES_PER_SECOND",
      range: [20, 1_000_000],
      note: `An address that does not answer gets ${defaultLimits.unprovenPerSecond} in any case.`
    }
  },
  queriesOfSurvey: {
    counted: "DNS queries to read a zone",
    per: "survey",
    share: `address: ${surveyLimits.perKey.toLocaleString("en")}; to find the zone: ${maxQueries}`,
    howMany: surveyLimits.inAll,
    howLong: "in one piece",
    atLimit: "the answer is unknown"
  },
  answers: {
    counted: "Memory of the answers of DNS",
    per: "process",
    share: `survey: ${maxSurveyBytes / 1_048_576} MiB`,
    howMany: processAnswerLimits.inAll / 1_048_576,
    unit: "MiB",
    howLong: "while kept",
    atLimit: "the answer is unknown"
  }
} as const satisfies { readonly [_ in string]: Limit }
