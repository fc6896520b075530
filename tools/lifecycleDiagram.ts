import { Array } from "effect"
import { ConnectionState, finalStates } from "../src/domain/Connection.ts"
import type { LifecycleEvent } from "../src/lifecycle/state/LifecycleEvent.ts"
import { transitionTable } from "../src/lifecycle/state/transitionTable.ts"

/**
 * Draws the transition table as a Mermaid state diagram. Transitions to a state from nearly every other one are listed
 * in a note at that state; transitions from a state to itself are left out.
 */
export const lifecycleDiagram = (): string => {
  const [drawn, noted] = Array.partition(transitions, isNoted)
  return [
    "stateDiagram-v2",
    ...Array.difference(ConnectionState.literals, [...finalStates, ...drawn.flatMap(({ from, to }) => [from, to])]).map(
      (state) => `  ${state}`
    ),
    "  [*] --> requested: created",
    ...groupedBy(drawn, ({ from, to }) => `${from} --> ${to}`).map(
      ([arrow, of]) => `  ${arrow}: ${of.map(({ label }) => label).join(", or ")}`
    ),
    ...finalStates.map((state) => `  ${state} --> [*]`),
    ...groupedBy(noted, noteOf).flatMap(([state, lines]) => [
      `  note right of ${state}`,
      ...groupedBy(lines, ({ label }) => label).map(([label, of]) => `    ${label} ${othersOf(of)}`),
      "  end note"
    ])
  ].join("\n")
}

/** The block with the lifecycle diagram in the README, including its markers. */
export const lifecycleDiagramBlock = /<!-- lifecycle: bun run diagram -->[^]*<!-- \/lifecycle -->/

/** Renders the block with the current diagram. */
export const renderLifecycleDiagramBlock = () =>
  `<!-- lifecycle: bun run diagram -->\n\n\`\`\`mermaid\n${lifecycleDiagram()}\n\`\`\`\n\n<!-- /lifecycle -->`

/** A transition from one state to another, with its label in the diagram. */
interface DiagramTransition {
  readonly event: LifecycleEvent["_tag"]
  readonly from: ConnectionState
  readonly to: ConnectionState
  readonly label: string
}

type Label = string | { readonly [To in ConnectionState]?: string }

/** The label of each event, by the state that it leads to if that matters. */
const labels: { readonly [Event in LifecycleEvent["_tag"]]: Label } = {
  Discovered: {
    awaiting_authorization: "authorization possible",
    awaiting_manual: "manual setup only",
    verifying: "nothing to change"
  },
  DiscoveryFailed: "from",
  ManualChosen: "manual setup",
  ManualAbandoned: "manual setup abandoned",
  AuthorizationOpened: "OAuth started",
  AuthorizationClosed: "OAuth ended without authorization",
  Authorized: "credential received",
  Planned: {
    planned: "not approved yet",
    applying: "approved already",
    disconnecting: "approved already",
    verifying: "nothing to change"
  },
  Approved: "approved",
  PutBackRequested: "more records to restore",
  PlanInvalidated: "plan outdated",
  Applied: "written",
  Verified: {
    verifying: "authoritative servers have the records",
    active: "all servers have the records",
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
  RecordsInherited: "takes over records of ended connections",
  Restored: "zone restored",
  Expired: "from",
  Canceled: "from"
}

const isNoted = ({ event, to }: DiagramTransition): boolean =>
  event === "Retried" || event === "DisconnectRequested" || notedAt.includes(to)

/** The states that nearly every other one leads to. */
const notedAt: ReadonlyArray<ConnectionState> = ["failed", "canceled", "expired"]

const noteOf = ({ event, from, to }: DiagramTransition): ConnectionState => (event === "Retried" ? from : to)

const othersOf = (transitions: ReadonlyArray<DiagramTransition>): string =>
  Array.dedupe(transitions.map(({ event, from, to }) => (event === "Retried" ? to : from))).join(", ")

const labelOf = (event: LifecycleEvent["_tag"], to: ConnectionState): string => {
  const label: Label = labels[event]
  return typeof label === "string" ? label : (label[to] ?? event)
}

const groupedBy = (
  transitions: ReadonlyArray<DiagramTransition>,
  by: (transition: DiagramTransition) => string
): ReadonlyArray<[string, ReadonlyArray<DiagramTransition>]> => [...Map.groupBy(transitions, by)]

const events = Object.keys(labels).filter((event): event is LifecycleEvent["_tag"] => event in transitionTable)

const transitions: ReadonlyArray<DiagramTransition> = ConnectionState.literals.flatMap((from) =>
  events.flatMap((event) =>
    (transitionTable[event][from] ?? [])
      .filter((to) => to !== from)
      .map((to) => ({ event, from, to, label: labelOf(event, to) }))
  )
)
