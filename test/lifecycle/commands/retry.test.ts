import { expect, test } from "bun:test"
import { Either } from "effect"
import { decideRetry } from "../../../src/lifecycle/commands/retry.ts"
import { LifecycleEvent } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import {
  applyEvents,
  connectionRecordIn,
  disconnectRequested,
  discovered,
  failed,
  failureOf,
  noChanges,
  planned,
  planOf,
  verified
} from "../state/connectionRecords.ts"

test("a retry is refused if the failure is not retryable", () => {
  expect(decideRetry(connectionRecordIn("failed"))).toEqual(Either.right([LifecycleEvent.Retried({ toChoice: false })]))
  const refusal = decideRetry(
    connectionRecordIn("failed", { connection: { failure: failureOf("record_type_unsupported") } })
  )
  expect(Either.mapLeft(refusal, ({ code }) => code)).toEqual(Either.left("failure_not_retryable"))
})

const retriedIn = (...events: ReadonlyArray<LifecycleEvent>) =>
  decideRetry(
    applyEvents(connectionRecordIn("failed", snapshotTimedOut), LifecycleEvent.Retried({ toChoice: false }), ...events)
  )

const snapshotTimedOut = {
  connection: { failure: failureOf("provider_snapshot_timeout", "authorized") },
  progress: { hasWritten: true }
}

test("a repeated retry changes nothing, however far the connection has come", () => {
  const nothing = Either.right([])
  const applied = [planned(), LifecycleEvent.Approved(), LifecycleEvent.Applied()]
  expect(retriedIn()).toEqual(nothing)
  expect(retriedIn(planned())).toEqual(nothing)
  expect(retriedIn(...applied, verified("right"))).toEqual(nothing)
})

test("a retry is no repetition after another failure, nor after a disconnect", () => {
  const again = Either.right([LifecycleEvent.Retried({ toChoice: false })])
  expect(retriedIn(failed("provider_snapshot_timeout"))).toEqual(again)
  expect(retriedIn(planned(), disconnectRequested())).toEqual(again)
})

test("a repeated retry of a degraded connection changes nothing while it is read again, and afterwards", () => {
  const repairing = applyEvents(connectionRecordIn("degraded"), LifecycleEvent.Retried({ toChoice: false }))
  expect(decideRetry(repairing)).toEqual(Either.right([]))
  expect(decideRetry(applyEvents(repairing, discovered()))).toEqual(Either.right([]))
  expect(decideRetry(applyEvents(repairing, discovered(planOf(noChanges))))).toEqual(
    Either.right([LifecycleEvent.Retried({ toChoice: false })])
  )
})
