import { Effect } from "effect"
import { compareRequests, type IdempotentRequest } from "../../../domain/access/IdempotentRequest.ts"
import { MasterKeyMissing } from "../../StoreUnavailable.ts"

/** Whether a request is a retry of the one with this stored fingerprint; fails where only another process can tell. */
export const isRetryOf = (request: IdempotentRequest, stored: string): Effect.Effect<boolean, MasterKeyMissing> => {
  const comparison = compareRequests(request, stored)
  return comparison === "unknown" ? MasterKeyMissing.error : Effect.succeed(comparison === "retry")
}
