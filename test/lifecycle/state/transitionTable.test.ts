import { describe, expect, test } from "bun:test"
import { Duration, Either, Option } from "effect"
import { ConnectionState, FailureCode, finalStates } from "../../../src/domain/connection/Connection.ts"
import {
  canAbandonChange,
  type ConnectionRecord,
  isRestoredByHand,
  isWatchedWhileWaiting,
  mustRestore,
  type Progress
} from "../../../src/domain/connection/ConnectionRecord.ts"
import type { Phase } from "../../../src/domain/connection/Transition.ts"
import { LifecycleEvent } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import { defaultStateTimeouts } from "../../../src/lifecycle/state/StateTimeouts.ts"
import { advance } from "../../../src/lifecycle/state/advance.ts"
import { holdsHosts } from "../../../src/lifecycle/state/controlState.ts"
import { makeFailure } from "../../../src/lifecycle/state/failures.ts"
import { findNextPhase } from "../../../src/lifecycle/state/findNextPhase.ts"
import {
  authorized,
  connectionRecordIn,
  consentTo,
  disconnectRequested,
  discovered,
  discoveryFailed,
  failed,
  intentChanged,
  isPossible,
  noChanges,
  now,
  pendingChange,
  planned,
  planOf,
  restoreAwaited,
  restored,
  verified
} from "./connectionRecords.ts"
import { sampleProvider } from "../../persistence/connectionFixtures.ts"
import { type TableTransition, transitions } from "./tableTransitions.ts"

type EventTag = LifecycleEvent["_tag"]

describe("the transition table", () => {
  test("lists exactly the possible transitions of connections of every kind", () =>
    expect(linesOf(possibleTransitions())).toEqual(linesOf(transitions)))

  test("leads from the first state to every other, and from every state to a final one", () => {
    expect(reachableFrom("requested")).toEqual(new Set(ConnectionState.literals))
    for (const state of ConnectionState.literals)
      expect(finalStates.some((final) => reachableFrom(state).has(final))).toBe(true)
  })

  for (const state of finalStates)
    test(`leads nowhere from ${state}`, () => {
      expect(transitions.filter(({ from }) => from === state)).toEqual([])
      expect(recordsIn(state).flatMap((record) => allEvents.filter((event) => isPossible(record, event)))).toEqual([])
    })

  test("lets the service write only after a consent, an approval or a retry of such a write", () =>
    expect(eventsInto("applying")).toEqual(["Approved", "Planned", "Retried"]))

  test("starts a removal only after a command", () =>
    expect(eventsInto("disconnecting")).toEqual([
      "Approved",
      "DisconnectRequested",
      "ManualChosen",
      "Planned",
      "Retried"
    ]))

  test("relies only on verification for active and degraded, to which a connection without its new intent returns, and on a lost control for degraded", () => {
    expect(eventsInto("active")).toEqual(["Canceled", "Expired", "Verified"])
    expect(eventsInto("degraded")).toEqual(["Canceled", "ControlLost", "Expired", "Verified"])
  })

  test("relies only on a restore for disconnected", () => {
    expect(eventsInto("disconnected")).toEqual(["Restored"])
  })

  test("verifies records that were written, entered by hand, found by a discovery or verified before", () =>
    expect(eventsInto("verifying")).toEqual([
      "Applied",
      "Canceled",
      "Discovered",
      "Expired",
      "Planned",
      "Retried",
      "Verified"
    ]))

  test("enters authorized through an authorization, or for a new plan, a new intent, a retry or a removal", () =>
    expect(eventsInto("authorized")).toEqual([
      "Authorized",
      "DisconnectRequested",
      "IntentChanged",
      "PlanInvalidated",
      "PutBackRequested",
      "Retried"
    ]))

  test("starts an OAuth session only at the customer's command or on a retry", () => {
    expect(eventsInto("authorizing")).toEqual(["AuthorizationOpened", "Retried"])
    expect(statesBefore("AuthorizationOpened")).toEqual(["awaiting_authorization"])
    expect(statesBefore("Authorized")).toEqual(["awaiting_authorization", "authorizing"])
  })

  test("allows switching between manual setup and the other methods in both directions", () => {
    expect(eventsInto("awaiting_manual")).toEqual(["Discovered", "ManualChosen", "Retried"])
    expect(statesBefore("ManualChosen")).toEqual(["awaiting_authorization"])
    expect(statesBefore("ManualAbandoned")).toEqual(["awaiting_manual", "verifying"])
  })

  test("lets a waiting or approved plan be made again, and records be put back only into a waiting one", () => {
    expect(statesBefore("Approved")).toEqual(["planned"])
    expect(statesBefore("PlanInvalidated")).toEqual(["planned", ...statesAfter("Approved")])
    expect(statesAfter("PlanInvalidated")).toEqual(["authorized"])
    expect(statesBefore("PutBackRequested")).toEqual(["planned"])
  })

  test("plans where the service has access, and writes where a plan is approved", () => {
    expect(statesBefore("Planned")).toEqual(["authorized"])
    expect(statesBefore("Applied")).toEqual(["applying"])
  })

  test("asks for an authorization before the service removes records that it took over from others", () => {
    expect(statesBefore("RecordsInherited")).toEqual(["disconnecting"])
    expect(statesAfter("RecordsInherited")).toEqual(["awaiting_authorization"])
  })

  test("expires only a state that waits for a choice or an approval", () =>
    expect(statesBefore("Expired")).toEqual(["awaiting_authorization", "planned"]))

  test("refuses an event that it lists for a state only where the records in the zone or the failure forbid it", () => {
    for (const state of ConnectionState.literals) {
      const listed = allEvents.filter(({ _tag }) => statesBefore(_tag).includes(state))
      const others = recordsIn(state).flatMap((record) =>
        listed.filter((event) => isPossible(record, event) === isRefused(record, event)).map(({ _tag }) => _tag)
      )
      expect([state, others]).toEqual([state, []])
    }
  })

  test("starts again only by a retry, with a new intent or at another provider", () =>
    expect(eventsInto("requested")).toEqual(["IntentChanged", "ProviderSelected", "Retried"]))

  test("allows a retry only of failed and degraded connections", () =>
    expect(statesBefore("Retried")).toEqual(["degraded", "failed"]))

  test("allows a new intent, a cancel or a disconnect except while a phase works on the connection", () => {
    expect(statesWithout("IntentChanged")).toEqual(["authorizing", "authorized", "applying", "disconnecting"])
    expect(statesWithout("DisconnectRequested")).toEqual(["requested", "authorized", "applying", "disconnecting"])
    expect(statesWithout("Canceled")).toEqual([
      "authorized",
      "applying",
      "verifying",
      "active",
      "degraded",
      "disconnecting"
    ])
    for (const from of ["authorized", "applying"] as const)
      expect(commands.filter((command) => statesBefore(command).includes(from))).toEqual([])
    expect(commands.filter((command) => statesBefore(command).includes("disconnecting"))).toEqual(["RecheckRequested"])
  })

  test("fails no connection that waits for its customer, and none whose records are served", () =>
    expect(statesBefore("Failed")).toEqual(["authorizing", "authorized", "applying", "verifying", "disconnecting"]))
})

describe("the phases and the table agree:", () => {
  const eventsOf: { readonly [P in Phase]: ReadonlyArray<EventTag> } = {
    discover: ["Discovered", "DiscoveryFailed"],
    provision: ["Planned", "Applied"],
    verify: ["Verified"],
    restore: ["Restored", "RestoreAwaited", "RecordsInherited"],
    expire: ["Expired", "AuthorizationClosed"]
  }
  for (const phase of ["discover", "provision", "verify", "restore", "expire"] as const)
    test(`${phase} is due in exactly the states in which its events can happen`, () =>
      expect(ConnectionState.literals.filter((state) => phasesDueIn(state).has(phase))).toEqual(
        ConnectionState.literals.filter((state) => eventsOf[phase].some((event) => statesBefore(event).includes(state)))
      ))

  test("a recheck can be requested exactly where verify is due, and where the customer restores the zone by hand", () =>
    expect(statesBefore("RecheckRequested")).toEqual(
      ConnectionState.literals.filter((state) => phasesDueIn(state).has("verify") || state === "disconnecting")
    ))

  test("a discovery can fail exactly where it can succeed", () =>
    expect(statesBefore("DiscoveryFailed")).toEqual(statesBefore("Discovered")))

  test("every connection that has not ended has a phase due, or waits for a command that is possible", () => {
    const commandEvents = allEvents.filter(({ _tag }) => commands.includes(_tag))
    for (const state of ConnectionState.literals)
      for (const record of recordsIn(state))
        expect(
          Option.isSome(findNextPhase(record, defaultStateTimeouts, now)) ||
            commandEvents.some((event) => isPossible(record, event))
        ).toBe(!finalStates.includes(state))
  })
})

test("a refusal names the state and the event", () =>
  expect(advance(connectionRecordIn("active"), LifecycleEvent.Applied(), now)).toEqual(
    Either.left(expect.objectContaining({ _tag: "IllegalTransition", from: "active", event: "Applied" }))
  ))

/** The refusals that do not follow from the state alone. */
const isRefused = (record: ConnectionRecord, event: LifecycleEvent): boolean => {
  const { direction, failure, pendingIntent, state } = record.connection
  const isServed = state === "verifying" || state === "active" || state === "degraded"
  switch (event._tag) {
    case "Canceled":
    case "Expired":
      return mustRestore(record) && !canAbandonChange(record)
    case "RecheckRequested":
      if (state === "disconnecting") return !isRestoredByHand(record)
      return (state === "awaiting_authorization" || state === "failed") && !isWatchedWhileWaiting(record)
    case "Verified":
      return (state === "awaiting_authorization" || state === "failed") && !isWatchedWhileWaiting(record)
    case "ManualAbandoned":
      return state === "verifying" && record.progress.control?.isAwaited !== true
    case "ControlLost":
      return direction === "restore" || !holdsHosts(record)
    case "PutBackRequested":
      return direction !== "restore" && pendingIntent === undefined
    case "IntentChanged":
      return direction === "restore"
    case "Retried":
      return state === "failed" && failure?.resumeState === undefined
    case "DisconnectRequested":
      if (direction === "restore") return state !== "failed"
      if (!mustRestore(record)) return !isServed
      // Before an authorization there is no credential that a removal could use.
      return event.hasCredential && record.progress.hasWritten && !isServed && state !== "failed" && state !== "planned"
    default:
      return false
  }
}

/** The events that commands cause. */
const commands: ReadonlyArray<EventTag> = [
  "ManualChosen",
  "ManualAbandoned",
  "AuthorizationOpened",
  "Authorized",
  "Approved",
  "PutBackRequested",
  "RecheckRequested",
  "Retried",
  "IntentChanged",
  "DisconnectRequested",
  "Canceled"
]

const linesOf = (list: ReadonlyArray<TableTransition>): ReadonlyArray<string> =>
  [...new Set(list.map(({ event, from, to }) => `${from}: ${event} → ${to}`))].toSorted()

const reachableFrom = (state: ConnectionState): ReadonlySet<ConnectionState> => {
  const reached = new Set([state])
  // The iteration of a set includes the elements that are added during it.
  for (const known of reached) for (const { from, to } of transitions) if (from === known) reached.add(to)
  return reached
}

/** The events that lead into a state from another one. */
const eventsInto = (state: ConnectionState): ReadonlyArray<EventTag> =>
  [...new Set(transitions.filter(({ from, to }) => to === state && from !== to).map(({ event }) => event))].toSorted()

const statesBefore = (event: EventTag): ReadonlyArray<ConnectionState> =>
  ConnectionState.literals.filter((state) => transitions.some((entry) => entry.event === event && entry.from === state))

const statesAfter = (event: EventTag): ReadonlyArray<ConnectionState> =>
  ConnectionState.literals.filter((state) => transitions.some((entry) => entry.event === event && entry.to === state))

/** The states that have not ended and in which an event cannot happen. */
const statesWithout = (event: EventTag): ReadonlyArray<ConnectionState> =>
  ConnectionState.literals.filter((state) => !finalStates.includes(state) && !statesBefore(event).includes(state))

const phasesDueIn = (state: ConnectionState): ReadonlySet<Phase> =>
  new Set(
    recordsIn(state)
      .flatMap(({ connection, progress }) =>
        booleans.map((needsSurvey) => ({ connection, progress: { ...progress, needsSurvey } }))
      )
      .flatMap((record) => Option.toArray(findNextPhase(record, defaultStateTimeouts, now)))
      .map(({ phase }) => phase)
  )

const booleans = [true, false]

/**
 * Nothing in the zone, records that the service wrote, with and without a proof of control, records that the customer
 * entered, and a challenge that is awaited.
 */
const progressKinds: ReadonlyArray<Partial<Progress>> = [
  { hasWritten: false },
  { hasWritten: true },
  { control: { provenBy: "challenge", isAwaited: false, isLost: false, notified: [] } },
  { hasWritten: true, control: { provenBy: "credential", isAwaited: false, isLost: false, notified: [] } },
  { entered: planOf().changes.map((change) => ({ change, at: now })) },
  { control: { challenge: "token", isAwaited: true, isLost: false, notified: [] } }
]

/** The ways in which a new intent may wait to be applied; a removal has none. */
const changeKinds = [
  { connection: {}, progress: {} },
  ...(["verifying", "active", "degraded"] as const).map((state) => pendingChange(state)),
  pendingChange("active", true)
]

/** The states in which no new intent waits to be applied. */
const statesWithoutChange: ReadonlyArray<ConnectionState> = ["verifying", "active", "degraded", ...finalStates]

/** Connections in a state, one of every kind that makes a difference. */
const recordsIn = (state: ConnectionState): ReadonlyArray<ConnectionRecord> => {
  const records = recordsByState.get(state) ?? makeRecordsIn(state)
  recordsByState.set(state, records)
  return records
}

const recordsByState = new Map<ConnectionState, ReadonlyArray<ConnectionRecord>>()

const makeRecordsIn = (state: ConnectionState): ReadonlyArray<ConnectionRecord> =>
  booleans.flatMap((isRestoring) =>
    changeKinds.slice(0, isRestoring || statesWithoutChange.includes(state) ? 1 : undefined).flatMap((change) =>
      progressKinds.flatMap((progress) =>
        [undefined, consentTo(planOf())].flatMap((consent) =>
          failuresIn(state).map((failure) =>
            connectionRecordIn(state, {
              connection: {
                ...change.connection,
                ...(isRestoring ? { direction: "restore" } : {}),
                ...(failure === undefined ? {} : { failure })
              },
              progress: { ...progress, ...change.progress, ...(consent === undefined ? {} : { consent }) }
            })
          )
        )
      )
    )
  )

/** In `failed`, one failure for every state in which a retry resumes, and one that cannot be retried. */
const failuresIn = (state: ConnectionState) => (state === "failed" ? [...failuresByResumeState.values()] : [undefined])

const failuresByResumeState = new Map(
  transitions
    .filter(({ from, to }) => from !== to && to === "failed")
    .flatMap(({ from }) => FailureCode.literals.map((code) => makeFailure({ state: from }, { code }, now)))
    .map((failure) => [failure.resumeState, failure])
)

const allEvents: ReadonlyArray<LifecycleEvent> = [
  discovered(),
  discovered(planOf(noChanges)),
  discovered(planOf(), ["manual"]),
  discoveryFailed(),
  LifecycleEvent.ManualChosen({ isByLink: false }),
  LifecycleEvent.ProviderSelected({ provider: sampleProvider }),
  LifecycleEvent.AuthorizationOpened(),
  LifecycleEvent.AuthorizationClosed({ reason: Option.none() }),
  authorized(),
  authorized(Option.some(consentTo(planOf()))),
  LifecycleEvent.ManualAbandoned(),
  planned(),
  planned(planOf(noChanges)),
  LifecycleEvent.Approved(),
  LifecycleEvent.PutBackRequested({ putBack: [] }),
  LifecycleEvent.PlanInvalidated({ code: "zone_changed" }),
  LifecycleEvent.Applied(),
  LifecycleEvent.WriteDelayed({ resumesIn: Duration.minutes(1), hasWrites: true }),
  ...(["right", "wrong", "unknown"] as const).flatMap((verdict) =>
    booleans.flatMap((isConfirmed) => booleans.map((isTimedOut) => verified(verdict, { isConfirmed, isTimedOut })))
  ),
  verified("right", { control: { isRequired: true, isHolder: true } }),
  LifecycleEvent.ControlLost(),
  LifecycleEvent.Confirmed(),
  LifecycleEvent.RecheckRequested(),
  ...FailureCode.literals.flatMap((code) => booleans.map((hasWrites) => failed(code, hasWrites))),
  LifecycleEvent.Retried({ toChoice: false }),
  intentChanged(true),
  intentChanged(false),
  disconnectRequested(true),
  disconnectRequested(false),
  LifecycleEvent.RecordsInherited({ plan: planOf() }),
  restoreAwaited,
  restored,
  LifecycleEvent.Expired(),
  LifecycleEvent.Canceled()
]

const possibleTransitions = (): ReadonlyArray<TableTransition> =>
  ConnectionState.literals.flatMap((from) =>
    recordsIn(from).flatMap((record) =>
      allEvents.flatMap((event) =>
        Either.match(advance(record, event, now), {
          onLeft: () => [],
          onRight: ({ connection }) => [{ from, event: event._tag, to: connection.state }]
        })
      )
    )
  )
