import { HttpServer, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { expect } from "bun:test"
import { Array, Context, Effect, Layer, Option } from "effect"
import { connect, type Socket } from "node:net"
import { parseNetwork } from "../../../src/domain/names/IpAddress.ts"
import { listenAt } from "../../../src/http/pipeline/serve.ts"
import { live } from "../../support/effectTest.ts"

const proxy = Option.toArray(parseNetwork("127.0.0.1"))

/** A server of which each request takes a millisecond of the processor, and the clients of its requests as they begin. */
const startSlowServer = (trustedProxies: typeof proxy) =>
  Effect.gen(function* () {
    const begun: Array<string> = []
    const context = yield* Layer.build(listenAt({ host: "127.0.0.1", port: 0, trustedProxies }))
    const server = Context.get(context, HttpServer.HttpServer)
    yield* server.serve(
      Effect.map(HttpServerRequest.HttpServerRequest, ({ remoteAddress }) => {
        begun.push(Option.getOrElse(remoteAddress, () => "unknown"))
        Bun.sleepSync(1)
        return HttpServerResponse.empty()
      })
    )
    return { begun, port: server.address._tag === "TcpAddress" ? server.address.port : 0 }
  })

const openSocket = (port: number) =>
  Effect.acquireRelease(
    Effect.async<Socket>((resume) => {
      const socket = connect(port, "127.0.0.1", () => resume(Effect.succeed(socket)))
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

/** Sends a request on each of these sockets in the same moment, for the client that stands there, and waits for all answers. */
const sendAtOnce = (port: number, clients: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sockets = yield* Effect.forEach(clients, () => openSocket(port))
    const answered = Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once("data", resolve))))
    for (const [nth, socket] of sockets.entries())
      socket.write(`GET /x HTTP/1.1\r\nhost: service\r\nx-forwarded-for: ${clients[nth]}\r\n\r\n`)
    yield* Effect.promise(() => answered)
  })

const manyAndFew = [...Array.replicate("192.0.2.1", 60), "192.0.2.2", "192.0.2.2"]

live("a client with few requests does not wait for all of another one behind the same proxy", () =>
  Effect.gen(function* () {
    const { begun, port } = yield* startSlowServer(proxy)
    yield* sendAtOnce(port, manyAndFew)
    expect(begun.toSorted()).toEqual(manyAndFew)
    expect(begun.lastIndexOf("192.0.2.2")).toBeLessThan(40)
  })
)

live("clients of one /64 network of IPv6 take their turns together behind a proxy", () =>
  Effect.gen(function* () {
    const { begun, port } = yield* startSlowServer(proxy)
    const ofNetwork = Array.makeBy(60, (nth) => `2001:db8:1:1::${nth + 1}`)
    yield* sendAtOnce(port, [...ofNetwork, "2001:db8:1:2::1", "2001:db8:1:2::2"])
    expect(begun).toHaveLength(62)
    expect(begun.indexOf("2001:db8:1:2::2")).toBeLessThan(40)
  })
)

live("a proxy that adds a header of its own names the client in the last one", () =>
  Effect.gen(function* () {
    const { begun, port } = yield* startSlowServer(proxy)
    yield* sendAtOnce(port, ["203.0.113.9\r\nx-forwarded-for: 192.0.2.1"])
    expect(begun).toEqual(["192.0.2.1"])
  })
)

live("whoever is no trusted proxy names no client", () =>
  Effect.gen(function* () {
    const { begun, port } = yield* startSlowServer(Option.toArray(parseNetwork("127.0.0.2")))
    yield* sendAtOnce(port, ["192.0.2.1", "::1, 127.0.0.2"])
    expect(begun).toEqual(["127.0.0.1", "127.0.0.1"])
  })
)
