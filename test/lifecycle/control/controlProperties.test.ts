import { expect } from "bun:test"
import { Console, Effect, FastCheck as fc, Layer } from "effect"
import { effect } from "../../support/effectTest.ts"
import { lifecycleInMemory } from "../../support/lifecycleInMemory.ts"
import { propertyRuns } from "../../support/propertyRuns.ts"
import { skewedClock } from "../../support/skewedClock.ts"
import { storesInMemory } from "../../support/testApi.ts"
import { initialRecords, scriptedProvider, withoutLogs } from "../phases/scriptedProvider.ts"
import { playStory, type StoryCounts } from "./controlProperties.ts"
import { arbitraryStory } from "./controlStories.ts"

for (const mode of ["required", "when_contested", "off"] as const)
  effect(
    `in no story with "${mode}" are two tenants active on one host, nor anybody without a proof where one is required`,
    () =>
      Effect.gen(function* () {
        const right = yield* Effect.clock
        const counts: Array<StoryCounts> = []
        // The properties say something only if stories lead to active connections and to changes of their intents.
        const saysSomething = () => counts.some(({ active }) => active > 0) && counts.some(({ changed }) => changed > 0)
        for (let round = 0; round === 0 || (!saysSomething() && round < 10); round += 1)
          for (const story of fc.sample(arbitraryStory, propertyRuns(16))) {
            const acme = scriptedProvider(...initialRecords)
            const clock = skewedClock(0, right)
            const lifecycle = lifecycleInMemory(acme.layer, storesInMemory, mode)
            const count = yield* Effect.provide(
              playStory(acme, clock, story, mode),
              Layer.provideMerge(lifecycle, Layer.merge(clock.layer, withoutLogs))
            ).pipe(Effect.tapErrorCause(() => Console.error(JSON.stringify(story))))
            counts.push(count)
          }
        expect(saysSomething()).toBe(true)
      })
  )
