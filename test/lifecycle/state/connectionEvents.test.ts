import { describe, expect, test } from "bun:test"
import { Array, Option, Struct } from "effect"
import { ConnectionState, finalStates } from "../../../src/domain/connection/Connection.ts"
import type { ConnectionRecord } from "../../../src/domain/connection/ConnectionRecord.ts"
import { ConnectionEventType } from "../../../src/domain/webhook/WebhookEvent.ts"
import { connectionEventOf } from "../../../src/lifecycle/state/connectionEvents.ts"
import { LifecycleEvent } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import { transitionTable } from "../../../src/lifecycle/state/transitionTable.ts"
import {
  applyEvents,
  connectionRecordIn,
  disconnectRequested,
  discovered,
  discoveryFailed,
  failureOf,
  intentChanged,
  planOf
} from "./connectionRecords.ts"

type StateChange = readonly [from: ConnectionState | undefined, to: ConnectionState, cause?: LifecycleEvent["_tag"]]

/** Every change of state that the lifecycle has, with the creation. */
const changes: ReadonlyArray<StateChange> = [
  [undefined, "requested"],
  ...ConnectionState.literals.flatMap((from) =>
    Struct.entries(transitionTable).flatMap(([cause, next]) =>
      (next[from] ?? []).filter((to) => to !== from).map((to) => [from, to, cause] as const)
    )
  )
]

/** The event of a change of state without a plan. */
const eventOf = ([from, to, cause]: StateChange) =>
  connectionEventOf(from === undefined ? undefined : { state: from }, { state: to }, cause)

const eventsOf = (state: ConnectionState) => [...new Set(changes.filter(([, to]) => to === state).map(eventOf))]

/** The events of each state, in the order in which a connection may enter it; `undefined` for a change without one. */
const eventsByState: Readonly<Record<ConnectionState, ReadonlyArray<ConnectionEventType | undefined>>> = {
  requested: ["connection.created", undefined],
  awaiting_authorization: [undefined],
  authorizing: [undefined],
  authorized: ["connection.authorized"],
  planned: ["connection.planned"],
  applying: [undefined],
  awaiting_manual: [undefined],
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

test("each event of a connection reports a change that the lifecycle has", () => {
  const possible = new Set(changes.map(eventOf))
  // A setup by hand stays unfinished, and another connection contests this one, which stays as it is.
  expect(ConnectionEventType.literals.filter((type) => !possible.has(type))).toEqual([
    "connection.setup_incomplete",
    "connection.contested",
    "connection.erased"
  ])
})

test("no connection fails, degrades or ends without an event", () => {
  const statesToReport = new Set<ConnectionState>(["failed", "degraded", "active", ...finalStates])
  expect(changes.filter((change) => statesToReport.has(change[1]) && eventOf(change) === undefined)).toEqual([])
})

const written = { progress: { hasWritten: true } }

const afterAuthorization = { connection: { failure: failureOf("credential_invalid", "awaiting_authorization") } }

/** The webhook events that follow. */
const typesOf = (first: ConnectionRecord, events: ReadonlyArray<LifecycleEvent>) => {
  const records = events.reduce((before, event) => [...before, applyEvents(before.at(-1) ?? first, event)], [first])
  return Array.zip(events, Array.zip(records, records.slice(1))).flatMap(([event, [before, after]]) => {
    const type = connectionEventOf(before.connection, after.connection, event._tag)
    return type === undefined ? [] : [type]
  })
}

test("records are reported as applied when they are found or written, and not on a return to an earlier state", () => {
  const [silent, reported] = Array.partition(
    changes.filter(([, to]) => to === "verifying"),
    (change) => eventOf(change) === "connection.applied"
  )
  expect(new Set(reported.map(([, , cause]) => cause))).toEqual(
    new Set(["Discovered", "Planned", "Applied", "Verified"])
  )
  expect(new Set(silent.map(([, , cause]) => cause))).toEqual(new Set(["Retried", "Expired", "Canceled"]))
})

describe("a plan that begins to wait for the customer", () => {
  const planned: ReadonlyArray<readonly [string, ConnectionRecord, ReadonlyArray<LifecycleEvent>]> = [
    ["of a new connection", connectionRecordIn("requested"), [discovered()]],
    ["of a new connection by hand", connectionRecordIn("requested"), [discovered(planOf(), ["manual"])]],
    ["of a new intent", connectionRecordIn("active"), [intentChanged(), discovered()]],
    ["of a new intent by hand", connectionRecordIn("active"), [intentChanged(), discovered(planOf(), ["manual"])]],
    [
      "of a new intent, after a survey that failed",
      connectionRecordIn("active"),
      [intentChanged(), discoveryFailed(), discovered()]
    ],
    ["of a repair", connectionRecordIn("degraded"), [LifecycleEvent.Retried({ toChoice: false }), discovered()]],
    ["of a removal", connectionRecordIn("active", written), [disconnectRequested(), discovered()]],
    ["after a failure", connectionRecordIn("failed", afterAuthorization), [LifecycleEvent.Retried({ toChoice: false })]]
  ]
  for (const [title, before, events] of planned)
    test(`is reported once: ${title}`, () => expect(typesOf(before, events)).toEqual(["connection.planned"]))

  const known: ReadonlyArray<readonly [string, ConnectionRecord, ReadonlyArray<LifecycleEvent>]> = [
    ["a choice", connectionRecordIn("awaiting_authorization"), [LifecycleEvent.ManualChosen({ isByLink: false })]],
    ["another choice", connectionRecordIn("awaiting_manual"), [LifecycleEvent.ManualAbandoned(), discovered()]],
    ["a return", connectionRecordIn("authorizing"), [LifecycleEvent.AuthorizationClosed({ reason: Option.none() })]]
  ]
  for (const [title, before, events] of known)
    test(`is not reported again by ${title} of the customer`, () => expect(typesOf(before, events)).toEqual([]))
})
