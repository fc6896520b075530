import { expect } from "bun:test"
import { Effect } from "effect"
import { ApiKeyStore } from "../../../src/persistence/stores/access/ApiKeyStore.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { withLayer } from "../../support/effectTest.ts"
import { issueKey, jsonOf, post, sampleIntent, send, tenancyOf } from "../../support/testApi.ts"
import { sendAsAdmin } from "../support/adminRequests.ts"
import { apiWith, overrideService } from "../support/apiWith.ts"
import { expectError, expectErrorWithoutWrites, withoutWrites } from "../support/expectError.ts"

/** Happens between the authentication of a creation and its write, as while its body arrives. */
const meanwhile: { happens: Effect.Effect<unknown, unknown> } = { happens: Effect.void }

const lateCreations = overrideService(ConnectionStore, ({ create }) => ({
  create: (...parameters) => Effect.zipRight(Effect.orDie(meanwhile.happens), create(...parameters))
}))

const tenancy = tenancyOf("app", "tenant")

const revokeKeys = Effect.map(ApiKeyStore, ({ revokeAll }) => {
  meanwhile.happens = revokeAll(tenancy)
})

withLayer("a creation whose API key is revoked meanwhile", apiWith(lateCreations), (live) => {
  live("is refused as at its authentication, also where the key was used before", () =>
    Effect.gen(function* () {
      meanwhile.happens = Effect.void
      const { key } = yield* issueKey(tenancy)
      const create = post("/v1/connections", key, { intent: sampleIntent }, { "idempotency-key": "once" })
      expect((yield* create).status).toBe(201)
      yield* revokeKeys
      const late = yield* withoutWrites(create)
      const challenge = late.headers.get("www-authenticate")
      const message = yield* expectError(late, { status: 401, code: "unauthenticated" })
      const next = yield* create
      expect(next.headers.get("www-authenticate")).toBe(challenge)
      expect(yield* expectError(next, { status: 401, code: "unauthenticated" })).toBe(message)
    })
  )

  live("by which a customer typed a domain is refused as well", () =>
    Effect.gen(function* () {
      meanwhile.happens = Effect.void
      const recordTemplate = [{ host: "{host}", type: "CNAME", value: "shops.example.net" }]
      yield* sendAsAdmin("/v1/admin/applications/app", { method: "PATCH", body: { recordTemplate } })
      const { key } = yield* issueKey(tenancy)
      const origin = "https://shop.example.org"
      const { accessToken } = yield* jsonOf(yield* post("/v1/domain-entry/access-token", key, { origin }))
      const connect = send("/v1/domain-entry", {
        method: "POST",
        headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json", origin },
        body: JSON.stringify({ domain: "www.example.com" })
      })
      yield* revokeKeys
      const message = yield* expectErrorWithoutWrites(connect, { status: 401, code: "unauthenticated" })
      expect(yield* expectError(yield* connect, { status: 401, code: "unauthenticated" })).toBe(message)
    })
  )
})
