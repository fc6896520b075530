import { HttpClient } from "@effect/platform"
import { afterEach, expect } from "bun:test"
import { Effect, Option } from "effect"
import { outboundHttpLayer } from "../../src/providers/outboundHttp.ts"
import { live } from "../support/effectTest.ts"

const variables = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"]

afterEach(() =>
  variables.forEach((name) => {
    delete process.env[name]
  })
)

const startServer = (text: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(text) })),
      (server) => Effect.promise(() => server.stop(true))
    ),
    ({ port }) => `http://127.0.0.1:${port}/`
  )

const readFrom = (url: string, outboundProxy: Option.Option<string>) =>
  HttpClient.HttpClient.pipe(
    Effect.flatMap((client) => client.get(url)),
    Effect.flatMap(({ text }) => text),
    Effect.provide(outboundHttpLayer({ outboundProxy }))
  )

live("a request to a provider ignores the proxy variables of the environment", () =>
  Effect.gen(function* () {
    const provider = yield* startServer("provider")
    const proxy = yield* startServer("proxy")
    variables.forEach((name) => {
      process.env[name] = proxy
    })
    expect(yield* Effect.promise(() => fetch(provider).then((response) => response.text()))).toBe("proxy")
    expect(yield* readFrom(provider, Option.none())).toBe("provider")
  })
)

live("a request to a provider goes through OUTBOUND_PROXY", () =>
  Effect.gen(function* () {
    const provider = yield* startServer("provider")
    const proxy = yield* startServer("proxy")
    expect(yield* readFrom(provider, Option.some(proxy))).toBe("proxy")
  })
)
