import { ApiError, answerOf, DomainConnectionClient } from "@domain-connection/client"
import { describe, expect, test } from "bun:test"
import { Effect } from "effect"
import { errorCodes } from "../../../src/http/contract/errorResponses.ts"
import { writeClient } from "../../../tools/writeClient.ts"
import { createInState } from "../../http/support/commandFixtures.ts"
import { declaredOperations } from "../../support/documentedErrors.ts"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, issueKey, serviceUrl, tenancyOf } from "../../support/testApi.ts"
import { withFolder } from "./withFolder.ts"

const generated = new URL("../../../packages/client/generated/", import.meta.url)

describe("the client package", () => {
  test("is what the declaration of the API makes; after a change of that run `bun run openapi`", () =>
    withFolder(async (folder) => {
      await writeClient(folder)
      for (const name of ["schemas.ts", "Operations.ts"])
        expect(await Bun.file(new URL(name, generated)).text()).toBe(await Bun.file(new URL(name, folder)).text())
    }))

  test("has a method for every operation, and every error code", async () => {
    const client = new DomainConnectionClient({ baseUrl: "http://127.0.0.1" })
    const methods = declaredOperations.filter(({ id }) => typeof Reflect.get(client, id) === "function")
    expect(methods.map(({ id }) => id)).toEqual(declaredOperations.map(({ id }) => id))
    const schemas = await Bun.file(new URL("schemas.ts", generated)).text()
    const [, union = ""] = /export type ErrorCode =([^]*?)\n\n/.exec(schemas) ?? []
    expect([...union.matchAll(/"(\w+)"/g)].map(([, code]) => code)).toEqual(Object.values(errorCodes).flat())
  })

  test("iterates over the pages of every list that has pages", () => {
    const client = new DomainConnectionClient({ baseUrl: "http://127.0.0.1", fetch: async () => Response.json({}) })
    const lists = declaredOperations.filter(
      ({ method, parameters }) => method === "GET" && parameters.includes("cursor")
    )
    const iterated = lists.filter(({ id, path }) => {
      const names = [...path.matchAll(/\{/g)].map(() => "id")
      const answer: object = Object(Reflect.apply(Reflect.get(client, id), client, names))
      return Symbol.asyncIterator in answer
    })
    expect(iterated).toEqual(lists)
    expect(lists).toHaveLength(11)
  })

  test("refuses an address that is none", () => {
    expect(() => new DomainConnectionClient({ baseUrl: "connect.example" })).toThrow("baseUrl")
  })
})

const records = [{ host: "shop", type: "CNAME", value: "shops.example.net" }] as const

const intent = { domain: "example.com", records }

let tenants = 0

/** A client with the key of a new tenant. */
const newClient = Effect.gen(function* () {
  const { key } = yield* issueKey(tenancyOf("app", `tenant-${++tenants}`))
  return new DomainConnectionClient({ baseUrl: yield* serviceUrl, apiKey: key })
})

/** Calls the service as a platform does. */
const call = <A>(body: (client: DomainConnectionClient) => Promise<A>) =>
  Effect.flatMap(newClient, (client) => Effect.promise(() => body(client)))

/** The error of the service with which a call fails. */
const errorOf = async (call: Promise<unknown>): Promise<ApiError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason
  )
  if (!(error instanceof ApiError)) throw new Error(`the call did not fail with an ApiError: ${String(error)}`)
  return error
}

withLayer("a client of the service", apiInMemory(), (live) => {
  live("creates, reads and cancels a connection", () =>
    call(async (client) => {
      const { connection } = await client.createConnection({ intent })
      expect(connection.state).toBe("requested")
      expect(await client.getConnection(connection.id)).toEqual({ connection })
      expect((await client.cancelConnection(connection.id)).connection.state).toBe("canceled")
    })
  )

  live("sends one idempotency key of its own for each call, or that of the caller", () =>
    call(async (client) => {
      // Under one key, the second would be refused: it has another body.
      const [first, second] = [
        await client.createConnection({ intent: { domain: "first.example", records } }),
        await client.createConnection({ intent: { domain: "second.example", records } })
      ]
      expect(first.connection.id).not.toBe(second.connection.id)
      const body = { intent }
      const options = { idempotencyKey: "order-1" }
      const [created, repeated] = [
        await client.createConnection(body, options),
        await client.createConnection(body, options)
      ]
      expect(repeated).toEqual(created)
      expect([answerOf(created)?.isReplayed, answerOf(repeated)?.isReplayed]).toEqual([false, true])
    })
  )

  live("returns the version of what it read, which guards a later change", () =>
    call(async (client) => {
      const created = await client.createConnection({ intent })
      const { etag = "", requestId, status } = answerOf(created) ?? {}
      expect([status, requestId?.length, etag.length]).toEqual([201, expect.any(Number), expect.any(Number)])
      await client.cancelConnection(created.connection.id, { ifMatch: etag })
      const error = await errorOf(client.cancelConnection(created.connection.id, { ifMatch: etag }))
      expect([error.status, error.code]).toEqual([412, "precondition_failed"])
    })
  )

  live("throws the error of the service with its code, status, details and request", () =>
    call(async (client) => {
      const missing = await errorOf(client.getConnection("con_missing"))
      expect(missing).toMatchObject({ name: "ApiError", code: "not_found", status: 404, details: [] })
      expect(missing.requestId).toMatch(/^\S{10,}$/)
      expect(missing.documentationUrl).toEndWith("#not_found")
      const refused = await errorOf(client.createConnection({ intent: { domain: "", records: [] } }))
      expect(refused.code).toBe("invalid_request")
      expect(refused.details.map(({ pointer }) => pointer)).toContain("/intent/domain")
    })
  )

  live("names the connection that exists already", () =>
    call(async (client) => {
      const twice = { domain: "twice.example", records }
      const { connection } = await client.createConnection({ intent: twice, externalId: "shop-1" })
      const taken = { intent: { domain: "other.example", records }, externalId: "shop-1" }
      const [same, other] = [
        await errorOf(client.createConnection({ intent: twice })),
        await errorOf(client.createConnection(taken))
      ]
      expect([same, other].map(({ code, connectionId }) => ({ code, connectionId }))).toEqual([
        { code: "connection_exists", connectionId: connection.id },
        { code: "external_id_taken", connectionId: connection.id }
      ])
    })
  )

  live("tells which commands are possible instead", () =>
    Effect.gen(function* () {
      const { id, key } = yield* createInState("active")
      const client = new DomainConnectionClient({ baseUrl: yield* serviceUrl, apiKey: key })
      const error = yield* Effect.promise(() => errorOf(client.cancelConnection(id)))
      expect(error).toMatchObject({ code: "state_conflict", allowedActions: expect.arrayContaining(["disconnect"]) })
    })
  )

  live("iterates over all pages, or reads a single one", () =>
    call(async (client) => {
      const created: Array<string> = []
      for (let nth = 0; nth < 5; nth += 1) {
        const intent = { domain: `shop-${nth}.example`, records }
        created.push((await client.createConnection({ intent })).connection.id)
      }
      const listed: Array<string> = []
      for await (const { id } of client.listConnections({ limit: 2 })) listed.push(id)
      expect(listed.toSorted()).toEqual(created.toSorted())
      const page = await client.listConnections({ limit: 2 })
      expect(page.connections).toHaveLength(2)
      const rest: Array<string> = []
      for await (const { id } of client.listConnections({ limit: 2, cursor: page.nextCursor ?? "" })) rest.push(id)
      expect(rest).toHaveLength(3)
    })
  )

  live("an error of a page ends the iteration", () =>
    call(async (client) => {
      const iterate = async () => {
        for await (const connection of client.listConnections({ cursor: "no cursor" }))
          throw new Error(`${connection.id} is listed`)
      }
      expect((await errorOf(iterate())).code).toBe("invalid_request")
    })
  )

  live("manages webhook endpoints, of which a deletion answers nothing", () =>
    call(async (client) => {
      const { endpoint, secret } = await client.createWebhookEndpoint({ url: "http://127.0.0.1:9/webhooks" })
      expect(secret).toStartWith("whsec_")
      expect((await client.listWebhookEndpoints()).endpoints).toContainEqual(endpoint)
      const { delivery } = await client.sendTestEvent(endpoint.id)
      expect((await client.listWebhookDeliveries(endpoint.id)).deliveries.map(({ eventId }) => eventId)).toEqual([
        delivery.eventId
      ])
      expect(await client.deleteWebhookEndpoint(endpoint.id)).toBeUndefined()
    })
  )

  live("sends the credential that an operation takes: a browser token where that may be used", () =>
    Effect.gen(function* () {
      const client = yield* newClient
      const baseUrl = yield* serviceUrl
      yield* Effect.promise(async () => {
        const { connection } = await client.createConnection({ intent })
        const { accessToken } = await client.issueBrowserToken(connection.id, { origin: "https://shop.example" })
        const browser = new DomainConnectionClient({
          baseUrl,
          browserToken: accessToken,
          fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, origin: "https://shop.example" } })
        })
        expect((await browser.getConnection(connection.id)).connection.id).toBe(connection.id)
        expect((await errorOf(browser.listConnections())).code).toBe("unauthenticated")
      })
    })
  )
})
