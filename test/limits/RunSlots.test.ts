import { describe, expect, test } from "bun:test"
import { FastCheck as fc } from "effect"
import { RunSlots, makeSlotLimits } from "../../src/limits/RunSlots.ts"
import { tenancyOf } from "../support/testApi.ts"

const [busy, idle] = [tenancyOf("app", "busy"), tenancyOf("app", "idle")]

/** Slots, with the runs that were granted one, in order. */
const makeSlots = (count: number) => {
  const slots = new RunSlots(makeSlotLimits(count))
  const granted: Array<string> = []
  return {
    slots,
    granted,
    request: (id: string, tenancy = busy) => slots.request(id, tenancy, 0, () => granted.push(id)),
    resume: (id: string) => slots.resume(id, () => granted.push(`${id} again`))
  }
}

describe("a request", () => {
  test("is granted at once while there is a free slot", () => {
    const { granted, request, slots } = makeSlots(4)
    request("a")
    expect([granted, slots.free]).toEqual([["a"], 3])
  })

  test("waits while its tenant holds three quarters of the slots, and another tenant gets the rest", () => {
    const { granted, request, slots } = makeSlots(4)
    for (const id of ["b1", "b2", "b3", "b4"]) request(id)
    request("i1", idle)
    expect([granted, slots.free]).toEqual([["b1", "b2", "b3", "i1"], 0])
    slots.end("b1")
    expect(granted.at(-1)).toBe("b4")
  })

  test("of the tenant that holds the fewest slots is granted first, however late it came", () => {
    const { granted, request, slots } = makeSlots(4)
    slots.start("b1", busy, 0)
    slots.start("b2", busy, 0)
    slots.start("x1", tenancyOf("app", "x"), 0)
    slots.start("x2", tenancyOf("app", "x"), 0)
    request("b3")
    request("i1", idle)
    slots.end("x1")
    expect(granted).toEqual(["i1"])
  })

  test("is refused if its tenant has requested as many as there are slots", () => {
    const { request } = makeSlots(1)
    expect([request("a"), request("b"), request("c"), request("d", idle)]).toEqual([true, true, false, true])
  })

  test("that is withdrawn is not granted", () => {
    const { granted, request, slots } = makeSlots(1)
    request("a")
    request("b")
    expect(slots.end("b")).toBe(false)
    slots.end("a")
    expect([granted, slots.free]).toEqual([["a"], 1])
  })
})

describe("a run that waits", () => {
  test("holds no slot, and takes the next one that is free before new runs of its tenant", () => {
    const { granted, request, resume, slots } = makeSlots(1)
    request("a")
    slots.suspend("a")
    request("b")
    request("c")
    resume("a")
    expect([granted, slots.holding, slots.waiting]).toEqual([["a", "b"], 1, 1])
    slots.end("b")
    expect([granted, slots.holding, slots.waiting]).toEqual([["a", "b", "a again"], 1, 0])
  })

  test("continues at once if it kept its slot, is not known, or was given up while it requested one", () => {
    const { granted, request, resume, slots } = makeSlots(1)
    request("a")
    resume("a")
    resume("unknown")
    slots.suspend("a")
    slots.start("b", busy, 10)
    resume("a")
    expect(granted).toEqual(["a", "a again", "unknown again"])
    slots.endBefore(5)
    expect(granted.at(-1)).toBe("a again")
    expect(granted).toHaveLength(4)
  })

  test("keeps its slot if its tenant has too many that wait", () => {
    const { slots } = makeSlots(1)
    const ids = Array.from({ length: 11 }, (_, nth) => `b${nth}`)
    ids.forEach((id) => slots.start(id, busy, 0))
    expect(ids.map((id) => slots.suspend(id)).filter(Boolean)).toHaveLength(10)
    expect([slots.holding, slots.waiting]).toEqual([1, 10])
  })
})

const roomOf = (slots: RunSlots) => slots.sharePolicy.loads.find(({ tenancy }) => tenancy === busy)?.room

describe("a tenant", () => {
  test("alone has room for every slot, and for its share only while any of its runs waits", () => {
    const { slots } = makeSlots(8)
    slots.start("a", busy, 0)
    expect(roomOf(slots)).toBe(7)
    slots.suspend("a")
    expect(roomOf(slots)).toBe(6)
  })

  test("has room for no more runs than may wait, so that it never keeps slots for silent servers", () => {
    const { slots } = makeSlots(8)
    for (let nth = 0; nth < 78; nth += 1) {
      slots.start(`b${nth}`, busy, 0)
      slots.suspend(`b${nth}`)
    }
    expect(roomOf(slots)).toBe(2)
    slots.start("last", busy, 0)
    expect(roomOf(slots)).toBe(1)
  })
})

const operation = fc.record({
  kind: fc.constantFrom("request", "suspend", "resume", "end"),
  run: fc.integer({ min: 0, max: 60 })
})

test("whatever happens, no slot is given twice, no limit is passed, and no slot is free that a run may have", () =>
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(operation, { maxLength: 200 }), (count, operations) => {
      const limits = makeSlotLimits(count)
      const slots = new RunSlots(limits)
      const tenancies = [busy, idle, tenancyOf("other", "busy")]
      const states = new Map<number, "asked" | "holds" | "waits" | "resumes">()
      for (const { kind, run } of operations) {
        const [id, tenancy = busy] = [`run ${run}`, tenancies[run % 3]]
        const state = states.get(run)
        if (kind === "request" && state === undefined) {
          if (slots.request(id, tenancy, 0, () => states.set(run, "holds")) && states.get(run) === undefined)
            states.set(run, "asked")
        } else if (kind === "suspend" && state === "holds") {
          states.set(run, "waits")
          if (!slots.suspend(id)) states.set(run, "holds")
        } else if (kind === "resume" && state === "waits") {
          states.set(run, "resumes")
          slots.resume(id, () => states.set(run, "holds"))
        } else if (kind === "end" && state !== undefined) {
          slots.end(id)
          states.delete(run)
        }
        const countOf = (expected: string, tenant?: number) =>
          [...states].filter(([each, is]) => is === expected && (tenant === undefined || each % 3 === tenant)).length
        expect(slots.holding).toBe(countOf("holds"))
        expect(slots.waiting).toBe(countOf("waits") + countOf("resumes"))
        expect(slots.holding).toBeLessThanOrEqual(limits.slots)
        expect(slots.waiting).toBeLessThanOrEqual(limits.waiting)
        for (const tenant of [0, 1, 2]) {
          const [holding, waiting] = [countOf("holds", tenant), countOf("waits", tenant) + countOf("resumes", tenant)]
          expect(holding).toBeLessThanOrEqual(limits.slotsPerTenant)
          expect(waiting).toBeLessThanOrEqual(limits.waitingPerTenant)
          const canHoldMore = slots.free > 0 && holding < limits.slotsPerTenant
          if (canHoldMore) expect(countOf("resumes", tenant)).toBe(0)
          if (canHoldMore && waiting + holding < limits.waitingPerTenant) expect(countOf("asked", tenant)).toBe(0)
        }
      }
    }),
    { numRuns: 300 }
  ))
