import { Either } from "effect"
import type { ConnectionState } from "../../domain/connection/Connection.ts"
import type { ConnectionRecord, Progress } from "../../domain/connection/ConnectionRecord.ts"
import type { Decision } from "../commit/CommandRunner.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { canChooseAgain } from "../state/failures.ts"
import { isFailedRemoval } from "../state/listAllowedActions.ts"
import { authorizationClosed, returnAndChoose } from "./authorizationMethods.ts"
import { definePureCommand } from "./defineCommand.ts"

/** Starts a manual setup: the customer changes the zone, without giving the service access. */
export const chooseManual = definePureCommand((current) => Either.right(decideManualSetup(current)))

/** Decides on a manual setup, which may replace an OAuth session or a failed removal. A manual one stays as it is. */
export const decideManualSetup = (current: ConnectionRecord): Decision["events"] => {
  const choice = LifecycleEvent.ManualChosen({ isByLink: false })
  const { connection, progress } = current
  const { state } = connection
  if (state === "awaiting_manual" || (isManualSetup(progress) && statesAfterManualSetup.has(state))) return []
  if (state === "authorizing") return [authorizationClosed, choice]
  const isOver = isFailedRemoval(connection) || canChooseAgain(current)
  if (state === "failed" && progress.isManual && !isOver) return []
  return returnAndChoose(current, choice)
}

/** Whether the zone is changed manually: by the choice of the customer, or because the provider offers nothing else. */
const isManualSetup = ({ entered, hasProvenAccess, isManual }: Progress): boolean =>
  isManual || (entered.length > 0 && !hasProvenAccess)

const statesAfterManualSetup: ReadonlySet<ConnectionState> = new Set<ConnectionState>([
  "verifying",
  "active",
  "degraded",
  "disconnecting",
  "disconnected"
])
