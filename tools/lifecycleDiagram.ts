import { Array } from "effect"
import { ConnectionState, finalStates } from "../src/domain/Connection.ts"
import type { LifecycleEvent } from "../src/lifecycle/state/LifecycleEvent.ts"
import { transitionTable } from "../src/lifecycle/state/transitionTable.ts"

/**
 * Draws the transition table as a Mermaid state diagram. Transitions that lead to one state from nearly every other one are
 * listed in a note at that state; transitions from a state to itself are left out.
 */
export const lifecycleDiagram = (): string => {
  const [drawn, noted] = Array.partition(transitions, isInNote)
  return [
    "stateDiagram-v2",
    ...Array.difference(ConnectionState.literals, [...finalStates, ...drawn.flatMap(({ from, to }) => [from, to])]).map(
      (state) => `  ${state}`
    ),
    "  [*] --> requested: created",
    ...groupBy(drawn, ({ from, to }) => `${from} --> ${to}`).map(
      ([arrow, group]) => `  ${arrow}: ${group.map(({ label }) => label).join(", or ")}`
    ),
    ...finalStates.map((state) => `  ${state} --> [*]`),
    ...groupBy(noted, noteStateOf).flatMap(([state, group]) => [
      `  note right of ${state}`,
      ...groupBy(group, ({ label }) => label).map(([label, labeled]) => `    ${label} ${otherStatesOf(labeled)}`),
      "  end note"
    ])
  ].join("\n")
}

interface LabeledTransition {
  readonly event: LifecycleEvent["_tag"]
  readonly from: ConnectionState
  readonly to: ConnectionState
  readonly label: string
}

type Label = string | { readonly [To in ConnectionState]?: string }

/** The label of each event, or of each state to which it leads. A label of a note reads on with a list of states. */
const labels: { readonly [Event in LifecycleEvent["_tag"]]: Label } = {
  Discovered: {
    awaiting_authorization: "the service can be authorized",
    awaiting_manual: "only manual setup is possible",
    verifying: "nothing to change"
  },
  DiscoveryFailed: "from",
  ManualChosen: "manual setup chosen",
  ManualAbandoned: "another method requested",
  AuthorizationOpened: "customer goes to the provider",
  AuthorizationClosed: "back without authorization",
  Authorized: "authorized",
  Planned: {
    planned: "needs approval",
    applying: "approved in advance",
    disconnecting: "approved in advance",
    verifying: "nothing to change"
  },
  Approved: "approved",
  PutBackRequested: "leftovers to put back",
  PlanInvalidated: "plan outdated",
  Applied: "written",
  Verified: {
    verifying: "records found",
    active: "all records found",
    degraded: "records missing",
    expired: "from",
    failed: "from"
  },
  RecheckRequested: "recheck",
  Failed: "from",
  Retried: "retry leads to",
  DisconnectRequested: {
    disconnecting: "disconnect with nothing written, from",
    authorized: "disconnect with a credential, from",
    awaiting_authorization: "disconnect without a credential, from"
  },
  RecordsInherited: "takes over records of others",
  Restored: "records removed",
  Expired: "from",
  Canceled: "from"
}

const isInNote = ({ event, to }: LabeledTransition): boolean =>
  event === "Retried" || event === "DisconnectRequested" || statesWithNote.includes(to)

/** The states to which nearly every other one leads. */
const statesWithNote: ReadonlyArray<ConnectionState> = ["failed", "canceled", "expired"]

const noteStateOf = ({ event, from, to }: LabeledTransition): ConnectionState => (event === "Retried" ? from : to)

const otherStatesOf = (group: ReadonlyArray<LabeledTransition>): string =>
  Array.dedupe(group.map(({ event, from, to }) => (event === "Retried" ? to : from))).join(", ")

const labelOf = (event: LifecycleEvent["_tag"], to: ConnectionState): string => {
  const label: Label = labels[event]
  return typeof label === "string" ? label : (label[to] ?? event)
}

const groupBy = (
  list: ReadonlyArray<LabeledTransition>,
  key: (transition: LabeledTransition) => string
): ReadonlyArray<[string, ReadonlyArray<LabeledTransition>]> => [...Map.groupBy(list, key)]

const events = Object.keys(labels).filter((event): event is LifecycleEvent["_tag"] => event in transitionTable)

const transitions: ReadonlyArray<LabeledTransition> = ConnectionState.literals.flatMap((from) =>
  events.flatMap((event) =>
    (transitionTable[event][from] ?? [])
      .filter((to) => to !== from)
      .map((to) => ({ event, from, to, label: labelOf(event, to) }))
  )
)
