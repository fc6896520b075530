import { ConfigProvider, Data, Effect, Layer, Logger, LogLevel, Redacted, Schedule } from "effect"
import { writeFileSync } from "node:fs"
import { ServiceConfig } from "../src/settings/Config.ts"
import { DnsClient } from "../src/dns/transport/DnsClient.ts"
import { allKeyScopes } from "../src/domain/access/Tenancy.ts"
import { BodyRateFloor } from "../src/http/pipeline/limitJsonBody.ts"
import { serviceLayer } from "../src/main.ts"
import { ApiKeyStore } from "../src/persistence/stores/access/ApiKeyStore.ts"
import { StoreUnavailable } from "../src/persistence/StoreUnavailable.ts"
import { CommitResult, ConnectionStore } from "../src/persistence/stores/connections/ConnectionStore.ts"
import { ApiKeys, type IssuedApiKey } from "../src/security/ApiKeys.ts"
import { TestKeys } from "../src/testEnvironment.ts"
import { apiWith, overrideService } from "../test/http/support/apiWith.ts"
import { temporaryDirectory } from "../test/support/TestPostgres.ts"
import { ScriptedInternet } from "../test/support/lab/ScriptedInternet.ts"
import { makeScriptedPowerDns } from "../test/support/lab/ScriptedPowerDns.ts"
import { masterKey } from "../test/support/masterKeys.ts"
import { apiInMemory, serviceUrl, tenancyOf } from "../test/support/testApi.ts"

const domains = ["bakery.com", "florist.org"]

/** The token that the provider of the scripted internet accepts. */
export const apiToken = "token-of-the-customer"

/** The whole service on an internet of this process, which hosts two domains at a provider with an API, and one on shared name servers. */
export const exampleService = Effect.gen(function* () {
  const records = "@ 300 A 11.22.33.44\nwww 300 CNAME @\nshop 300 A 11.22.33.46"
  const zone = { nameServers: ["ns1.acme-dns.net", "ns2.acme-dns.net"], records }
  const shared = { nameServers: ["ns-cloud-a1.googledomains.com", "ns-cloud-a2.googledomains.com"], records }
  const internet = yield* ScriptedInternet.make({
    zones: { ...Object.fromEntries(domains.map((name) => [name, zone])), "tailor.org": shared }
  })
  const { url } = yield* makeScriptedPowerDns({ internet, zones: domains, key: apiToken })
  const directory = temporaryDirectory()
  const acme = { id: "acme-dns", name: "Acme DNS", adapter: "powerdns", nameServers: ["acme-dns.net"] }
  writeFileSync(`${directory}/providers.json`, JSON.stringify([{ ...acme, settings: { baseUrl: url } }]))
  const resolver = internet.dial(internet.resolver)
  const settings = new Map([
    ["PORT", "0"],
    ["DATA_DIR", directory],
    ["MASTER_KEY", masterKey(1)],
    ["DNS_RESOLVERS", `${resolver.host}:${resolver.port}`],
    ["DNS_PUBLIC_RESOLVERS", `${resolver.host}:${resolver.port}`],
    ["PROVIDERS_FILE", `${directory}/providers.json`],
    ["STREAMS_PER_CONNECTION", "1"],
    ["OUTBOUND_ALLOW", "127.0.0.0/8"],
    ["LOG_LEVEL", "none"]
  ])
  const config = yield* Effect.withConfigProvider(ServiceConfig, ConfigProvider.fromMap(settings))
  return { internet, layer: serviceLayer(config, DnsClient.layer({ allowed: [], dial: internet.dial })) }
})

/** A service whose database does not answer. */
export const unavailableService = apiWith(
  overrideService(ApiKeyStore, () => ({
    find: () => new StoreUnavailable({ code: "unavailable", message: "the database cannot be reached" })
  }))
)

/** A service with a defect. */
export const defectiveService = Layer.provide(
  apiWith(overrideService(ApiKeyStore, () => ({ find: () => Effect.dieMessage("a defect") }))),
  Logger.minimumLogLevel(LogLevel.None)
)

/** A service that allows one request a minute. */
export const limitedService = apiInMemory({ rates: { server: 1 } })

/** A service whose first request under every idempotency key is still running. */
export const concurrentService = apiWith(
  overrideService(ConnectionStore, () => ({ create: () => Effect.succeed(CommitResult.InProgress()) }))
)

/** A service that waits for no body. */
export const impatientService = Layer.provide(
  apiWith(Layer.empty),
  Layer.succeed(BodyRateFloor, { graceMillis: 100, bytesPerSecond: 1_024, maxMillis: 100 })
)

interface ExampleRequest {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** Sends requests with a new API key to the service, and expects a status of each. */
export const signIn = Effect.flatMap(ApiKeys, ({ issue }) => signInWith(issue))

/** The same with an API key of test mode, of a tenant. */
export const signInToTestMode = (tenant = "bakery") =>
  Effect.flatMap(TestKeys, ({ issue }) => signInWith(issue, "test", tenant))

const signInWith = Effect.fnUntraced(function* <E>(
  issue: (request: Parameters<(typeof ApiKeys.Service)["issue"]>[0]) => Effect.Effect<IssuedApiKey, E>,
  environment = "live",
  tenant = "bakery"
) {
  const address = yield* serviceUrl
  const tenancy = tenancyOf("shop-builder", tenant)
  const issued = yield* issue({ tenancy, scopes: allKeyScopes, environment })
  const ownHeaders = { "x-api-key": Redacted.value(issued.key), "content-type": "application/json" }

  const open = (path: string, { body, headers = {}, method = body === undefined ? "GET" : "POST" }: ExampleRequest) =>
    Effect.promise(() =>
      fetch(`${address}${path}`, {
        method,
        headers: { ...ownHeaders, ...headers },
        ...(body === undefined ? {} : { body: isText(body) ? body : JSON.stringify(body) })
      })
    )

  const send = (path: string, status: number, request: ExampleRequest = {}) =>
    Effect.gen(function* () {
      const response = yield* open(path, request)
      const text = yield* Effect.promise(() => response.text())
      if (response.status !== status) return yield* new UnexpectedAnswer({ message: `${path}: ${status}, ${text}` })
      return JSON.parse(text)
    })

  const waitForState = (path: string, state: string) =>
    send(path, 200).pipe(
      Effect.filterOrFail(
        ({ connection }) => connection.state === state,
        ({ connection }) => new UnexpectedAnswer({ message: `${path} is ${connection.state}, not ${state}` })
      ),
      Effect.retry({ schedule: Schedule.spaced("50 millis"), times: 400 })
    )

  return { open, send, waitForState }
})

const isText = (body: unknown): body is string | ReadableStream =>
  typeof body === "string" || body instanceof ReadableStream

/** The service did not answer as the examples need it. */
class UnexpectedAnswer extends Data.TaggedError("UnexpectedAnswer")<{ readonly message: string }> {}
