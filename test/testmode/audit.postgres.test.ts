import { expect } from "bun:test"
import { Effect } from "effect"
import { freshTestModeDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { issueTestKey, requesterWith, testModeService } from "./testModeService.ts"

concurrentTest("the audit log has each call that plays the customer, another client and time, but no refused one", () =>
  Effect.gen(function* () {
    const url = urlOf(yield* freshTestModeDatabase)
    yield* Effect.gen(function* () {
      const { connect, send, test } = yield* requesterWith(yield* issueTestKey(url))
      const { id } = yield* connect("by-hand.test")
      const records = [{ host: "blog", type: "TXT", values: ["a value that is nobody's business"] }]
      const refused = [{ host: "blog", type: "A", values: ["no address"] }]
      const answers = yield* Effect.forEach(
        [
          ["enter-records", {}],
          ["change-records", { records }],
          ["change-records", { records: refused }],
          ["advance", { seconds: 60 }]
        ] as const,
        ([call, body]) => test(id, call, body)
      )
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 422, 200])
      const { json } = yield* send("GET", `/v1/audit?connectionId=${id}&limit=100`)
      const played = json.entries.filter(({ action }: { readonly action: string }) => action.startsWith("test_"))
      const by = {
        actor: { type: "api_key", id: expect.stringMatching(/^key_/) },
        applicationId: "app",
        tenantId: "tenant",
        connectionId: id,
        requestId: expect.any(String),
        address: "127.0.0.1"
      }
      expect(played).toMatchObject([
        { action: "test_time.advanced", seconds: 60, ...by },
        { action: "test_zone.records_changed", ...by },
        { action: "test_zone.records_entered", ...by }
      ])
      expect(JSON.stringify(json)).not.toContain("nobody's business")
    }).pipe(Effect.provide(testModeService(url)))
  })
)

concurrentTest("the audit log names the provider for the return of the customer from its sign-in", () =>
  Effect.gen(function* () {
    const url = urlOf(yield* freshTestModeDatabase)
    yield* Effect.gen(function* () {
      const { command, connect, send, waitFor, walk } = yield* requesterWith(yield* issueTestKey(url))
      const { id, provider } = yield* connect("one-click.test")
      const { json } = yield* command(id, "authorization", { method: "oauth2_pkce" })
      yield* walk(json.authorizeUrl, "Allow")
      yield* waitFor(id, "planned")
      const audit = yield* send("GET", `/v1/audit?connectionId=${id}&actor=${provider.id}`)
      const by = {
        actor: { type: "provider", id: "test-dns" },
        applicationId: "app",
        tenantId: "tenant",
        connectionId: id,
        requestId: expect.any(String),
        address: "127.0.0.1"
      }
      expect(audit.json.entries).toMatchObject([
        { action: "credential.stored", ...by },
        { action: "connection.authorized", from: "authorizing", to: "authorized", ...by }
      ])
    }).pipe(Effect.provide(testModeService(url)))
  })
)
