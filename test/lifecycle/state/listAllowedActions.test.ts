import { describe, expect, test } from "bun:test"
import { Either, Option } from "effect"
import { type ConnectionAction, ConnectionState } from "../../../src/domain/connection/Connection.ts"
import type { ConnectionRecord } from "../../../src/domain/connection/ConnectionRecord.ts"
import { decideAuthorization } from "../../../src/lifecycle/commands/authorizeWithCredential.ts"
import { decideCancel } from "../../../src/lifecycle/commands/cancel.ts"
import { decideIntentChange } from "../../../src/lifecycle/commands/updateConnection.ts"
import { decideManualSetup } from "../../../src/lifecycle/commands/chooseManual.ts"
import { decideRetry } from "../../../src/lifecycle/commands/retry.ts"
import { decideOAuthStart } from "../../../src/lifecycle/commands/startOAuth.ts"
import type { Decision } from "../../../src/lifecycle/commit/CommandRunner.ts"
import { LifecycleEvent } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import { advance } from "../../../src/lifecycle/state/advance.ts"
import { listAllowedActions } from "../../../src/lifecycle/state/listAllowedActions.ts"
import { connectionRecordIn, failureOf, newIntent, now, planOf } from "./connectionRecords.ts"

/** A command that has had its effect already causes no event. */
const canHappen = (current: ConnectionRecord, events: Decision["events"]): boolean =>
  events.length > 0 &&
  Either.isRight(
    events.reduce<ReturnType<typeof advance>>(
      (record, event) => Either.flatMap(record, (after) => advance(after, event, now)),
      Either.right(current)
    )
  )

/** Whether each command would be carried out, by its own rule. */
const commands: { readonly [_ in ConnectionAction]: (current: ConnectionRecord) => boolean } = {
  authorization: (current) =>
    canHappen(current, decideManualSetup(current)) ||
    canHappen(current, decideAuthorization(current, { consent: Option.none() })) ||
    canHappen(current, decideOAuthStart(current)),
  approval: (current) => canHappen(current, [LifecycleEvent.Approved()]),
  recheck: (current) => canHappen(current, [LifecycleEvent.RecheckRequested()]),
  retry: (current) =>
    Either.match(decideRetry(current), { onLeft: () => false, onRight: (_) => canHappen(current, _) }),
  cancel: (current) =>
    Either.match(decideCancel(current), { onLeft: () => false, onRight: (_) => canHappen(current, _) }),
  update: (current) => canHappen(current, decideIntentChange(current, newIntent, false)),
  disconnect: (current) => canHappen(current, [LifecycleEvent.DisconnectRequested({ hasCredential: false })])
}

const failures = [
  failureOf("spf_merge_impossible"),
  failureOf("authorization_denied", "awaiting_authorization"),
  failureOf("apply_partial", "authorized")
]

const records = ConnectionState.literals.flatMap((state) =>
  (["connect", "restore"] as const).flatMap((direction) =>
    [false, true].flatMap((hasWritten) =>
      (state === "failed" ? failures : [undefined]).map((failure) =>
        connectionRecordIn(state, {
          connection: { direction, plan: planOf(), ...(failure === undefined ? {} : { failure }) },
          progress: { hasWritten }
        })
      )
    )
  )
)

describe("the allowed actions", () => {
  for (const action of Object.keys(commands) as ReadonlyArray<ConnectionAction>) {
    test(`name ${action} exactly where the command would be carried out`, () => {
      const described = records.map((record) => ({
        state: record.connection.state,
        direction: record.connection.direction,
        failure: record.connection.failure?.code,
        hasWritten: record.progress.hasWritten,
        isAllowed: listAllowedActions(record, now).includes(action)
      }))
      expect(described).toEqual(
        described.map((each, index) => ({ ...each, isAllowed: commands[action](records[index] as ConnectionRecord) }))
      )
    })
  }

  test("name authorization for a removal that has failed, and every method is one", () => {
    const failedRestore = connectionRecordIn("failed", {
      connection: { direction: "restore" },
      progress: { hasWritten: true }
    })
    expect(listAllowedActions(failedRestore, now)).toContain("authorization")
    for (const events of [
      decideManualSetup(failedRestore),
      decideAuthorization(failedRestore, { consent: Option.none() }),
      decideOAuthStart(failedRestore)
    ])
      expect(canHappen(failedRestore, events)).toBe(true)
  })

  test("are none once the connection has ended", () => {
    const ended = (["expired", "canceled", "disconnected"] as const).map((state) => connectionRecordIn(state))
    expect(ended.map((record) => listAllowedActions(record, now))).toEqual([[], [], []])
  })
})
