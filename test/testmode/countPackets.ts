import { ConfigProvider, Effect, Redacted, Schedule } from "effect"
import { readFileSync } from "node:fs"
import { ServiceConfig } from "../../src/settings/Config.ts"
import { allKeyScopes } from "../../src/domain/access/Tenancy.ts"
import { serviceLayer } from "../../src/main.ts"
import { testDomains } from "../../src/testmode/testDomains.ts"
import { TestKeys } from "../../src/testEnvironment.ts"
import { issueKey, tenancyOf } from "../support/testApi.ts"
import { startReceiver } from "../webhooks/Receiver.ts"
import { requesterWith } from "./testModeService.ts"

/** What the kernel counts of this network namespace: packets by UDP, and those that no route leads away. */
const countSent = Effect.sync(() => {
  const rows = readFileSync("/proc/net/snmp", "utf8").split("\n")
  const valueOf = (protocol: string, field: string) => {
    const [names = "", values = ""] = rows.filter((row) => row.startsWith(`${protocol}: `))
    return Number(values.split(" ")[names.split(" ").indexOf(field)])
  }
  return valueOf("Udp", "OutDatagrams") + valueOf("Ip", "OutNoRoutes")
})

/** How many of them work has added. */
const countDuring = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = yield* countSent
    yield* work
    return (yield* countSent) - before
  })

const records = [
  { host: "shop", type: "CNAME", value: "shops.platform.example" },
  { host: "@", type: "TXT", value: "v=spf1 include:_spf.platform.example -all" },
  { host: "@", type: "CAA", value: '0 issue "ca.platform.example"' }
]

/** Everything that a platform can do in test mode, on every test domain, with webhooks to this machine. */
const playInTestMode = Effect.gen(function* () {
  const { issue } = yield* TestKeys
  const { key } = yield* issue({ tenancy: tenancyOf("app", "tenant"), scopes: allKeyScopes, environment: "test" })
  const { authorizeAndApprove, command, connect, send, test } = yield* requesterWith(Redacted.value(key))
  const receiver = yield* startReceiver()
  yield* send("POST", "/v1/webhook-endpoints", { url: receiver.url })
  yield* Effect.forEach(
    testDomains,
    ({ name }) =>
      Effect.gen(function* () {
        const domain = `bakery-${name}.test`
        const { id, provider, state } = yield* connect(domain, records)
        yield* send("POST", "/v1/domains/check", { domain, records })
        if (state === "failed") return
        if (provider.implementation === "manual") yield* command(id, "authorization", { method: "manual" })
        else yield* authorizeAndApprove(id, "active", "verifying", "degraded", "failed", "applying", "planned")
        yield* test(id, "enter-records", {})
        yield* test(id, "advance", { seconds: 7_200 })
        yield* test(id, "change-records", { records: [{ host: "shop", type: "CNAME", values: [] }] })
        yield* send("POST", `/v1/connections/${id}/disconnect`, {})
      }),
    { concurrency: 4 }
  )
  yield* receiver.awaitRequests(testDomains.length)
})

/** The same count for a live connection, which asks resolvers: a counter that stays at 0 proves nothing. */
const askLive = Effect.gen(function* () {
  const { key } = yield* issueKey()
  const { send } = yield* requesterWith(key)
  yield* send("POST", "/v1/connections", { intent: { domain: "example.com", records } })
  yield* Effect.repeat(countSent, { schedule: Schedule.recurs(20).pipe(Schedule.addDelay(() => "100 millis")) })
})

const main = Effect.gen(function* () {
  const { DATABASE_URL = "", DATA_DIR = "", MASTER_KEY = "" } = process.env
  const settings = Object.entries({
    DATABASE_URL,
    DATA_DIR,
    MASTER_KEY,
    PORT: "0",
    LOG_LEVEL: "none",
    RATE_LIMIT_PER_MINUTE: "0",
    OUTBOUND_ALLOW: "127.0.0.0/8",
    DNS_RESOLVERS: "198.51.100.1"
  })
  const config = yield* Effect.withConfigProvider(ServiceConfig, ConfigProvider.fromMap(new Map(settings)))
  const counts = Effect.all({ test: countDuring(playInTestMode), live: countDuring(askLive) })
  console.log(JSON.stringify(yield* Effect.provide(counts, serviceLayer(config))))
})

await Effect.runPromise(Effect.scoped(main))
