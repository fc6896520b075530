import { Either } from "effect"
import type { ConnectionState } from "../../domain/Connection.ts"
import type { ConnectionRecord } from "../../domain/ConnectionRecord.ts"
import type { Decision } from "../commit/CommandRunner.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { authorizationClosed, returnAndChoose } from "./authorizationMethods.ts"
import { definePureCommand } from "./defineCommand.ts"

/** Starts a manual setup: the customer changes the zone by hand, without giving the service access. */
export const chooseManual = definePureCommand((current) => Either.right(decideManualSetup(current)))

/**
 * Allowed also instead of an OAuth session that has started, and instead of a removal that has failed. A connection that is
 * set up manually already stays as it is.
 */
export const decideManualSetup = (current: ConnectionRecord): Decision["events"] => {
  const choice = LifecycleEvent.ManualChosen()
  const { direction, state } = current.connection
  if (state === "awaiting_manual" || (current.progress.byHand && statesAfterManualSetup.has(state))) return []
  if (state === "authorizing") return [authorizationClosed, choice]
  if (state === "failed" && direction === "restore") return [disconnectAgain, choice]
  return returnAndChoose(current, choice)
}

/** The states to which a manual setup, or a manual removal, leads. */
const statesAfterManualSetup: ReadonlySet<ConnectionState> = new Set<ConnectionState>([
  "verifying",
  "active",
  "disconnecting",
  "disconnected"
])

const disconnectAgain = LifecycleEvent.DisconnectRequested({ hasCredential: false })
