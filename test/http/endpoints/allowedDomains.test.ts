import { expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { AskSecrets } from "../../../src/administration/AskSecrets.ts"
import { ApplicationId } from "../../../src/domain/access/Tenancy.ts"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, issueAdminKey, issueKey, jsonOf, post, send, tenancyOf } from "../../support/testApi.ts"
import { moveTo } from "../support/commandFixtures.ts"
import { expectError } from "../support/expectError.ts"

const records = [
  { host: "@", type: "A", value: "11.22.33.44" },
  { host: "shop", type: "CNAME", value: "shops.example.net" },
  { host: "*.app", type: "CNAME", value: "apps.example.net" },
  { host: "_verify", type: "TXT", value: "b41c" }
]

/** Connects a domain for an application, and returns the path at which its web server asks. */
const connect = (application: string, domain: string, state: "active" | "degraded" = "active") =>
  Effect.gen(function* () {
    const tenancy = tenancyOf(application, "tenant")
    const { key } = yield* issueKey(tenancy)
    const created = yield* Effect.flatMap(post("/v1/connections", key, { intent: { domain, records } }), jsonOf)
    const path = `/v1/connections/${created.connection.id}`
    yield* moveTo(path, state, {}, tenancy)
    const { secret } = yield* (yield* AskSecrets).issue(ApplicationId.make(application))
    return { askPath: `/v1/domains/allowed/${Redacted.value(secret)}`, path }
  })

const statusOf = (path: string, host: string) =>
  Effect.map(send(`${path}?domain=${encodeURIComponent(host)}`), ({ status }) => status)

withLayer("a web server that asks for a host", apiInMemory(), (live) => {
  live("is allowed hosts with an address or a CNAME of an active connection, and hosts that its wildcard covers", () =>
    Effect.gen(function* () {
      const { askPath } = yield* connect("hosts", "bakery.example")
      const allowed = ["bakery.example", "shop.bakery.example", "one.app.bakery.example", "other.app.bakery.example"]
      const refused = [
        "app.bakery.example",
        "one.two.app.bakery.example",
        "*.app.bakery.example",
        "www.bakery.example",
        "_verify.bakery.example",
        "x.shop.bakery.example",
        "bakery.test",
        "example",
        "192.0.2.1",
        "a..b",
        ""
      ]
      expect(
        yield* Effect.filter([...allowed, ...refused], (host) =>
          Effect.map(statusOf(askPath, host), (status) => status === 200)
        )
      ).toEqual(allowed)
      expect(yield* Effect.forEach(refused, (host) => statusOf(askPath, host))).toEqual(refused.map(() => 404))
      expect(yield* Effect.flatMap(send(`${askPath}?domain=bakery.example`), jsonOf)).toEqual({ allowed: true })
    })
  )

  live("may write it in any letter case or script, and with a trailing dot", () =>
    Effect.gen(function* () {
      const { askPath } = yield* connect("scripts", "bücher.example")
      const hosts = ["Bücher.example", "xn--bcher-kva.example", "SHOP.xn--BCHER-kva.example.", "shop.bücher.example"]
      expect(yield* Effect.forEach(hosts, (host) => statusOf(askPath, host))).toEqual([200, 200, 200, 200])
    })
  )

  live("is allowed no host of another application", () =>
    Effect.gen(function* () {
      const one = yield* connect("one", "florist.example")
      const other = yield* connect("other", "butcher.example")
      expect(yield* statusOf(one.askPath, "florist.example")).toBe(200)
      expect(yield* statusOf(other.askPath, "florist.example")).toBe(404)
    })
  )

  live("is allowed no host of a connection that is degraded or has ended", () =>
    Effect.gen(function* () {
      const degraded = yield* connect("degraded", "degraded.example", "degraded")
      expect(yield* statusOf(degraded.askPath, "degraded.example")).toBe(404)
      const ended = yield* connect("ended", "ended.example")
      yield* moveTo(ended.path, "disconnected", {}, tenancyOf("ended", "tenant"))
      expect(yield* statusOf(ended.askPath, "ended.example")).toBe(404)
    })
  )

  live("needs the secret of its application: any other is 401 for every host", () =>
    Effect.gen(function* () {
      const { askPath } = yield* connect("secrets", "secret.example")
      const wrong = `${askPath.slice(0, -1)}${askPath.endsWith("A") ? "B" : "A"}`
      for (const path of [wrong, "/v1/domains/allowed/hello"])
        for (const host of ["secret.example", "nothing.example"])
          yield* expectError(yield* send(`${path}?domain=${host}`), { status: 401, code: "unauthenticated" })
    })
  )

  live("must name one host, and nothing else", () =>
    Effect.gen(function* () {
      const { askPath } = yield* connect("parameters", "parameters.example")
      for (const [query, pointer, code] of [
        ["", "/domain", "missing"],
        ["?domain=a.example&domain=b.example", "/domain", "parameter_repeated"],
        ["?domain=a.example&more=1", "/more", "unknown_parameter"]
      ] as const)
        yield* expectError(yield* send(`${askPath}${query}`), {
          status: 400,
          code: "invalid_request",
          details: [[pointer, code]]
        })
    })
  )
})

withLayer("the rate of an application's servers", apiInMemory({ rates: { server: 1 } }), (live) => {
  live("does not count what its web server asks", () =>
    Effect.gen(function* () {
      const { secret } = yield* (yield* AskSecrets).issue(ApplicationId.make("app"))
      const path = `/v1/domains/allowed/${Redacted.value(secret)}`
      const statuses = yield* Effect.replicateEffect(statusOf(path, "shop.example"), 5)
      expect(statuses).toEqual([404, 404, 404, 404, 404])
    })
  )
})

withLayer("secrets that are guessed", apiInMemory({ rates: { refused: 1 } }), (live) => {
  live("are limited by address like API keys, while a valid secret goes on", () =>
    Effect.gen(function* () {
      const { secret } = yield* (yield* AskSecrets).issue(ApplicationId.make("app"))
      const path = `/v1/domains/allowed/${Redacted.value(secret)}`
      yield* statusOf(path, "shop.example")
      const guesses = yield* Effect.replicateEffect(statusOf("/v1/domains/allowed/dcas_guess", "shop.example"), 25)
      expect([guesses[0], guesses.at(-1)]).toEqual([401, 429])
      expect(yield* statusOf(path, "shop.example")).toBe(404)
    })
  )
})

const sendAsAdmin = (path: string, init: RequestInit = {}) =>
  Effect.flatMap(issueAdminKey, (key) =>
    send(`/v1/admin/applications/app/ask-secrets${path}`, {
      ...init,
      headers: { "x-admin-key": key, "content-type": "application/json" }
    })
  )

const isValid = (path: string) => Effect.map(statusOf(path, "asked.example"), (status) => status === 200)

withLayer("an ask secret", apiInMemory(), (live) => {
  live("is created, listed, rotated and revoked by an administrator", () =>
    Effect.gen(function* () {
      yield* connect("app", "asked.example")
      const first = yield* Effect.flatMap(sendAsAdmin("", { method: "POST" }), jsonOf)
      expect(first).toEqual({
        askSecret: {
          id: expect.stringMatching(/^ask_/),
          prefix: first.secret.slice(0, 12),
          createdAt: expect.any(String)
        },
        secret: expect.stringMatching(/^dcas_\w{49}$/),
        path: `/v1/domains/allowed/${first.secret}`
      })
      const { askSecrets } = yield* Effect.flatMap(sendAsAdmin(""), jsonOf)
      expect(askSecrets.at(-1)).toEqual(first.askSecret)
      const rotation = { method: "POST", body: JSON.stringify({ overlapSeconds: 3_600 }) }
      const second = yield* Effect.flatMap(sendAsAdmin(`/${first.askSecret.id}/rotate`, rotation), jsonOf)
      expect([yield* isValid(first.path), yield* isValid(second.path)]).toEqual([true, true])
      const revoke = (id: string) => Effect.map(sendAsAdmin(`/${id}`, { method: "DELETE" }), ({ status }) => status)
      expect([yield* revoke(first.askSecret.id), yield* revoke(first.askSecret.id)]).toEqual([204, 404])
      expect([yield* isValid(first.path), yield* isValid(second.path)]).toEqual([false, true])
    })
  )
})
