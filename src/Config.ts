import { Array, Config, ConfigError, Duration, Either, LogLevel, Option, Redacted } from "effect"
import { getServers } from "node:dns"
import { userInfo } from "node:os"
import { type Endpoint, parseEndpoint } from "./dns/Endpoint.ts"
import { parseNetwork } from "./domain/Address.ts"

/** One environment variable: what it may be, what holds without it, what it is for. The README shows this table. */
export interface Setting {
  readonly name: string
  readonly allowed: string
  readonly fallback: string
  readonly meaning: string
}

const table: Array<Setting> = []

/** Every environment variable of the service, in the order of the README. Nothing but this file reads any. */
export const settings: ReadonlyArray<Setting> = table

const setting = <A>(about: Setting, read: (text: string) => Option.Option<A>, otherwise: () => A): Config.Config<A> => {
  table.push(about)
  return Config.nonEmptyString(about.name).pipe(
    Config.mapOrFail((text) =>
      Either.fromOption(read(text.trim()), () => ConfigError.InvalidData([about.name], `must be ${about.allowed}`))
    ),
    Config.orElseIf({ if: ConfigError.isMissingDataOnly, orElse: () => Config.sync(otherwise) })
  )
}

const wholeNumber = (minimum: number, maximum: number) => (text: string) =>
  Option.liftPredicate(/^\d{1,9}$/.test(text) ? Number(text) : -1, (value) => value >= minimum && value <= maximum)

const anything = (text: string) => Option.some(text)

const listOf =
  <A>(one: (text: string) => Option.Option<A>) =>
  (text: string): Option.Option<ReadonlyArray<A>> =>
    Option.all(
      text
        .split(",")
        .filter((part) => part.trim() !== "")
        .map((part) => one(part.trim()))
    )

/** A root server process must not be root in PostgreSQL's eyes, and its home is closed to others. */
const defaultDataDirectory = () => (userInfo().uid === 0 ? "/var/lib/domain-connection-service" : "data")

const systemResolvers = (): Array.NonEmptyReadonlyArray<Endpoint> => {
  const found = Array.filterMap(getServers(), parseEndpoint)
  return Array.isNonEmptyReadonlyArray(found) ? found : [{ host: "127.0.0.1", port: 53 }]
}

const levels = ["trace", "debug", "info", "warning", "error", "fatal", "none"]

/** The settings of the service, read once at start; a wrong value stops it and says what is allowed. */
export const ServiceConfig = Config.all({
  port: setting(
    {
      name: "PORT",
      allowed: "a whole number from 0 to 65535",
      fallback: "8080",
      meaning: "TCP port of the API; 0 takes a free one."
    },
    wholeNumber(0, 65_535),
    () => 8_080
  ),
  host: setting(
    {
      name: "HOST",
      allowed: "an IP address or a host name of this machine",
      fallback: "127.0.0.1",
      meaning: "Address on which the API listens; 0.0.0.0 for all."
    },
    anything,
    () => "127.0.0.1"
  ),
  dataDirectory: setting(
    {
      name: "DATA_DIR",
      allowed: "a path",
      fallback: "data, as root /var/lib/domain-connection-service",
      meaning: "Where the embedded PostgreSQL keeps its files. Unused with DATABASE_URL."
    },
    anything,
    defaultDataDirectory
  ),
  databaseUrl: setting(
    {
      name: "DATABASE_URL",
      allowed: "a URL that begins with postgres:// or postgresql://",
      fallback: "the embedded PostgreSQL 18",
      meaning: "The database of the service."
    },
    (text) =>
      /^postgres(ql)?:\/\//.test(text) && URL.canParse(text)
        ? Option.some(Option.some(Redacted.make(text)))
        : Option.none(),
    () => Option.none()
  ),
  resolvers: setting(
    {
      name: "DNS_RESOLVERS",
      allowed: "IP addresses, each with :port if it is not 53, separated by commas",
      fallback: "those of the system",
      meaning: "Recursive resolvers from which discovery starts. They are trusted and may be private."
    },
    (text) => Option.filter(listOf(parseEndpoint)(text), Array.isNonEmptyReadonlyArray),
    systemResolvers
  ),
  outboundAllow: setting(
    {
      name: "OUTBOUND_ALLOW",
      allowed: "networks in CIDR notation or single addresses, separated by commas",
      fallback: "none",
      meaning: "Networks that are not public and that the service may contact all the same, name servers among them."
    },
    listOf(parseNetwork),
    () => []
  ),
  rateLimitPerMinute: setting(
    {
      name: "RATE_LIMIT_PER_MINUTE",
      allowed: "a whole number from 0 to 100000000",
      fallback: "1200",
      meaning: "Requests per minute of one application and tenant in this process; 0 is no limit."
    },
    wholeNumber(0, 100_000_000),
    () => 1_200
  ),
  browserTokenLifetime: setting(
    {
      name: "BROWSER_TOKEN_TTL",
      allowed: "a whole number of minutes from 1 to 60",
      fallback: "15",
      meaning: "How long a browser token is good, in minutes."
    },
    (text) => Option.map(wholeNumber(1, 60)(text), Duration.minutes),
    () => Duration.minutes(15)
  ),
  phasesInFlight: setting(
    {
      name: "PHASES_IN_FLIGHT",
      allowed: "a whole number from 1 to 1000",
      fallback: "64",
      meaning: "How many discoveries this process runs at once."
    },
    wholeNumber(1, 1_000),
    () => 64
  ),
  logLevel: setting(
    {
      name: "LOG_LEVEL",
      allowed: `one of ${levels.join(", ")}`,
      fallback: "info",
      meaning: "The least severe log entries that are written."
    },
    (text) =>
      Option.map(
        Array.findFirst(levels, (level) => level === text.toLowerCase()),
        levelOf
      ),
    () => LogLevel.Info
  ),
  otlpEndpoint: setting(
    {
      name: "OTEL_EXPORTER_OTLP_ENDPOINT",
      allowed: "a URL that begins with http:// or https://",
      fallback: "none",
      meaning: "Collector that receives logs, metrics and traces by OTLP over HTTP (JSON)."
    },
    (text) => (/^https?:\/\//.test(text) && URL.canParse(text) ? Option.some(Option.some(text)) : Option.none()),
    () => Option.none()
  )
})
export type ServiceConfig = Config.Config.Success<typeof ServiceConfig>

/** Whether the command line shall leave out colours (https://no-color.org): whatever it says, unless it is empty. */
export const noColor: Config.Config<boolean> = Config.map(
  Config.option(Config.nonEmptyString("NO_COLOR")),
  Option.isSome
)

const levelOf = (level: string): LogLevel.LogLevel =>
  Array.findFirst(LogLevel.allLevels, ({ _tag }) => _tag.toLowerCase() === level).pipe(
    Option.getOrElse(() => LogLevel.Info)
  )
