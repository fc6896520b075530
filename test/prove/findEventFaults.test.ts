import { describe, expect, test } from "bun:test"
import { findEventFaults, type EventReceipt } from "../../prove/events/findEventFaults.ts"

const timelines = new Map([
  ["con_1", [{ to: "requested" }, { from: "requested", to: "failed" }, { from: "failed", to: "canceled" }] as const]
])

const created: EventReceipt = {
  webhookId: "evt_1",
  connectionId: "con_1",
  type: "connection.created",
  version: 1,
  state: "requested"
}

const failed: EventReceipt = {
  webhookId: "evt_2",
  connectionId: "con_1",
  type: "connection.failed",
  version: 2,
  formerState: "requested",
  state: "failed"
}

const canceled: EventReceipt = {
  webhookId: "evt_3",
  connectionId: "con_1",
  type: "connection.canceled",
  version: 3,
  formerState: "failed",
  state: "canceled"
}

const none = { lost: [], surplus: [], disordered: [], misleading: [] }

describe("the events of a connection", () => {
  test("are right in any order and however often they come", () => {
    expect(findEventFaults(timelines, [created, failed, canceled])).toEqual(none)
    expect(findEventFaults(timelines, [canceled, created, failed, created, canceled])).toEqual(none)
  })

  test("may share a version if one write passed through two states", () => {
    const together = [created, { ...failed, state: "canceled" as const }, { ...canceled, version: 2 }]
    expect(findEventFaults(timelines, together)).toEqual(none)
    expect(findEventFaults(timelines, together.toReversed())).toEqual(none)
  })

  test("are lost if one never came", () => {
    const { lost } = findEventFaults(timelines, [created, canceled])
    expect(lost).toEqual(["con_1: connection.failed from requested"])
  })

  test("are too many if one comes by two ids, or of a connection that nobody created", () => {
    expect(findEventFaults(timelines, [created, failed, canceled, { ...failed, webhookId: "evt_4" }]).surplus).toEqual([
      "con_1: connection.failed from requested"
    ])
    const foreign = { ...created, connectionId: "con_2" }
    expect(findEventFaults(timelines, [created, failed, canceled, foreign]).surplus).toEqual(["con_2"])
  })

  test("are out of order, and mislead, if their versions have another order than the timeline", () => {
    const swapped = [created, { ...failed, version: 3 }, { ...canceled, version: 2 }]
    expect(findEventFaults(timelines, swapped)).toEqual({ ...none, disordered: ["con_1"], misleading: ["con_1"] })
  })
})
