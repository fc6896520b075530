import { expect } from "bun:test"
import { Effect, Option } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, issueAdminKey, issueKey, jsonOf, send } from "../../support/testApi.ts"

const statusOf = (path: string, headers: Record<string, string>) =>
  Effect.map(send(path, { headers }), ({ status }) => status)

withLayer("behind PUBLIC_URL", apiInMemory({ publicUrl: Option.some("https://connect.example/dns") }), (live) => {
  live("a page is served by the name of PUBLIC_URL only, in any spelling", () =>
    Effect.gen(function* () {
      const names = ["connect.example", "CONNECT.example", "connect.example:443", "other.example", "127.0.0.1:8080"]
      const statuses = yield* Effect.forEach(names, (host) => statusOf("/docs", { host }))
      expect(statuses).toEqual([200, 200, 200, 400, 400])
      const { error } = yield* jsonOf(yield* send("/docs", { headers: { host: "other.example" } }))
      expect(error).toMatchObject({
        code: "invalid_request",
        details: [{ pointer: "/host", message: expect.stringContaining("must be connect.example") }]
      })
    })
  )

  live("a page is served by no other name to what sends a key, as a rebound page might", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const host = "rebound.example"
      for (const path of ["/docs", "/admin", "/connect"])
        for (const header of [{ "x-api-key": key }, { "x-api-key": "any" }, { "x-admin-key": "any" }])
          expect([path, yield* statusOf(path, { host, ...header })]).toEqual([path, 400])
      expect(yield* statusOf("/v1/connections", { host, "x-api-key": "any" })).toBe(401)
      expect(yield* statusOf("/v1/connection", { host, "x-api-key": key })).toBe(404)
    })
  )

  live("a browser token counts by that name only, and a page of another one gets no answer", () =>
    Effect.gen(function* () {
      const authorization = "Bearer dct_anything"
      expect(yield* statusOf("/v1/connections/con_1", { host: "connect.example", authorization })).toBe(401)
      expect(yield* statusOf("/v1/connections/con_1", { host: "rebound.example", authorization })).toBe(400)
    })
  )

  live("health checks, web servers that ask and servers with a key come by any address", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const host = "10.0.0.7:8080"
      expect([
        yield* statusOf("/healthz", { host }),
        yield* statusOf("/metrics", { host }),
        yield* statusOf("/v1/domains/allowed/unknown?domain=shop.example.com", { host }),
        yield* statusOf("/v1/connections", { host, "x-api-key": key }),
        yield* statusOf("/v1/admin/applications", { host, "x-admin-key": yield* issueAdminKey })
      ]).toEqual([200, 200, 401, 200, 200])
    })
  )
})

for (const [publicUrl, served, refused] of [
  ["http://connect.example:443", "connect.example:443", "connect.example"],
  ["https://connect.example:80", "connect.example:80", "connect.example"],
  ["https://connect.example:8443", "connect.example:8443", "connect.example"],
  ["https://[2001:db8::1]", "[2001:DB8::1]", "[2001:db8::2]"]
] as const) {
  withLayer(`behind ${publicUrl}`, apiInMemory({ publicUrl: Option.some(publicUrl) }), (live) => {
    live("a page is served as browsers name this very URL", () =>
      Effect.gen(function* () {
        expect([yield* statusOf("/docs", { host: served }), yield* statusOf("/docs", { host: refused })]).toEqual([
          200, 400
        ])
      })
    )
  })
}

withLayer("without PUBLIC_URL", apiInMemory(), (live) => {
  live("a page is served by any name", () =>
    Effect.gen(function* () {
      expect(yield* statusOf("/docs", { host: "other.example" })).toBe(200)
    })
  )
})
