import { HttpServerRequest } from "@effect/platform"
import { expect } from "bun:test"
import { Effect } from "effect"
import { serveStaticFile } from "../../../src/http/pages/serveStaticFile.ts"
import { effect } from "../../support/effectTest.ts"

effect("a static file is built once, before the first request", () =>
  Effect.gen(function* () {
    let builds = 0
    const text = Effect.sync(() => `text ${(builds += 1)}`)
    const file = yield* serveStaticFile("text/plain", text, {})
    yield* Effect.yieldNow()
    expect(builds).toBe(1)
    const request = HttpServerRequest.fromWeb(new Request("http://service.example/file"))
    const answers = yield* Effect.replicateEffect(
      Effect.provideService(file, HttpServerRequest.HttpServerRequest, request),
      2
    )
    expect([answers.map(({ status }) => status), builds]).toEqual([[200, 200], 1])
  })
)
