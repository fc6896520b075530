import { ConnectionState } from "../../../src/domain/connection/Connection.ts"
import type { LifecycleEvent } from "../../../src/lifecycle/state/LifecycleEvent.ts"
import { transitionTable } from "../../../src/lifecycle/state/transitionTable.ts"

/** One entry of the transition table. */
export interface TableTransition {
  readonly from: ConnectionState
  readonly event: LifecycleEvent["_tag"]
  readonly to: ConnectionState
}

const events = Object.keys(transitionTable) as ReadonlyArray<LifecycleEvent["_tag"]>

/** The transition table as a list. */
export const transitions: ReadonlyArray<TableTransition> = events.flatMap((event) =>
  ConnectionState.literals.flatMap((from) => (transitionTable[event][from] ?? []).map((to) => ({ from, event, to })))
)
