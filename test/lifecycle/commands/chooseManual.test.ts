import { expect, test } from "bun:test"
import { decideManualSetup } from "../../../src/lifecycle/commands/chooseManual.ts"
import { LifecycleEvent } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import { connectionRecordIn } from "../state/connectionRecords.ts"

test("manual setup can be chosen at once, and instead of an OAuth session that has started", () => {
  expect(decideManualSetup(connectionRecordIn("awaiting_authorization"))).toEqual([LifecycleEvent.ManualChosen()])
  expect(decideManualSetup(connectionRecordIn("authorizing")).map(({ _tag }) => _tag)).toEqual([
    "AuthorizationClosed",
    "ManualChosen"
  ])
})
