import { expect } from "bun:test"
import { Array, Effect, Schedule } from "effect"
import { readFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { makeApiClient } from "../../prove/ApiClient.ts"
import { countEach } from "../../prove/countEach.ts"
import { describeIfPossible } from "../support/describeIfPossible.ts"
import { live } from "../support/effectTest.ts"
import { startCompiledService } from "../support/serviceProcess.ts"
import { makeDataDirectory } from "../support/dataDirectory.ts"

const idleSockets = 10_000
const slowSockets = 400

/** The service and this process need a descriptor each for every socket. */
const refusal = () => {
  const limit = Number(/Max open files +\d+ +(\d+)/.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? 0)
  return limit >= idleSockets + 2_000 ? undefined : `no more than ${limit} files may be open (ulimit -Hn)`
}

const openSockets = (count: number, { hostname, port }: URL, opened: (socket: Socket) => void) =>
  Effect.forEach(
    Array.range(1, count),
    () =>
      Effect.acquireRelease(
        Effect.async<Socket>((resume) => {
          const socket = connect(Number(port), hostname).on("error", () => undefined)
          socket.on("connect", () => {
            opened(socket)
            resume(Effect.succeed(socket))
          })
        }),
        (socket) => Effect.sync(() => socket.destroy())
      ),
    { concurrency: 200 }
  )

/** Has a process open no more files than this. */
const limitOpenFiles = (limit: number) => (command: ReadonlyArray<string>) => [
  "sh",
  "-c",
  `ulimit -n ${limit}; exec "$@"`,
  "sh",
  ...command
]

live("event streams are refused with 503 before descriptors run out, and requests go on", () =>
  Effect.gen(function* () {
    const settings = {
      DATA_DIR: yield* makeDataDirectory,
      STREAMS_PER_CONNECTION: "1000",
      DNS_RESOLVERS: "127.0.0.1:9"
    }
    const service = yield* startCompiledService(settings, limitOpenFiles(256))
    const api = makeApiClient(service.url, service.key)
    const intent = { domain: "example.com", records: [{ host: "www", type: "A", value: "192.0.2.1" }] }
    const { body } = yield* api.post("/v1/connections", { intent })
    const openStream = Effect.acquireRelease(
      Effect.promise(() =>
        fetch(`${service.url}/v1/connections/${body.connection.id}/stream`, {
          headers: { "x-api-key": service.key }
        })
      ),
      (stream) => Effect.promise(async () => stream.body?.cancel())
    )
    const streams = yield* Effect.forEach(Array.range(1, 240), () => openStream, { concurrency: 10 })
    const answers = countEach(streams.map(({ status }) => String(status)))
    expect(Object.keys(answers)).toEqual(["200", "503"])
    expect(answers["200"]).toBeGreaterThan(50)
    const reads = yield* Effect.all(Array.replicate(api.get("/v1/connections"), 50), { concurrency: 10 })
    expect(countEach(reads.map(({ status }) => String(status)))).toEqual({ 200: 50 })
  })
)

describeIfPossible("clients that hold sockets", refusal(), () => {
  live(
    "10,000 idle ones and 400 that send a header every second do not keep others from being served, and are closed",
    () =>
      Effect.gen(function* () {
        const service = yield* startCompiledService({ DATA_DIR: yield* makeDataDirectory, RATE_LIMIT_PER_MINUTE: "0" })
        const api = makeApiClient(service.url, service.key)
        const url = new URL(service.url)
        const idle = yield* openSockets(idleSockets, url, () => undefined)
        const slow = yield* openSockets(slowSockets, url, (socket) =>
          socket.write("GET /v1/connections HTTP/1.1\r\nHost: service\r\n")
        )
        const drip = Effect.sync(() => slow.forEach((socket) => socket.write("x-slow: 1\r\n")))
        yield* Effect.forkScoped(Effect.repeat(drip, Schedule.spaced("1 second")))
        const reads = yield* Effect.all(Array.replicate(api.get("/v1/connections"), 200), { concurrency: 10 })
        expect(countEach(reads.map(({ status }) => String(status)))).toEqual({ 200: 200 })
        // A request has twelve seconds for its headers, however steadily they come.
        const held = () => [...idle, ...slow].filter(({ destroyed }) => !destroyed).length
        yield* Effect.repeat(Effect.sleep("200 millis"), { until: () => held() === 0 })
        expect((yield* api.get("/v1/connections")).status).toBe(200)
      })
  )
})
