const { API_KEY = "", DOMAIN = "example.com", PORT = "3000", SERVICE_URL = "http://127.0.0.1:8080" } = process.env
const records = [{ host: "www", type: "CNAME", value: "shops.platform.example" }]
const settings = { apiKey: API_KEY, intent: { domain: DOMAIN, records }, port: Number(PORT), serviceUrl: SERVICE_URL }

/** The server of a product: it keeps the API key, and its page gets tokens that are valid only on its own origin. */
export const startStorefront = ({ apiKey, intent, port, serviceUrl }: typeof settings) => {
  const post = async (path: string, body: object): Promise<any> => {
    const headers = { "x-api-key": apiKey, "content-type": "application/json" }
    const response = await fetch(serviceUrl + path, { method: "POST", headers, body: JSON.stringify(body) })
    const result: any = await response.json()
    return response.ok ? result : Promise.reject(result.error)
  }
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
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port,
    routes: {
      "/": () => servePage(serviceUrl),
      "/page.js": () => new Response(Bun.file(`${import.meta.dir}/page.js`)),
      "/page.css": () => new Response(Bun.file(`${import.meta.dir}/page.css`)),
      "/token": {
        POST: () => issueToken().catch((error) => Response.json({ error: `${error.message}` }, { status: 502 }))
      }
    }
  })
  return server
}

/** Serves the page under a strict Content-Security-Policy: nothing inline, and no other origin than the service. */
const servePage = async (serviceUrl: string) => {
  const policy = `default-src 'none'; script-src 'self' ${serviceUrl}; style-src 'self'; connect-src 'self' ${serviceUrl}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  const text = await Bun.file(`${import.meta.dir}/page.html`).text()
  const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": policy }
  return new Response(text.replaceAll("SERVICE_URL", serviceUrl), { headers })
}

if (import.meta.main) console.log(`The storefront is at http://localhost:${startStorefront(settings).port}`)
