import { HttpServer } from "@effect/platform"
import { Array, ConfigProvider, Console, Data, Effect, Redacted, Schedule } from "effect"
import { writeFileSync } from "node:fs"
import { ServiceConfig } from "../src/Config.ts"
import { DnsClient } from "../src/dns/transport/DnsClient.ts"
import type { ConnectionDocument } from "../src/domain/ConnectionDocument.ts"
import { allKeyScopes, ApplicationId, TenantId } from "../src/domain/Tenancy.ts"
import { serviceLayer } from "../src/main.ts"
import { runProgram } from "../src/runProgram.ts"
import { ApiKeys } from "../src/security/ApiKeys.ts"
import { temporaryDirectory } from "../test/support/TestPostgres.ts"
import { ScriptedInternet } from "../test/support/lab/ScriptedInternet.ts"
import { makeScriptedPowerDns } from "../test/support/lab/ScriptedPowerDns.ts"
import { formatChanges, formatObservations, formatZone, formatZoneDiff } from "./demoReport.ts"

const bakery = "crumb-and-co.com"

/** The bakery's domain today: a site, mail, and an old shop whose mail address may still be in use. */
const bakeryInternet = {
  zones: {
    [bakery]: {
      nameServers: ["ns1.acme-dns.net", "ns2.acme-dns.net"],
      records: `@      300   A     11.22.33.44
                @      3600  MX    10 mail
                @      3600  TXT   "v=spf1 mx -all"
                mail   3600  A     11.22.33.45
                www    300   CNAME @
                shop   300   A     11.22.33.46
                shop   3600  MX    10 mail`
    },
    "platform.example": {
      nameServers: ["ns.platform.example"],
      records: `shops  300   A     11.44.0.1
                _spf   300   TXT   "v=spf1 ip4:11.44.0.0/24 -all"`
    }
  }
}

/** The records that the platform needs for its shops. */
const intent = {
  domain: bakery,
  records: [
    { host: "shop", type: "CNAME", value: "shops.platform.example" },
    { host: "@", type: "TXT", value: "v=spf1 include:_spf.platform.example -all" },
    { host: "_verify", type: "TXT", value: "platform-verification=b41c" }
  ]
}

const apiToken = "acme-token-of-the-bakery"

const demo = Effect.gen(function* () {
  yield* printStep(
    "An internet on this machine, and Acme DNS, which hosts the bakery's zone and has an API to write to it"
  )
  const internet = yield* ScriptedInternet.make(bakeryInternet)
  const { url } = yield* makeScriptedPowerDns({ internet, zones: [bakery], key: apiToken })
  yield* print(formatZone(internet.records(bakery)))

  const directory = temporaryDirectory()
  const providersFile = `${directory}/providers.json`
  const nameServers = ["acme-dns.net"]
  const acme = { id: "acme-dns", name: "Acme DNS", adapter: "powerdns", nameServers, settings: { baseUrl: url } }
  writeFileSync(providersFile, JSON.stringify([acme]))
  const resolver = internet.dial(internet.resolver)
  const settings = new Map([
    ["PORT", "0"],
    ["DATA_DIR", directory],
    ["DNS_RESOLVERS", `${resolver.host}:${resolver.port}`],
    ["DNS_PUBLIC_RESOLVERS", `${resolver.host}:${resolver.port}`],
    ["PROVIDERS_FILE", providersFile],
    ["LOG_LEVEL", "error"]
  ])
  const config = yield* Effect.withConfigProvider(ServiceConfig, ConfigProvider.fromMap(settings))
  const dns = DnsClient.layer({ allowed: [], dial: internet.dial })
  yield* Effect.provide(connectAndRestore(internet), serviceLayer(config, dns))
})

/** Takes a connection from its request to its end. The program fails if a step does not lead to its state. */
const connectAndRestore = Effect.fnUntraced(function* (internet: ScriptedInternet) {
  const before = internet.records(bakery)
  const printDifferences = Effect.suspend(() => print(formatZoneDiff(before, internet.records(bakery))))

  const platform = yield* signIn
  const id = yield* requestConnection(platform)
  const { command, printObservations, states, waitForState } = followConnection(platform, id)

  yield* printStep("The bakery hands in its API token: POST …/authorization")
  yield* command("authorization", { method: "direct_credential", credential: { apiToken } })
  const { allowedActions, plan } = yield* waitForState("planned")
  yield* print([
    `planned again, from the zone that Acme DNS stores: the same digest, ${shorten(plan?.digest)}`,
    `state planned, in which the platform may call ${allowedActions?.join(", ")}`
  ])

  yield* printStep("It approves that digest: POST …/approval")
  const refused = yield* command("approval", { digest: plan?.digest }, 409)
  yield* print([`409 ${refused.error.code}: ${refused.error.message}`])
  const serious = plan?.warningDetails.filter(({ requiresAcknowledgement }) => requiresAcknowledgement) ?? []
  yield* print(serious.map(({ code, message }) => `${code}: ${message}`))
  yield* command("approval", { digest: plan?.digest, acknowledge: serious.map(({ code }) => code) })
  yield* print(["approved, with these warnings acknowledged"])

  yield* waitForState("active")
  yield* printStep("Every name server and the public resolvers show the change. The zone, before and now:")
  yield* printDifferences
  yield* printObservations("active")

  yield* printStep("Somebody deletes the shop by mistake: POST …/recheck")
  internet.write(bakery, "shop", "CNAME", [])
  yield* command("recheck")
  yield* waitForState("degraded")
  yield* printObservations("degraded")

  yield* printStep("Repair: POST …/retry, then token and approval in one click")
  yield* command("retry")
  const repair = yield* waitForState("awaiting_authorization")
  yield* print([...formatChanges(repair.plan), "state awaiting_authorization"])
  const approvedDigest = repair.plan?.digest
  yield* command("authorization", { method: "direct_credential", credential: { apiToken }, approvedDigest })
  yield* waitForState("active")
  yield* printObservations("active")

  yield* printStep("The bakery leaves: POST …/disconnect")
  yield* command("disconnect")
  yield* command("authorization", { method: "direct_credential", credential: { apiToken } })
  const restore = yield* waitForState("planned")
  yield* print([...formatChanges(restore.plan), "state planned"])
  yield* command("approval", { digest: restore.plan?.digest, acknowledge: restore.plan?.warnings })
  yield* waitForState("disconnected")

  yield* printStep("The change is undone. The zone, before and now:")
  yield* printDifferences
  const differences = formatZoneDiff(before, internet.records(bakery))
  if (differences.length > 0) return yield* Effect.dieMessage("the zone is not what it was")
  yield* print(["no difference: byte for byte what it was"])

  yield* printStep("The states of the connection: GET …/events")
  yield* print(formatStates(yield* states))
})

interface Platform {
  readonly address: string
  readonly headers: Record<string, string>
}

const signIn = Effect.gen(function* () {
  const address = yield* HttpServer.addressFormattedWith(Effect.succeed)
  const keys = yield* ApiKeys
  const tenancy = { applicationId: ApplicationId.make("shop-platform"), tenantId: TenantId.make("crumb-and-co") }
  const { key } = yield* keys.issue({ tenancy, scopes: allKeyScopes, environment: "demo" })
  yield* printStep(`The service, with a PostgreSQL of its own, on ${address}`)
  return { address, headers: { "x-api-key": Redacted.value(key), "content-type": "application/json" } }
})

const requestConnection = Effect.fnUntraced(function* ({ address, headers }: Platform) {
  yield* printStep("The platform asks to connect the domain: POST /v1/connections")
  const response = yield* sendRequest(`${address}/v1/connections`, {
    headers: { ...headers, prefer: "wait=10" },
    body: { intent }
  })
  const connection: ConnectionDocument = response.json.connection
  if (response.status !== 201 || connection.state !== "awaiting_authorization") return yield* dieOnResponse(response)
  const { id, plan, provider, state } = connection
  yield* print([
    `found by its name servers: ${provider?.name}, which accepts an API token`,
    "planned changes:",
    ...formatChanges(plan),
    `state ${state}`
  ])
  const path = `${address}/v1/connections/${id}`
  const origin = `https://admin.${bakery}`
  const { json } = yield* sendRequest(`${path}/access-token`, { headers, body: { origin } })
  const bearer = { authorization: `Bearer ${json.accessToken}` }
  const fromOwnOrigin = yield* sendRequest(path, { headers: { ...bearer, origin } })
  const fromForeignOrigin = yield* sendRequest(path, { headers: { ...bearer, origin: "https://evil.example" } })
  yield* printStep("The bakery's browser gets a token for this connection and one origin: POST …/access-token")
  yield* print([
    `from ${origin}: ${fromOwnOrigin.status}`,
    `from https://evil.example: ${fromForeignOrigin.status} ${fromForeignOrigin.json.error.code}`
  ])
  return id
})

const followConnection = ({ address, headers }: Platform, id: string) => {
  const path = `${address}/v1/connections/${id}`
  return {
    command: (name: string, body: object = {}, status = 200) =>
      Effect.flatMap(sendRequest(`${path}/${name}`, { headers, body }), (response) =>
        response.status === status ? Effect.succeed(response.json) : dieOnResponse(response)
      ),
    waitForState: (state: ConnectionDocument["state"]) =>
      sendRequest(path, { headers }).pipe(
        Effect.map(({ json }): ConnectionDocument => json.connection),
        Effect.filterOrFail(
          (connection) => connection.state === state,
          (connection) => new UnexpectedState({ connection, expected: state })
        ),
        Effect.retry({
          schedule: Schedule.spaced("20 millis"),
          times: 250,
          while: ({ connection }) => connection.state !== "failed"
        })
      ),
    /** The states in their order. */
    states: Effect.map(sendRequest(`${path}/events`, { headers }), ({ json }): ReadonlyArray<string> =>
      json.events.map(({ to }: { readonly to: string }) => to)
    ),
    /** Prints what each server returns for each record. */
    printObservations: (state: ConnectionDocument["state"]) =>
      Effect.flatMap(sendRequest(`${path}/records`, { headers }), ({ json }) =>
        print([...formatObservations(json), `state ${state}`])
      )
  }
}

/** The connection did not reach the state that the step should lead to. */
class UnexpectedState extends Data.TaggedError("UnexpectedState")<{
  readonly connection: ConnectionDocument
  readonly expected: ConnectionDocument["state"]
}> {
  override get message(): string {
    const { failure, state } = this.connection
    return `the connection is ${state}, not ${this.expected}${failure === undefined ? "" : `: ${failure.code}`}`
  }
}

const sendRequest = (
  url: string,
  { body, headers }: { readonly body?: unknown; readonly headers: Record<string, string> }
) =>
  Effect.promise(async () => {
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }
    const response = await fetch(url, { ...init, headers })
    const json: any = await response.json()
    return { status: response.status, json }
  })

const dieOnResponse = ({ json, status }: { readonly status: number; readonly json: unknown }) =>
  Effect.dieMessage(`unexpected response: ${status} ${JSON.stringify(json)}`)

const printStep = (heading: string) => Console.log(`\n${heading}`)

const print = (lines: ReadonlyArray<string>) =>
  Effect.forEach(lines, (line) => Console.log(`  ${line}`), { discard: true })

const formatStates = (states: ReadonlyArray<string>) => Array.chunksOf(states, 6).map((row) => `→ ${row.join(" → ")}`)

const shorten = (digest = "") => `${digest.slice(0, 20)}…`

runProgram(Effect.scoped(demo))
