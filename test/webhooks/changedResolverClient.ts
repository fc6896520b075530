import { Effect, Option } from "effect"
import { createSocket } from "node:dgram"
import { writeFileSync } from "node:fs"
import { ReceiverClient } from "../../src/webhooks/ReceiverClient.ts"

const resolver = "127.0.0.5"

/** Answers every question with an address to which no event may go: the error tells that the name was resolved. */
const startResolver = Effect.async<void>((resume) => {
  const socket = createSocket("udp4")
  socket.on("message", (query, { address, port }) => {
    const question = query.subarray(12, query.indexOf(0, 12) + 5)
    const head = [query.subarray(0, 2), Buffer.from([0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0])]
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 0, 0, 1])
    socket.send(Buffer.concat([...head, question, record]), port, address)
  })
  socket.bind(53, resolver, () => resume(Effect.void))
})

/** Posts to a name before and after the resolver in `/etc/resolv.conf` is replaced by one that answers, and prints the errors. */
const program = Effect.gen(function* () {
  yield* startResolver
  const { post } = yield* ReceiverClient
  const attempt = Effect.map(Effect.flip(post("https://receiver.example/", {}, "{}")), ({ error }) => error)
  const before = yield* attempt
  writeFileSync(process.env["RESOLVER_FILE"] ?? "", `nameserver ${resolver}\n`)
  console.log(JSON.stringify([before, yield* attempt]))
  process.exit()
})

await Effect.runPromise(
  Effect.provide(program, ReceiverClient.layer({ outboundProxy: Option.none(), outboundAllow: [] }))
)
