import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import type { ControlProof } from "../../../src/domain/access/Application.ts"
import { effect } from "../../support/effectTest.ts"
import { lifecycleInMemory } from "../../support/lifecycleInMemory.ts"
import { storesInMemory } from "../../support/testApi.ts"
import {
  advanceTime,
  commandsFor,
  createDiscovered,
  initialRecords,
  type LifecycleServices,
  readConnection,
  readState,
  scriptedProvider,
  withoutLogs,
  zoneWith
} from "../phases/scriptedProvider.ts"
import { challengeOf, shop } from "./controlSteps.ts"

effect("a connection that is active without a proof stays so when proofs become required, until it is degraded", () =>
  Effect.gen(function* () {
    const acme = scriptedProvider(...initialRecords)
    const stores = Layer.succeedContext(yield* Layer.build(storesInMemory))
    const playWith = <A, E>(mode: ControlProof, body: Effect.Effect<A, E, LifecycleServices>) =>
      Effect.provide(body, Layer.merge(lifecycleInMemory(acme.layer, stores, mode), withoutLogs))
    yield* acme.become(zoneWith(shop))
    const id = yield* playWith("off", createDiscovered())
    yield* playWith(
      "required",
      Effect.gen(function* () {
        yield* advanceTime("7 days")
        expect([yield* readState(id), (yield* readConnection(id)).control?.status]).toEqual(["active", "unproven"])
        yield* acme.become(zoneWith())
        yield* advanceTime("1 day")
        yield* advanceTime("1 day")
        yield* acme.become(zoneWith(shop))
        yield* commandsFor(id).recheck
        expect(yield* readState(id)).toBe("degraded")
        yield* acme.become(zoneWith(shop, yield* challengeOf(id)))
        yield* commandsFor(id).recheck
        expect(yield* readState(id)).toBe("active")
      })
    )
  })
)
