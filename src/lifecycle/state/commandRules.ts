import type { Connection } from "../../domain/Connection.ts"

type ConnectionInState = Pick<Connection, "direction" | "failure" | "state">

/** Whether the connection has failed in a way that a retry cannot help. */
export const hasPermanentFailure = ({ failure, state }: ConnectionInState): boolean =>
  state === "failed" && failure?.retryable !== true

/** Whether the connection has failed, and continues where the customer chooses an authorization. */
export const resumesAtAuthorization = ({ failure, state }: ConnectionInState): boolean =>
  state === "failed" && failure?.resumeState === "awaiting_authorization"

/** Whether the removal of the records has failed; it begins again with the choice of an authorization. */
export const isFailedRemoval = ({ direction, state }: ConnectionInState): boolean =>
  state === "failed" && direction === "restore"
