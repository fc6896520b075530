import { expect } from "bun:test"
import { Effect } from "effect"
import { freshTestModeDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { issueKey, tenancyOf } from "../support/testApi.ts"
import { issueTestKey, type LiveQuestions, requesterWith, shopRecords, testModeService } from "./testModeService.ts"

concurrentTest("a test key takes one-click.test from its plan to active and back, and asks no server", () =>
  Effect.gen(function* () {
    const url = urlOf(yield* freshTestModeDatabase)
    const questions: LiveQuestions = { count: 0 }
    yield* Effect.gen(function* () {
      const { authorizeAndApprove, command, connect } = yield* requesterWith(yield* issueTestKey(url))
      const connection = yield* connect("one-click.test")
      expect(connection).toMatchObject({ state: "awaiting_authorization", provider: { id: "test-dns" } })
      expect((yield* authorizeAndApprove(connection.id, "active")).state).toBe("active")
      yield* command(connection.id, "disconnect")
      expect((yield* authorizeAndApprove(connection.id, "disconnected")).state).toBe("disconnected")
    }).pipe(Effect.provide(testModeService(url, questions)))
    expect(questions.count).toBe(0)
  })
)

concurrentTest(
  "the test sign-in leads to an active connection if it is allowed, and to a failure if it is denied",
  () =>
    Effect.gen(function* () {
      const url = urlOf(yield* freshTestModeDatabase)
      yield* Effect.gen(function* () {
        const { approve, command, connect, waitFor, walk } = yield* requesterWith(yield* issueTestKey(url))
        const signIn = (domain: string, answer: string) =>
          Effect.gen(function* () {
            const { id } = yield* connect(domain)
            const { json } = yield* command(id, "authorization", { method: "oauth2_pkce" })
            yield* walk(json.authorizeUrl, answer)
            return id
          })
        const allowed = yield* signIn("one-click.test", "Allow")
        yield* approve(allowed, yield* waitFor(allowed, "planned"))
        yield* waitFor(allowed, "active")
        const denied = yield* signIn("other-one-click.test", "Deny")
        expect((yield* waitFor(denied, "failed", "awaiting_authorization")).failure?.code).toBe("authorization_denied")
        const forgotten = yield* signIn("sign-in-expires.test", "Allow")
        expect((yield* waitFor(forgotten, "failed")).failure.code).toBe("credential_invalid")
      }).pipe(Effect.provide(testModeService(url)))
    })
)

concurrentTest(
  "live keys and test keys never see each other's connections, and test keys connect test domains only",
  () =>
    Effect.gen(function* () {
      const url = urlOf(yield* freshTestModeDatabase)
      yield* Effect.gen(function* () {
        const test = yield* requesterWith(yield* issueTestKey(url))
        const other = yield* requesterWith(yield* issueTestKey(url, "other"))
        const live = yield* requesterWith((yield* issueKey(tenancyOf("app", "tenant"))).key)
        const tested = yield* test.connect("one-click.test")
        const { json } = yield* live.send("POST", "/v1/connections", {
          intent: { domain: "example.com", records: shopRecords }
        })
        const ids = [tested.id, json.connection.id]
        const statuses = yield* Effect.forEach([test, live, other], ({ send }) =>
          Effect.forEach(ids, (id) => Effect.map(send("GET", `/v1/connections/${id}`), ({ status }) => status))
        )
        expect(statuses).toEqual([
          [200, 404],
          [404, 200],
          [404, 404]
        ])
        const listed = yield* Effect.forEach([test, live, other], ({ send }) =>
          Effect.map(send("GET", "/v1/connections"), ({ json }) => json.connections.map(({ id }: { id: string }) => id))
        )
        expect(listed).toEqual([[tested.id], [json.connection.id], []])
        const refused = yield* test.send("POST", "/v1/connections", {
          intent: { domain: "example.com", records: shopRecords }
        })
        expect([refused.status, refused.json.error.details[0].code]).toEqual([422, "test_domain_required"])
        const check = yield* test.send("POST", "/v1/domains/check", { domain: "example.com" })
        expect([check.status, check.json.error.details[0].code]).toEqual([422, "test_domain_required"])
        expect((yield* live.test(json.connection.id, "advance", { seconds: 1 })).status).toBe(404)
      }).pipe(Effect.provide(testModeService(url)))
    })
)

concurrentTest(
  "a test zone keeps its writes over a restart, and so does the connection; another tenant sees none of them",
  () =>
    Effect.gen(function* () {
      const url = urlOf(yield* freshTestModeDatabase)
      const key = yield* issueTestKey(url)
      const id = yield* Effect.gen(function* () {
        const { authorizeAndApprove, connect } = yield* requesterWith(key)
        const { id } = yield* connect("one-click.test")
        yield* authorizeAndApprove(id, "active")
        return id as string
      }).pipe(Effect.provide(testModeService(url)))
      yield* Effect.gen(function* () {
        const { read, send, test } = yield* requesterWith(key)
        expect((yield* read(id)).state).toBe("active")
        const other = yield* requesterWith(yield* issueTestKey(url, "other"))
        const check = { domain: "one-click.test", records: shopRecords }
        expect((yield* send("POST", "/v1/domains/check", check)).json.plan.changes).toEqual([])
        expect((yield* other.send("POST", "/v1/domains/check", check)).json.plan.changes).toHaveLength(1)
        const lost = yield* test(id, "change-records", { records: [{ host: "shop", type: "CNAME", values: [] }] })
        expect(lost.json.connection.state).toBe("degraded")
      }).pipe(Effect.provide(testModeService(url)))
    })
)
