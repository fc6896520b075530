import { expect } from "bun:test"
import { Effect, Layer, type Scope } from "effect"
import { ApiKeys } from "../../../src/security/ApiKeys.ts"
import { ApiKeyId } from "../../../src/domain/access/Tenancy.ts"
import { initialRecords, type ScriptedProvider, scriptedProvider } from "../../lifecycle/phases/scriptedProvider.ts"
import { live } from "../../support/effectTest.ts"
import { get, issueKey, jsonOf, post, send, storesInMemory, tenancyOf } from "../../support/testApi.ts"
import { sendAsAdmin } from "../support/adminRequests.ts"
import { apiWithLifecycle } from "../support/apiWithLifecycle.ts"

type EntryServices = Layer.Layer.Success<ReturnType<typeof apiWithLifecycle>>

const withApi = (
  name: string,
  body: (acme: ScriptedProvider) => Effect.Effect<unknown, unknown, EntryServices | Scope.Scope>
) =>
  live(name, () => {
    const acme = scriptedProvider(...initialRecords)
    return Effect.provide(body(acme), Layer.provideMerge(apiWithLifecycle(acme), storesInMemory))
  })

const recordTemplate = [
  { host: "{host}", type: "CNAME", value: "shops.example.net", alternatives: [{ type: "A", value: "192.0.2.80" }] },
  { host: "_verify.{host}", type: "TXT", value: "platform={name}" }
]

const origin = "https://shop.example.org"

/** An application with a record template, and what a customer of it sends. */
const openEntry = (settings: object = { recordTemplate }, fields: object = {}) =>
  Effect.gen(function* () {
    yield* sendAsAdmin("/v1/admin/applications", { body: { id: "app", ...settings } })
    const { id, key } = yield* issueKey(tenancyOf("app", "tenant"))
    const issued = yield* post("/v1/domain-entry/access-token", key, { origin, ...fields })
    const { accessToken } = issued.status === 201 ? yield* jsonOf(issued) : {}
    const sendEntry = (path: string, domain: string, headers: Record<string, string> = { origin }) =>
      send(`/v1/domain-entry${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json", ...headers },
        body: JSON.stringify({ domain })
      })
    return {
      accessToken,
      id,
      issued,
      key,
      check: (domain: string) => Effect.flatMap(sendEntry("/check", domain), jsonOf),
      connect: (domain: string) => Effect.flatMap(sendEntry("", domain), jsonOf),
      sendEntry
    }
  })

withApi("a customer who types a domain connects it, with the records of the application and nothing else", () =>
  Effect.gen(function* () {
    const { check, connect, key } = yield* openEntry({ recordTemplate }, { externalId: "shop-1" })
    expect(yield* check("www.example.com")).toEqual({
      name: "www.example.com",
      domain: "example.com",
      host: "www",
      provider: { id: "acme-dns", name: "Acme DNS" }
    })
    const { accessToken, connectionId, tokenType } = yield* connect("www.example.com")
    expect(tokenType).toBe("Bearer")
    const { connection } = yield* Effect.flatMap(get(`/v1/connections/${connectionId}`, key), jsonOf)
    expect(connection.externalId).toBe("shop-1")
    expect(connection.intent.domain).toBe("example.com")
    expect(connection.effectiveIntent.records).toMatchObject([
      { host: "www", type: "CNAME", value: "shops.example.net" },
      { host: "_verify.www", type: "TXT", value: "platform=www.example.com" }
    ])
    const headers = { authorization: `Bearer ${accessToken}`, origin }
    expect((yield* send(`/v1/connections/${connectionId}`, { headers })).status).toBe(200)
  })
)

withApi("at the domain itself the records have no label for the host", () =>
  Effect.gen(function* () {
    const { connect, key } = yield* openEntry()
    const { connectionId } = yield* connect("example.com")
    const { connection } = yield* Effect.flatMap(get(`/v1/connections/${connectionId}`, key), jsonOf)
    expect(connection.intent.records.map(({ host, value }: any) => [host, value])).toEqual([
      ["@", "shops.example.net"],
      ["_verify", "platform=example.com"]
    ])
  })
)

withApi("a token creates one connection: the same domain again gives the same one, another domain none", () =>
  Effect.gen(function* () {
    const { connect, sendEntry } = yield* openEntry()
    const [first, second] = [yield* connect("www.example.com"), yield* connect("WWW.example.com")]
    expect(second.connectionId).toBe(first.connectionId)
    expect(second.accessToken).not.toBe(first.accessToken)
    const other = yield* sendEntry("", "shop.example.com")
    expect([other.status, (yield* jsonOf(other)).error.code]).toEqual([422, "idempotency_key_reused"])
  })
)

withApi("a token that is written in another way than it was issued is none", () =>
  Effect.gen(function* () {
    const { accessToken, connect, sendEntry } = yield* openEntry()
    yield* connect("www.example.com")
    const [head = "", nonce, ciphertext = ""] = accessToken.split(".")
    const version = head.slice("dct_entry_".length)
    for (const written of [
      [head.replace(/\d+$/, `0${version}`), nonce, ciphertext],
      ...["A", "AA", "AAA"].map((more) => [head, nonce, ciphertext + more]),
      // The last character may hold bits that belong to no byte.
      ...[..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].map((last) => [head, nonce, ciphertext.slice(0, -1) + last])
    ].map((parts) => parts.join("."))) {
      if (written === accessToken) continue
      const { status } = yield* sendEntry("", "shop.example.com", { origin, authorization: `Bearer ${written}` })
      expect([written, status]).toEqual([written, 401])
    }
  })
)

withApi("what is no domain is refused with what may be meant, and nothing is created", () =>
  Effect.gen(function* () {
    const { check, connect, key } = yield* openEntry()
    for (const ask of [check, connect]) {
      const { error } = yield* ask("https://www.example.com/shop")
      expect(error.details).toEqual([
        {
          pointer: "/domain",
          code: "domain_is_url",
          message: expect.any(String),
          suggestion: "www.example.com"
        }
      ])
    }
    expect((yield* Effect.flatMap(get("/v1/connections", key), jsonOf)).connections).toEqual([])
  })
)

withApi("a domain that nobody has registered is said to be so before it is connected", (acme) =>
  Effect.gen(function* () {
    yield* acme.setGone(true)
    const { check } = yield* openEntry()
    expect(yield* check("example.com")).toMatchObject({
      name: "example.com",
      failure: { code: "domain_not_registered" }
    })
  })
)

withApi("the token works on pages of its origin only, reads no connection, and ends with its API key", () =>
  Effect.gen(function* () {
    const { accessToken, connect, id, sendEntry } = yield* openEntry()
    const statusOf = (headers: Record<string, string>) =>
      Effect.map(sendEntry("/check", "example.com", headers), ({ status }) => status)
    expect(yield* statusOf({ origin: "https://elsewhere.example" })).toBe(403)
    expect(yield* statusOf({})).toBe(403)
    expect(yield* statusOf({ origin, authorization: `Bearer ${accessToken.slice(0, -2)}AA` })).toBe(401)
    const { connectionId } = yield* connect("www.example.com")
    const headers = { authorization: `Bearer ${accessToken}`, origin }
    expect((yield* send(`/v1/connections/${connectionId}`, { headers })).status).toBe(401)
    yield* Effect.flatMap(ApiKeys, ({ revoke }) => revoke(ApiKeyId.make(id)))
    expect(yield* statusOf({ origin })).toBe(401)
  })
)

withApi("an application without a record template gets no token, and a template that gives no records is refused", () =>
  Effect.gen(function* () {
    const { issued } = yield* openEntry({})
    const { error } = yield* jsonOf(issued)
    expect([issued.status, error.details[0].code]).toEqual([422, "record_template_missing"])
    const refused = yield* sendAsAdmin("/v1/admin/applications", {
      body: { id: "other", recordTemplate: [{ host: "{host}", type: "A", value: "{name}" }] }
    })
    expect([refused.status, (yield* jsonOf(refused)).error.details[0].pointer]).toEqual([400, "/recordTemplate"])
    const changed = yield* sendAsAdmin("/v1/admin/applications/app", {
      method: "PATCH",
      body: { recordTemplate: [{ host: "{host}", type: "A", value: "{name}" }] }
    })
    expect((yield* jsonOf(changed)).error.details[0].message).toMatch(/^must give valid records .* or null$/)
  })
)
