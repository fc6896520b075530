import { describe, expect } from "bun:test"
import { Effect, Option } from "effect"
import type { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { Connections } from "../../../src/lifecycle/commands/Connections.ts"
import { ErasureStore } from "../../../src/persistence/stores/erasure/ErasureStore.ts"
import { JournalStore } from "../../../src/persistence/stores/phases/JournalStore.ts"
import { ownTenancy } from "../../persistence/connectionFixtures.ts"
import { hasSameRecords } from "../../support/scriptedZone.ts"
import { acmeTest, advanceTime, zoneWith } from "../phases/scriptedProvider.ts"
import { connect, disconnect } from "./connectionSteps.ts"

const erase = (id: ConnectionId) =>
  Effect.gen(function* () {
    yield* (yield* Connections).erase(ownTenancy, id, { callableActions: [], ifVersion: Option.none() })
    yield* advanceTime("20 minutes")
    yield* (yield* ErasureStore).releaseJournals(10)
  })

const addressOf = (value: string) => ({ host: "@", type: "A", value }) as const

const journalOf = (id: ConnectionId) => Effect.flatMap(JournalStore, (journal) => journal.findByConnection(id))

describe("the restore of a connection", () => {
  acmeTest("follows the values before it back over a connection that was disconnected and erased since", (acme) =>
    Effect.gen(function* () {
      const first = yield* connect(addressOf("192.0.2.77"))
      const second = yield* connect(addressOf("192.0.2.78"))
      const third = yield* connect(addressOf("192.0.2.79"))
      yield* disconnect(second)
      yield* disconnect(first)
      yield* Effect.forEach([first, second], erase)
      expect(yield* journalOf(first)).not.toEqual([])
      yield* disconnect(third)
      expect(hasSameRecords(acme.now(), zoneWith())).toBe(true)

      yield* erase(third)
      for (const id of [first, second, third]) expect(yield* journalOf(id)).toEqual([])
    })
  )
})
