import { expect } from "bun:test"
import { Effect } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, issueKey, jsonOf, post, send, tenancyOf } from "../../support/testApi.ts"
import { moveTo } from "../support/commandFixtures.ts"
import { createConnectionPath, issueBearer, shopOrigin } from "../support/connectionRequests.ts"
import { expectError, expectErrorWithoutWrites } from "../support/expectError.ts"

const hostedPage = "https://connect.example"

const request = (method: string, path: string, headers: Record<string, string>, body = {}) =>
  send(path, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(method === "GET" ? {} : { body: JSON.stringify(body) })
  })

const fromShop = (authorization: string) => ({ authorization, origin: shopOrigin })

/** Opens a link, as the hosted page does. */
const open = (path: string) =>
  request(
    "POST",
    "/v1/share-links/redeem",
    { origin: hostedPage, "sec-fetch-site": "same-origin" },
    { code: path.replace(/.*#/, "") }
  )

const sessionOf = (link: string) =>
  Effect.map(Effect.flatMap(open(link), jsonOf), ({ accessToken, role }) => ({
    role,
    headers: { authorization: `Bearer ${accessToken}`, origin: hostedPage }
  }))

/** A connection with a customer on the platform's page, and the links that its server and the customer made. */
const sharedConnection = Effect.gen(function* () {
  const { key } = yield* issueKey()
  const path = yield* createConnectionPath(key)
  const customer = fromShop(yield* issueBearer(key, path))
  const ofServer: string = (yield* jsonOf(yield* post(`${path}/share-link`, key, {}))).path
  const ofCustomer: string = (yield* jsonOf(yield* request("POST", `${path}/share-link`, customer))).path
  return { key, path, customer, ofServer, ofCustomer }
})

withLayer("a link to the hosted page", apiInMemory(), (live) => {
  live("is made of a request without a body, or with an empty object", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = yield* createConnectionPath(key)
      for (const body of ["", {}]) {
        const response = yield* post(`${path}/share-link`, key, body)
        expect([response.status, (yield* jsonOf(response)).path]).toEqual([201, expect.stringContaining("/connect#")])
      }
    })
  )

  live("is refused to a body with fields, which would have no effect, and to one that is no JSON", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const path = `${yield* createConnectionPath(key)}/share-link`
      yield* expectErrorWithoutWrites(post(path, key, { validForHours: 48 }), {
        status: 400,
        code: "invalid_request",
        details: [["/validForHours", "unknown_field"]]
      })
      yield* expectErrorWithoutWrites(post(path, key, "{"), { status: 400, code: "malformed_json" })
    })
  )

  live("opens any number of times, for the customer if the server made it, for a helper if the customer did", () =>
    Effect.gen(function* () {
      const { ofCustomer, ofServer, path } = yield* sharedConnection
      for (const [link, role] of [
        [ofServer, "customer"],
        [ofCustomer, "helper"],
        [ofCustomer, "helper"]
      ] as const) {
        const session = yield* sessionOf(link)
        expect(session.role).toBe(role)
        expect((yield* request("GET", path, session.headers)).status).toBe(200)
      }
    })
  )

  live("lets a helper read the connection and have it checked, and decide nothing", () =>
    Effect.gen(function* () {
      const { ofCustomer, path } = yield* sharedConnection
      const { headers } = yield* sessionOf(ofCustomer)
      for (const what of ["", "/records", "/platform"])
        expect((yield* request("GET", `${path}${what}`, headers)).status).toBe(200)
      const { connection } = yield* jsonOf(yield* request("GET", path, headers))
      expect(connection.allowedActions.filter((action: string) => action !== "recheck")).toEqual([])
      const decisions = ["authorization", "approval", "retry", "cancel", "share-link"]
      for (const name of decisions)
        yield* expectErrorWithoutWrites(request("POST", `${path}/${name}`, headers), {
          status: 403,
          code: "insufficient_scope"
        })
      yield* expectErrorWithoutWrites(request("DELETE", `${path}/share-link`, headers), {
        status: 403,
        code: "insufficient_scope"
      })
      yield* moveTo(path, "awaiting_manual")
      expect((yield* request("POST", `${path}/recheck`, headers)).status).toBe(200)
    })
  )

  live("is revoked by its maker, with what it opened; the customer's own session stays", () =>
    Effect.gen(function* () {
      const { customer, ofCustomer, ofServer, path } = yield* sharedConnection
      const sessions = [yield* sessionOf(ofServer), yield* sessionOf(ofCustomer)]
      expect((yield* request("DELETE", `${path}/share-link`, customer)).status).toBe(204)
      for (const { headers } of sessions)
        yield* expectError(yield* request("GET", path, headers), { status: 401, code: "unauthenticated" })
      for (const link of [ofServer, ofCustomer])
        yield* expectError(yield* open(link), { status: 401, code: "unauthenticated" })
      expect((yield* request("GET", path, customer)).status).toBe(200)
    })
  )

  live("is revoked and made by nobody else: 404 for another tenant and for a token of another connection", () =>
    Effect.gen(function* () {
      const { ofServer, path } = yield* sharedConnection
      const stranger = { "x-api-key": (yield* issueKey(tenancyOf("app", "other"))).key }
      const { customer } = yield* sharedConnection
      for (const headers of [stranger, customer])
        for (const method of ["POST", "DELETE"])
          yield* expectErrorWithoutWrites(request(method, `${path}/share-link`, headers), {
            status: 404,
            code: "not_found"
          })
      expect((yield* open(ofServer)).status).toBe(201)
    })
  )

  for (const state of ["active", "canceled"] as const)
    live(`does not open a connection that waits for nobody: ${state}`, () =>
      Effect.gen(function* () {
        const { ofServer, path } = yield* sharedConnection
        yield* moveTo(path, state)
        yield* expectError(yield* open(ofServer), { status: 401, code: "unauthenticated" })
      })
    )

  live("lasts 30 days at most", () =>
    Effect.gen(function* () {
      const { key, path } = yield* sharedConnection
      const { expiresAt } = yield* jsonOf(yield* post(`${path}/share-link`, key, {}))
      const days = (Date.parse(expiresAt) - Date.now()) / 86_400_000
      expect(Math.round(days)).toBe(30)
    })
  )
})

withLayer(
  "a link to the hosted page, with three requests of browsers a minute,",
  apiInMemory({ rates: { browser: 3 } }),
  (live) => {
    live("counts each opening as a request of its connection, so that a link cannot fill the service", () =>
      Effect.gen(function* () {
        const { key } = yield* issueKey()
        const path = yield* createConnectionPath(key)
        const link: string = (yield* jsonOf(yield* post(`${path}/share-link`, key, {}))).path
        const opened = yield* Effect.replicateEffect(open(link), 4)
        expect(opened.map(({ status }) => status)).toEqual([201, 201, 201, 429])
      })
    )
  }
)
