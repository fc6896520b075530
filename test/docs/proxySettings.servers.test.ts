import { expect } from "bun:test"
import { Array, Effect, Option, type Scope } from "effect"
import { countEach } from "../../prove/countEach.ts"
import { connect as connectTcp, type Socket } from "node:net"
import { connect as connectTls } from "node:tls"
import { parseNetwork } from "../../src/domain/names/IpAddress.ts"
import { describeIfPossible } from "../support/describeIfPossible.ts"
import { startDocumentedCaddy, startDocumentedHaproxy } from "../support/documentedProxies.ts"
import { withLayer } from "../support/effectTest.ts"
import { apiInMemory, get, issueKey, jsonOf, post, sampleIntent, serviceUrl } from "../support/testApi.ts"

/** An address of the loopback interface that `network-namespace.sh` adds; who connects to it comes from it. */
const clientAddress = "127.10.2.1"

/** What comes on a socket, and whether the other side has closed it. */
interface Client {
  readonly socket: Socket
  received: string
  isClosed: boolean
}

const observe = (socket: Socket): Client => {
  const client: Client = { socket, received: "", isClosed: false }
  socket.setEncoding("utf8").on("data", (text: string) => (client.received += text))
  socket.on("error", () => undefined).on("close", () => (client.isClosed = true))
  return client
}

const openClient = (
  makeSocket: () => Socket,
  event: "connect" | "secureConnect"
): Effect.Effect<Client, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<Client>((resume) => {
      const client = observe(makeSocket())
      // One that is refused may be closed before it is known to be open.
      for (const settled of [event, "close"]) client.socket.once(settled, () => resume(Effect.succeed(client)))
    }),
    ({ socket }) => Effect.sync(() => socket.destroy())
  )

const openTls = (port: number, host = clientAddress) =>
  openClient(
    () => connectTls({ host, port, servername: "connect.example", rejectUnauthorized: false }),
    "secureConnect"
  )

const openTcp = (port: number, host: string) => openClient(() => connectTcp(port, host), "connect")

const until = (isTrue: () => boolean) => Effect.repeat(Effect.sleep("20 millis"), { until: () => isTrue() })

/** Sends a request, and returns the whole answer. */
const exchange = (port: number, lines: ReadonlyArray<string>, body = "", host = clientAddress) =>
  Effect.scoped(
    Effect.gen(function* () {
      const client = yield* openTls(port, host)
      client.socket.write([...lines, "host: connect.example", "connection: close", "", body].join("\r\n"))
      yield* until(() => client.isClosed)
      return client.received
    })
  )

const ask = ({ socket }: Client) => socket.write("GET /healthz HTTP/1.1\r\nhost: connect.example\r\n\r\n")

const statusOf = (answer: string) => answer.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length)

/** Another address of the loopback interface, in the network that the settings name for operators. */
const operatorAddress = "192.0.2.80"

/** What the public does not reach, also written in ways that the service understands, or refuses. */
const privatePaths = [
  "/metrics",
  "/%6detrics",
  "/v1/%2e%2e/metrics",
  "/admin",
  "/admin/page.js",
  "/%61dmin",
  "/v1/admin/applications",
  "/v1/%61dmin/applications"
]

/** Administration that the service has with test mode: the proxy itself keeps it, so that no answer is the service's. */
const privateInTestMode = ["/test-mode/admin", "/test-mode/admin/page.js", "/test-mode/v1/admin/applications"]

const trustedProxies = Option.toArray(parseNetwork("127.0.0.1"))

const proxies = [
  { name: "Caddy", program: "caddy", start: startDocumentedCaddy, socketsPerAddress: undefined },
  { name: "HAProxy", program: "haproxy", start: startDocumentedHaproxy, socketsPerAddress: 500 }
]

for (const { name, program, socketsPerAddress, start } of proxies) {
  const refusal =
    Bun.which(program) === null ? `there is no ${program} on this machine (apt-get install ${program})` : undefined
  describeIfPossible(`${name} by the settings of the page for operators`, refusal, () =>
    withLayer("in front of the service", apiInMemory({ trustedProxies }), (live) => {
      const startProxy = Effect.flatMap(serviceUrl, (url) => start({ service: new URL(url).host, hasTls: true }))

      live("names the client, who cannot name another one, and keeps operators' pages from the public", () =>
        Effect.gen(function* () {
          const port = yield* startProxy
          const { key } = yield* issueKey()
          const body = JSON.stringify({ intent: sampleIntent, allowDuplicate: true })
          const created = yield* exchange(
            port,
            [
              "POST /v1/connections HTTP/1.1",
              `x-api-key: ${key}`,
              "content-type: application/json",
              `content-length: ${body.length}`,
              "x-forwarded-for: 192.0.2.66"
            ],
            body
          )
          expect(statusOf(created)).toBe("201")
          const { entries } = yield* Effect.flatMap(get("/v1/audit", key), jsonOf)
          expect(entries[0]).toMatchObject({ action: "connection.created", address: clientAddress })
          for (const path of privatePaths)
            expect([path, statusOf(yield* exchange(port, [`GET ${path} HTTP/1.1`]))]).toEqual([path, "404"])
          for (const path of privateInTestMode)
            expect([path, yield* exchange(port, [`GET ${path} HTTP/1.1`])]).toEqual([
              path,
              expect.not.stringContaining("x-request-id")
            ])
          const toOperators = (path: string) => exchange(port, [`GET ${path} HTTP/1.1`], "", operatorAddress)
          expect(statusOf(yield* toOperators("/admin"))).toBe("200")
          expect(statusOf(yield* toOperators("/metrics"))).toBe("404")
          expect(statusOf(yield* exchange(port, ["GET /healthz HTTP/1.1"]))).toBe("200")
        })
      )

      live("closes a client whose request does not get complete, and passes an event stream on at once", () =>
        Effect.gen(function* () {
          const port = yield* startProxy
          const { key } = yield* issueKey()
          const slow = yield* openTls(port)
          slow.socket.write("GET /healthz HTTP/1.1\r\nhost: connect.example\r\n")
          const drip = setInterval(() => slow.socket.write("x-slow: 1\r\n"), 500)
          yield* Effect.addFinalizer(() => Effect.sync(() => clearInterval(drip)))

          const creation = { intent: sampleIntent, allowDuplicate: true }
          const { connection } = yield* Effect.flatMap(post("/v1/connections", key, creation), jsonOf)
          const stream = yield* openTls(port)
          stream.socket.write(
            `GET /v1/connections/${connection.id}/stream HTTP/1.1\r\nhost: connect.example\r\nx-api-key: ${key}\r\n\r\n`
          )
          yield* until(() => stream.received.includes("event: "))
          yield* until(() => slow.isClosed)
          expect(slow.received).not.toContain(" 200 ")
          expect(stream.isClosed).toBe(false)
        })
      )

      if (socketsPerAddress !== undefined)
        live("ends the sockets of an address beyond its limit, and serves other addresses", () =>
          Effect.gen(function* () {
            const url = new URL(yield* serviceUrl)
            const port = yield* start({ service: url.host, hasTls: false })
            const held = yield* Effect.forEach(Array.range(1, socketsPerAddress + 5), () =>
              openTcp(port, clientAddress)
            )
            held.forEach(ask)
            yield* until(() => held.every(({ isClosed, received }) => isClosed || received !== ""))
            expect(countEach(held.map(({ received }) => statusOf(received)))).toEqual({ 200: socketsPerAddress, "": 5 })
            const elsewhere = yield* openTcp(port, "127.0.0.1")
            ask(elsewhere)
            yield* until(() => elsewhere.received !== "")
            expect(statusOf(elsewhere.received)).toBe("200")
          })
        )
    })
  )
}
