import { expect } from "bun:test"
import { Array, Effect } from "effect"
import type { Tenancy } from "../../../src/domain/access/Tenancy.ts"
import { tenancyOf } from "../../support/testApi.ts"
import {
  advanceTime,
  commandsFor,
  controlTest,
  createDiscovered,
  platform,
  readState
} from "../phases/scriptedProvider.ts"
import { connect, eventsOf, listenToAll, rival } from "./controlSteps.ts"

const contestBy = (owner: Tenancy) =>
  Effect.flatMap(createDiscovered([platform], owner), (other) => commandsFor(other, owner).disconnect)

controlTest(
  "a holder is notified once a day of a tenant that contests it again and again, and of each tenant",
  (acme) =>
    Effect.gen(function* () {
      const id = yield* connect()
      yield* listenToAll
      yield* Effect.replicateEffect(contestBy(rival), 3)
      expect(yield* eventsOf(id)).toEqual(["connection.contested"])
      yield* contestBy(tenancyOf("app", "third"))
      expect(yield* eventsOf(id)).toHaveLength(2)
      yield* advanceTime("24 hours")
      yield* Effect.replicateEffect(contestBy(rival), 3)
      expect([yield* readState(id), yield* eventsOf(id)]).toEqual([
        "active",
        Array.makeBy(3, () => "connection.contested")
      ])
      expect(acme.made()).toHaveLength(1)
    })
)
