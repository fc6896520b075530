import { expect } from "bun:test"
import { Effect } from "effect"
import { freshDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { issueTestKey, type LiveQuestions, requesterWith, testModeService } from "./testModeService.ts"

concurrentTest("a test key takes one-click.test from its plan to active and back, and asks no server", () =>
  Effect.gen(function* () {
    const url = urlOf(yield* freshDatabase)
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
