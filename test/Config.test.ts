import { describe, expect, test } from "bun:test"
import { type ConfigError, ConfigProvider, Duration, Effect, Either, LogLevel, Option, Redacted } from "effect"
import { readFileSync } from "node:fs"
import { getServers } from "node:dns"
import { userInfo } from "node:os"
import { parseEndpoint } from "../src/dns/Endpoint.ts"
import { ServiceConfig, settings } from "../src/Config.ts"
import { parseNetwork } from "../src/domain/Address.ts"

test("without any variable the defaults hold", () =>
  expect<unknown>(Either.getOrThrow(read({}))).toEqual({
    port: 8_080,
    host: "127.0.0.1",
    dataDirectory: userInfo().uid === 0 ? "/var/lib/domain-connection-service" : "data",
    databaseUrl: Option.none(),
    resolvers: systemResolvers.length === 0 ? [{ host: "127.0.0.1", port: 53 }] : systemResolvers,
    outboundAllow: [],
    rateLimitPerMinute: 1_200,
    browserTokenLifetime: Duration.minutes(15),
    phasesInFlight: 64,
    logLevel: LogLevel.Info,
    otlpEndpoint: Option.none()
  }))

test("an empty variable is as good as none", () => {
  const empty = Object.fromEntries(settings.map(({ name }) => [name, ""]))
  expect(read(empty)).toEqual(read({}))
})

test("every variable is read", () => {
  const url = "postgresql://me:secret@db.example/service?sslmode=require"
  const set = {
    PORT: " 0 ",
    HOST: "::",
    DATA_DIR: "/srv/data",
    DATABASE_URL: url,
    DNS_RESOLVERS: "192.0.2.53, [2001:db8::53]:5353,",
    OUTBOUND_ALLOW: "10.0.0.0/8, fd00::/8, 127.0.0.1",
    RATE_LIMIT_PER_MINUTE: "0",
    BROWSER_TOKEN_TTL: "60",
    PHASES_IN_FLIGHT: "1000",
    LOG_LEVEL: "Warning",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.example:4318"
  }
  expect(Object.keys(set)).toEqual(settings.map(({ name }) => name))
  expect(read(set)).toEqual(
    Either.right({
      port: 0,
      host: "::",
      dataDirectory: "/srv/data",
      databaseUrl: Option.some(Redacted.make(url)),
      resolvers: [
        { host: "192.0.2.53", port: 53 },
        { host: "2001:db8::53", port: 5_353 }
      ],
      outboundAllow: ["10.0.0.0/8", "fd00::/8", "127.0.0.1/32"].map((network) =>
        Option.getOrThrow(parseNetwork(network))
      ),
      rateLimitPerMinute: 0,
      browserTokenLifetime: Duration.minutes(60),
      phasesInFlight: 1_000,
      logLevel: LogLevel.Warning,
      otlpEndpoint: Option.some("http://collector.example:4318")
    })
  )
})

test("every level of the log can be chosen", () => {
  const chosen = ["trace", "debug", "info", "warning", "error", "fatal", "none"].map((LOG_LEVEL) =>
    Either.map(read({ LOG_LEVEL }), ({ logLevel }) => logLevel)
  )
  const { Debug, Error, Fatal, Info, None, Trace, Warning } = LogLevel
  expect(chosen).toEqual([Trace, Debug, Info, Warning, Error, Fatal, None].map((level) => Either.right(level)))
})

describe("a wrong value stops the start with its name and what is allowed, and is not repeated", () => {
  const wrong: Readonly<Record<string, ReadonlyArray<string>>> = {
    PORT: ["65536", "-1", "80.5", "8e3", "0x50", "http", "8080 8081"],
    DATABASE_URL: ["mysql://db.example/service", "db.example", "postgres:db.example", "postgres://[db"],
    DNS_RESOLVERS: ["resolver.example", "192.0.2.53:0", "192.0.2.53:65536", "192.0.2.53;192.0.2.54", "fe80::1%lo", ","],
    OUTBOUND_ALLOW: ["example.com", "10.0.0.0/33", "10.0.0.0/8 fd00::/8", "10/8"],
    RATE_LIMIT_PER_MINUTE: ["-1", "1.5", "100000001", "unlimited"],
    BROWSER_TOKEN_TTL: ["0", "61", "15m", "1.5"],
    PHASES_IN_FLIGHT: ["0", "1001", "many"],
    LOG_LEVEL: ["verbose", "all", "7"],
    OTEL_EXPORTER_OTLP_ENDPOINT: ["collector.example:4318", "ftp://collector.example", "http://"]
  }

  for (const { allowed, name } of settings.filter(({ name }) => name in wrong)) {
    for (const value of wrong[name] ?? []) {
      test(`${name}=${value}`, () =>
        expect(Either.mapLeft(read({ [name]: value }), refusals)).toEqual(Either.left([`${name} must be ${allowed}`])))
    }
  }

  test("any text is a host or a path", () =>
    expect(settings.map(({ name }) => name).filter((name) => !(name in wrong))).toEqual(["HOST", "DATA_DIR"]))

  test("all wrong values are told together", () => {
    const both = settings.filter(({ name }) => name === "PORT" || name === "LOG_LEVEL")
    expect(Either.mapLeft(read({ PORT: "x", LOG_LEVEL: "x" }), refusals)).toEqual(
      Either.left(both.map(({ allowed, name }) => `${name} must be ${allowed}`))
    )
  })
})

test("the README shows every variable with its default, meaning and allowed values, in the same order", () => {
  const readme = readFileSync(`${import.meta.dir}/../README.md`, "utf8")
  const rows = readme
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
