/** Where the service is, the API key that only this server knows, and what every shop's domain needs. */
export interface StorefrontSettings {
  readonly serviceUrl: string
  readonly apiKey: string
  readonly port: number
  readonly intent: object
}

/** A product of its own, on an origin of its own: its server holds the API key, its page holds a browser token. */
export const storefront = ({ apiKey, intent, port, serviceUrl }: StorefrontSettings) => {
  const headers = { "x-api-key": apiKey, "content-type": "application/json" }
  const ask = async (path: string, body: object): Promise<any> => {
    const answer = await fetch(`${serviceUrl}${path}`, { method: "POST", headers, body: JSON.stringify(body) })
    return answer.ok ? answer.json() : Promise.reject(new Error(`${path}: ${answer.status} ${await answer.text()}`))
  }
  // One shop is enough for an example. A product keeps this with each customer, whom it knows by a session.
  let created: Promise<any> | undefined

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port,
    routes: {
      "/": async () => {
        const page = await file("page.html").text()
        return new Response(page.replaceAll("SERVICE_URL", serviceUrl), { headers: pageHeaders(serviceUrl) })
      },
      "/page.js": new Response(file("page.js")),
      "/page.css": new Response(file("page.css")),
      "/token": {
        POST: async () => {
          const { connection } = await (created ??= ask("/v1/connections", { intent }))
          const origin = `http://localhost:${server.port}`
          const { accessToken } = await ask(`/v1/connections/${connection.id}/access-token`, { origin })
          return Response.json({ connectionId: connection.id, token: accessToken })
        }
      }
    }
  })
  return server
}

const file = (name: string) => Bun.file(new URL(name, import.meta.url))

/** As strict as a page can be: no inline script, no inline style, and only the service beside itself. */
const pageHeaders = (serviceUrl: string) => ({
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": `default-src 'none'; script-src 'self' ${serviceUrl}; style-src 'self'; connect-src 'self' ${serviceUrl}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
})

if (import.meta.main) {
  const { API_KEY = "", DOMAIN = "example.com", PORT = "3000", SERVICE_URL = "http://127.0.0.1:8080" } = process.env
  const records = [{ host: "www", type: "CNAME", value: "shops.platform.example" }]
  const { port } = storefront({
    serviceUrl: SERVICE_URL,
    apiKey: API_KEY,
    port: Number(PORT),
    intent: { domain: DOMAIN, records }
  })
  console.log(`The storefront is at http://localhost:${port}`)
}
