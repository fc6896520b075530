import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { advanceTime, commandsFor, controlTest, createDiscovered, zoneWith } from "../phases/scriptedProvider.ts"
import { challengeOf, connect, rival, shop } from "./controlSteps.ts"

/** The entries of a connection that say how control was proven: the action, the state that it led to, and the proof. */
const proofsOf = (id: ConnectionId) =>
  Effect.map(Tables, ({ audit }) =>
    [...audit.values()].flatMap(({ action, connectionId, control, to }) =>
      connectionId === id && control !== undefined ? [[action, to, control.by]] : []
    )
  )

describe("the audit log says once how control was proven", () => {
  controlTest("with the write by a credential", () =>
    Effect.gen(function* () {
      const id = yield* connect()
      yield* advanceTime("1 day")
      expect(yield* proofsOf(id)).toEqual([["connection.applied", "verifying", "credential"]])
    })
  )

  controlTest("with the check that finds the entered records", (acme) =>
    Effect.gen(function* () {
      const id = yield* createDiscovered()
      yield* commandsFor(id).chooseManual
      yield* acme.become(zoneWith(shop))
      yield* commandsFor(id).recheck
      yield* advanceTime("1 day")
      expect(yield* proofsOf(id)).toEqual([["connection.applied", "verifying", "entered_records"]])
    })
  )

  controlTest("with the check that finds the challenge, although the connection waits for its other records", (acme) =>
    Effect.gen(function* () {
      yield* connect()
      yield* acme.become(zoneWith())
      const id = yield* createDiscovered(undefined, rival)
      yield* commandsFor(id, rival).chooseManual
      yield* acme.become(zoneWith(yield* challengeOf(id, rival)))
      yield* commandsFor(id, rival).recheck
      yield* commandsFor(id, rival).recheck
      expect(yield* proofsOf(id)).toEqual([["connection.control_proven", undefined, "challenge"]])
    })
  )
})
