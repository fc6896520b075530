import { Either } from "effect"
import { finalStates } from "../../domain/connection/Connection.ts"
import { canAbandonChange, type ConnectionRecord, hasRecordsInZone } from "../../domain/connection/ConnectionRecord.ts"
import type { Decision } from "../commit/CommandRunner.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { CancelRefused } from "./commandErrors.ts"
import { definePureCommand } from "./defineCommand.ts"

/** Ends a connection before its records are in the zone, or gives up a new intent before it is written. */
export const cancel = definePureCommand((current) => decideCancel(current))

/** Refuses to end a connection whose records would stay in the zone; one that is canceled already stays as it is. */
export const decideCancel = (current: ConnectionRecord): Either.Either<Decision["events"], CancelRefused> => {
  const {
    connection: { pendingIntent, state },
    progress
  } = current
  if (state === "canceled") return Either.right([])
  if (canAbandonChange(current)) return Either.right([LifecycleEvent.Canceled()])
  if (pendingIntent !== undefined)
    return Either.left(
      new CancelRefused({
        code: "records_written",
        message: "the zone may contain records of the new intent; change back to the intent that counts, or disconnect"
      })
    )
  return hasRecordsInZone(progress) && !finalStates.includes(state)
    ? Either.left(
        new CancelRefused({
          code: "records_written",
          message: "the zone may contain records of this connection; disconnect removes them"
        })
      )
    : Either.right([LifecycleEvent.Canceled()])
}
