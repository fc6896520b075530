import { Effect, Layer } from "effect"
import { effect } from "../../support/effectTest.ts"
import { lifecycleInMemory } from "../../support/lifecycleInMemory.ts"
import { storesInMemory } from "../../support/testApi.ts"
import { initialRecords, scriptedProvider, withoutLogs } from "../phases/scriptedProvider.ts"
import { playStory } from "./controlProperties.ts"
import type { StoryStep } from "./controlStories.ts"

/**
 * The second tenant plans while the first one holds the host, which then leaves. The records are entered, removed while
 * they are verified, and entered again.
 */
const story: ReadonlyArray<StoryStep> = [
  { kind: "ask", tenant: 0, hosts: 0 },
  { kind: "authorize", tenant: 0, hosts: 0 },
  { kind: "ask", tenant: 1, hosts: 0 },
  { kind: "chooseManual", tenant: 1, hosts: 0 },
  { kind: "disconnect", tenant: 0, hosts: 0 },
  { kind: "authorize", tenant: 0, hosts: 0 },
  { kind: "change", tenant: 1, hosts: 2 },
  { kind: "restore", hosts: 0 },
  { kind: "enter", hosts: 2 },
  { kind: "disconnect", tenant: 0, hosts: 0 },
  { kind: "chooseManual", tenant: 1, hosts: 0 },
  { kind: "remove", hosts: 0 },
  { kind: "recheck", tenant: 1, hosts: 2 },
  { kind: "cancel", tenant: 1, hosts: 0 },
  { kind: "chooseManual", tenant: 1, hosts: 2 },
  { kind: "change", tenant: 0, hosts: 0 },
  { kind: "chooseManual", tenant: 1, hosts: 0 },
  { kind: "disconnect", tenant: 1, hosts: 2 },
  { kind: "retry", tenant: 1, hosts: 2 }
]

effect(
  "records prove nothing by being entered where the challenge was requested, also when it is awaited no more",
  () =>
    Effect.suspend(() => {
      const acme = scriptedProvider(...initialRecords)
      const lifecycle = lifecycleInMemory(acme.layer, storesInMemory, "when_contested")
      return Effect.provide(playStory(acme, story, "when_contested"), Layer.merge(lifecycle, withoutLogs))
    })
)
