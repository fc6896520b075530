import { Either, Option } from "effect"
import type { Connection } from "../../domain/connection/Connection.ts"
import type { ConnectionRecord } from "../../domain/connection/ConnectionRecord.ts"
import type { AuthorizationMethod } from "../../domain/provider/Provider.ts"
import type { Decision } from "../commit/CommandRunner.ts"
import { LifecycleEvent } from "../state/LifecycleEvent.ts"
import { IllegalTransition } from "../state/advance.ts"
import { canChooseAgain } from "../state/failures.ts"
import { isFailedRemoval } from "../state/listAllowedActions.ts"
import { AuthorizationRefused } from "./commandErrors.ts"

/** Refuses a method that the provider of the connection does not offer, or any method before the provider is known. */
export const requireMethodOffered = (
  connection: Connection,
  method: AuthorizationMethod
): Either.Either<void, AuthorizationRefused | IllegalTransition> => {
  const { provider, state } = connection
  if (provider === undefined) return Either.left(new IllegalTransition({ from: state, event: "Authorized" }))
  if (provider.availableAuthorizationMethods.includes(method)) return Either.void
  return Either.left(
    new AuthorizationRefused({
      code: "authorization_method_unavailable",
      message: `the provider of this domain offers only ${provider.availableAuthorizationMethods.join(", ")}`,
      details: [
        { pointer: "/method", code: "authorization_method_unavailable", message: "is not offered by this provider" }
      ]
    })
  )
}

/** Returns the events of a choice in `awaiting_authorization`; in another state, the first event returns there. */
export const returnAndChoose = (current: ConnectionRecord, choice: LifecycleEvent): Decision["events"] => {
  const { connection } = current
  if (connection.state === "awaiting_manual" || connection.state === "verifying")
    return [LifecycleEvent.ManualAbandoned(), choice]
  if (canChooseAgain(current)) return [LifecycleEvent.Retried({ toChoice: true }), choice]
  return isFailedRemoval(connection) ? [disconnectAgain, choice] : [choice]
}

/** A removal that has failed begins again, without the credential that it had. */
const disconnectAgain = LifecycleEvent.DisconnectRequested({ hasCredential: false })

/** The customer chose another method, so that no failure of the OAuth session is reported. */
export const authorizationClosed = LifecycleEvent.AuthorizationClosed({ reason: Option.none() })
