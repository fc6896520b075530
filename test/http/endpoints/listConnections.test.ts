import { expect } from "bun:test"
import { Effect } from "effect"
import { ConnectionState } from "../../../src/domain/connection/Connection.ts"
import { StoreUnavailable } from "../../../src/persistence/StoreUnavailable.ts"
import { ConnectionViews } from "../../../src/persistence/stores/connections/ConnectionViews.ts"
import { withLayer } from "../../support/effectTest.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { apiInMemory, get, issueKey, jsonOf, post, sampleIntent, send, tenancyOf } from "../../support/testApi.ts"
import { apiWith, overrideService } from "../support/apiWith.ts"
import { moveTo } from "../support/commandFixtures.ts"
import { createConnectionPath, shopOrigin } from "../support/connectionRequests.ts"
import { expectError, expectErrorWithoutWrites } from "../support/expectError.ts"

const list = (key: string, query = "") => get(`/v1/connections${query}`, key)

const create = (key: string, domain: string) =>
  post("/v1/connections", key, { intent: { ...sampleIntent, domain }, allowDuplicate: true })

const idsIn = (response: Response) =>
  Effect.map(jsonOf(response), ({ connections }) => connections.map(({ id }: { readonly id: string }) => id))

/** Three connections, oldest first, and a key of their tenant, which has no others. */
const threeConnections = Effect.gen(function* () {
  ;(yield* Tables).connections.clear()
  const { key } = yield* issueKey()
  const paths = yield* Effect.replicateEffect(createConnectionPath(key), 3)
  return { key, paths, ids: paths.map((path) => path.slice("/v1/connections/".length)) }
})

withLayer("GET /v1/connections", apiInMemory(), (live) => {
  live("lists the connections of the tenant, oldest first, each as its own endpoint shows it", () =>
    Effect.gen(function* () {
      const { key, paths } = yield* threeConnections
      const response = yield* list(key)
      const shown = yield* Effect.forEach(paths, (path) => Effect.flatMap(get(path, key), jsonOf))
      expect([response.status, response.headers.get("content-type"), response.headers.get("cache-control")]).toEqual([
        200,
        "application/json",
        "no-store"
      ])
      expect(yield* jsonOf(response)).toEqual({ connections: shown.map(({ connection }) => connection) })
    })
  )

  live("is empty for a tenant without connections", () =>
    Effect.gen(function* () {
      yield* threeConnections
      for (const tenancy of [tenancyOf("app", "other"), tenancyOf("other", "tenant")]) {
        const { key } = yield* issueKey(tenancy)
        expect(yield* jsonOf(yield* list(key))).toEqual({ connections: [] })
      }
    })
  )

  live("continues at nextCursor until the last page, with each connection once", () =>
    Effect.gen(function* () {
      const { ids, key } = yield* threeConnections
      const first = yield* jsonOf(yield* list(key, "?limit=2"))
      expect(first.connections.map(({ id }: { readonly id: string }) => id)).toEqual(ids.slice(0, 2))
      expect(first.nextCursor).toBe(ids[1])
      const second = yield* jsonOf(yield* list(key, `?limit=2&cursor=${first.nextCursor}`))
      expect(second.connections.map(({ id }: { readonly id: string }) => id)).toEqual(ids.slice(2))
      expect(Object.keys(second)).toEqual(["connections"])
      expect(Object.keys(yield* jsonOf(yield* list(key, "?limit=3")))).toEqual(["connections"])
    })
  )

  live("returns fifty connections by default", () =>
    Effect.gen(function* () {
      const { key } = yield* threeConnections
      yield* Effect.replicateEffect(createConnectionPath(key), 48)
      expect((yield* idsIn(yield* list(key))).length).toBe(50)
      expect((yield* idsIn(yield* list(key, "?limit=100"))).length).toBe(51)
    })
  )

  live("filters by state, by domain in any script, and by time", () =>
    Effect.gen(function* () {
      const { ids, key, paths } = yield* threeConnections
      yield* moveTo(paths[1] ?? "", "active")
      expect(yield* idsIn(yield* list(key, "?state=active"))).toEqual(ids.slice(1, 2))
      expect(yield* idsIn(yield* list(key, "?state=requested"))).toEqual([ids[0], ids[2]])
      expect(yield* idsIn(yield* list(key, "?state=failed"))).toEqual([])
      const { connection } = yield* jsonOf(yield* create(key, "bücher.example"))
      for (const domain of ["xn--bcher-kva.example", "B%C3%9CCHER.example.", "b%C3%BCcher.example"]) {
        expect(yield* idsIn(yield* list(key, `?domain=${domain}`))).toEqual([connection.id])
      }
      expect(yield* idsIn(yield* list(key, "?domain=shop.example.com"))).toEqual([])
      expect(yield* idsIn(yield* list(key, "?domain=example.com&state=active"))).toEqual(ids.slice(1, 2))
      expect(yield* idsIn(yield* list(key, `?createdAfter=${connection.createdAt}`))).toEqual([connection.id])
      expect((yield* idsIn(yield* list(key, `?createdBefore=${connection.createdAt}`))).length).toBe(3)
      expect((yield* idsIn(yield* list(key, "?createdAfter=2026-01-01T00:00:00.000Z"))).length).toBe(4)
    })
  )

  live("filters by several states, separated by commas", () =>
    Effect.gen(function* () {
      const { ids, key, paths } = yield* threeConnections
      yield* moveTo(paths[0] ?? "", "active")
      yield* moveTo(paths[1] ?? "", "degraded")
      expect(yield* idsIn(yield* list(key, "?state=active,degraded"))).toEqual(ids.slice(0, 2))
      expect(yield* idsIn(yield* list(key, "?state=degraded%2Crequested"))).toEqual(ids.slice(1))
      expect(yield* idsIn(yield* list(key, "?state=active,active"))).toEqual(ids.slice(0, 1))
    })
  )

  live("filters by metadata, each name in brackets, all of which a connection must have", () =>
    Effect.gen(function* () {
      const { key } = yield* threeConnections
      const createWith = (domain: string, metadata: object) =>
        Effect.map(
          Effect.flatMap(
            post("/v1/connections", key, { intent: { ...sampleIntent, domain }, allowDuplicate: true, metadata }),
            jsonOf
          ),
          ({ connection }) => connection.id
        )
      const pro = yield* createWith("pro.example", { plan: "pro", "region[1]": "eu & us" })
      const free = yield* createWith("free.example", { plan: "free", "region[1]": "eu & us" })
      expect(yield* idsIn(yield* list(key, "?metadata[plan]=pro"))).toEqual([pro])
      expect(yield* idsIn(yield* list(key, "?metadata%5Bplan%5D=free&order=desc"))).toEqual([free])
      const region = `metadata[region[1]]=${encodeURIComponent("eu & us")}`
      expect(yield* idsIn(yield* list(key, `?${region}`))).toEqual([pro, free])
      expect(yield* idsIn(yield* list(key, `?${region}&metadata[plan]=pro`))).toEqual([pro])
      expect(yield* idsIn(yield* list(key, `?${region}&limit=1&order=desc`))).toEqual([free])
      expect(yield* idsIn(yield* list(key, "?metadata[plan]="))).toEqual([])
      for (const [query, ...meant] of [
        ["metadata=pro", { suggestion: "metadata[key]" }],
        ["metadata[]=pro", { suggestion: "metadata[key]" }],
        ["plan[plan]=pro"],
        ["metadata[plan=pro"]
      ] as const)
        yield* expectErrorWithoutWrites(list(key, `?${query}`), {
          status: 400,
          code: "invalid_request",
          details: [[`/${query.split("=")[0]}`, "unknown_parameter", ...meant] as const]
        })
    })
  )

  live("refuses an impossible domain as a creation does, with a suggestion", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const refusals = [
        ["https://example.com/shop", "domain_is_url", { suggestion: "example.com" }],
        ["example.com/", "domain_has_trailing_slash", { suggestion: "example.com" }],
        ["example", "domain_is_single_label"],
        ["a..b", "domain_has_empty_label"],
        ["192.0.2.1", "domain_is_ip_address"],
        ["*", "domain_is_wildcard"]
      ] as const
      for (const [domain, code, more] of refusals)
        yield* expectErrorWithoutWrites(list(key, `?domain=${encodeURIComponent(domain)}`), {
          status: 400,
          code: "invalid_request",
          details: [more === undefined ? ["/domain", code] : ["/domain", code, more]]
        })
    })
  )

  const invalidRequests = [
    ["limit", "0"],
    ["limit", "101"],
    ["limit", "1.5"],
    ["limit", "many"],
    ["limit", ""],
    ["state", "sleeping"],
    ["state", "active,sleeping"],
    ["state", ""],
    ["order", "newest"],
    ["createdBefore", "tomorrow"],
    ["metadata[plan]", "x".repeat(501)],
    ["createdAfter", "yesterday"],
    ["createdAfter", "-271821-04-20T00:00:00.000Z"],
    ["createdAfter", "0000-01-01T00:00:00.000Z"],
    ["createdAfter", "%2B275760-09-13T00:00:00.000Z"],
    ["cursor", "con_"],
    ["cursor", "'; drop table connections"]
  ] as const
  invalidRequests.forEach(([name, value]) =>
    live(`answers 400 to ${name}=${value}`, () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        yield* expectErrorWithoutWrites(list(key, `?${name}=${encodeURIComponent(value)}`), {
          status: 400,
          code: "invalid_request",
          details: [[`/${name}`, "invalid"]]
        })
      })
    )
  )

  live("explains which values a parameter accepts", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const messageFor = (query: string) =>
        Effect.map(Effect.flatMap(list(key, query), jsonOf), ({ error }) => error.details[0].message)
      expect([yield* messageFor("?createdAfter=yesterday"), yield* messageFor("?state=sleeping")]).toEqual([
        "must be a moment such as 2026-01-31T09:30:00.000Z",
        `must be one or more, with commas between them, of ${ConnectionState.literals.join(", ")}`
      ])
    })
  )

  live("answers 401 without a key and to a browser token, 403 from a browser and without the scope", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const { key: writer } = yield* issueKey(undefined, ["connections:write", "tokens:issue"])
      const unauthenticated = { status: 401, code: "unauthenticated" }
      yield* expectErrorWithoutWrites(send("/v1/connections"), unauthenticated)
      yield* expectErrorWithoutWrites(
        send("/v1/connections", { headers: { authorization: `Bearer dct_${"A".repeat(43)}`, origin: shopOrigin } }),
        unauthenticated
      )
      const inBrowser = get("/v1/connections", key, { origin: shopOrigin })
      yield* expectErrorWithoutWrites(inBrowser, { status: 403, code: "api_key_in_browser" })
      yield* expectErrorWithoutWrites(list(writer), { status: 403, code: "insufficient_scope" })
    })
  )
})

withLayer("GET /v1/connections with a quota of one request", apiInMemory({ rates: { server: 1 } }), (live) => {
  live("answers 429 to the second request", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      yield* list(key)
      yield* expectError(yield* list(key), { status: 429, code: "rate_limited" })
    })
  )
})

const unavailable = new StoreUnavailable({ code: "unavailable", message: "the database cannot be reached" })

withLayer(
  "GET /v1/connections without a database",
  apiWith(overrideService(ConnectionViews, () => ({ list: () => unavailable }))),
  (live) => {
    live("answers 503", () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        yield* expectError(yield* list(key), { status: 503, code: "unavailable" })
      })
    )
  }
)

withLayer("a list of large connections", apiInMemory(), (live) => {
  live("has pages of at most a megabyte, which together contain every connection once", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const records = Array.from({ length: 60 }, (_, index) => ({
        host: `h${index}`,
        type: "TXT",
        value: "x".repeat(4_000)
      }))
      const created = yield* Effect.replicateEffect(
        Effect.flatMap(
          post("/v1/connections", key, { intent: { domain: "example.com", records }, allowDuplicate: true }),
          jsonOf
        ),
        5
      )
      const listed: Array<string> = []
      const sizes: Array<number> = []
      for (let cursor = ""; ;) {
        const text = yield* Effect.flatMap(list(key, `?limit=100${cursor}`), (page) =>
          Effect.promise(() => page.text())
        )
        const { connections, nextCursor } = JSON.parse(text)
        listed.push(...connections.map(({ id }: { id: string }) => id))
        sizes.push(text.length)
        if (nextCursor === undefined) break
        cursor = `&cursor=${nextCursor}`
      }
      expect(listed).toEqual(created.map(({ connection }) => connection.id))
      expect(sizes.length).toBeGreaterThan(1)
      expect(Math.max(...sizes)).toBeLessThan(1_100_000)
    })
  )
})
