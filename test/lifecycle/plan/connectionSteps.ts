import { expect } from "bun:test"
import { Effect } from "effect"
import type { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import type { IntentRequest } from "../../../src/domain/connection/Intent.ts"
import { commandsFor, createDiscovered, readConnection, readState } from "../phases/scriptedProvider.ts"

/** An active connection with these records in the zone. */
export const connect = (...records: IntentRequest["records"]) =>
  Effect.gen(function* () {
    const id = yield* createDiscovered(records)
    if ((yield* readState(id)) === "awaiting_authorization") {
      yield* commandsFor(id).authorize()
      yield* approveAll(id)
    }
    expect(yield* readState(id)).toBe("active")
    return id
  })

/** Approves the plan with all its warnings. */
export const approveAll = (id: ConnectionId) =>
  Effect.flatMap(readConnection(id), ({ plan }) => commandsFor(id).approve(...(plan?.warnings ?? [])))

/** Disconnects, with the approval of all warnings. */
export const disconnect = (id: ConnectionId) =>
  Effect.gen(function* () {
    yield* commandsFor(id).disconnect
    yield* commandsFor(id).authorize()
    if ((yield* readState(id)) === "planned") yield* approveAll(id)
    expect(yield* readState(id)).toBe("disconnected")
  })
