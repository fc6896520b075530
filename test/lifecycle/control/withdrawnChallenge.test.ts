import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import type { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { effect } from "../../support/effectTest.ts"
import { lifecycleInMemory } from "../../support/lifecycleInMemory.ts"
import { storesInMemory } from "../../support/testApi.ts"
import { initialRecords, readConnection, scriptedProvider, withoutLogs } from "../phases/scriptedProvider.ts"
import { playStep, type StoryStep, tenants } from "./controlStories.ts"

/** The second tenant plans while the first one holds the host, which then leaves, and enters the records of another intent. */
const story: ReadonlyArray<StoryStep> = [
  { kind: "ask", tenant: 0, hosts: 0 },
  { kind: "authorize", tenant: 0, hosts: 0 },
  { kind: "ask", tenant: 1, hosts: 0 },
  { kind: "disconnect", tenant: 0, hosts: 0 },
  { kind: "authorize", tenant: 0, hosts: 0 },
  { kind: "change", tenant: 1, hosts: 2 },
  { kind: "enter", hosts: 2 },
  { kind: "chooseManual", tenant: 1, hosts: 0 }
]

effect(
  "records prove nothing by being entered where the challenge was requested, also when it is awaited no more",
  () => {
    const acme = scriptedProvider(...initialRecords)
    const lifecycle = lifecycleInMemory(acme.layer, storesInMemory, "when_contested")
    return Effect.gen(function* () {
      const latest = new Map<number, ConnectionId>()
      yield* Effect.forEach(story, (step) => playStep(acme, latest, step), { discard: true })
      const id = latest.get(1)
      if (id === undefined || tenants[1] === undefined) throw new Error("the second tenant has no connection")
      const { control } = yield* readConnection(id, tenants[1])
      expect(control).toMatchObject({ status: "unproven" })
    }).pipe(Effect.provide(Layer.merge(lifecycle, withoutLogs)))
  }
)
