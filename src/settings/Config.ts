import { Array, Config, ConfigError, Duration, Either, LogLevel, Option, Redacted } from "effect"
import { userInfo } from "node:os"
import {
  declaredSettings,
  declareInteger,
  declareSetting,
  type DeclaredSetting,
  declareTimeout,
  parseBoolean,
  parseInteger,
  parseList,
  parseText
} from "./Setting.ts"
import { listSystemResolvers, makeStandardEndpoint, parseEndpoint } from "../dns/transport/Endpoint.ts"
import { parseUnmappedNetwork } from "../domain/names/IpAddress.ts"
import { parseOrigin } from "../domain/names/Origin.ts"
import { findTlsFault, isDatabaseUrl } from "../persistence/postgres/databaseUrl.ts"
import {
  declareQueryRate,
  declareQuotas,
  declareRateSettings,
  declareRetention,
  declareStreamLimits,
  declareWebhookLimits,
  declareWorkLimits
} from "./limitSettings.ts"
import { declareProviderSettings } from "./providerSettings.ts"
import { masterKeyFormat, parseMasterKeys } from "../security/MasterKeys.ts"

/**
 * Every environment variable, in the order of `docs/configuration.md`; only the files of this folder declare any.
 */
export const settings: ReadonlyArray<DeclaredSetting> = declaredSettings

/** PostgreSQL refuses to run as root, and root's own home is closed to the user as which it runs instead. */
const defaultDataDirectory = () => (userInfo().uid === 0 ? "/var/lib/domain-connection-service" : "data")

/** Resolvers of three operators, so that no single cache decides. */
const defaultPublicResolvers = ["1.1.1.1", "8.8.8.8", "9.9.9.9"]
const logLevels = ["trace", "debug", "info", "warning", "error", "fatal", "none"]

const everySetting = Config.all({
  port: declareInteger("PORT", [0, 65_535], 8_080, "TCP port of the API; 0 takes a free one."),
  host: declareSetting(
    {
      name: "HOST",
      allowed: "an IP address or a host name of this machine",
      fallback: "127.0.0.1",
      meaning: "Address on which the API listens; 0.0.0.0 for all."
    },
    parseText,
    () => "127.0.0.1"
  ),
  publicUrl: declareSetting(
    {
      name: "PUBLIC_URL",
      allowed: "an https URL, or http on loopback, without query and fragment",
      fallback: "http://HOST:PORT",
      meaning: "Where the browsers of customers reach the service; providers send them back to it after OAuth."
    },
    (text) =>
      Option.liftPredicate(text, (url) => /^https?:\/\/[^?#@\s]+$/.test(url) && URL.canParse(url)).pipe(
        Option.map((url) => new URL(url)),
        Option.filter(({ origin }) => Either.isRight(parseOrigin(origin))),
        Option.map(({ href }) => Option.some(href.replace(/\/+$/, "")))
      ),
    () => Option.none()
  ),
  requiresPublicUrl: declareSetting(
    {
      name: "CONTAINER",
      allowed: "true or false",
      fallback: "false",
      meaning:
        "Whether the service runs in a container, where it does not start without PUBLIC_URL. The image of the Dockerfile sets it."
    },
    parseBoolean,
    () => false
  ),
  dataDirectory: declareSetting(
    {
      name: "DATA_DIR",
      allowed: "a path",
      fallback: "data, as root /var/lib/domain-connection-service",
      meaning:
        "Where the embedded PostgreSQL keeps its files, and the generated master key. Unused with DATABASE_URL and MASTER_KEY."
    },
    parseText,
    defaultDataDirectory
  ),
  databaseUrl: declareSetting(
    {
      name: "DATABASE_URL",
      secret: "credentials",
      allowed: "a URL such as postgresql://user:password@host:5432/database, its password percent-encoded",
      fallback: "the embedded PostgreSQL 18",
      meaning: "The database of the service: several servers, separated by commas, and the sslmode of PostgreSQL work."
    },
    (text) => (isDatabaseUrl(text) ? Option.some(Option.some(Redacted.make(text))) : Option.none()),
    () => Option.none()
  ),
  masterKeys: declareSetting(
    {
      name: "MASTER_KEY",
      secret: "all",
      allowed: masterKeyFormat,
      fallback: "generated once, in the file master.key of DATA_DIR",
      meaning: "Seals the credentials of customers. Several processes on one database need the same."
    },
    (text) => Option.map(parseMasterKeys(text), Option.some),
    () => Option.none()
  ),
  resolvers: declareSetting(
    {
      name: "DNS_RESOLVERS",
      allowed: "IP addresses, each with :port if it is not 53, separated by commas",
      fallback: "those of the system",
      meaning: "Recursive resolvers from which discovery starts. They are trusted and may be private."
    },
    (text) => Option.filter(parseList(parseEndpoint)(text), Array.isNonEmptyReadonlyArray),
    listSystemResolvers
  ),
  publicResolvers: declareSetting(
    {
      name: "DNS_PUBLIC_RESOLVERS",
      allowed: "IP addresses, each with :port if it is not 53, separated by commas",
      fallback: defaultPublicResolvers.join(", "),
      meaning: "Recursive resolvers that must show the records too. If it is set and empty, none is asked."
    },
    parseList(parseEndpoint),
    () => defaultPublicResolvers.map(makeStandardEndpoint),
    Config.string
  ),
  outboundAllow: declareSetting(
    {
      name: "OUTBOUND_ALLOW",
      allowed: "networks in CIDR notation or single addresses, separated by commas",
      fallback: "none",
      meaning: "Networks that are not public and that the service may contact nevertheless, name servers among them."
    },
    parseList(parseUnmappedNetwork),
    () => []
  ),
  dnsQueriesPerSecond: declareQueryRate(),
  ...declareRateSettings(),
  quotas: declareQuotas(),
  streams: declareStreamLimits(),
  ...declareWebhookLimits(),
  ...declareRetention(),
  browserTokenLifetime: declareSetting(
    {
      name: "BROWSER_TOKEN_TTL",
      allowed: "a whole number of minutes from 1 to 60",
      fallback: "15",
      meaning: "How long a browser token is valid, in minutes."
    },
    (text) => Option.map(parseInteger(1, 60)(text), Duration.minutes),
    () => Duration.minutes(15)
  ),
  isClustered: declareSetting(
    {
      name: "CLUSTER",
      allowed: "true or false",
      fallback: "false",
      meaning: "Whether this process shares the work with others on the same DATABASE_URL, which all need it."
    },
    parseBoolean,
    () => false
  ),
  ...declareWorkLimits(),
  ...declareProviderSettings(),
  stateTimeouts: Config.all({
    authorizing: declareTimeout(
      "AUTHORIZING_TIMEOUT",
      "minutes",
      1_440,
      "authorizing",
      "How long a customer may take to authorize the service at the provider."
    ),
    credential: declareTimeout(
      "CREDENTIAL_TTL",
      "minutes",
      1_440,
      "credential",
      "How long a sealed credential is kept at most."
    ),
    plan: declareTimeout("PLAN_TTL", "minutes", 1_440, "plan", "How long a plan can be approved."),
    awaitingAuthorization: declareTimeout(
      "AUTHORIZATION_TIMEOUT",
      "hours",
      8_760,
      "awaitingAuthorization",
      "How long a connection waits to be authorized."
    ),
    awaitingManual: declareTimeout(
      "MANUAL_TIMEOUT",
      "hours",
      8_760,
      "awaitingManual",
      "How long it waits for records that are entered by hand."
    ),
    verifying: declareTimeout(
      "VERIFICATION_TIMEOUT",
      "hours",
      8_760,
      "verifying",
      "How long written records may take until all servers answer them."
    ),
    recheckInterval: declareTimeout(
      "RECHECK_INTERVAL",
      "minutes",
      10_080,
      "recheckInterval",
      "The longest time between two checks of an active connection."
    ),
    confirmMissAfter: declareTimeout(
      "SECOND_LOOK",
      "seconds",
      86_400,
      "confirmMissAfter",
      "How long after a miss an active connection is checked again, before the miss counts."
    )
  }),
  drainDelay: Config.map(
    declareInteger(
      "DRAIN_DELAY",
      [0, 300],
      0,
      "For how many seconds after SIGTERM /readyz is not ready, but requests are still served."
    ),
    Duration.seconds
  ),
  metricsPort: declareInteger(
    "METRICS_PORT",
    [0, 65_535],
    0,
    "TCP port of /metrics and nothing else; with 0 it is a page of the API."
  ),
  logLevel: declareSetting(
    {
      name: "LOG_LEVEL",
      allowed: `one of ${logLevels.join(", ")}`,
      fallback: "info",
      meaning: "The least severe log entries that are written."
    },
    (text) =>
      Option.map(
        Array.findFirst(logLevels, (level) => level === text.toLowerCase()),
        logLevelOf
      ),
    () => LogLevel.Info
  ),
  otlpEndpoint: declareSetting(
    {
      name: "OTEL_EXPORTER_OTLP_ENDPOINT",
      secret: "credentials",
      allowed: "a URL that begins with http:// or https://",
      fallback: "none",
      meaning: "Collector that receives logs, metrics and traces by OTLP over HTTP (JSON)."
    },
    (text) => (/^https?:\/\//.test(text) && URL.canParse(text) ? Option.some(Option.some(text)) : Option.none()),
    () => Option.none()
  )
})

/**
 * The settings of the service, read once at the start; a wrong value prevents the start, and the error says what is
 * allowed.
 */
export const ServiceConfig = Config.mapOrFail(everySetting, (config) => {
  const { databaseUrl, isClustered, masterKeys } = config
  const tlsFault = Option.flatMap(databaseUrl, findTlsFault)
  if (Option.isSome(tlsFault)) return Either.left(ConfigError.InvalidData(["DATABASE_URL"], tlsFault.value))
  if (isClustered && Option.isNone(databaseUrl))
    return Either.left(clusterNeeds("DATABASE_URL", "they share one PostgreSQL"))
  if (isClustered && Option.isNone(masterKeys))
    return Either.left(clusterNeeds("MASTER_KEY", "each reads what another sealed"))
  return Either.right(config)
})

export type ServiceConfig = Config.Config.Success<typeof ServiceConfig>
const clusterNeeds = (name: string, reason: string) =>
  ConfigError.InvalidData(["CLUSTER"], `needs ${name}, the same for all processes: ${reason}`)

/** Whether the command line prints without colours (https://no-color.org): any value that is not empty. */
export const hasNoColor: Config.Config<boolean> = Config.map(
  Config.option(Config.nonEmptyString("NO_COLOR")),
  Option.isSome
)

const logLevelOf = (level: string): LogLevel.LogLevel =>
  Array.findFirst(LogLevel.allLevels, ({ _tag }) => _tag.toLowerCase() === level).pipe(
    Option.getOrElse(() => LogLevel.Info)
  )
