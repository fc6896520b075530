import { expect, test } from "bun:test"
import { Either } from "effect"
import { decideRetry } from "../../../src/lifecycle/commands/retry.ts"
import { LifecycleEvent } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import { connectionRecordIn, failureOf } from "../state/connectionRecords.ts"

test("a retry is refused if the failure is not retryable", () => {
  expect(decideRetry(connectionRecordIn("failed"))).toEqual(Either.right([LifecycleEvent.Retried()]))
  const refusal = decideRetry(connectionRecordIn("failed", { connection: { failure: failureOf("apply_rejected") } }))
  expect(Either.mapLeft(refusal, ({ code }) => code)).toEqual(Either.left("failure_not_retryable"))
})
