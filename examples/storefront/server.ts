import {
  ApiError,
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
  /** Of the webhook endpoint at `/webhooks`; without it no webhook is accepted. */
  readonly webhookSecret?: string
}

/** The server of a product: it keeps the API key, and its page gets tokens that are valid only on its own origin. */
export const startStorefront = ({ apiKey, intent, port, serviceUrl, webhookSecret = "" }: StorefrontSettings) => {
  const client = new DomainConnectionClient({ baseUrl: serviceUrl, apiKey })
  const hosts = new OnlineHosts()
  // The example has one shop. A product stores the connection of each customer, whom it identifies by a session.
  let created: Promise<string> | undefined

  const createConnection = async (): Promise<string> => (await client.createConnection({ intent })).connection.id

  const issueToken = async (): Promise<Response> => {
    if (created === undefined) (created = createConnection()).catch(() => (created = undefined))
    const connectionId = await created
    try {
      const origin = `http://localhost:${server.port}`
      const { accessToken } = await client.issueBrowserToken(connectionId, { origin })
      return Response.json({ connectionId, token: accessToken })
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "connection_ended")) throw error
      created = undefined
      return issueToken()
    }
  }
  /** What the shop's own page shows about its domain, and whether the shop may disconnect it now. */
  const readStatus = async (): Promise<Response> => {
    if (created === undefined) return Response.json({ state: "none", warnings: [], records: [], canDisconnect: false })
    const { connection } = await client.getConnection(await created)
    const { allowedActions = [], failure, plan, state } = connection
    return Response.json({
      state,
      failure: failure?.message,
      warnings: plan?.warningDetails.map(({ message }) => message) ?? [],
      records: connection.effectiveIntent.records.map(formatRecord),
      canDisconnect: allowedActions.includes("disconnect")
    })
  }
  const disconnect = async (): Promise<Response> => {
    if (created === undefined) return new Response(null, { status: 409 })
    const { connection } = await client.disconnectConnection(await created)
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
    routes: {
      "/": ({ url }) => {
        const { hostname } = new URL(url)
        return hosts.has(hostname) ? new Response(`The shop at ${hostname}`) : servePage(serviceUrl)
      },
      "/page.js": () => new Response(Bun.file(`${import.meta.dir}/page.js`)),
      "/page.css": () => new Response(Bun.file(`${import.meta.dir}/page.css`)),
      "/status": () => readStatus().catch(respondWithError),
      "/token": { POST: () => issueToken().catch(respondWithError) },
      "/disconnect": { POST: () => disconnect().catch(respondWithError) },
      "/webhooks": { POST: receiveWebhook }
    }
  })
  return server
}

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
  const { API_KEY = "", DOMAIN = "example.com", PORT = "3000", SERVICE_URL, WEBHOOK_SECRET = "" } = process.env
  const server = startStorefront({
    apiKey: API_KEY,
    intent: { domain: DOMAIN, records: [{ host: "www", type: "CNAME", value: "shops.platform.example" }] },
    port: Number(PORT),
    serviceUrl: SERVICE_URL ?? "http://127.0.0.1:8080",
    webhookSecret: WEBHOOK_SECRET
  })
  console.log(`The storefront is at http://localhost:${server.port}`)
}
