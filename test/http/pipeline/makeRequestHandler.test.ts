import { type HttpApp, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import type { BunRequest } from "bun"
import { expect } from "bun:test"
import { Deferred, Effect, Option } from "effect"
import { makeRequestHandler, paceRequests } from "../../../src/http/pipeline/serve.ts"
import { live } from "../../support/effectTest.ts"

/** Responds to requests by an app, in later turns of the event loop if one has no time for more. */
const respondBy = (app: HttpApp.Default) =>
  Effect.map(makeRequestHandler(app), (handler) => {
    const paced = paceRequests(handler)
    return async (name: string, signal?: AbortSignal): Promise<number> => {
      const request: Request = new Request(`http://service/${name}`, signal === undefined ? {} : { signal })
      Object.assign(request, { params: { s0: name } })
      return (await paced(request as BunRequest, Option.none)).status
    }
  })

live("a request whose client goes away while it waits for its turn is not run", () =>
  Effect.gen(function* () {
    const run: Array<string> = []
    const takeTurn = Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => {
      Bun.sleepSync(5)
      run.push(url)
      return HttpServerResponse.empty()
    })
    const respond = yield* respondBy(takeTurn)
    const leaving = new AbortController()
    const statuses = [respond("first"), respond("left", leaving.signal), respond("last")]
    leaving.abort()
    expect(yield* Effect.promise(() => Promise.all(statuses))).toEqual([204, 499, 204])
    expect(run).toEqual(["/first", "/last"])
  })
)

live("a request whose client goes away while it runs is interrupted", () =>
  Effect.gen(function* () {
    const [isBegun, isInterrupted] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const respond = yield* respondBy(
      Deferred.succeed(isBegun, undefined).pipe(
        Effect.zipRight(Effect.never),
        Effect.onInterrupt(() => Deferred.succeed(isInterrupted, undefined)),
        Effect.interruptible
      )
    )
    const leaving = new AbortController()
    const status = respond("left", leaving.signal)
    yield* Deferred.await(isBegun)
    leaving.abort()
    yield* Deferred.await(isInterrupted)
    expect(yield* Effect.promise(() => status)).toBe(499)
  })
)
