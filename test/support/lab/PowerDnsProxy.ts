import { Effect, type Scope } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"

/** What a call of the API is for: to find the zone, to read the whole of it, to write. */
export type ProxyPhase = "opening" | "reading" | "writing"

/** Answers in place of the server; `pass` lets the call reach it first, and keeps its answer. */
export type HttpFault = (response: ServerResponse, pass: () => Promise<Response>) => void | Promise<void>

/** The API of a PowerDNS as it is seen through a bad line, or at a provider in trouble. */
export interface PowerDnsProxy {
  readonly url: string
  /** What becomes, from now on, of the calls for a zone at a moment. */
  readonly meddle: (zone: string, moment: ProxyPhase, fault: HttpFault) => Effect.Effect<void>
  readonly heal: (zone: string) => Effect.Effect<void>
  /** How often the server has written to a zone by a call of this proxy. */
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
      meddle: (zone, moment, fault) => Effect.sync(() => faults.set(zone, { moment, fault })),
      heal: (zone) => Effect.sync(() => faults.delete(zone)),
      writesTo: (zone) => writes.get(zone) ?? 0
    })
  )

const open = async (url: string) => {
  const faults = new Map<string, { readonly moment: ProxyPhase; readonly fault: HttpFault }>()
  const writes = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const { moment, zone } = aboutOf(request)
    const body = await bodyOf(request)
    const pass = async () => {
      const headers = { "x-api-key": String(request.headers["x-api-key"]), connection: "close" }
      const init = { method: request.method ?? "GET", headers, ...(body === "" ? {} : { body }) }
      const answer = await fetch(`${url}${request.url}`, init)
      if (moment === "writing" && answer.ok) writes.set(zone, (writes.get(zone) ?? 0) + 1)
      return answer
    }
    const rule = faults.get(zone)
    if (rule?.moment === moment) return rule.fault(response, pass)
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

const aboutOf = ({ method, url = "" }: IncomingMessage): { readonly moment: ProxyPhase; readonly zone: string } => ({
  moment: method === "PATCH" ? "writing" : url.includes("rrset_name") ? "opening" : "reading",
  zone: /\/zones\/(.+?)\.(?:\?|$)/.exec(url)?.[1] ?? ""
})

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
