import { DomainConnectionClient, verifyWebhook, type WebhookEvent } from "@domain-connection/client"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/**
 * Connects a domain of test mode, and prints the webhook that says it is active, once its signature is verified. `TEST_KEY` is
 * an API key of test mode that may create webhook endpoints, and `SERVICE` the address of the service.
 */
const { SERVICE = "http://127.0.0.1:8080", TEST_KEY = "" } = process.env

const client = new DomainConnectionClient({ baseUrl: SERVICE, apiKey: TEST_KEY })

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
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))

const { endpoint, secret: created } = await client.createWebhookEndpoint({
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
  eventTypes: ["connection.active"]
})
secret = created
console.log(`The endpoint ${endpoint.id} gets connection.active.`)

// Every name that ends in one-click.test is a domain of its own.
const domain = `shop-${Date.now()}-one-click.test`
const records = [{ host: "shop", type: "CNAME", value: "shops.example.net" } as const]
const { connection } = await client.createConnection({ intent: { domain, records } }, { waitSeconds: 20 })
console.log(`${connection.id} connects ${domain}: it is ${connection.state}.`)

await client.authorizeConnection(connection.id, {
  method: "direct_credential",
  credential: { kind: "api_token", apiToken: "any token: the provider of test mode takes each" }
})
const { plan } = await client.waitUntil(connection.id, ["planned"])
if (plan === undefined) throw new Error("a connection that is planned has a plan")
await client.approvePlan(connection.id, { digest: plan.digest })

const event = await received.promise
console.log(`Verified: ${event.type} of ${event.timestamp}`)

await client.deleteWebhookEndpoint(endpoint.id)
server.close()
