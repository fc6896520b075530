import { describe, expect, test } from "bun:test"
import { type ConfigError, ConfigProvider, Duration, Effect, Either, LogLevel, Option, Redacted } from "effect"
import { getServers } from "node:dns"
import { readFileSync } from "node:fs"
import { userInfo } from "node:os"
import { ServiceConfig, settings } from "../src/settings/Config.ts"
import { parseEndpoint } from "../src/dns/transport/Endpoint.ts"
import { parseNetwork } from "../src/domain/names/IpAddress.ts"

/** The settings whose default is not one fixed value; the documentation describes it in words. */
const describedDefaults = [
  "PUBLIC_URL",
  "DATA_DIR",
  "DATABASE_URL",
  "MASTER_KEY",
  "DNS_RESOLVERS",
  "OUTBOUND_ALLOW",
  "TRUSTED_PROXIES",
  "ENDED_RETENTION",
  "PROVIDERS_FILE",
  "DOMAIN_CONNECT_HOSTS",
  "OUTBOUND_PROXY",
  "OTEL_EXPORTER_OTLP_ENDPOINT"
]

describe("the documented default is the one that applies without the variable", () => {
  const written = settings.filter(({ name }) => !describedDefaults.includes(name))
  test.each(written.map(({ fallback, name }) => [name, fallback] as const))("%s=%s", (name, fallback) =>
    expect(read({ [name]: fallback })).toEqual(read({}))
  )
})

test("defaults that depend on the machine, or are absent, apply without any variables", () =>
  expect<unknown>(Either.getOrThrow(read({}))).toMatchObject({
    publicUrl: Option.none(),
    dataDirectory: userInfo().uid === 0 ? "/var/lib/domain-connection-service" : "data",
    databaseUrl: Option.none(),
    masterKeys: Option.none(),
    resolvers: systemResolvers.length === 0 ? [{ host: "127.0.0.1", port: 53 }] : systemResolvers,
    outboundAllow: [],
    trustedProxies: [],
    providersFile: Option.none(),
    outboundProxy: Option.none(),
    otlpEndpoint: Option.none()
  }))

test("an empty variable counts as unset, except that it disables the public resolvers", () => {
  const empty = Object.fromEntries(settings.map(({ name }) => [name, ""]))
  expect(read(empty)).toEqual(Either.map(read({}), (defaults) => ({ ...defaults, publicResolvers: [] })))
})

test("every variable is read", () => {
  const url = "postgresql://me:secret@db.example/service?sslmode=require"
  const set = {
    PORT: " 0 ",
    HOST: "::",
    PUBLIC_URL: "https://Connect.example.com:443/dns/",
    CONTAINER: "true",
    DATA_DIR: "/srv/data",
    DATABASE_URL: url,
    MASTER_KEY: `12:${base64(12)}, 3:${base64(3)},${base64(1)}`,
    DNS_RESOLVERS: "192.0.2.53, [2001:db8::53]:5353,",
    DNS_PUBLIC_RESOLVERS: "192.0.2.54:5354",
    OUTBOUND_ALLOW: "10.0.0.0/8, fd00::/8, 127.0.0.1",
    DNS_QUERIES_PER_SECOND: "2000",
    RATE_LIMIT_PER_MINUTE: "0",
    BROWSER_RATE_LIMIT_PER_MINUTE: "7",
    REFUSED_CREDENTIALS_PER_MINUTE: "8",
    TRUSTED_PROXIES: "10.0.0.0/8",
    CONNECTIONS_PER_TENANT: "9",
    CONNECTIONS_PER_DOMAIN: "10",
    OPEN_DISCOVERIES_PER_TENANT: "11",
    STORAGE_PER_TENANT_MIB: "12",
    IDEMPOTENCY_PER_TENANT_MIB: "0",
    STREAMS_PER_CONNECTION: "7",
    STREAMS_PER_TENANT: "70",
    WEBHOOK_ENDPOINTS_PER_APPLICATION: "5",
    WEBHOOK_REPLAYS_PER_HOUR: "6",
    AUDIT_RETENTION: "9",
    ENDED_RETENTION: "30",
    BROWSER_TOKEN_TTL: "60",
    CLUSTER: "true",
    DATABASE_CONNECTIONS: "6",
    PHASES_IN_FLIGHT: "1000",
    PROVIDERS_FILE: "/srv/providers.json",
    DOMAIN_CONNECT_HOSTS: "connect.example/api, dns.example",
    OUTBOUND_PROXY: "http://proxy.example:3128",
    AUTHORIZING_TIMEOUT: "1",
    CREDENTIAL_TTL: "2",
    PLAN_TTL: "3",
    AUTHORIZATION_TIMEOUT: "4",
    MANUAL_TIMEOUT: "5",
    VERIFICATION_TIMEOUT: "6",
    RECHECK_INTERVAL: "7",
    SECOND_LOOK: "8",
    DRAIN_DELAY: "15",
    METRICS_PORT: "9464",
    LOG_LEVEL: "Warning",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.example:4318"
  }
  expect(Object.keys(set)).toEqual(settings.map(({ name }) => name))
  expect<unknown>(read(set)).toEqual(
    Either.right({
      port: 0,
      host: "::",
      publicUrl: Option.some("https://connect.example.com/dns"),
      requiresPublicUrl: true,
      dataDirectory: "/srv/data",
      databaseUrl: Option.some(Redacted.make(url)),
      masterKeys: Option.some([12, 3, 1].map((version) => ({ version, secret: Redacted.make(base64(version)) }))),
      resolvers: [
        { host: "192.0.2.53", port: 53 },
        { host: "2001:db8::53", port: 5_353 }
      ],
      publicResolvers: [{ host: "192.0.2.54", port: 5_354 }],
      outboundAllow: ["10.0.0.0/8", "fd00::/8", "127.0.0.1/32"].map((network) =>
        Option.getOrThrow(parseNetwork(network))
      ),
      dnsQueriesPerSecond: 2_000,
      rates: { server: 0, browser: 7, refused: 8 },
      trustedProxies: Option.toArray(parseNetwork("10.0.0.0/8")),
      quotas: {
        connections: 9,
        connectionsPerDomain: 10,
        openDiscoveries: 11,
        storageBytes: 12 * 2 ** 20,
        idempotencyBytes: 0
      },
      streams: { perConnection: 7, perTenant: 70 },
      endpointsPerApplication: 5,
      replaysPerHour: 6,
      browserTokenLifetime: Duration.minutes(60),
      isClustered: true,
      databaseConnections: 6,
      phasesInFlight: 1_000,
      providersFile: Option.some("/srv/providers.json"),
      domainConnectHosts: ["connect.example/api", "dns.example"],
      outboundProxy: Option.some("http://proxy.example:3128"),
      stateTimeouts: {
        authorizing: Duration.minutes(1),
        credential: Duration.minutes(2),
        plan: Duration.minutes(3),
        awaitingAuthorization: Duration.hours(4),
        awaitingManual: Duration.hours(5),
        verifying: Duration.hours(6),
        recheckInterval: Duration.minutes(7),
        confirmMissAfter: Duration.seconds(8)
      },
      auditRetention: Duration.days(9),
      endedRetention: Option.some(Duration.days(30)),
      drainDelay: Duration.seconds(15),
      metricsPort: 9_464,
      logLevel: LogLevel.Warning,
      otlpEndpoint: Option.some("http://collector.example:4318")
    })
  )
})

test("every log level can be set", () => {
  const levels = ["trace", "debug", "info", "warning", "error", "fatal", "none"].map((LOG_LEVEL) =>
    Either.map(read({ LOG_LEVEL }), ({ logLevel }) => logLevel)
  )
  const { Debug, Error, Fatal, Info, None, Trace, Warning } = LogLevel
  expect(levels).toEqual([Trace, Debug, Info, Warning, Error, Fatal, None].map((level) => Either.right(level)))
})

describe("an invalid value stops the start with the name of its variable and the allowed values, but without the value", () => {
  const invalidValues: Readonly<Record<string, ReadonlyArray<string>>> = {
    PORT: ["65536", "-1", "80.5", "8e3", "0x50", "http", "8080 8081"],
    PUBLIC_URL: [
      "connect.example.com",
      "http://connect.example.com",
      "https://a:b@c.example",
      "https://c.example/?x=y"
    ],
    DATABASE_URL: ["mysql://db.example/service", "db.example", "postgres:db.example", "postgres://[db"],
    MASTER_KEY: [
      "secret",
      base64(1).slice(0, -1),
      Buffer.alloc(31).toString("base64"),
      Buffer.alloc(33).toString("base64"),
      `${base64(1).slice(0, -2)}B=`,
      `0:${base64(1)}`,
      `-1:${base64(1)}`,
      `v2:${base64(1)}`,
      `1:${base64(1)},1:${base64(2)}`,
      `${base64(1)},${base64(2)}`,
      `2:${base64(2)},`,
      `2:${base64(2)} 1:${base64(1)}`,
      Buffer.alloc(32, 1).toString("hex")
    ],
    DNS_RESOLVERS: ["resolver.example", "192.0.2.53:0", "192.0.2.53:65536", "192.0.2.53;192.0.2.54", "fe80::1%lo", ","],
    DNS_PUBLIC_RESOLVERS: ["none", "1.1.1.1;8.8.8.8", "1.1.1.1:0"],
    OUTBOUND_ALLOW: ["example.com", "10.0.0.0/33", "10.0.0.0/8 fd00::/8", "10/8"],
    DNS_QUERIES_PER_SECOND: ["19", "1000001", "many"],
    RATE_LIMIT_PER_MINUTE: ["-1", "1.5", "100000001", "unlimited"],
    BROWSER_RATE_LIMIT_PER_MINUTE: ["-1", "none"],
    REFUSED_CREDENTIALS_PER_MINUTE: ["-1", "none"],
    CONNECTIONS_PER_TENANT: ["-1", "100000001", "many"],
    CONNECTIONS_PER_DOMAIN: ["-1", "1000001"],
    OPEN_DISCOVERIES_PER_TENANT: ["-1", "1000001"],
    STORAGE_PER_TENANT_MIB: ["-1", "1000001", "1GB"],
    IDEMPOTENCY_PER_TENANT_MIB: ["-1", "1000001", "64M"],
    TRUSTED_PROXIES: ["proxy.example", "10.0.0.0/33", "*"],
    BROWSER_TOKEN_TTL: ["0", "61", "15m", "1.5"],
    CLUSTER: ["yes", "1"],
    CONTAINER: ["yes", "1"],
    DATABASE_CONNECTIONS: ["5", "1001", "many"],
    PHASES_IN_FLIGHT: ["0", "1001", "many"],
    AUTHORIZING_TIMEOUT: ["0", "1441"],
    CREDENTIAL_TTL: ["0", "1441", "1h"],
    PLAN_TTL: ["0", "1441"],
    AUTHORIZATION_TIMEOUT: ["0", "8761", "7d"],
    MANUAL_TIMEOUT: ["0", "8761"],
    VERIFICATION_TIMEOUT: ["0", "8761"],
    RECHECK_INTERVAL: ["0", "10081"],
    SECOND_LOOK: ["0", "86401"],
    AUDIT_RETENTION: ["0", "36501", "2y"],
    ENDED_RETENTION: ["0", "36501", "2y"],
    STREAMS_PER_CONNECTION: ["0", "many"],
    STREAMS_PER_TENANT: ["0", "1.5"],
    WEBHOOK_ENDPOINTS_PER_APPLICATION: ["-1", "10001"],
    WEBHOOK_REPLAYS_PER_HOUR: ["-1", "100000001"],
    DOMAIN_CONNECT_HOSTS: ["https://connect.example", "connect.example:443", "localhost"],
    OUTBOUND_PROXY: ["proxy.example:3128", "socks5://proxy.example"],
    DRAIN_DELAY: ["-1", "301", "5s"],
    METRICS_PORT: ["-1", "65536"],
    LOG_LEVEL: ["verbose", "all", "7"],
    OTEL_EXPORTER_OTLP_ENDPOINT: ["collector.example:4318", "ftp://collector.example", "http://"]
  }

  for (const { allowed, name } of settings.filter(({ name }) => name in invalidValues)) {
    for (const value of invalidValues[name] ?? []) {
      test(`${name}=${value}`, () =>
        expect(Either.mapLeft(read({ [name]: value }), refusals)).toEqual(Either.left([`${name} must be ${allowed}`])))
    }
  }

  test("hosts and paths may be any text", () =>
    expect(settings.map(({ name }) => name).filter((name) => !(name in invalidValues))).toEqual([
      "HOST",
      "DATA_DIR",
      "PROVIDERS_FILE"
    ]))

  test("all invalid values are reported together", () => {
    const invalidSettings = settings.filter(({ name }) => name === "PORT" || name === "LOG_LEVEL")
    expect(Either.mapLeft(read({ PORT: "x", LOG_LEVEL: "x" }), refusals)).toEqual(
      Either.left(invalidSettings.map(({ allowed, name }) => `${name} must be ${allowed}`))
    )
  })
})

test("docs/configuration.md shows every variable with its default, meaning and allowed values, in the same order", () => {
  const page = readFileSync(`${import.meta.dir}/../docs/configuration.md`, "utf8")
  const rows = page
    .split("\n")
    .filter((line) => /^\|\s*`[A-Z_]+`/.test(line))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll("`", ""))
    )
  expect(rows).toEqual(settings.map(({ allowed, fallback, meaning, name }) => [name, fallback, meaning, allowed]))
})

test("printed settings do not reveal the master keys", () => {
  const config = Either.getOrThrow(read({ MASTER_KEY: `2:${base64(2)},${base64(1)}` }))
  const printed = [JSON.stringify(config), Bun.inspect(config, { depth: 9 })].join()
  expect(printed).toContain("redacted")
  expect([base64(1), base64(2)].filter((secret) => printed.includes(secret))).toEqual([])
  expect(Option.map(config.masterKeys, (keys) => keys.map(({ secret }) => Redacted.value(secret)))).toEqual(
    Option.some([base64(2), base64(1)])
  )
})

/** 32 bytes of the same value. */
const base64 = (byte: number) => Buffer.alloc(32, byte).toString("base64")

const systemResolvers = getServers().flatMap((server) => Option.toArray(parseEndpoint(server)))

const read = (variables: Readonly<Record<string, string>>) =>
  Effect.runSync(
    Effect.either(
      ServiceConfig.pipe(Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(variables)))))
    )
  )

const refusals = (error: ConfigError.ConfigError): ReadonlyArray<string> =>
  error._op === "And" || error._op === "Or"
    ? [...refusals(error.left), ...refusals(error.right)]
    : [`${error.path.at(-1)} ${error.message}`]
