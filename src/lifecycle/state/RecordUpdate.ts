import type { Connection, ConnectionState } from "../../domain/connection/Connection.ts"
import type { Progress } from "../../domain/connection/ConnectionRecord.ts"
import type { FailureCause } from "./LifecycleEvent.ts"

export interface RecordUpdate {
  readonly state: ConnectionState
  readonly connection?: Partial<Connection>
  readonly progress?: Partial<Progress>
  readonly failure?: FailureCause
  /** Removes the failure although the state stays. A new state removes it in any case. */
  readonly shouldClearFailure?: boolean
  readonly shouldClearPlan?: boolean
  /** Gives up a new intent that was not applied. */
  readonly shouldAbandonChange?: boolean
  /** Whether control was proven just now, so that the proof counts for a new intent, too. */
  readonly isNewlyProven?: boolean
}
