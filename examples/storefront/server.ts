import {
  ApiError,
  type Connection,
  type ConnectionState,
  DomainConnectionClient,
  type IntentRequest,
  InvalidWebhook,
  type Record,
  verifyWebhook
} from "@domain-connection/client"
import { OnlineHosts } from "./OnlineHosts.ts"

interface StorefrontSettings {
  readonly apiKey: string
  readonly intent: IntentRequest
  readonly port: number
  readonly serviceUrl: string
  /** The shop's own id, by which its connection is found, also after a restart. */
  readonly shopId?: string
  /** Of the webhook endpoint at `/webhooks`; without it no webhook is accepted. */
  readonly webhookSecret?: string
}

/** The server of a product: it keeps the API key, and its page gets tokens that are valid only on its own origin. */
export const startStorefront = (settings: StorefrontSettings) => {
  const { apiKey, intent, port, serviceUrl, shopId = "shop-1", webhookSecret = "" } = settings
  const client = new DomainConnectionClient({ baseUrl: serviceUrl, apiKey })
  const hosts = new OnlineHosts()

  // The example has one shop. A product identifies its customer by a session.
  const findConnection = async (): Promise<Connection | undefined> => {
    for await (const connection of client.listConnections({ externalId: shopId }))
      if (!endedStates.includes(connection.state)) return connection
    return undefined
  }
  const createConnection = async (): Promise<string> => {
    try {
      const metadata = { shop: "The shop" }
      return (await client.createConnection({ intent, externalId: shopId, metadata })).connection.id
    } catch (error) {
      // Somebody was faster, perhaps the same customer in another window.
      if (error instanceof ApiError && error.connectionId !== undefined) return error.connectionId
      throw error
    }
  }
  const issueToken = async (): Promise<Response> => {
    const connection = await findConnection()
    // Where another customer uses the domain, this one has to prove that it is theirs: the component shows how.
    const heldBy = connection === undefined ? (await client.checkDomain({ domain: intent.domain })).heldBy : "nobody"
    const connectionId = connection?.id ?? (await createConnection())
    const origin = `http://localhost:${server.port}`
    const { accessToken } = await client.issueBrowserToken(connectionId, { origin })
    return Response.json({ connectionId, token: accessToken, isHeldByAnother: heldBy === "another_tenant" })
  }
  /** What the shop's own page shows about its domain, and what the shop may do with it now. */
  const readStatus = async (): Promise<Response> => {
    const connection = await findConnection()
    const { allowedActions = [], failure, plan, state = "none" } = connection ?? {}
    return Response.json({
      state,
      failure: failure?.message,
      warnings: plan?.warningDetails.map(({ message }) => message) ?? [],
      records: connection?.effectiveIntent.records.map(formatRecord) ?? [],
      canDisconnect: allowedActions.includes("disconnect"),
      canAddHost: allowedActions.includes("update")
    })
  }
  /** Connects another host of the domain. What is connected already stays so until the customer has allowed the change. */
  const addHost = async (request: Request): Promise<Response> => {
    const host = String((await request.formData()).get("host"))
    const connection = await findConnection()
    if (connection === undefined) return new Response(null, { status: 409 })
    const current = (connection.pendingIntent ?? connection).intent
    const records = [...current.records, ...intent.records.slice(0, 1).map((record) => ({ ...record, host }))]
    const changed = await client.updateConnection(connection.id, { intent: { ...current, records } })
    return Response.json({ state: changed.connection.state })
  }
  const disconnect = async (): Promise<Response> => {
    const found = await findConnection()
    if (found === undefined) return new Response(null, { status: 409 })
    const { connection } = await client.disconnectConnection(found.id)
    return Response.json({ state: connection.state })
  }
  /** Learns what happens to connections: also when nobody has the page open. */
  const receiveWebhook = async (request: Request): Promise<Response> => {
    if (webhookSecret === "") return new Response(null, { status: 404 })
    try {
      hosts.apply(await verifyWebhook(await request.text(), request.headers, webhookSecret))
      return new Response(null, { status: 204 })
    } catch (error) {
      return new Response(null, { status: error instanceof InvalidWebhook ? 401 : 500 })
    }
  }
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port,
    // Longer than the client waits for the service.
    idleTimeout: 60,
    routes: {
      "/": ({ url }) => {
        const { hostname } = new URL(url)
        const shop = hosts.findShop(hostname)
        return shop === undefined ? servePage(serviceUrl) : new Response(`${shop} at ${hostname}`)
      },
      "/page.js": () => new Response(Bun.file(`${import.meta.dir}/page.js`)),
      "/page.css": () => new Response(Bun.file(`${import.meta.dir}/page.css`)),
      "/status": () => readStatus().catch(respondWithError),
      "/token": { POST: () => issueToken().catch(respondWithError) },
      "/hosts": { POST: (request) => addHost(request).catch(respondWithError) },
      "/disconnect": { POST: () => disconnect().catch(respondWithError) },
      "/webhooks": { POST: receiveWebhook }
    }
  })
  return server
}

/** What the shop needs at a domain: at the domain itself an alias, or its address where the provider cannot flatten one. */
export const shopIntent = (domain: string): IntentRequest => ({
  domain,
  records: [
    { host: "www", type: "CNAME", value: shopsHost },
    { host: "@", type: "CNAME", value: shopsHost, alternatives: [{ type: "A", value: "192.0.2.10" }] }
  ]
})

const shopsHost = "shops.platform.example"

const endedStates: ReadonlyArray<ConnectionState> = ["disconnected", "canceled", "expired"]

const respondWithError = (error: { message: string }) => Response.json({ error: error.message }, { status: 502 })

/** A record as the DNS settings of a provider take it. */
const formatRecord = (record: Record): string => `${record.zoneHost ?? record.name} ${record.type} ${record.value}`

/** Serves the page under a strict Content-Security-Policy: nothing inline, and no other origin than the service. */
const servePage = async (serviceUrl: string) => {
  const policy = `default-src 'none'; script-src 'self' ${serviceUrl}; style-src 'self'; connect-src 'self' ${serviceUrl}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  const text = await Bun.file(`${import.meta.dir}/page.html`).text()
  const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": policy }
  return new Response(text.replaceAll("SERVICE_URL", serviceUrl), { headers })
}

if (import.meta.main) {
  const { API_KEY = "", DOMAIN = "shop-one-click.test", PORT = "3000", SERVICE_URL, WEBHOOK_SECRET = "" } = process.env
  const server = startStorefront({
    apiKey: API_KEY,
    intent: shopIntent(DOMAIN),
    port: Number(PORT),
    serviceUrl: SERVICE_URL ?? "http://127.0.0.1:8080",
    webhookSecret: WEBHOOK_SECRET
  })
  console.log(`The storefront is at http://localhost:${server.port}`)
}
