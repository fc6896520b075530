import { expect } from "bun:test"
import { Effect, Option, Redacted } from "effect"
import { AdminKeys } from "../../src/security/AdminKeys.ts"
import { freshTestModeDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { issueTestAdminKey, requesterWith, testModeService } from "./testModeService.ts"

concurrentTest("an admin key of test mode makes keys of test mode, and sees nothing of the live applications", () =>
  Effect.gen(function* () {
    const url = urlOf(yield* freshTestModeDatabase)
    yield* Effect.gen(function* () {
      const testKey = yield* issueTestAdminKey(url)
      const { key: liveKey } = yield* (yield* AdminKeys).issue({ name: Option.none(), environment: "live" })
      const { send } = yield* requesterWith("none")
      const root = "/v1/admin/applications"
      const asTest = { "x-admin-key": testKey, "x-api-key": "" }
      const asLive = { "x-admin-key": Redacted.value(liveKey), "x-api-key": "" }
      yield* send("POST", root, { id: "live-app" }, asLive)
      yield* send("POST", root, { id: "test-app" }, asTest)
      const idsOf = (headers: Record<string, string>) =>
        Effect.map(send("GET", root, undefined, headers), ({ json }) =>
          json.applications.map(({ id }: { readonly id: string }) => id)
        )
      expect([yield* idsOf(asLive), yield* idsOf(asTest)]).toEqual([["live-app"], ["test-app"]])
      const created = yield* send("POST", `${root}/test-app/api-keys`, { tenantId: "bakery" }, asTest)
      expect(created.json.key).toStartWith("dck_test_")
      expect((yield* (yield* requesterWith(created.json.key)).connect("one-click.test")).tenantId).toBe("bakery")
      const asking = yield* send("POST", `${root}/test-app/ask-secrets`, undefined, asTest)
      expect(asking.json.path).toStartWith("/test-mode/v1/domains/allowed/dcas_")
      expect((yield* send("GET", `${asking.json.path}?domain=shop.one-click.test`)).status).toBe(404)
    }).pipe(Effect.provide(testModeService(url)))
  })
)
