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
