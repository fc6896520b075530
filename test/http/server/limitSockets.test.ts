import { expect } from "bun:test"
import { HttpServer } from "@effect/platform"
import { Array, Effect } from "effect"
import { connect, type Socket } from "node:net"
import { networkInterfaces } from "node:os"
import { describeIfPossible } from "../../support/describeIfPossible.ts"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory } from "../../support/testApi.ts"

/** The addresses of this machine at which it is no loopback client of itself; `network-namespace.sh` adds one of each family. */
const ownAddresses = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .filter(({ address }) => !/^(127\.|::1$|fe80:)/.test(address))

const limit = 20

/** A socket with what it received; `ended` once the service has closed it. */
interface Client {
  readonly socket: Socket
  received: string
  ended: boolean
}

const openClients = (count: number, hostname: string, sent: string) =>
  Effect.flatMap(HttpServer.HttpServer, ({ address }) =>
    Effect.forEach(
      Array.range(1, count),
      () =>
        Effect.acquireRelease(
          Effect.async<Client>((resume) => {
            if (address._tag !== "TcpAddress") return
            const socket = connect(address.port, hostname)
            const client = { socket, received: "", ended: false }
            socket.on("data", (bytes) => (client.received += bytes.toString()))
            socket.on("error", () => undefined)
            socket.on("close", () => (client.ended = true))
            socket.on("connect", () => socket.write(sent, () => resume(Effect.succeed(client))))
          }),
          ({ socket }) => Effect.sync(() => socket.destroy())
        ),
      { concurrency: "unbounded" }
    )
  )

const until = (isTrue: () => boolean) => Effect.repeat(Effect.sleep("20 millis"), { until: () => isTrue() })

const countEnded = (clients: ReadonlyArray<Client>) => clients.filter(({ ended }) => ended).length

const unfinished = "GET /healthz HTTP/1.1\r\nHost: service\r\n"
const whole = `${unfinished}\r\n`

const skipped = process.platform !== "linux" || ownAddresses.length === 0

describeIfPossible("a client", skipped ? "this machine has no address but loopback" : undefined, () =>
  ownAddresses.forEach(({ address, family }) =>
    withLayer(`at an ${family} address`, apiInMemory({ host: "::", socketsPerAddress: limit }), (live) => {
      live(
        "has no more sockets than its limit: those that send no request are refused, then those unused for longest",
        () =>
          Effect.gen(function* () {
            const elsewhere = yield* openClients(limit + 10, "127.0.0.1", unfinished)
            const answered = yield* openClients(2, address, whole)
            yield* until(() => answered.every(({ received }) => received.startsWith("HTTP/1.1 200")))
            const silent = yield* openClients(limit + 5, address, unfinished)
            yield* until(() => countEnded(silent) >= 7)
            expect(countEnded(silent)).toBe(7)
            const refused = silent.filter(({ ended }) => ended)
            expect(refused.map(({ received }) => received.slice(0, 30))).toEqual(
              refused.map(() => "HTTP/1.1 429 Too Many Requests")
            )
            expect(JSON.parse(refused[0]?.received.split("\r\n\r\n")[1] ?? "")).toMatchObject({
              error: { code: "rate_limited", status: 429 }
            })
            expect(countEnded([...answered, ...elsewhere])).toBe(0)

            // The next ones are answered: they take the place of those that send nothing, then that of the first answered.
            const later = yield* openClients(limit, address, whole)
            yield* until(() => later.every(({ received }) => received !== ""))
            yield* until(() => countEnded(answered) === 2)
            expect(later.every(({ received }) => received.startsWith("HTTP/1.1 200"))).toBe(true)
            expect(countEnded([...later, ...elsewhere])).toBe(0)
          })
      )
    })
  )
)
