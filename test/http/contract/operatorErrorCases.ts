import { Effect } from "effect"
import type { ConnectionState } from "../../../src/domain/connection/Connection.ts"
import { apiInMemory } from "../../support/testApi.ts"
import { type ConnectionOverrides, createInState, moveTo } from "../support/commandFixtures.ts"
import { createConnectionPath } from "../support/connectionRequests.ts"
import { caseOf, type ErrorCase, type ErrorCases, sendAsCaller } from "../support/errorCases.ts"
import { failureOf } from "./operationErrorCases.ts"

/** Sends the command of an operator to a new connection in a state. */
const commandIn =
  (state: ConnectionState, overrides: ConnectionOverrides = {}): ((operation: Operation) => ErrorCase["send"]) =>
  (operation) =>
    Effect.flatMap(createInState(state, overrides), ({ id }) => sendTo(operation, id))

const sendTo = (operation: Operation, id: string) =>
  sendAsCaller({ ...operation, path: operation.path.replace("{connectionId}", id) })

type Operation = Parameters<typeof sendAsCaller>[0]

const commands = ["retryConnectionAsOperator", "recheckConnectionAsOperator", "cancelConnectionAsOperator"] as const

/** The errors of the commands of operators. */
export const operatorErrorCases: ReadonlyArray<ErrorCases> = [
  {
    title: "an API for operators",
    service: apiInMemory(),
    cases: [
      ...commands.map((id) => caseOf(id, [409, "connection_ended"], commandIn("expired"))),
      caseOf("retryConnectionAsOperator", [409, "state_conflict"], commandIn("active")),
      caseOf("recheckConnectionAsOperator", [409, "state_conflict"], commandIn("authorized")),
      caseOf("cancelConnectionAsOperator", [409, "state_conflict"], commandIn("authorized")),
      caseOf(
        "retryConnectionAsOperator",
        [409, "failure_not_retryable"],
        commandIn("failed", { connection: { failure: failureOf({ retryable: false }) } })
      ),
      caseOf(
        "cancelConnectionAsOperator",
        [409, "records_written"],
        commandIn("verifying", { progress: { hasWritten: true } })
      )
    ]
  },
  {
    title: "an API for operators whose tenant has used up its storage",
    service: apiInMemory({ quotas: { storageBytes: 1 } }),
    cases: [caseOf("recheckConnectionAsOperator", [429, "quota_exceeded"], commandIn("active"))]
  },
  {
    title: "an API for operators whose tenant has used up its storage, too",
    service: apiInMemory({ quotas: { storageBytes: 1 } }),
    cases: [
      caseOf(
        "retryConnectionAsOperator",
        [429, "quota_exceeded"],
        commandIn("failed", { connection: { failure: failureOf({ resumeState: "applying" }) } })
      )
    ]
  },
  {
    title: "an API for operators whose tenant has used up its storage, and gives up a new intent",
    service: apiInMemory({ quotas: { storageBytes: 1 } }),
    cases: [
      caseOf("cancelConnectionAsOperator", [429, "quota_exceeded"], (operation) =>
        Effect.flatMap(createInState("awaiting_authorization"), ({ connection }) =>
          Effect.flatMap(
            moveTo(`/v1/connections/${connection.id}`, "awaiting_authorization", {
              connection: { pendingIntent: { ...connection } },
              progress: { intentChange: { returnsTo: "active", hasBegun: false } }
            }),
            ({ id }) => sendTo(operation, id)
          )
        )
      )
    ]
  },
  {
    title: "an API for operators that allows two open discoveries",
    service: apiInMemory({ quotas: { openDiscoveries: 2 } }),
    cases: [
      caseOf("retryConnectionAsOperator", [429, "too_many_open_discoveries"], (operation) =>
        Effect.gen(function* () {
          const failure = failureOf({ resumeState: "requested" })
          const { id, key } = yield* createInState("failed", { connection: { failure } })
          yield* Effect.replicateEffect(createConnectionPath(key), 2)
          return yield* sendTo(operation, id)
        })
      )
    ]
  }
]
