import { Effect, type Scope } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"

/** The purpose of an API call: to open the zone, to read all of it, or to write. */
export type ProxyPhase = "opening" | "reading" | "writing"

/** Responds in place of the server; `pass` forwards the call and returns the server's response. */
export type HttpFault = (response: ServerResponse, pass: () => Promise<Response>) => void | Promise<void>

/** A proxy in front of the API of PowerDNS that injects faults. */
export interface PowerDnsProxy {
  readonly url: string
  /** Injects a fault into all further calls for a zone, in a phase or in any. */
  readonly injectFault: (zone: string, moment: ProxyPhase | "any", fault: HttpFault) => Effect.Effect<void>
  readonly heal: (zone: string) => Effect.Effect<void>
  /** The number of successful writes to a zone through this proxy. */
  readonly writesTo: (zone: string) => number
}

export const powerDnsProxy = (url: string): Effect.Effect<PowerDnsProxy, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => open(url)),
      ({ close }) => Effect.promise(close)
    ),
    ({ faults, port, writes }) => ({
      url: `http://127.0.0.1:${port}`,
      injectFault: (zone, moment, fault) => Effect.sync(() => faults.set(zone, { moment, fault })),
      heal: (zone) => Effect.sync(() => faults.delete(zone)),
      writesTo: (zone) => writes.get(zone) ?? 0
    })
  )

const open = async (url: string) => {
  const faults = new Map<string, { readonly moment: ProxyPhase | "any"; readonly fault: HttpFault }>()
  const writes = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const { moment, zone } = callOf(request)
    const body = await bodyOf(request)
    const pass = async () => {
      const headers = { "x-api-key": String(request.headers["x-api-key"]), connection: "close" }
      const init = { method: request.method ?? "GET", headers, ...(body === "" ? {} : { body }) }
      const result = await fetch(`${url}${request.url}`, init)
      if (moment === "writing" && result.ok) writes.set(zone, (writes.get(zone) ?? 0) + 1)
      return result
    }
    const rule = faults.get(zone)
    if (rule?.moment === moment || rule?.moment === "any") return rule.fault(response, pass)
    const answer = await pass()
    response.writeHead(answer.status).end(await answer.text())
  })
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done))
  const address = server.address()
  const close = async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  return { faults, writes, port: address !== null && typeof address === "object" ? address.port : 0, close }
}

const callOf = ({ method, url = "" }: IncomingMessage): { readonly moment: ProxyPhase; readonly zone: string } => ({
  moment: method === "PATCH" ? "writing" : url.includes("rrset_name") ? "opening" : "reading",
  zone: /\/zones\/(.+?)\.(?:\?|$)/.exec(url)?.[1] ?? ""
})

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
