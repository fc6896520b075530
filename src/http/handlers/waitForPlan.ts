import { HttpServerRequest } from "@effect/platform"
import { Duration, Effect, Option } from "effect"
import type { Tenancy } from "../../domain/Tenancy.ts"
import { Connections } from "../../lifecycle/commands/Connections.ts"
import type { StoredConnection } from "../../persistence/stores/StoredConnection.ts"
import { Drain } from "../middleware/Drain.ts"
import { releasePermit } from "../requestMetadata.ts"

/**
 * Waits for the plan that a request has caused, for as long as its `Prefer: wait=N` says; a drain ends the wait. Returns the
 * connection as it then is, and the headers that say so; without a preference both at once.
 */
export const waitForPlan = Effect.fnUntraced(function* (
  tenancy: Tenancy,
  stored: StoredConnection,
  prefer: string | undefined
) {
  const preferredWait = parsePreferredWait(prefer)
  const headers: Record<string, string> = {}
  if (Option.isNone(preferredWait)) return { stored, headers }
  const connections = yield* Connections
  const drain = yield* Drain
  releasePermit(yield* HttpServerRequest.HttpServerRequest)
  const wait = (atMost: Duration.Duration) => connections.awaitPlan(tenancy, stored.id, atMost)
  const current = yield* drain.orElseOnDrain(wait(preferredWait.value), wait(Duration.zero))
  return {
    stored: current,
    headers: { ...headers, "preference-applied": `wait=${Duration.toSeconds(preferredWait.value)}` }
  }
})

const maxWaitSeconds = 30

/** Parses `Prefer: wait=N` (RFC 7240 section 4.3); none for anything else. */
const parsePreferredWait = (prefer: string | undefined): Option.Option<Duration.Duration> =>
  Option.fromNullable(/(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i.exec(prefer ?? "")?.[1]).pipe(
    Option.map((seconds) => Duration.seconds(Math.min(Number(seconds), maxWaitSeconds)))
  )
