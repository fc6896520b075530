import { afterEach, expect } from "bun:test"
import { Array, Effect, LogLevel, Option } from "effect"
import * as Telemetry from "../src/Telemetry.ts"
import { live } from "./support/effectTest.ts"

afterEach(() => {
  delete process.env["HTTP_PROXY"]
})

/** A collector of OTLP over HTTP in JSON, and the texts of the logs that it received. */
const collector = Effect.acquireRelease(
  Effect.sync(() => {
    const texts: Array<string> = []
    const server = Bun.serve({
      port: 0,
      fetch: async (request) => {
        const body: any = await request.json()
        if (new URL(request.url).pathname === "/v1/logs")
          for (const { body: text } of body.resourceLogs[0].scopeLogs[0].logRecords) texts.push(text.stringValue)
        return Response.json({})
      }
    })
    return { url: `http://127.0.0.1:${server.port}`, texts, server }
  }),
  ({ server }) => Effect.promise(() => server.stop(true))
)

live("exports ten entries of a kind a minute, and then how many more there were", () =>
  Effect.gen(function* () {
    const { texts, url } = yield* collector
    const telemetry = Telemetry.layer({ logLevel: LogLevel.Warning, otlpEndpoint: Option.some(url) })
    yield* Effect.provide(Effect.replicateEffect(Effect.logWarning("Database unavailable"), 100), telemetry)
    expect(texts).toEqual([...Array.replicate("Database unavailable", 10), "90 more of: Database unavailable"])
  })
)

live("the export ignores HTTP_PROXY", () =>
  Effect.gen(function* () {
    const destination = yield* collector
    const proxy = yield* collector
    process.env["HTTP_PROXY"] = proxy.url
    const telemetry = Telemetry.layer({ logLevel: LogLevel.Warning, otlpEndpoint: Option.some(destination.url) })
    yield* Effect.provide(Effect.logWarning("Database unavailable"), telemetry)
    expect([destination.texts, proxy.texts]).toEqual([["Database unavailable"], []])
  })
)
