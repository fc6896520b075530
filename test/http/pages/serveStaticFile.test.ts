import { HttpServerRequest } from "@effect/platform"
import { expect } from "bun:test"
import { Effect, TestClock } from "effect"
import { serveStaticFile } from "../../../src/http/pages/serveStaticFile.ts"
import { effect } from "../../support/effectTest.ts"

const request = HttpServerRequest.fromWeb(new Request("http://service.example/file"))

const countBuilds = Effect.gen(function* () {
  let builds = 0
  const text = Effect.sync(() => `text ${(builds += 1)}`)
  const file = yield* serveStaticFile("text/plain", text, {})
  return {
    builds: () => builds,
    answer: Effect.provideService(file, HttpServerRequest.HttpServerRequest, request)
  }
})

effect("a static file is built ten seconds after the start", () =>
  Effect.gen(function* () {
    const { builds } = yield* countBuilds
    yield* TestClock.adjust("9 seconds")
    expect(builds()).toBe(0)
    yield* TestClock.adjust("1 second")
    expect(builds()).toBe(1)
  })
)

effect("the first request for a static file begins its building, and later ones share it", () =>
  Effect.gen(function* () {
    const { answer, builds } = yield* countBuilds
    const answers = yield* Effect.replicateEffect(answer, 2)
    yield* TestClock.adjust("10 seconds")
    expect([answers.map(({ status }) => status), builds()]).toEqual([[200, 200], 1])
  })
)
