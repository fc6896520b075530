import { expect, test } from "bun:test"
import { Either } from "effect"
import { decideCancel } from "../../../src/lifecycle/commands/cancel.ts"
import { LifecycleEvent } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import { connectionRecordIn } from "../state/connectionRecords.ts"

test("cancel is refused if records were written", () => {
  expect(decideCancel(connectionRecordIn("planned"))).toEqual(Either.right([LifecycleEvent.Canceled()]))
  const refusal = decideCancel(connectionRecordIn("planned", { progress: { hasWritten: true } }))
  expect(Either.mapLeft(refusal, ({ code }) => code)).toEqual(Either.left("records_written"))
})
