import { Either } from "effect"
import { finalStates } from "../../domain/connection/Connection.ts"
import type { ConnectionRecord } from "../../domain/connection/ConnectionRecord.ts"
import type { Decision } from "../commit/CommandRunner.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { hasPermanentFailure } from "../state/listAllowedActions.ts"
import { FailureNotRetryable } from "./commandErrors.ts"
import { definePureCommand } from "./defineCommand.ts"

/** Resumes a failed connection where its failure says, or discovers a degraded one again to repair it. */
export const retry = definePureCommand((current) => decideRetry(current))

/** Refuses a retry that cannot help; a connection that a retry has resumed, or is repairing, stays as it is. */
export const decideRetry = ({
  connection,
  progress: { needsSurvey, wasRetried }
}: ConnectionRecord): Either.Either<Decision["events"], FailureNotRetryable> => {
  const { failure, state } = connection
  const canBeRetried = state === "failed" || (state === "degraded" && !needsSurvey)
  if (wasRetried === true && !canBeRetried && !finalStates.includes(state)) return Either.right([])
  return hasPermanentFailure(connection)
    ? Either.left(
        new FailureNotRetryable({
          code: "failure_not_retryable",
          message: `a retry cannot help after ${failure?.code}; fix the cause and create a new connection`
        })
      )
    : Either.right([LifecycleEvent.Retried({ toChoice: false })])
}
