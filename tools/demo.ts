import { HttpServer } from "@effect/platform"
import { ConfigProvider, Effect, Redacted } from "effect"
import { ApiError, type Connection, type ConnectionState, DomainConnectionClient } from "../packages/client/index.ts"
import { ServiceConfig } from "../src/settings/Config.ts"
import { allKeyScopes, ApplicationId, TenantId } from "../src/domain/access/Tenancy.ts"
import { serviceLayer } from "../src/main.ts"
import { runProgram } from "../src/runProgram.ts"
import { TestKeys } from "../src/testEnvironment.ts"
import { temporaryDirectory } from "../test/support/TestPostgres.ts"
import { formatChanges, formatObservations, formatZone, formatZoneDiff } from "./demoReport.ts"

/** A domain of test mode with a site, mail, and an old shop whose mail address may still be in use. */
const bakery = "crumb-and-co-occupied.test"

/** The records that the platform needs for its shops. */
const intent = {
  domain: bakery,
  records: [
    { host: "shop", type: "CNAME", value: "shops.platform.example" },
    { host: "@", type: "TXT", value: "v=spf1 include:_spf.platform.example -all" },
    { host: "_verify", type: "TXT", value: "platform-verification=b41c" }
  ]
} as const

const credential = {
  method: "direct_credential",
  credential: { kind: "api_token", apiToken: "token-of-the-bakery" }
} as const

/** The service as `start` runs it, but for its port and its data, and a platform with a key of test mode. */
const demo = Effect.gen(function* () {
  const settings = new Map([
    ["PORT", "0"],
    ["DATA_DIR", temporaryDirectory()],
    ["LOG_LEVEL", "error"]
  ])
  const config = yield* Effect.withConfigProvider(ServiceConfig, ConfigProvider.fromMap(settings))
  yield* Effect.provide(signInAndPlay, serviceLayer(config))
})

const signInAndPlay = Effect.gen(function* () {
  const baseUrl = yield* HttpServer.addressFormattedWith(Effect.succeed)
  const { issue } = yield* TestKeys
  const tenancy = { applicationId: ApplicationId.make("shop-platform"), tenantId: TenantId.make("crumb-and-co") }
  const { key } = yield* issue({ tenancy, scopes: allKeyScopes, environment: "test" })
  printStep(`The service, with a PostgreSQL of its own, on ${baseUrl}`)
  print(["a key of test mode, in which domains do what their names say, and no packet leaves"])
  const platform = new DomainConnectionClient({ baseUrl, apiKey: Redacted.value(key) })
  yield* Effect.promise(() => connectAndRestore(platform, baseUrl))
})

/** Takes a connection from its request to its end. The program fails if a step does not lead to its state. */
const connectAndRestore = async (platform: DomainConnectionClient, baseUrl: string) => {
  const { id } = await requestConnection(platform)
  const before = await platform.readTestZone(id)
  printStep("The bakery's zone today, as Test DNS stores it: GET /v1/test/connections/{id}/zone")
  print(formatZone(before))
  const readDifferences = async () => formatZoneDiff(before, await platform.readTestZone(id))

  await openToBrowser(platform, baseUrl, id)
  await approve(platform, id)
  printStep("Every name server and the resolvers show the change. The zone, before and now:")
  print(await readDifferences())
  await printObservations(platform, id, "active")

  await loseAndRepair(platform, id)

  await leave(platform, id)
  printStep("The change is undone. The zone, before and now:")
  const differences = await readDifferences()
  print(differences)
  if (differences.length > 0) throw new Error("the zone is not what it was")
  print(["no difference: byte for byte what it was"])

  printStep("The states of the connection: GET …/events")
  const { events } = await platform.listEvents(id)
  print(formatStates(events.map(({ to }) => to)))
}

const requestConnection = async (platform: DomainConnectionClient): Promise<Connection> => {
  printStep("The platform asks to connect the domain: POST /v1/connections")
  const { connection: created } = await platform.createConnection({ intent }, { waitSeconds: 10 })
  const connection = await platform.waitUntil(created.id, ["awaiting_authorization"])
  print([
    `found by its name servers: ${connection.provider?.name}, which accepts an API token`,
    "planned changes:",
    ...formatChanges(connection.plan),
    `state ${connection.state}`
  ])
  return connection
}

const openToBrowser = async (platform: DomainConnectionClient, baseUrl: string, id: string) => {
  const origin = `https://admin.${bakery}`
  const { accessToken } = await platform.issueBrowserToken(id, { origin })
  const readFrom = async (origin: string) => {
    const headers = { authorization: `Bearer ${accessToken}`, origin }
    const response = await fetch(`${baseUrl}/v1/connections/${id}`, { headers })
    const { error }: any = await response.json()
    return `from ${origin}: ${[response.status, error?.code].join(" ").trim()}`
  }
  printStep("The bakery's browser gets a token for this connection and one origin: POST …/access-token")
  print([await readFrom(origin), await readFrom("https://evil.example")])
}

const approve = async (platform: DomainConnectionClient, id: string) => {
  printStep("The bakery hands in its API token: POST …/authorization")
  await platform.authorizeConnection(id, credential)
  const { allowedActions, plan } = await platform.waitUntil(id, ["planned"])
  const digest = plan?.digest ?? ""
  print([
    `planned again, from the zone that Test DNS stores: the same digest, ${digest.slice(0, 20)}…`,
    `state planned, in which the platform may call ${allowedActions?.join(", ")}`
  ])

  printStep("It approves that digest: POST …/approval")
  const refused = await platform.approvePlan(id, { digest }).catch((error: unknown) => error)
  if (!(refused instanceof ApiError)) throw new Error("a plan with serious warnings was approved without them")
  print([`${refused.status} ${refused.code}: ${refused.message}`])
  const serious = plan?.warningDetails.filter(({ requiresAcknowledgement }) => requiresAcknowledgement) ?? []
  print(serious.map(({ code, message }) => `${code}: ${message}`))
  await platform.approvePlan(id, { digest, acknowledge: serious.map(({ code }) => code) })
  print(["approved, with these warnings acknowledged"])
  await platform.waitUntil(id, ["active"])
}

const loseAndRepair = async (platform: DomainConnectionClient, id: string) => {
  printStep("Somebody deletes the shop by mistake: POST /v1/test/connections/{id}/change-records")
  await platform.changeTestRecords(id, { records: [{ host: "shop", type: "CNAME", values: [] }] })
  await platform.waitUntil(id, ["degraded"])
  await printObservations(platform, id, "degraded")

  printStep("Repair: POST …/retry, then token and approval in one click")
  await platform.retryConnection(id, {})
  const { plan } = await platform.waitUntil(id, ["awaiting_authorization"])
  print([...formatChanges(plan), "state awaiting_authorization"])
  await platform.authorizeConnection(id, { ...credential, approvedDigest: plan?.digest ?? "" })
  await platform.waitUntil(id, ["active"])
  await printObservations(platform, id, "active")
}

const leave = async (platform: DomainConnectionClient, id: string) => {
  printStep("The bakery leaves: POST …/disconnect")
  await platform.disconnectConnection(id, {})
  await platform.authorizeConnection(id, credential)
  const { plan } = await platform.waitUntil(id, ["planned"])
  print([...formatChanges(plan), "state planned"])
  await platform.approvePlan(id, { digest: plan?.digest ?? "", acknowledge: plan?.warnings ?? [] })
  await platform.waitUntil(id, ["disconnected"])
}

/** Prints what each server returns for each record. */
const printObservations = async (platform: DomainConnectionClient, id: string, state: ConnectionState) =>
  print([...formatObservations(await platform.listRecords(id)), `state ${state}`])

const printStep = (heading: string) => console.log(`\n${heading}`)

const print = (lines: ReadonlyArray<string>) => lines.forEach((line) => console.log(`  ${line}`))

const formatStates = (states: ReadonlyArray<string>) =>
  Array.from(
    { length: Math.ceil(states.length / 6) },
    (_, row) => `→ ${states.slice(6 * row, 6 * row + 6).join(" → ")}`
  )

runProgram(Effect.scoped(demo))
