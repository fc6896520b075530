import { HttpServer } from "@effect/platform"
import { ConfigProvider, Console, Effect, Redacted } from "effect"
import { ServiceConfig } from "../src/Config.ts"
import { DnsClient } from "../src/dns/DnsClient.ts"
import type { Connection } from "../src/domain/Connection.ts"
import type { ChangeRecord } from "../src/domain/Plan.ts"
import { allScopes } from "../src/domain/Tenancy.ts"
import { service } from "../src/main.ts"
import { runProgram } from "../src/runProgram.ts"
import { ApiKeys } from "../src/security/ApiKeys.ts"
import { ScriptedInternet } from "./support/lab/ScriptedInternet.ts"
import { temporaryDirectory } from "./support/TestPostgres.ts"
import { tenancyOf } from "./support/apiUnderTest.ts"

/** The domain of a bakery as it may be found: a web site that moves, mail that must not, at a provider we know. */
const internetOfTheBakery = {
  zones: {
    "crumb-and-co.com": {
      nameServers: ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"],
      records: `@      300   A     11.22.33.44
                @      3600  MX    10 mail
                @      3600  TXT   "v=spf1 mx -all"
                mail   3600  A     11.22.33.45
                www    300   CNAME crumb-and-co.com.
                shop   300   A     11.22.33.46
                shop   300   TXT   "old-shop=7f3a"`
    }
  }
}

/** What the platform wants for its shops. */
const intent = {
  domain: "crumb-and-co.com",
  records: [
    { host: "shop", type: "CNAME", value: "shops.platform.example" },
    { host: "_verify", type: "TXT", value: "platform-verification=b41c" },
    { host: "www", type: "CNAME", value: "crumb-and-co.com" }
  ]
}

const origin = "https://admin.crumb-and-co.com"

const demo = Effect.gen(function* () {
  yield* step("An internet of scripted name servers on this machine, so that nothing outside is needed")
  const internet = yield* ScriptedInternet.make(internetOfTheBakery)
  const resolver = internet.dial(internet.resolver)
  yield* Console.log("  crumb-and-co.com is delegated to ada and bob.ns.cloudflare.com; it has a web site and mail")

  yield* step("The service, with its own PostgreSQL in a temporary directory")
  const settings = new Map([
    ["PORT", "0"],
    ["DATA_DIR", temporaryDirectory()],
    ["DNS_RESOLVERS", `${resolver.host}:${resolver.port}`],
    ["LOG_LEVEL", "warning"]
  ])
  const config = yield* Effect.withConfigProvider(ServiceConfig, ConfigProvider.fromMap(settings))
  const dns = DnsClient.layer({ allowed: [], dial: internet.dial })
  yield* Effect.provide(connect(internet), service(config, dns))
})

const connect = Effect.fnUntraced(function* (internet: ScriptedInternet) {
  const address = yield* HttpServer.addressFormattedWith(Effect.succeed)
  const keys = yield* ApiKeys
  const tenancy = tenancyOf("shop-platform", "crumb-and-co")
  const { key } = yield* keys.issue({ tenancy, scopes: allScopes, environment: "demo" })
  const server = { "x-api-key": Redacted.value(key), "content-type": "application/json" }
  yield* Console.log(`  ${address}`)

  yield* step("The platform's server asks to connect the domain: POST /v1/connections")
  const asked = yield* call(`${address}/v1/connections`, {
    headers: { ...server, prefer: "wait=10" },
    body: { intent }
  })
  const { connection } = asked.json
  yield* Console.log(`  ${asked.status}, ${connection.id}`)

  yield* step("Meanwhile the service asked the name servers themselves")
  const counts = Object.entries(Object.groupBy(internet.queries, ({ server }) => server))
  yield* Console.log(counts.map(([name, asked]) => `  ${name.padEnd(28)}${asked?.length} questions`).join("\n"))

  yield* step(`It found out: state ${connection.state}, provider ${connection.provider.name}`)
  yield* showPlan(connection)

  yield* step("The platform opens this connection to the customer's browser: POST …/access-token")
  const path = `${address}/v1/connections/${connection.id}`
  const token = yield* call(`${path}/access-token`, { headers: server, body: { origin } })
  const bearer = { authorization: `Bearer ${token.json.accessToken}` }
  yield* Console.log(`  good until ${token.json.expiresAt}, from ${origin} only`)
  const own = yield* call(path, { headers: { ...bearer, origin } })
  const foreign = yield* call(path, { headers: { ...bearer, origin: "https://evil.example" } })
  yield* Console.log(
    `  GET from ${origin}: ${own.status}\n  GET from https://evil.example: ${foreign.status} ${foreign.json.error.code}`
  )
})

const step = (what: string) => Console.log(`\n${what}`)

const call = (url: string, { body, headers }: { readonly body?: unknown; readonly headers: Record<string, string> }) =>
  Effect.promise(async () => {
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }
    const response = await fetch(url, { ...init, headers })
    const json: any = await response.json()
    return { status: response.status, json }
  })

const showPlan = ({ plan }: Connection) =>
  Console.log(
    [
      ...(plan?.changes ?? []).flatMap(({ action, after, before, destructive }) => [
        `  ${action}${destructive ? ", which takes away what is served today" : ""}`,
        ...(before === undefined ? [] : [`    - ${inZoneFile(before)}`]),
        ...(after === undefined ? [] : [`    + ${inZoneFile(after)}`])
      ]),
      `  warnings: ${plan?.warnings.join(", ")}`,
      `  ${plan?.digest}, to be approved until ${plan?.expiresAt}`
    ].join("\n")
  )

const inZoneFile = ({ host, priority, ttl, type, value }: ChangeRecord) =>
  [host.padEnd(8), String(ttl).padEnd(5), type.padEnd(6), priority, value]
    .filter((part) => part !== undefined)
    .join(" ")

runProgram(Effect.scoped(demo))
