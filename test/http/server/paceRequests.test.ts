import { expect, test } from "bun:test"
import { Array } from "effect"
import type { BunRequest, Server } from "bun"
import { paceRequests } from "../../../src/http/server/paceRequests.ts"

test("requests that come in one turn of the event loop begin in several turns, in their order, and are all answered", async () => {
  const begun: Array<string> = []
  const handler = paceRequests(({ url }) => {
    const end = performance.now() + 1
    while (performance.now() < end);
    begun.push(url)
    return Promise.resolve(new Response(url))
  })
  const urls = Array.makeBy(40, (nth) => `http://127.0.0.1/${nth}`)
  const responses = urls.map((url) => handler(new Request(url) as BunRequest, {} as Server<undefined>))
  // Each takes a millisecond of the processor, or more.
  const begunInFirstTurn = begun.length
  expect(begunInFirstTurn).toBeGreaterThan(0)
  expect(begunInFirstTurn).toBeLessThan(10)
  const bodies = await Promise.all(responses.map(async (response) => (await response).text()))
  expect(bodies).toEqual(urls)
  expect(begun).toEqual(urls)
})

test("a handler that throws fails its own request only, in whichever turn that begins", async () => {
  const handler = paceRequests(({ url }) => {
    const end = performance.now() + 1
    while (performance.now() < end);
    if (url.endsWith("/odd")) throw new Error("broken")
    return Promise.resolve(new Response(url))
  })
  const paths = Array.makeBy(20, (nth) => (nth % 2 === 0 ? "even" : "odd"))
  const responses = paths.map((path) =>
    handler(new Request(`http://127.0.0.1/${path}`) as BunRequest, {} as Server<undefined>)
  )
  const results = await Promise.allSettled(responses)
  expect(results.map(({ status }) => status)).toEqual(paths.map((path) => (path === "odd" ? "rejected" : "fulfilled")))
})
