import { expect, test } from "bun:test"
import { Effect, Option } from "effect"
import { parseNetwork } from "../../src/domain/names/IpAddress.ts"
import { ReceiverClient } from "../../src/webhooks/ReceiverClient.ts"
import { live } from "../support/effectTest.ts"
import { startReceiver } from "./Receiver.ts"

const clientThatAllows = (...networks: ReadonlyArray<string>) =>
  ReceiverClient.layer({
    outboundProxy: Option.none(),
    outboundAllow: networks.flatMap((network) => Option.toArray(parseNetwork(network)))
  })

const findFault = (url: string, ...allowed: ReadonlyArray<string>) =>
  Effect.runPromise(
    Effect.provide(
      Effect.map(ReceiverClient, ({ findUrlFault }) => findUrlFault(url)),
      clientThatAllows(...allowed)
    )
  )

const refused = [
  "no url",
  "ftp://hooks.example.com/",
  "http://hooks.example.com/",
  "http://127.0.0.1/",
  "https://127.0.0.1/",
  "https://10.1.2.3/",
  "https://192.168.0.1:8443/",
  "https://169.254.169.254/latest/meta-data",
  "https://[::1]/",
  "https://[::ffff:10.0.0.1]/",
  "https://[::ffff:a9fe:a9fe]/",
  "https://[::10.0.0.1]/",
  "https://[64:ff9b::10.0.0.1]/",
  "https://[64:ff9b:1::a00:1]/",
  "https://[2002:a00:1::1]/",
  "https://[2001:0:a00:1::f5ff:fffe]/",
  "https://[fd00::1]/",
  "https://[fe80::1]/",
  "https://0x7f000001/",
  "https://2130706433/",
  "https://user:password@hooks.example.com/",
  "https://hooks.example.com/#fragment"
]

for (const url of refused)
  test(`an endpoint may not have the URL ${url}`, async () => {
    expect(Option.isSome(await findFault(url))).toBe(true)
  })

test("an endpoint may have an https URL, and http only at an allowed loopback address", async () => {
  expect(Option.isNone(await findFault("https://hooks.example.com:8443/a?b=c"))).toBe(true)
  expect(Option.isNone(await findFault("http://127.0.0.1:3000/", "127.0.0.0/8"))).toBe(true)
  expect(Option.isSome(await findFault("http://10.1.2.3/", "10.0.0.0/8"))).toBe(true)
})

live("a name whose address is not public is refused when an event is due", () =>
  Effect.gen(function* () {
    const receiver = yield* startReceiver()
    const { port } = new URL(receiver.url)
    const { post } = yield* ReceiverClient
    const error = yield* Effect.flip(post(`https://localhost:${port}/`, {}, "{}"))
    expect(error).toMatchObject({ error: "address_not_allowed" })
    expect(receiver.received).toEqual([])
  }).pipe(Effect.provide(clientThatAllows()))
)

live("a receiver gets its events without the proxy that HTTP_PROXY names", () =>
  Effect.gen(function* () {
    const [receiver, proxy] = [yield* startReceiver(), yield* startReceiver()]
    process.env["HTTP_PROXY"] = proxy.url
    yield* Effect.addFinalizer(() => Effect.sync(() => delete process.env["HTTP_PROXY"]))
    yield* Effect.flatMap(ReceiverClient, ({ post }) => post(receiver.url, {}, "{}")).pipe(
      Effect.provide(clientThatAllows("127.0.0.0/8"))
    )
    expect([receiver.received.length, proxy.received.length]).toEqual([1, 0])
  })
)

live("a receiver that does not listen fails with `connection`", () =>
  Effect.gen(function* () {
    const receiver = yield* Effect.scoped(startReceiver())
    const { post } = yield* ReceiverClient
    expect(yield* Effect.flip(post(receiver.url, {}, "{}"))).toMatchObject({ error: "connection" })
  }).pipe(Effect.provide(clientThatAllows("127.0.0.0/8")))
)

live("a body without end is not read", () =>
  Effect.gen(function* () {
    const receiver = yield* startReceiver(endless)
    const { post } = yield* ReceiverClient
    expect(yield* post(receiver.url, {}, "{}")).toEqual({ status: 200, retryAfter: Option.none() })
  }).pipe(Effect.provide(clientThatAllows("127.0.0.0/8")))
)

const endless = () =>
  new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) }))
