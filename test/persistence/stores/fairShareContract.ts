import { expect } from "bun:test"
import { Array, Effect, FastCheck as fc } from "effect"
import type { Tenancy } from "../../../src/domain/access/Tenancy.ts"
import { PhaseStore, type TakenPhase } from "../../../src/persistence/stores/phases/PhaseStore.ts"
import type { SharePolicy } from "../../../src/persistence/stores/phases/SharePolicy.ts"
import { tenancyOf } from "../../support/testApi.ts"
import { createConnection } from "../connectionFixtures.ts"
import type { StoreTest } from "./storeContract.ts"

/** What every `PhaseStore` guarantees about the phases of several tenants. */
export const fairShareContract = (test: StoreTest): void => {
  test("the phase of a tenant that comes last is taken with the first phases of the others", () =>
    Effect.gen(function* () {
      yield* createDue(busy, 20)
      yield* createDue(idle, 1)
      expect(yield* takeCounts(4)).toEqual({ busy: 3, idle: 1 })
    }))

  test("tenants of the same name in two applications have a turn each", () =>
    Effect.gen(function* () {
      const other = tenancyOf("other", busy.tenantId)
      yield* createDue(busy, 3)
      yield* createDue(other, 3)
      const taken = yield* Effect.flatMap(PhaseStore, ({ takeDue }) => takeDue(4, 60))
      expect(taken.filter(({ applicationId }) => applicationId === other.applicationId)).toHaveLength(2)
    }))

  test("a tenant takes no more than its share while another one waits, even if that leaves slots free", () =>
    Effect.gen(function* () {
      yield* createDue(busy, 10)
      yield* createDue(idle, 1)
      expect(yield* takeCounts(8, { perTenant: 6, loads: [load(busy, 2)] })).toEqual({ busy: 4, idle: 1 })
    }))

  test("a tenant takes every slot when no other one waits", () =>
    Effect.gen(function* () {
      yield* createDue(busy, 10)
      expect(yield* takeCounts(8, { perTenant: 6, loads: [load(busy, 2), load(idle, 3)] })).toEqual({ busy: 8 })
    }))

  test("what a tenant has under way counts for its turn", () =>
    Effect.gen(function* () {
      yield* createDue(busy, 5)
      yield* createDue(idle, 5)
      expect(yield* takeCounts(3, { perTenant: 6, loads: [load(busy, 3)] })).toEqual({ idle: 3 })
    }))

  test("of tenants with the same number in flight the one whose last turn is older comes first, however long its phases are due", () =>
    Effect.gen(function* () {
      yield* createDue(busy, 5)
      yield* createDue(idle, 5)
      expect(yield* takeCounts(1, { perTenant: 6, loads: [load(busy, 0, 7)] })).toEqual({ idle: 1 })
      expect(yield* takeCounts(1, { perTenant: 6, loads: [load(busy, 0, 7), load(idle, 0, 8)] })).toEqual({ busy: 1 })
    }))

  test("a tenant without room keeps its phases due, and is not waited for", () =>
    Effect.gen(function* () {
      yield* createDue(busy, 5)
      yield* createDue(idle, 5)
      const sharePolicy = { perTenant: 2, loads: [{ ...load(busy, 0), room: 0 }] }
      expect(yield* takeCounts(8, sharePolicy)).toEqual({ idle: 5 })
      expect(yield* takeCounts(8)).toEqual({ busy: 5 })
    }))

  test("a tenant takes no more than it has room for, even if no other one waits", () =>
    Effect.gen(function* () {
      yield* createDue(busy, 5)
      expect(yield* takeCounts(8, { perTenant: 6, loads: [{ ...load(busy, 0), room: 2 }] })).toEqual({ busy: 2 })
    }))

  for (const [run, sample] of fc.sample(distributions, { numRuns: 20, seed: 12 }).entries()) {
    test(`no tenant gets another phase while one with due phases has fewer (random distribution ${run + 1})`, () =>
      Effect.gen(function* () {
        const tenants = sample.tenants.map((tenant, nth) => ({ ...tenant, tenancy: tenancyOf("app", `t${nth}`) }))
        const order = yield* Effect.forEach(interleave(tenants), (tenancy) => createConnection(tenancy))
        const { limit, perTenant } = sample
        const sharePolicy = { perTenant, loads: tenants.map(({ inFlight, tenancy }) => load(tenancy, inFlight)) }
        const taken = yield* Effect.flatMap(PhaseStore, ({ takeDue }) => takeDue(limit, 600, sharePolicy))

        const loads = tenants.map(({ due, inFlight, tenancy }) => {
          const own = taken.filter(({ tenantId }) => tenantId === tenancy.tenantId)
          const oldest = order.filter(({ tenantId }) => tenantId === tenancy.tenantId).slice(0, own.length)
          expect(own.map(({ connectionId }) => connectionId).toSorted()).toEqual(oldest.map(({ id }) => id).toSorted())
          return { taken: own.length, total: inFlight + own.length, isWaiting: own.length < due }
        })
        const isAlone = tenants.filter(({ due }) => due > 0).length === 1
        const canTakeMore = loads.filter(({ isWaiting, total }) => isWaiting && (isAlone || total < perTenant))
        for (const winner of loads.filter((each) => each.taken > 0)) {
          expect(isAlone || winner.total <= perTenant).toBe(true)
          for (const { total } of canTakeMore) expect(winner.total).toBeLessThanOrEqual(total + 1)
        }
        expect(taken.length === limit || canTakeMore.length === 0).toBe(true)
      }))
  }
}

const busy = tenancyOf("app", "busy")
const idle = tenancyOf("app", "idle")

const distributions = fc.record({
  tenants: fc.array(fc.record({ due: fc.integer({ min: 0, max: 9 }), inFlight: fc.integer({ min: 0, max: 4 }) }), {
    minLength: 1,
    maxLength: 6
  }),
  limit: fc.integer({ min: 1, max: 16 }),
  perTenant: fc.integer({ min: 1, max: 8 })
})

/** One entry for each due phase, in an order in which each tenant's lie between those of the others. */
const interleave = (
  tenants: ReadonlyArray<{ readonly due: number; readonly tenancy: Tenancy }>
): ReadonlyArray<Tenancy> =>
  tenants
    .flatMap(({ due, tenancy }) => Array.makeBy(due, (nth) => ({ tenancy, at: (nth + 1) / (due + 1) })))
    .toSorted((a, b) => a.at - b.at)
    .map(({ tenancy }) => tenancy)

const createDue = (tenancy: Tenancy, count: number) => Effect.replicateEffect(createConnection(tenancy), count)

const load = (tenancy: Tenancy, inFlight: number, lastTurn = 0) => ({ tenancy, inFlight, room: 100, lastTurn })

/** How many phases each tenant gets. */
const takeCounts = (limit: number, sharePolicy?: SharePolicy) =>
  Effect.map(
    Effect.flatMap(PhaseStore, ({ takeDue }) => takeDue(limit, 60, sharePolicy)),
    (taken: ReadonlyArray<TakenPhase>): Record<string, number> =>
      Object.fromEntries([...Map.groupBy(taken, ({ tenantId }) => tenantId)].map(([id, own]) => [id, own.length]))
  )
