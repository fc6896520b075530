import { Config, Duration, Option } from "effect"
import { declareInteger, declareSetting, parseInteger, parseList } from "./Setting.ts"
import { parseUnmappedNetwork } from "../domain/names/IpAddress.ts"
import type { QuotaLimits } from "../domain/access/Quota.ts"
import type { RateLimits } from "../limits/RateLimiter.ts"
import { type Limit, limitTable } from "./limitTable.ts"

/** Declares the setting of a limit; one in MiB is read as bytes. */
const declareLimit = ({
  counted,
  howLong,
  howMany,
  per,
  setting: { name, note, range },
  unit
}: Limit & Required<Pick<Limit, "setting">>): Config.Config<number> => {
  const size = unit === undefined ? "" : `, in ${unit}`
  const none = range[0] === 0 ? "; 0 is no limit" : ""
  const time = howLong.startsWith("in a") ? `, ${howLong}` : ""
  const meaning = [
    `${counted}${counted.includes(",") ? "," : ""} per ${per}${time}${size}${none}.`,
    ...(note === undefined ? [] : [note])
  ].join(" ")
  return Config.map(declareInteger(name, range, howMany, meaning), (value) =>
    unit === "MiB" ? value * 1_048_576 : value
  )
}

/** Declares how many DNS queries are sent in a second. */
export const declareQueryRate = () => declareLimit(limitTable.queriesPerSecond)

const declareRates = (): Config.Config<RateLimits> =>
  Config.all({
    server: declareLimit(limitTable.requestsOfServers),
    browser: declareLimit(limitTable.requestsOfBrowsers),
    refused: declareLimit(limitTable.refusedCredentials)
  })

export const declareRateSettings = () => ({
  rates: declareRates(),
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

export const declareWebhookLimits = () => ({
  endpointsPerApplication: declareLimit(limitTable.webhookEndpoints),
  replaysPerHour: declareLimit(limitTable.webhookReplays)
})

/** Declares how long rows are kept if the operator decides it. */
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

export const declareQuotas = (): Config.Config<QuotaLimits> =>
  Config.all({
    connections: declareLimit(limitTable.connections),
    connectionsPerDomain: declareLimit(limitTable.connectionsPerDomain),
    openDiscoveries: declareLimit(limitTable.openDiscoveries),
    storageBytes: declareLimit(limitTable.storage),
    idempotencyBytes: declareLimit(limitTable.idempotency)
  })

/** The settings of how many event streams may be open. */
export const declareStreamLimits = () =>
  Config.all({
    perConnection: declareLimit(limitTable.streamsPerConnection),
    perTenant: declareLimit(limitTable.streamsPerTenant)
  })

/** Declares how much work a process does at once. */
export const declareWorkLimits = () => ({
  databaseConnections: declareLimit(limitTable.databaseConnections),
  phasesInFlight: declareLimit(limitTable.phases)
})
