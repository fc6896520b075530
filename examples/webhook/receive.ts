import {
  ApiError,
  DomainConnectionClient,
  NoResponse,
  verifyWebhook,
  type WebhookEvent
} from "@domain-connection/client"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/**
 * Connects a domain of test mode, and prints the webhook that says it is active, once its signature is verified. `TEST_KEY` is
 * an API key of test mode that may create webhook endpoints, and `SERVICE` the address of the service.
 */
const { SERVICE = "http://127.0.0.1:8080", TEST_KEY = "" } = process.env

const received = Promise.withResolvers<WebhookEvent>()
let secret = ""

const server = createServer(async (request, response) => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of request) chunks.push(chunk)
  try {
    received.resolve(await verifyWebhook(Buffer.concat(chunks), request.headers, secret))
    response.writeHead(204).end()
  } catch (error) {
    received.reject(error)
    response.writeHead(401).end()
  }
})

const liveKey = new Error("TEST_KEY is for live domains")

const run = async (): Promise<void> => {
  if (TEST_KEY.startsWith("dck_live_")) throw liveKey
  const client = new DomainConnectionClient({ baseUrl: SERVICE, apiKey: TEST_KEY })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`

  const { endpoint, secret: created } = await client.createWebhookEndpoint({ url, eventTypes: ["connection.active"] })
  secret = created
  console.log(`The endpoint ${endpoint.id} gets connection.active.`)
  try {
    await connect(client, url)
  } finally {
    await client.deleteWebhookEndpoint(endpoint.id)
  }
}

const connect = async (client: DomainConnectionClient, url: string): Promise<void> => {
  // Every name that ends in one-click.test is a domain of its own.
  const domain = `shop-${Date.now()}-one-click.test`
  const records = [{ host: "shop", type: "CNAME", value: "shops.example.net" } as const]
  const { connection } = await client.createConnection({ intent: { domain, records } }, { waitSeconds: 20 })
  console.log(`${connection.id} connects ${domain}: it is ${connection.state}.`)

  await client.authorizeConnection(connection.id, {
    method: "direct_credential",
    credential: { kind: "api_token", apiToken: "any-token-is-accepted-in-test-mode" }
  })
  const { plan } = await client.waitUntil(connection.id, ["planned"])
  if (plan === undefined) throw new Error("a connection that is planned has a plan")
  await client.approvePlan(connection.id, { digest: plan.digest })
  await client.waitUntil(connection.id, ["active"])

  const lost = `No webhook came to ${url}: the service at ${SERVICE} must run on this machine; set SERVICE to one that does.`
  const timer = setTimeout(() => received.reject(lost), 20_000)
  const event = await received.promise
  clearTimeout(timer)
  console.log(`Verified: ${event.type} of ${event.timestamp}`)
}

/** What is wrong, in one sentence, with the setting that mends it. */
const describeProblem = (error: unknown): string => {
  if (error === liveKey)
    return "TEST_KEY is an API key for live domains: set it to one of test mode, which begins with dck_test_."
  if (!URL.canParse(SERVICE))
    return `SERVICE is no URL, but ${SERVICE}: set it to the address of the service, such as http://127.0.0.1:8080.`
  if (error instanceof NoResponse)
    return `No service answers at ${SERVICE}: start it with npm start, or set SERVICE to its address.`
  if (!(error instanceof ApiError)) return String(error)
  if (error.code === "unreadable_answer")
    return `What answers at ${SERVICE} is not the Domain Connection Service: set SERVICE to its address.`
  if (error.status === 401)
    return `The service at ${SERVICE} does not accept TEST_KEY: set it to an API key that the service made (${error.message}).`
  if (error.details.some(({ pointer }) => pointer === "/url"))
    return `The service at ${SERVICE} sends no webhooks to this machine: start it with OUTBOUND_ALLOW=127.0.0.0/8 (${error.message}).`
  return `The service at ${SERVICE} refuses the request: ${error.message}`
}

await run().catch((error: unknown) => {
  console.error(describeProblem(error))
  process.exitCode = 1
})
server.close()
