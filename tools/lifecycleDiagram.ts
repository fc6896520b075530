import { Array } from "effect"
import { ConnectionState, finalStates } from "../src/domain/Connection.ts"
import type { LifecycleEvent } from "../src/lifecycle/state/LifecycleEvent.ts"
import { transitionTable } from "../src/lifecycle/state/transitionTable.ts"

/**
 * The table of transitions as a state diagram of Mermaid. What leads to one state from nearly everywhere is told in a
 * note at that state; what leads nowhere is left out.
 */
export const lifecycleDiagram = (): string => {
  const [drawn, noted] = Array.partition(ways, isNoted)
  return [
    "stateDiagram-v2",
    ...Array.difference(ConnectionState.literals, [...finalStates, ...drawn.flatMap(({ from, to }) => [from, to])]).map(
      (state) => `  ${state}`
    ),
    "  [*] --> requested: asked for",
    ...gathered(drawn, ({ from, to }) => `${from} --> ${to}`).map(
      ([arrow, labels]) => `  ${arrow}: ${labels.map(({ label }) => label).join(", or ")}`
    ),
    ...finalStates.map((state) => `  ${state} --> [*]`),
    ...gathered(noted, noteOf).flatMap(([state, lines]) => [
      `  note right of ${state}`,
      ...gathered(lines, ({ label }) => label).map(([label, of]) => `    ${label} ${othersOf(of)}`),
      "  end note"
    ])
  ].join("\n")
}

/** A way from one state to another, in the words of what leads there. */
interface Way {
  readonly event: LifecycleEvent["_tag"]
  readonly from: ConnectionState
  readonly to: ConnectionState
  readonly label: string
}

type Words = string | { readonly [To in ConnectionState]?: string }

/** What happens, as people would say it. */
const words: { readonly [Event in LifecycleEvent["_tag"]]: Words } = {
  Discovered: {
    awaiting_authorization: "the service can be let in",
    awaiting_manual: "only by hand",
    verifying: "nothing to change"
  },
  DiscoveryFailed: "from",
  ManualChosen: "by hand",
  ManualAbandoned: "not by hand",
  AuthorizationOpened: "at the provider",
  AuthorizationClosed: "back without",
  Authorized: "let in",
  Planned: {
    planned: "not agreed to yet",
    applying: "agreed to already",
    disconnecting: "agreed to already",
    verifying: "nothing to change"
  },
  Approved: "approved",
  PutBackRequested: "more is wanted back",
  PlanInvalidated: "stale",
  Applied: "written",
  Verified: {
    verifying: "it is there",
    active: "all is there",
    degraded: "something is missing",
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
  RecordsInherited: "answers for what others left",
  Restored: "taken out",
  Expired: "from",
  Canceled: "from"
}

const isNoted = ({ event, to }: Way): boolean =>
  event === "Retried" || event === "DisconnectRequested" || notedAt.includes(to)

/** The states to which nearly every other one leads. */
const notedAt: ReadonlyArray<ConnectionState> = ["failed", "canceled", "expired"]

const noteOf = ({ event, from, to }: Way): ConnectionState => (event === "Retried" ? from : to)

const othersOf = (ways: ReadonlyArray<Way>): string =>
  Array.dedupe(ways.map(({ event, from, to }) => (event === "Retried" ? to : from))).join(", ")

const labelOf = (event: LifecycleEvent["_tag"], to: ConnectionState): string => {
  const said: Words = words[event]
  return typeof said === "string" ? said : (said[to] ?? event)
}

const gathered = (ways: ReadonlyArray<Way>, by: (way: Way) => string): ReadonlyArray<[string, ReadonlyArray<Way>]> => [
  ...Map.groupBy(ways, by)
]

const events = Object.keys(words).filter((event): event is LifecycleEvent["_tag"] => event in transitionTable)

const ways: ReadonlyArray<Way> = ConnectionState.literals.flatMap((from) =>
  events.flatMap((event) =>
    (transitionTable[event][from] ?? [])
      .filter((to) => to !== from)
      .map((to) => ({ event, from, to, label: labelOf(event, to) }))
  )
)
