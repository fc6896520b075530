import { describe, expect, test } from "bun:test"
import { FastCheck as fc } from "effect"
import { unlimitedQuotas } from "../../src/domain/access/Quota.ts"
import { UsageLedger } from "../../src/limits/UsageLedger.ts"

const limits = { ...unlimitedQuotas, connections: 10 }
const one = { connections: 1 }

/** A process that writes at once what it may, and counts what all have written. */
class WritingProcess {
  readonly ledger = new UsageLedger(limits)
  readonly #written: { connections: number }
  readonly #processes: number
  counts = 0

  constructor(written: { connections: number }, processes: number) {
    this.#written = written
    this.#processes = processes
  }

  write(): boolean {
    if (this.ledger.reserve(one).length > 0) {
      this.counts += 1
      this.ledger.startCount(["connections"])({ ...this.#written }, this.#processes, 0)
      if (this.ledger.reserveAfterCount(one).length > 0) return false
    }
    this.#written.connections += 1
    this.ledger.release(one)
    return true
  }
}

describe("what a process knows of the usage of a tenant", () => {
  test("is nothing before the first count", () => {
    expect(new UsageLedger(limits).reserve(one)).toEqual(["connections"])
  })

  test("needs one count for as many writes as were left", () => {
    const process = new WritingProcess({ connections: 0 }, 1)
    const written = Array.from({ length: 10 }, () => process.write())
    expect([written.every(Boolean), process.counts]).toEqual([true, 1])
    expect([process.write(), process.counts, process.ledger.wasFull("connections")]).toEqual([false, 2, true])
  })

  test("does not matter where there is no limit", () => {
    expect(new UsageLedger(unlimitedQuotas).reserve(one)).toEqual([])
  })

  test("covers what is being written while the count runs, and what is added meanwhile", () => {
    const ledger = new UsageLedger(limits)
    ledger.startCount(["connections"])({ connections: 0 }, 1, 0)
    Array.from({ length: 4 }, () => ledger.reserve(one))
    const end = ledger.startCount(["connections"])
    Array.from({ length: 3 }, () => ledger.reserve(one))
    end({ connections: 1 }, 1, 0)
    expect(ledger.usedOf("connections")).toBe(8)
  })

  test("reserves all amounts or none", () => {
    const ledger = new UsageLedger({ ...limits, storageBytes: 100 })
    ledger.startCount(["connections", "storageBytes"])({ connections: 0, storageBytes: 100 }, 1, 0)
    expect(ledger.reserve({ connections: 1, storageBytes: 1 })).toEqual(["storageBytes"])
    expect(ledger.usedOf("connections")).toBe(0)
  })

  test("lets one process write exactly up to the limit, and several, in any order, at most half of it more", () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
        (count, order) => {
          const written = { connections: 0 }
          const processes = Array.from({ length: count }, () => new WritingProcess(written, count))
          order.forEach((turn) => processes[turn % count]?.write())
          expect(written.connections).toBeGreaterThanOrEqual(10)
          expect(written.connections).toBeLessThanOrEqual(count === 1 ? 10 : 15)
        }
      )
    ))
})
