import { Array } from "effect"
import { ConnectionState, finalStates } from "../src/domain/connection/Connection.ts"
import type { LifecycleEvent } from "../src/lifecycle/state/LifecycleEvent.ts"
import { transitionTable } from "../src/lifecycle/state/transitionTable.ts"

/**
 * Draws the table of transitions as a state diagram in Mermaid. Transitions that reach one state from nearly every other
 * one are listed in a note at that state; transitions from a state to itself are left out.
 */
export const drawLifecycleDiagram = (): string => {
  const [drawn, noted] = Array.partition(labelledTransitions, isNoted)
  return [
    "stateDiagram-v2",
    ...Array.difference(ConnectionState.literals, [...finalStates, ...drawn.flatMap(({ from, to }) => [from, to])]).map(
      (state) => `  ${state}`
    ),
    "  [*] --> requested: created",
    ...groupTransitions(drawn, ({ from, to }) => `${from} --> ${to}`).map(
      ([arrow, labels]) => `  ${arrow}: ${labels.map(({ label }) => label).join(", or ")}`
    ),
    ...finalStates.map((state) => `  ${state} --> [*]`),
    ...groupTransitions(noted, stateOfNote).flatMap(([state, lines]) => [
      `  note right of ${state}`,
      ...groupTransitions(lines, ({ label }) => label).map(
        ([label, transitions]) => `    ${label} ${otherStatesOf(transitions)}`
      ),
      "  end note"
    ])
  ].join("\n")
}

/** A transition from one state to another, with the words for its event. */
interface LabelledTransition {
  readonly event: LifecycleEvent["_tag"]
  readonly from: ConnectionState
  readonly to: ConnectionState
  readonly label: string
}

/** One label for all transitions of an event, or one for each state that it leads to. */
type EventLabel = string | { readonly [To in ConnectionState]?: string }

/** The events after which a connection whose new intent is given up returns to the old one. */
const returnLabels = {
  verifying: "a new intent is given up, from",
  active: "a new intent is given up, from",
  degraded: "a new intent is given up, from"
}

/** What happens, in a few words for a reader of the diagram. */
const eventLabels: { readonly [Event in LifecycleEvent["_tag"]]: EventLabel } = {
  Discovered: {
    awaiting_authorization: "authorization needed",
    awaiting_manual: "only manual setup is possible",
    verifying: "nothing to change"
  },
  DiscoveryFailed: "from",
  ManualChosen: "manual setup chosen",
  ManualAbandoned: "another method chosen",
  ProviderSelected: "another provider chosen",
  AuthorizationOpened: "sign-in at the provider starts",
  AuthorizationClosed: "sign-in ends without authorization",
  Authorized: "authorized",
  Planned: {
    planned: "plan needs approval",
    applying: "plan is already approved",
    disconnecting: "plan is already approved",
    verifying: "nothing to change"
  },
  Approved: "approved",
  PutBackRequested: "more records to restore",
  PlanInvalidated: "plan is stale",
  WriteDelayed: "provider asks to wait",
  Applied: "changes written",
  Confirmed: "one server shows the records",
  Verified: {
    verifying: "records found",
    active: "all records found",
    degraded: "a record is missing",
    expired: "from",
    failed: "from"
  },
  ControlLost: "another customer proves control",
  RecheckRequested: "recheck",
  Failed: "from",
  Retried: "retry leads to",
  IntentChanged: {
    requested: "another intent, from",
    authorized: "another intent with a stored credential, from",
    awaiting_authorization: "another intent without a stored credential, from"
  },
  DisconnectRequested: {
    disconnecting: "disconnect with nothing written, from",
    authorized: "disconnect with a stored credential, from",
    awaiting_authorization: "disconnect without a stored credential, from"
  },
  RecordsInherited: "inherits records of other connections",
  RestoreAwaited: "changes are made by hand",
  Restored: "zone restored",
  Expired: { expired: "from", ...returnLabels },
  Canceled: { canceled: "from", ...returnLabels }
}

const isNoted = ({ event, to }: LabelledTransition): boolean =>
  notedEvents.includes(event) || statesWithNote.includes(to)

/** The events that are possible in nearly every state. */
const notedEvents: ReadonlyArray<LifecycleEvent["_tag"]> = [
  "Retried",
  "DisconnectRequested",
  "IntentChanged",
  "Expired",
  "Canceled"
]

/** The states that nearly every other one can lead to. */
const statesWithNote: ReadonlyArray<ConnectionState> = ["failed", "canceled", "expired"]

const stateOfNote = ({ event, from, to }: LabelledTransition): ConnectionState => (event === "Retried" ? from : to)

const otherStatesOf = (transitions: ReadonlyArray<LabelledTransition>): string =>
  Array.dedupe(transitions.map(({ event, from, to }) => (event === "Retried" ? to : from))).join(", ")

const labelOf = (event: LifecycleEvent["_tag"], to: ConnectionState): string => {
  const label: EventLabel = eventLabels[event]
  return typeof label === "string" ? label : (label[to] ?? event)
}

const groupTransitions = (
  transitions: ReadonlyArray<LabelledTransition>,
  by: (transition: LabelledTransition) => string
): ReadonlyArray<[string, ReadonlyArray<LabelledTransition>]> => [...Map.groupBy(transitions, by)]

const events = Object.keys(eventLabels).filter((event): event is LifecycleEvent["_tag"] => event in transitionTable)

const labelledTransitions: ReadonlyArray<LabelledTransition> = ConnectionState.literals.flatMap((from) =>
  events.flatMap((event) =>
    (transitionTable[event][from] ?? [])
      .filter((to) => to !== from)
      .map((to) => ({ event, from, to, label: labelOf(event, to) }))
  )
)
