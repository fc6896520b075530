import type { ConnectionState, FailureCode } from "./Connection.ts"

/** One entry of a connection's timeline: it entered a state, at its creation (`from` is absent) or from another. */
export interface TimelineEvent {
  readonly id: string
  readonly from?: ConnectionState
  readonly to: ConnectionState
  readonly failure?: FailureCode
}
