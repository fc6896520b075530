import { expect, test } from "bun:test"
import { ConnectionState, finalStates } from "../../../src/domain/Connection.ts"
import { ConnectionEventType } from "../../../src/domain/WebhookEvent.ts"
import { connectionEventOf } from "../../../src/lifecycle/state/connectionEvents.ts"
import { transitionTable } from "../../../src/lifecycle/state/transitionTable.ts"

/** Every change of state that the lifecycle has, with the creation. */
const changes: ReadonlyArray<readonly [from: ConnectionState | undefined, to: ConnectionState]> = [
  [undefined, "requested"],
  ...ConnectionState.literals.flatMap((from) =>
    Object.values(transitionTable)
      .flatMap((next) => next[from] ?? [])
      .filter((to) => to !== from)
      .map((to) => [from, to] as const)
  )
]

const eventsOf = (state: ConnectionState) => [
  ...new Set(changes.filter(([, to]) => to === state).map(([from, to]) => connectionEventOf(from, to)))
]

/** The events of each state, in the order in which a connection may enter it; `undefined` for a change without one. */
const eventsByState: Readonly<Record<ConnectionState, ReadonlyArray<ConnectionEventType | undefined>>> = {
  requested: ["connection.created", undefined],
  awaiting_authorization: ["connection.planned", undefined],
  authorizing: [undefined],
  authorized: ["connection.authorized"],
  planned: ["connection.planned"],
  applying: [undefined],
  awaiting_manual: ["connection.planned", undefined],
  verifying: ["connection.applied", undefined],
  active: ["connection.active", "connection.restored"],
  degraded: ["connection.degraded"],
  failed: ["connection.failed"],
  disconnecting: [undefined],
  expired: ["connection.expired"],
  canceled: ["connection.canceled"],
  disconnected: ["connection.disconnected"]
}

test("every change of state has exactly its event, or none where nobody but the customer has to act", () => {
  for (const state of ConnectionState.literals)
    expect(new Set(eventsOf(state)), state).toEqual(new Set(eventsByState[state]))
})

test("each event of a connection tells of a change that the lifecycle has", () => {
  const possible = new Set(changes.map(([from, to]) => connectionEventOf(from, to)))
  // Another connection contests this one, which stays as it is.
  expect(ConnectionEventType.literals.filter((type) => !possible.has(type))).toEqual(["connection.contested"])
})

test("no connection fails, degrades or ends without an event", () => {
  const mustTell = new Set<ConnectionState>(["failed", "degraded", "active", ...finalStates])
  expect(changes.filter(([from, to]) => mustTell.has(to) && connectionEventOf(from, to) === undefined)).toEqual([])
})
