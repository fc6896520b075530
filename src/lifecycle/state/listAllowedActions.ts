import { type DateTime, Option } from "effect"
import { type Connection, ConnectionAction } from "../../domain/connection/Connection.ts"
import type { ConnectionRecord } from "../../domain/connection/ConnectionRecord.ts"
import { LifecycleEvent } from "./LifecycleEvent.ts"
import { canAdvance } from "./advance.ts"
import { canChooseAgain } from "./failures.ts"

/** The commands that are possible now. A caller may lack the right to some of them. */
export const listAllowedActions = (current: ConnectionRecord, now: DateTime.Utc): ReadonlyArray<ConnectionAction> => {
  const isPossible = (event: LifecycleEvent): boolean => canAdvance(current, event, now)
  const { connection, progress } = current
  const rules: { readonly [_ in ConnectionAction]: () => boolean } = {
    authorization: () =>
      [
        LifecycleEvent.ManualChosen({ isByLink: false }),
        LifecycleEvent.ManualAbandoned(),
        LifecycleEvent.AuthorizationClosed({ reason: Option.none() })
      ].some(isPossible) ||
      canChooseAgain(current) ||
      (isFailedRemoval(connection) && progress.hasWritten),
    approval: () => isPossible(LifecycleEvent.Approved()),
    recheck: () => isPossible(LifecycleEvent.RecheckRequested()),
    retry: () => !hasPermanentFailure(connection) && isPossible(LifecycleEvent.Retried({ toChoice: false })),
    cancel: () => isPossible(LifecycleEvent.Canceled()),
    disconnect: () => isPossible(LifecycleEvent.DisconnectRequested({ hasCredential: false })),
    update: () =>
      (connection.state === "authorizing" && connection.direction !== "restore") ||
      isPossible(LifecycleEvent.IntentChanged({ ...connection, hasCredential: false }))
  }
  return ConnectionAction.literals.filter((action) => rules[action]())
}

type ConnectionInState = Pick<Connection, "direction" | "failure" | "state">

/** Whether the connection has failed in a way that a retry cannot help. */
export const hasPermanentFailure = ({ failure, state }: ConnectionInState): boolean =>
  state === "failed" && failure?.retryable !== true

/** Whether the removal of the records has failed; it begins again with the choice of an authorization. */
export const isFailedRemoval = ({ direction, state }: ConnectionInState): boolean =>
  state === "failed" && direction === "restore"
