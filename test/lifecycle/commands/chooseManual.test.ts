import { expect, test } from "bun:test"
import { decideManualSetup } from "../../../src/lifecycle/commands/chooseManual.ts"
import { LifecycleEvent } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import { applyEvents, connectionRecordIn, discovered, planOf, verified } from "../state/connectionRecords.ts"

test("manual setup can be chosen at once, and instead of an OAuth session that has started", () => {
  expect(decideManualSetup(connectionRecordIn("awaiting_authorization"))).toEqual([
    LifecycleEvent.ManualChosen({ isByLink: false })
  ])
  expect(decideManualSetup(connectionRecordIn("authorizing")).map(({ _tag }) => _tag)).toEqual([
    "AuthorizationClosed",
    "ManualChosen"
  ])
})

test("a repeated choice changes nothing, also where the provider left no other", () => {
  const requested = connectionRecordIn("requested")
  const manual = applyEvents(requested, discovered(planOf(), ["manual"]), verified("right"))
  expect(manual.connection.state).toBe("verifying")
  expect(decideManualSetup(manual)).toEqual([])
  expect(decideManualSetup(applyEvents(manual, verified("right")))).toEqual([])
})
