import { expect, test } from "bun:test"
import { Array, Option } from "effect"
import { paceRequests } from "../../../src/http/pipeline/serve.ts"

/** A handler of which each request takes a millisecond of the processor, or more, and the paths that have begun. */
const makeSlowHandler = () => {
  const begun: Array<string> = []
  const handler = paceRequests(({ url }: Request) => {
    const end = performance.now() + 1
    while (performance.now() < end);
    begun.push(new URL(url).pathname)
    return Promise.resolve(new Response(url))
  })
  return { begun, handler }
}

const send = (handler: ReturnType<typeof paceRequests<Request, Response>>, path: string, address?: string) =>
  handler(new Request(`http://127.0.0.1${path}`), () => Option.fromNullable(address))

const addressOf = (path: string) => (path.startsWith("/many") ? "192.0.2.1" : "192.0.2.2")

test("an address with few requests does not wait for all of another one", async () => {
  const { begun, handler } = makeSlowHandler()
  const paths = [...Array.makeBy(40, (nth) => `/many/${nth}`), "/few/0", "/few/1"]
  await Promise.all(paths.map((path) => send(handler, path, addressOf(path))))
  expect(begun.indexOf("/few/1")).toBeLessThan(20)
  expect(begun.filter((path) => path.startsWith("/many"))).toEqual(paths.slice(0, 40))
})

test("requests that come in one turn of the event loop begin in several turns, in their order, and are all answered", async () => {
  const { begun, handler } = makeSlowHandler()
  const paths = Array.makeBy(40, (nth) => `/${nth}`)
  const responses = paths.map((path) => send(handler, path))
  const begunInFirstTurn = begun.length
  expect(begunInFirstTurn).toBeGreaterThan(0)
  expect(begunInFirstTurn).toBeLessThan(10)
  const bodies = await Promise.all(responses.map(async (response) => (await response).text()))
  expect(bodies).toEqual(paths.map((path) => `http://127.0.0.1${path}`))
  expect(begun).toEqual(paths)
})

test("a handler that throws fails its own request only, in whichever turn that begins", async () => {
  const handler = paceRequests(({ url }: Request) => {
    const end = performance.now() + 1
    while (performance.now() < end);
    if (url.endsWith("/odd")) throw new Error("broken")
    return Promise.resolve(new Response(url))
  })
  const paths = Array.makeBy(20, (nth) => (nth % 2 === 0 ? "even" : "odd"))
  const responses = paths.map((path) => send(handler, `/${path}`))
  const results = await Promise.allSettled(responses)
  expect(results.map(({ status }) => status)).toEqual(paths.map((path) => (path === "odd" ? "rejected" : "fulfilled")))
})
