import { expect } from "bun:test"
import { Array, Duration, Effect, Fiber, Layer, Option, TestClock } from "effect"
import type { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import type { IntentRequest } from "../../../src/domain/connection/Intent.ts"
import { Connections } from "../../../src/lifecycle/commands/Connections.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { ConnectionViews } from "../../../src/persistence/stores/connections/ConnectionViews.ts"
import { overrideService } from "../../http/support/apiWith.ts"
import { effect } from "../../support/effectTest.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { apiServicesLayer, offlineDns, storesInMemory, tenancyOf } from "../../support/testApi.ts"

const tenancy = tenancyOf("app", "tenant")

const intent: IntentRequest = {
  domain: "example.com",
  records: [{ host: "shop", type: "CNAME", value: "shops.example.net" }]
}

/** How many reads of documents, records and versions there were. */
const reads = { documents: 0, records: 0, versions: 0 }

const counted = <A, E>(kind: keyof typeof reads, read: Effect.Effect<A, E>) =>
  Effect.suspend(() => {
    reads[kind] += 1
    return read
  })

const countingStores = Layer.merge(
  overrideService(ConnectionStore, ({ find, findRecord }) => ({
    find: (...of) => counted("documents", find(...of)),
    findRecord: (...of) => counted("records", findRecord(...of))
  })),
  overrideService(ConnectionViews, ({ findVersions }) => ({
    findVersions: (...of) => counted("versions", findVersions(...of))
  }))
).pipe(Layer.provideMerge(storesInMemory))

const withCountedReads =
  <E>(test: Effect.Effect<void, E, Connections | Tables>) =>
  () =>
    Effect.suspend(() => {
      Object.assign(reads, { documents: 0, records: 0, versions: 0 })
      return Effect.provide(test, apiServicesLayer.pipe(Layer.provide(offlineDns), Layer.provideMerge(countingStores)))
    })

const createConnections = (count: number) =>
  Effect.gen(function* () {
    const { create } = yield* Connections
    return yield* Effect.replicateEffect(
      Effect.map(create(tenancy, intent, Option.none(), { allowDuplicate: true }), ({ stored }) => stored.id),
      count
    )
  })

/** Waits for the plan of each connection, for 10 seconds. */
const awaitPlans = (ids: ReadonlyArray<ConnectionId>) =>
  Effect.gen(function* () {
    const { awaitPlan } = yield* Connections
    return yield* Effect.fork(
      Effect.forEach(ids, (id) => awaitPlan(tenancy, id, Duration.seconds(10)), { concurrency: "unbounded" })
    )
  })

effect(
  "600 that wait for the plan of a connection that does not change read it once, and afterwards its version alone",
  withCountedReads(
    Effect.gen(function* () {
      const [id] = yield* createConnections(1)
      const waiting = yield* awaitPlans(Array.replicate(id ?? (yield* Effect.dieMessage("none")), 600))
      yield* TestClock.adjust("9500 millis")
      expect([reads.documents, reads.records]).toEqual([1, 0])
      expect(reads.versions).toBeWithin(2, 12)
      yield* TestClock.adjust("1 second")
      expect((yield* Fiber.join(waiting)).length).toBe(600)
      expect(reads.documents).toBe(1)
    })
  )
)

effect(
  "requests that wait for the plans of a tenant's 300 connections share one read a second",
  withCountedReads(
    Effect.gen(function* () {
      const ids = yield* createConnections(300)
      yield* awaitPlans(ids)
      yield* TestClock.adjust("9500 millis")
      expect([reads.documents, reads.records]).toEqual([300, 0])
      expect(reads.versions).toBeWithin(2, 12)
    })
  )
)

effect(
  "a plan that another process made, without a signal, is noticed by the version of its connection",
  withCountedReads(
    Effect.gen(function* () {
      const [id] = yield* createConnections(1)
      const { connections } = yield* Tables
      const row = connections.get(id ?? (yield* Effect.dieMessage("none")))
      const waiting = yield* awaitPlans([...connections.keys()])
      yield* TestClock.adjust("500 millis")
      if (row !== undefined)
        Object.assign(row, {
          state: "awaiting_manual",
          version: 2,
          doc: row.doc.replace('"state":"requested"', '"state":"awaiting_manual"')
        })
      yield* TestClock.adjust("1100 millis")
      expect((yield* Fiber.join(waiting)).map(({ state, version }) => [state, version])).toEqual([
        ["awaiting_manual", 2]
      ])
    })
  )
)
