import { expect } from "bun:test"
import { Effect, Option } from "effect"
import { StoreUnavailable } from "../../../src/persistence/StoreUnavailable.ts"
import { ApiKeyStore } from "../../../src/persistence/stores/ApiKeyStore.ts"
import { CommitResult, ConnectionStore } from "../../../src/persistence/stores/ConnectionStore.ts"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, issueKey, tenancyOf } from "../../support/testApi.ts"
import { apiWith, overrideService } from "../support/apiWith.ts"
import {
  commandCases,
  commandTitle,
  createForCommand,
  expectNoEffect,
  sendCommand
} from "../support/commandFixtures.ts"
import { createConnectionPath } from "../support/connectionRequests.ts"
import { expectError } from "../support/expectError.ts"

const missing = "/v1/connections/con_missing"

withLayer("above the quota, the command", apiInMemory({ rateLimitPerMinute: 4 }), (live) => {
  commandCases.forEach((command, at) =>
    live(`${commandTitle(command)} answers 429 and has no effect`, () =>
      Effect.gen(function* () {
        const tenancy = tenancyOf("app", `tenant-${at}`)
        const { key } = yield* issueKey(tenancy)
        const path = yield* createConnectionPath(key)
        const answers = yield* Effect.replicateEffect(sendCommand(path, key, command), 4)
        const last = yield* Effect.fromNullable(answers.at(-1))
        yield* expectError(last, { status: 429, code: "rate_limited" })
      })
    )
  )
})

const unavailable = new StoreUnavailable({ code: "unavailable", message: "the database cannot be reached" })

const serviceUnavailable = { status: 503, code: "unavailable" }

withLayer(
  "while connections cannot be read, the command",
  apiWith(overrideService(ConnectionStore, () => ({ findRecord: () => unavailable }))),
  (live) => {
    commandCases.forEach((command) =>
      live(`${commandTitle(command)} answers 503`, () =>
        Effect.gen(function* () {
          const { key } = yield* issueKey()
          const path = yield* createConnectionPath(key)
          const response = yield* sendCommand(path, key, command)
          expect(response.headers.get("retry-after")).toBe("1")
          yield* expectError(response, serviceUnavailable)
        })
      )
    )
  }
)

withLayer(
  "without a database, the command",
  apiWith(overrideService(ApiKeyStore, () => ({ find: () => unavailable }))),
  (live) => {
    commandCases.forEach((command) =>
      live(`${commandTitle(command)} answers 503 before anything else`, () =>
        Effect.gen(function* () {
          const { key } = yield* issueKey()
          yield* expectError(yield* sendCommand(missing, key, command), serviceUnavailable)
        })
      )
    )
  }
)

withLayer(
  "while the first request with its Idempotency-Key runs, the command",
  apiWith(
    overrideService(ConnectionStore, (real) => ({
      update: (tenancy, read, transition, key) =>
        Option.isSome(key) ? Effect.succeed(CommitResult.InProgress()) : real.update(tenancy, read, transition, key)
    }))
  ),
  (live) => {
    commandCases.forEach((command) =>
      live(`${commandTitle(command)} answers 409`, () =>
        Effect.gen(function* () {
          const { key, path } = yield* createForCommand(command)
          const request = sendCommand(path, key, command, { "idempotency-key": "running" })
          yield* expectNoEffect(path, key, request, { status: 409, code: "idempotency_in_progress" })
        })
      )
    )
  }
)
