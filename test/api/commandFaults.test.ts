import { expect } from "bun:test"
import { Effect, Option } from "effect"
import { ApiKeyStore } from "../../src/persistence/ApiKeyStore.ts"
import { Commit, ConnectionStore } from "../../src/persistence/ConnectionStore.ts"
import { StoreUnavailable } from "../../src/persistence/StoreUnavailable.ts"
import { withLayer } from "../support/effect.ts"
import { apiInMemory, issueKey, tenancyOf } from "../support/apiUnderTest.ts"
import { apiOver, replaced } from "./apiOver.ts"
import { connectionFor } from "./arranged.ts"
import { arrangeFor, commands, expectNoEffect, order, titleOf } from "./commanding.ts"
import { expectProblem } from "./expectRefusal.ts"

const missing = "/v1/connections/con_missing"

withLayer("every command above the quota", apiInMemory({ rateLimitPerMinute: 4 }), (live) => {
  commands.forEach((command, at) =>
    live(`${titleOf(command)} answers 429 and has no effect`, () =>
      Effect.gen(function* () {
        const tenancy = tenancyOf("app", `tenant-${at}`)
        const { key } = yield* issueKey(tenancy)
        const path = yield* connectionFor(key)
        const answers = yield* Effect.replicateEffect(order(path, key, command), 4)
        const last = yield* Effect.fromNullable(answers.at(-1))
        yield* expectProblem(last, { status: 429, code: "rate_limited" })
      })
    )
  )
})

const unavailable = new StoreUnavailable({ code: "unavailable", message: "the database cannot be reached" })

const serviceUnavailable = { status: 503, code: "unavailable" }

withLayer(
  "every command while the database cannot be written",
  apiOver(replaced(ConnectionStore, () => ({ standing: () => unavailable }))),
  (live) => {
    commands.forEach((command) =>
      live(`${titleOf(command)} answers 503`, () =>
        Effect.gen(function* () {
          const { key } = yield* issueKey()
          const path = yield* connectionFor(key)
          const response = yield* order(path, key, command)
          expect(response.headers.get("retry-after")).toBe("1")
          yield* expectProblem(response, serviceUnavailable)
        })
      )
    )
  }
)

withLayer(
  "every command without a database",
  apiOver(replaced(ApiKeyStore, () => ({ find: () => unavailable }))),
  (live) => {
    commands.forEach((command) =>
      live(`${titleOf(command)} answers 503 before anything else`, () =>
        Effect.gen(function* () {
          const { key } = yield* issueKey()
          yield* expectProblem(yield* order(missing, key, command), serviceUnavailable)
        })
      )
    )
  }
)

withLayer(
  "every command while the first one under its Idempotency-Key runs",
  apiOver(
    replaced(ConnectionStore, (real) => ({
      change: (tenancy, read, advanced, key) =>
        Option.isSome(key) ? Effect.succeed(Commit.InProgress()) : real.change(tenancy, read, advanced, key)
    }))
  ),
  (live) => {
    commands.forEach((command) =>
      live(`${titleOf(command)} answers 409`, () =>
        Effect.gen(function* () {
          const { key, path } = yield* arrangeFor(command)
          const request = order(path, key, command, { "idempotency-key": "running" })
          yield* expectNoEffect(path, key, request, { status: 409, code: "idempotency_in_progress" })
        })
      )
    )
  }
)
