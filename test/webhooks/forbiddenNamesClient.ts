import { Effect, Option } from "effect"
import { createSocket } from "node:dgram"
import { ReceiverClient } from "../../src/webhooks/ReceiverClient.ts"

const publicAddress = [93, 184, 216, 34]
const privateAddress = [10, 0, 0, 1]
const zeros = (count: number) => Array.from({ length: count }, () => 0)

/** The addresses of each name by its first label: those with four bytes are of A, those with sixteen of AAAA records. */
const addresses: Readonly<Record<string, ReadonlyArray<ReadonlyArray<number>>>> = {
  public: [publicAddress],
  mixed: [publicAddress, privateAddress],
  "mixed-families": [publicAddress, [0xfd, ...zeros(14), 1]],
  nat64: [[0, 0x64, 0xff, 0x9b, ...zeros(8), ...privateAddress]],
  "six-to-four": [[0x20, 0x02, ...privateAddress, ...zeros(9), 1]],
  mapped: [[...zeros(10), 0xff, 0xff, ...privateAddress]],
  localhost: [[127, 0, 0, 1]]
}

const startResolver = Effect.async<void>((resume) => {
  const socket = createSocket("udp4")
  socket.on("message", (query, { address, port }) => {
    const end = query.indexOf(0, 12) + 5
    const name = query.subarray(13, 13 + (query[12] ?? 0)).toString("latin1")
    const [type, width] = query[end - 3] === 1 ? [1, 4] : [28, 16]
    const records = (addresses[name] ?? [])
      .filter(({ length }) => length === width)
      .map((bytes) => Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, width, ...bytes]))
    const head = [query.subarray(0, 2), Buffer.from([0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0])]
    socket.send(Buffer.concat([...head, query.subarray(12, end), ...records]), port, address)
  })
  socket.bind(53, "127.0.0.6", () => resume(Effect.void))
})

/** Posts to names of public and other addresses, and prints how each attempt fails. */
const program = Effect.gen(function* () {
  yield* startResolver
  const { post } = yield* ReceiverClient
  const hosts = Object.keys(addresses).flatMap((name) =>
    name === "localhost" ? [name, "localhost."] : [`${name}.example`]
  )
  const errors = yield* Effect.forEach(hosts, (host) =>
    Effect.map(Effect.flip(post(`https://${host}/`, {}, "{}")), ({ error }) => [host, error] as const)
  )
  console.log(JSON.stringify(Object.fromEntries(errors)))
  process.exit()
})

await Effect.runPromise(
  Effect.provide(program, ReceiverClient.layer({ outboundProxy: Option.none(), outboundAllow: [] }))
)
