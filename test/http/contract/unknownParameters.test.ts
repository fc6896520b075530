import { expect } from "bun:test"
import { Effect } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, get, issueKey, jsonOf, post, sampleIntent, send } from "../../support/testApi.ts"
import { createConnectionPath, issueBearer, shopOrigin } from "../support/connectionRequests.ts"
import { expectErrorWithoutWrites } from "../support/expectError.ts"

const unknown = (...names: ReadonlyArray<string>) => ({
  status: 400,
  code: "invalid_request",
  details: names.map((name) => [`/${name}`, "unknown_parameter"] as const)
})

const repeated = (name: string) => ({
  pointer: `/${name}`,
  code: "parameter_repeated",
  message: "is given more than once; give it once, with commas where it takes several values"
})

const redeem = (site: string) =>
  send("/v1/share-links/redeem?code=1", {
    method: "POST",
    headers: { "content-type": "application/json", origin: shopOrigin, "sec-fetch-site": site },
    body: JSON.stringify({ code: "dcs_unknown" })
  })

withLayer("an unknown query parameter", apiInMemory(), (live) => {
  live("is refused by a list that has others, with a detail that names those", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const response = yield* get("/v1/connections?status=degraded&limit=2", key)
      expect(response.status).toBe(400)
      expect((yield* jsonOf(response)).error.details).toEqual([
        {
          pointer: "/status",
          code: "unknown_parameter",
          message:
            '"status" is no query parameter here; there are state, domain, externalId, createdAfter, createdBefore, order, cursor, limit, metadata[key]',
          suggestion: "state"
        }
      ])
    })
  )

  live("is answered with the one that is meant in another notation or by another word", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const meant = {
        "state[]": "state",
        "metadata.plan": "metadata[key]",
        metadata: "metadata[key]",
        page: "cursor",
        offset: "cursor",
        created_after: "createdAfter",
        q: undefined
      }
      const suggestions = yield* Effect.forEach(Object.keys(meant), (name) =>
        Effect.map(Effect.flatMap(get(`/v1/connections?${encodeURIComponent(name)}=1`, key), jsonOf), ({ error }) => [
          name,
          error.details[0].suggestion
        ])
      )
      expect(suggestions).toEqual(Object.entries(meant))
    })
  )

  live("is not the same as a known one that is given more than once", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const detailsOf = (query: string) =>
        Effect.map(Effect.flatMap(get(`/v1/connections?${query}`, key), jsonOf), ({ error }) => error.details)
      expect(yield* detailsOf("state=active&state=failed")).toEqual([repeated("state")])
      expect(yield* detailsOf("limit=1&limit=2&limit=3")).toEqual([repeated("limit")])
      expect(yield* detailsOf("state=active&limit=0&state=failed")).toEqual([repeated("state")])
      expect(yield* detailsOf("state=active&limit=0")).toMatchObject([{ pointer: "/limit", code: "invalid" }])
    })
  )

  const reads = ["/v1/providers", "/v1/usage"]
  reads.forEach((path) =>
    live(`is refused by ${path}, which has none`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        yield* expectErrorWithoutWrites(get(`${path}?a=1&b=2&a=3`, key), unknown("a", "b"))
      })
    )
  )

  live("is refused by every endpoint of a connection, for a server and for a browser", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      const headers = { authorization: yield* issueBearer(key, path), origin: shopOrigin }
      for (const segment of ["", "/records", "/events", "/stream"]) {
        yield* expectErrorWithoutWrites(get(`${path}${segment}?verbose`, key), unknown("verbose"))
        yield* expectErrorWithoutWrites(send(`${path}${segment}?verbose`, { headers }), unknown("verbose"))
      }
      yield* expectErrorWithoutWrites(post(`${path}/cancel?force=true`, key, {}), unknown("force"))
    })
  )

  live("is refused before anything is written", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const request = post("/v1/connections?wait=10", key, { intent: sampleIntent, allowDuplicate: true })
      yield* expectErrorWithoutWrites(request, unknown("wait"))
    })
  )

  live("comes after the check of the credential", () =>
    expectErrorWithoutWrites(get("/v1/connections?a=1", "hello"), { status: 401, code: "unauthenticated" })
  )

  live("is listed with at most nineteen others, in less than 8 KB", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const names = Array.from({ length: 30 }, (_, at) => `${at}`.padStart(40, "\u0001é"))
      const query = names.map((name) => `${encodeURIComponent(name)}=1`).join("&")
      const response = yield* get(`/v1/connections?${query}`, key)
      const text = yield* Effect.promise(() => response.text())
      expect(response.status).toBe(400)
      expect(JSON.parse(text).error.message).toStartWith("30 problems in the request, 20 of them listed: /é")
      expect(text.length).toBeLessThan(8_192)
    })
  )

  live("is refused for HEAD as for GET", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const statusOf = (path: string) =>
        Effect.map(send(path, { method: "HEAD", headers: { "x-api-key": key } }), ({ status }) => status)
      expect([yield* statusOf("/v1/connections?limit=1"), yield* statusOf("/v1/connections?a=1")]).toEqual([200, 400])
    })
  )

  live("is refused where the code of a link is exchanged, for the hosted page only", () =>
    Effect.zipRight(
      expectErrorWithoutWrites(redeem("same-origin"), unknown("code")),
      expectErrorWithoutWrites(redeem("cross-site"), { status: 403, code: "origin_not_allowed" })
    )
  )

  live("changes nothing for public pages and preflights", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      for (const page of ["/docs", "/openapi.json", "/healthz", "/readyz"])
        expect([page, (yield* send(`${page}?a=1`)).status]).toEqual([page, 200])
      const preflight = yield* send(`${path}?a=1`, { method: "OPTIONS", headers: { origin: shopOrigin } })
      expect(preflight.status).toBe(204)
    })
  )
})
