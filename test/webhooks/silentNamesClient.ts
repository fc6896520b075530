import { Effect, FiberSet, Option } from "effect"
import { createSocket } from "node:dgram"
import { ReceiverClient } from "../../src/webhooks/ReceiverClient.ts"

/** Posts to many names that no resolver answers for, then to one of this machine, and prints which posts have ended by then. */
const program = Effect.gen(function* () {
  yield* Effect.async<void>((resume) => {
    createSocket("udp4").bind(53, "127.0.0.1", () => resume(Effect.void))
  })
  const { post } = yield* ReceiverClient
  const run = yield* FiberSet.makeRuntime()
  const ended: Array<string> = []
  const postTo = (url: string) =>
    Effect.ensuring(
      Effect.ignore(post(url, {}, "{}")),
      Effect.sync(() => ended.push(url))
    )
  for (let index = 0; index < 40; index += 1) run(postTo(`https://host${index}.silent.example/`))
  yield* Effect.sleep("100 millis")
  yield* postTo("https://localhost:1/")
  console.log(JSON.stringify(ended))
  process.exit()
})

await Effect.runPromise(
  Effect.provide(Effect.scoped(program), ReceiverClient.layer({ outboundProxy: Option.none(), outboundAllow: [] }))
)
