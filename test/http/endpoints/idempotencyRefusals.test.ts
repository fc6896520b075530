import { expect } from "bun:test"
import { Effect } from "effect"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, issueAdminKey, issueKey, jsonOf, sampleIntent, send } from "../../support/testApi.ts"

withLayer("an idempotency key with another body", apiInMemory(), (live) => {
  live("is refused in the same words for connections, webhook endpoints and applications", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const requests = [
        {
          path: "/v1/connections",
          auth: { "x-api-key": key },
          bodies: [{ intent: sampleIntent }, { intent: { ...sampleIntent, domain: "other.example.com" } }]
        },
        {
          path: "/v1/webhook-endpoints",
          auth: { "x-api-key": key },
          bodies: [{ url: "https://hooks.example.com/" }, { url: "https://hooks.example.org/" }]
        },
        {
          path: "/v1/admin/applications",
          auth: { "x-admin-key": yield* issueAdminKey },
          bodies: [{ id: "first-app" }, { id: "second-app" }]
        }
      ]
      const messages = yield* Effect.forEach(requests, ({ auth, bodies, path }) =>
        Effect.gen(function* () {
          const [first, second] = yield* Effect.forEach(bodies, (body) =>
            send(path, {
              method: "POST",
              headers: { ...auth, "content-type": "application/json", "idempotency-key": "once" },
              body: JSON.stringify(body)
            })
          )
          expect([first?.status, second?.status]).toEqual([201, 422])
          return second === undefined ? "" : (yield* jsonOf(second)).error.message
        })
      )
      expect(new Set(messages).size).toBe(1)
    })
  )
})
