const { API_KEY = "", DOMAIN = "example.com", PORT = "3000", SERVICE_URL = "http://127.0.0.1:8080" } = process.env
const records = [{ host: "www", type: "CNAME", value: "shops.platform.example" }]
const settings = { apiKey: API_KEY, intent: { domain: DOMAIN, records }, port: Number(PORT), serviceUrl: SERVICE_URL }

/** The server of a product: it keeps the API key, and its page gets tokens that are valid only on its own origin. */
export const startStorefront = ({ apiKey, intent, port, serviceUrl }: typeof settings) => {
  const request = async (path: string, init: RequestInit = {}): Promise<any> => {
    const headers = { "x-api-key": apiKey, "content-type": "application/json" }
    const response = await fetch(serviceUrl + path, { ...init, headers })
    const result: any = await response.json()
    return response.ok ? result : Promise.reject(result.error)
  }
  const post = (path: string, body: object) => request(path, { method: "POST", body: JSON.stringify(body) })
  // The example has one shop. A product stores the connection of each customer, whom it identifies by a session.
  let created: Promise<any> | undefined

  const issueToken = async (): Promise<Response> => {
    if (created === undefined) (created = post("/v1/connections", { intent })).catch(() => (created = undefined))
    const { connection } = await created
    const origin = `http://localhost:${server.port}`
    const issued = await post(`/v1/connections/${connection.id}/access-token`, { origin }).catch((error) => ({ error }))
    if (issued.error === undefined) return Response.json({ connectionId: connection.id, token: issued.accessToken })
    if (issued.error.code !== "connection_ended") throw issued.error
    created = undefined
    return issueToken()
  }
  /** What the shop's own page shows about its domain, and whether the shop may disconnect it now. */
  const readStatus = async (): Promise<Response> => {
    if (created === undefined) return Response.json({ state: "none", warnings: [], records: [], canDisconnect: false })
    const { id } = (await created).connection
    const { connection } = await request(`/v1/connections/${id}`)
    const { allowedActions = [], failure, plan, state } = connection
    return Response.json({
      state,
      failure: failure?.message,
      warnings: plan?.warningDetails.map(({ message }: { message: string }) => message) ?? [],
      records: connection.effectiveIntent.records.map(formatRecord),
      canDisconnect: allowedActions.includes("disconnect")
    })
  }
  const disconnect = async (): Promise<Response> => {
    const { id } = (await created).connection
    const { connection } = await post(`/v1/connections/${id}/disconnect`, {})
    return Response.json({ state: connection.state })
  }
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port,
    routes: {
      "/": () => servePage(serviceUrl),
      "/page.js": () => new Response(Bun.file(`${import.meta.dir}/page.js`)),
      "/page.css": () => new Response(Bun.file(`${import.meta.dir}/page.css`)),
      "/status": () => readStatus().catch(respondWithError),
      "/token": { POST: () => issueToken().catch(respondWithError) },
      "/disconnect": { POST: () => disconnect().catch(respondWithError) }
    }
  })
  return server
}

const respondWithError = (error: { message: string }) => Response.json({ error: error.message }, { status: 502 })

/** A record as the DNS settings of a provider take it. */
const formatRecord = (record: { name: string; zoneHost?: string; type: string; value: string }): string =>
  `${record.zoneHost ?? record.name} ${record.type} ${record.value}`

/** Serves the page under a strict Content-Security-Policy: nothing inline, and no other origin than the service. */
const servePage = async (serviceUrl: string) => {
  const policy = `default-src 'none'; script-src 'self' ${serviceUrl}; style-src 'self'; connect-src 'self' ${serviceUrl}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  const text = await Bun.file(`${import.meta.dir}/page.html`).text()
  const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": policy }
  return new Response(text.replaceAll("SERVICE_URL", serviceUrl), { headers })
}

if (import.meta.main) console.log(`The storefront is at http://localhost:${startStorefront(settings).port}`)
