import { expect } from "bun:test"
import { Effect, Option } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, jsonOf, post } from "../../support/testApi.ts"
import { connectionAndTimeline, createInState, expectNoEffect, moveTo } from "../support/commandFixtures.ts"
import { credentialsByKind, providerAccepting, storedCredential } from "../support/credentials.ts"

const authorize = (path: string, key: string, credential: object) =>
  post(`${path}/authorization`, key, { method: "direct_credential", credential })

const token = { apiToken: "a-token-of-a-customer" }

withLayer("the kind of a credential", apiInMemory(), (live) => {
  credentialsByKind.forEach(([kind, fields]) =>
    live(`may be named, and is not stored as a field: ${kind}`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createInState("awaiting_authorization", {
          connection: { provider: providerAccepting(kind) }
        })
        const response = yield* authorize(path, key, { kind, ...fields })
        expect([response.status, (yield* jsonOf(response)).connection.state]).toEqual([200, "authorized"])
        expect<unknown>(yield* storedCredential(path)).toEqual(Option.some({ kind, ...fields }))
      })
    )
  )

  live("does not make another credential of the same one that was sent without it", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("awaiting_authorization")
      yield* authorize(path, key, token)
      const before = yield* connectionAndTimeline(path, key)
      expect((yield* authorize(path, key, { kind: "api_token", ...token })).status).toBe(200)
      expect(yield* connectionAndTimeline(path, key)).toEqual(before)
    })
  )

  live("does not make another authorization of the same one once the credential is deleted", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("awaiting_authorization")
      yield* authorize(path, key, token)
      yield* moveTo(path, "active", { progress: { hasProvenAccess: true } })
      const before = yield* connectionAndTimeline(path, key)
      expect((yield* authorize(path, key, { kind: "api_token", ...token })).status).toBe(200)
      expect(yield* connectionAndTimeline(path, key)).toEqual(before)
      expect((yield* authorize(path, key, { kind: "api_token", apiToken: "another" })).status).toBe(409)
    })
  )

  live("is refused where the provider takes another, whatever the other fields are", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("awaiting_authorization")
      for (const credential of [
        { kind: "tsig_key", ...token },
        { kind: "username_api_key", username: "a", apiKey: "b" },
        { kind: "api_key_secret", apiKey: "a", secret: "not base64" }
      ])
        yield* expectNoEffect(path, key, authorize(path, key, credential), {
          status: 422,
          code: "credential_kind_mismatch",
          details: [["/credential/kind", "invalid"]]
        })
    })
  )

  live("is refused if there is no such kind: one is for OAuth alone", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("awaiting_authorization")
      for (const kind of ["password", "oauth_token", "none", ""])
        yield* expectNoEffect(path, key, authorize(path, key, { kind, ...token }), {
          status: 400,
          code: "invalid_request",
          details: [["/credential/kind", "invalid"]]
        })
    })
  )
})
