import { Effect } from "effect"
import { makeEventLogger } from "../../runtime/EventLog.ts"
import { metrics } from "../../runtime/metrics.ts"
import type { RequestExchange } from "./Exchange.ts"

/**
 * Makes what counts and logs a response. The log names the route of a request and never its URL, which may hold a
 * secret; 499 stands for a client that went away before its response.
 */
export const makeResponseRecorder = Effect.map(
  makeEventLogger,
  (logEvent) =>
    ({ caller, found, id, request }: RequestExchange, status: number, beganAt: number): Effect.Effect<void> => {
      metrics.httpRequests.labeled(`${Math.floor(status / 100)}xx`).unsafeUpdate(1, [])
      return logEvent("Request", {
        method: request.method,
        route: found?.path.template,
        status,
        durationMillis: Math.round((performance.now() - beganAt) * 100) / 100,
        requestId: id,
        applicationId: caller?.tenancy?.applicationId,
        tenantId: caller?.tenancy?.tenantId,
        keyId: caller?.keyId
      })
    }
)

/** The status that the log gives to a request whose client went away. */
export const clientGoneStatus = 499
