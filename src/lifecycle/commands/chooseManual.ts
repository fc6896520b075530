import { Either } from "effect"
import type { ConnectionRecord } from "../../domain/ConnectionRecord.ts"
import type { Decision } from "../commit/CommandRunner.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { authorizationClosed, returnAndChoose } from "./authorizationMethods.ts"
import { definePureCommand } from "./defineCommand.ts"

/** Starts a manual setup: the customer changes the zone by hand, without giving the service access. */
export const chooseManual = definePureCommand((current) => Either.right(decideManualSetup(current)))

/** Allowed also instead of an OAuth session that has started, and instead of a removal that has failed. */
export const decideManualSetup = (current: ConnectionRecord): Decision["events"] => {
  const choice = LifecycleEvent.ManualChosen()
  const { direction, state } = current.connection
  if (state === "authorizing") return [authorizationClosed, choice]
  if (state === "failed" && direction === "restore") return [disconnectAgain, choice]
  return state === "awaiting_manual" ? [choice] : returnAndChoose(current, choice)
}

const disconnectAgain = LifecycleEvent.DisconnectRequested({ hasCredential: false })
