import { describe, expect, test } from "bun:test"
import { describeWait } from "../../../src/lifecycle/state/describeWait.ts"
import { connectionRecordIn } from "./connectionRecords.ts"

const phase = { isOverdue: false, isScheduled: false, isTaken: false }

describe("what a connection waits for while the service works", () => {
  for (const state of ["requested", "authorized", "applying"] as const) {
    test(`in ${state}: the next attempt if its phase is due later, else a free process`, () => {
      const current = connectionRecordIn(state)
      expect(describeWait(current, { ...phase, isScheduled: true })).toMatchObject({
        waitsFor: "next_attempt",
        mayAct: ["service"]
      })
      expect(describeWait(current, phase).waitsFor).toBe("free_process")
      expect(describeWait(current, { ...phase, isOverdue: true }).waitsFor).toBe("free_process")
      expect(describeWait(current, { ...phase, isScheduled: true, isTaken: true }).waitsFor).toBe("running_phase")
    })
  }

  test("in another state a phase that is due later changes nothing", () => {
    expect(describeWait(connectionRecordIn("active"), { ...phase, isScheduled: true }).waitsFor).toBe("next_check")
  })
})
